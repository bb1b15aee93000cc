"""Count the erasures of each table, so that a server with an older copy in memory cannot write it."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the count, and make summaries anew, which refer to it. `migrate` fills them from the logs."""
    op.add_column("tables", sa.Column("erasures", sa.Integer, nullable=False, server_default="0"))
    op.create_index("tables_by_erasures", "tables", ["id", "erasures"], unique=True)
    op.drop_table("summaries")
    op.create_table(
        "summaries",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("node", sa.String(16), nullable=True),
        sa.Column("erasures", sa.Integer, nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(
            ["table_id", "erasures"], ["tables.id", "tables.erasures"], ondelete="CASCADE", onupdate="CASCADE"
        ),
    )
