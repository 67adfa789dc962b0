"""Golden cases: questions whose answers are known."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds ``cases``."""
    op.create_table(
        "cases",
        sa.Column("case_id", sa.Text, primary_key=True),
        sa.Column("sameness", sa.String(64), nullable=False),
        sa.Column("review_status", sa.String(20), nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("updated_at", sa.String(40), nullable=False),
        sa.UniqueConstraint("sameness"),
    )
