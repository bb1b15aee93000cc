"""Keep the reviews of games: their record until they are computed, then their report."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the empty table."""
    op.create_table(
        "reviews",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="SET NULL"), nullable=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("report", sa.Text, nullable=True),
    )
    op.create_index("reviews_by_table", "reviews", ["table_id"])
