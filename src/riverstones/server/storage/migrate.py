"""Bring the database to the newest form at every start."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

HEAD = "0002"
"""The newest migration; a test holds it to the files."""

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(connection: Connection) -> None:
    """Run what is missing. A database that is up to date costs one look and not even the import of Alembic."""
    known = inspect(connection).has_table("alembic_version")
    if known and connection.scalar(text("SELECT version_num FROM alembic_version")) == HEAD:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
