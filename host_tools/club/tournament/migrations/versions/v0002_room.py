"""The second form: a row for each table, bridge and director that was seen on the network."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table. It is no part of the log: nothing that counts depends on it, and a backup leaves it out."""
    op.create_table(
        "room",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Forget who was seen."""
    op.drop_table("room")
