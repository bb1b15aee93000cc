"""Store with each session the network that it was last used from, as a keyed hash, for ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column; it is filled when a session is used."""
    op.add_column("sessions", sa.Column("network", sa.String(16), nullable=True))
