"""Bring the database to the newest form at every start."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import Connection, inspect, select, text

from riverstones.table import fold

from . import schema as s
from .rows import entry_of, summary_row

log = logging.getLogger("riverstones.storage")

HEAD = "0003"
"""The newest migration; a test holds it to the files."""

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(connection: Connection) -> None:
    """Run what is missing. A database that is up to date costs one query and not even the import of Alembic."""
    known = inspect(connection).has_table("alembic_version")
    if known and connection.scalar(text("SELECT version_num FROM alembic_version")) == HEAD:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    fill_summaries(connection)


def fill_summaries(connection: Connection) -> None:
    """Write the summary of every table that has none, from its log.

    This is not part of a migration, so that it always writes the form of today: a migration that changes what a summary
    holds only has to delete the old ones. A log that cannot be read gets no summary, and its table is in no list.
    """
    without = s.tables.outerjoin(s.summaries, s.summaries.c.table_id == s.tables.c.id)
    missing = select(s.tables.c.id).select_from(without).where(s.summaries.c.table_id.is_(None))
    for table in connection.scalars(missing).all():
        query = select(s.events).where(s.events.c.table_id == table).order_by(s.events.c.seq)
        try:
            state = fold([entry_of(row) for row in connection.execute(query).all()])
        except Exception:
            log.exception("The log of a table cannot be read; the table is left out of lists.")
        else:
            connection.execute(s.summaries.insert(), [summary_row(state)])
