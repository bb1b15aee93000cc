"""Add the nodes of a site with their heartbeats, and to each summary the node that wrote it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the empty table and column."""
    op.create_table(
        "nodes",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("stopped", sa.Boolean, nullable=False),
    )
    op.add_column("summaries", sa.Column("node", sa.String(16), nullable=True))
