"""Documents, pages, sections, chunks and the settings of the index."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _document_id() -> sa.Column[str]:
    return sa.Column(
        "document_id",
        sa.String(32),
        sa.ForeignKey("documents.document_id", ondelete="CASCADE"),
        nullable=False,
    )


def upgrade() -> None:
    """Creates the first tables."""
    op.create_table(
        "documents",
        sa.Column("document_id", sa.String(32), primary_key=True),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("media_type", sa.String(127), nullable=False),
        sa.Column("source_sha256", sa.String(64), nullable=False),
        sa.Column("size_bytes", sa.Integer, nullable=False),
        sa.Column("page_count", sa.Integer, nullable=False),
        sa.Column("chunk_count", sa.Integer, nullable=False),
        sa.Column("title", sa.Text),
        sa.Column("added_at", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
    )
    op.create_index(
        "one_searchable_document_a_name",
        "documents",
        ["name"],
        unique=True,
        sqlite_where=sa.text("state = 'searchable'"),
        postgresql_where=sa.text("state = 'searchable'"),
    )
    op.create_index("documents_by_source", "documents", ["source_sha256"])
    op.create_index("documents_by_state_and_language", "documents", ["state", "language"])
    op.create_table(
        "pages",
        _document_id(),
        sa.Column("page_number", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("label", sa.Text),
        sa.Column("width_pt", sa.Float, nullable=False),
        sa.Column("height_pt", sa.Float, nullable=False),
        sa.Column("words", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("document_id", "page_number"),
    )
    op.create_table(
        "sections",
        _document_id(),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("section_id", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("page_number", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end_page_number", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
    )
    op.create_table(
        "chunks",
        sa.Column("chunk_id", sa.String(32), primary_key=True),
        _document_id(),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("page_number", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("section_id", sa.Text, nullable=False),
        sa.Column("heading_path", sa.Text, nullable=False),
    )
    op.create_index("chunks_by_document", "chunks", ["document_id", "ordinal"])
    op.create_table(
        "index_settings",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drops them."""
    for table in ("index_settings", "chunks", "sections", "pages", "documents"):
        op.drop_table(table)
