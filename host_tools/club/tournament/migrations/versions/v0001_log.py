"""The first form: the log of events, and the records that were taken in."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "events",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("seal", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """There is nothing before it."""
    op.drop_table("records")
    op.drop_table("events")
