"""Add the settings that people keep with their account."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the empty table."""
    op.create_table(
        "preferences",
        sa.Column("person", sa.String(32), sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("data", sa.String(1024), nullable=False),
    )
