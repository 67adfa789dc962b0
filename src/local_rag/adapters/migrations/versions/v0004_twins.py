"""Names under which bytes were sent that a document has under another."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds ``twins``."""
    op.create_table(
        "twins",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("source_sha256", sa.String(64), nullable=False, index=True),
    )
