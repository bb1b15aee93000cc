"""Add a row per finished game and person, so that profiles read no logs. `migrate` fills it from the logs."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the empty table."""
    op.create_table(
        "played_games",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("review", sa.Text, nullable=True),
    )
    op.create_index("played_games_by_person", "played_games", ["person", "ended_ms"])
