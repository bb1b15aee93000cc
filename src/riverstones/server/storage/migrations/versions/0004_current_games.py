"""Add the time of the last change to each summary, and let people dismiss games from the first page."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Delete the old summaries, which `migrate` writes again from the logs."""
    op.execute("DELETE FROM summaries")
    op.add_column("summaries", sa.Column("changed_ms", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("dismissed", sa.Boolean, nullable=False, server_default=sa.false()))
