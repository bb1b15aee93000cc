"""Mark the finished tables whose result still has to be counted for the ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the mark, and set it for the rated tables that ended without being counted: the server may have crashed."""
    op.add_column("tables", sa.Column("pending_rating", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(
        "UPDATE tables SET pending_rating = true WHERE phase = 'over' "
        "AND NOT EXISTS (SELECT 1 FROM ratings WHERE ratings.table_id = tables.id) "
        "AND EXISTS (SELECT 1 FROM events WHERE events.table_id = tables.id AND events.type = 'created' "
        r"""AND events.data LIKE '%"rated"\:true%')"""
    )
    op.create_index(
        "tables_by_pending_rating",
        "tables",
        ["updated_ms"],
        sqlite_where=sa.text("pending_rating"),
        postgresql_where=sa.text("pending_rating"),
    )
