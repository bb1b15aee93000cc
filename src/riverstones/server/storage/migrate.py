"""Migrates the database to the current schema at every start."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import Connection, inspect, select, text

from riverstones.table import Phase, Table, fold

from . import schema as s
from .engines import UnknownDatabase
from .played_rows import played_rows
from .rows import entry_of, summary_row

log = logging.getLogger("riverstones.storage")

HEAD = "0013"
"""The newest migration; a test compares it with the files."""

PLAYED_GAMES = "0009"
"""The migration that adds the rows of profiles."""

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(connection: Connection) -> None:
    """Run the missing migrations and fill the summaries. An up-to-date database needs no import of Alembic.

    Raises `UnknownDatabase` if a newer program has migrated it.
    """
    known = inspect(connection).has_table("alembic_version")
    version = connection.scalar(text("SELECT version_num FROM alembic_version")) if known else None
    if version == HEAD:
        return
    if version is not None and version > HEAD:
        raise UnknownDatabase(f"The database has version {version}, of a newer Riverstones; this one supports {HEAD}.")
    run_migrations(connection)
    fill_summaries(connection)
    if version is not None and version < PLAYED_GAMES:
        fill_played_games(connection)


def run_migrations(connection: Connection, revision: str = HEAD) -> None:
    """Run the migrations up to this one."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def fill_played_games(connection: Connection) -> None:
    """Write the rows of profiles for every table that is over, from its log."""
    for table in connection.scalars(select(s.tables.c.id).where(s.tables.c.phase == Phase.OVER.value)).all():
        if (state := _folded(connection, table)) is not None and (rows := played_rows(state)):
            connection.execute(s.played_games.insert(), rows)


def fill_summaries(connection: Connection) -> None:
    """Write the summary of every table that has none, from its log.

    This is not part of a migration, so that it always writes the current form: a migration that changes the form of
    summaries only has to delete the old ones. A table whose log cannot be read gets no summary and is not listed.
    """
    without = s.tables.outerjoin(s.summaries, s.summaries.c.table_id == s.tables.c.id)
    missing = select(s.tables.c.id, s.tables.c.erasures).select_from(without).where(s.summaries.c.table_id.is_(None))
    for table, erasures in connection.execute(missing).all():
        if (state := _folded(connection, table)) is not None:
            connection.execute(s.summaries.insert(), [{**summary_row(state), "erasures": erasures}])


def _folded(connection: Connection, table: str) -> Table | None:
    """The state of a table from its log; None if the log cannot be read, which is logged."""
    query = select(s.events).where(s.events.c.table_id == table).order_by(s.events.c.seq)
    try:
        return fold([entry_of(row) for row in connection.execute(query).all()])
    except Exception:
        log.exception("A table's log cannot be read; the table is in no list.")
        return None
