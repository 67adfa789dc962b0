"""Words that people put on documents to find them by."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds ``document_tags``."""
    op.create_table(
        "document_tags",
        sa.Column(
            "document_id",
            sa.String(32),
            sa.ForeignKey("documents.document_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("tag", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
    )
