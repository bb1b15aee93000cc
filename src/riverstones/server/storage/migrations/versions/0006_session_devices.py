"""Store with each session what kind of device it was opened on, so that people can tell their sessions apart."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column; older sessions have none."""
    op.add_column("sessions", sa.Column("device", sa.String(64), nullable=True))
