"""How each page was read, and what a passage needs from elsewhere."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds ``page_readings`` and ``chunks.lead``."""
    op.create_table(
        "page_readings",
        sa.Column(
            "document_id",
            sa.String(32),
            sa.ForeignKey("documents.document_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("page_number", sa.Integer, nullable=False),
        sa.Column("path", sa.String(12), nullable=False),
        sa.Column("flags", sa.Text, nullable=False),
        sa.Column("native_words", sa.Integer, nullable=False),
        sa.Column("words", sa.Integer, nullable=False),
        sa.Column("coverage", sa.Float),
        sa.Column("ocr_confidence", sa.Float),
        sa.PrimaryKeyConstraint("document_id", "page_number"),
    )
    op.add_column("chunks", sa.Column("lead", sa.Text, nullable=False, server_default=""))
