"""The catalogue's tables. Alembic's versions in ``migrations`` create and change them."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
)

from local_rag.adapters.safe_text import SafeText

metadata = MetaData()

documents = Table(
    "documents",
    metadata,
    Column("document_id", String(32), primary_key=True),
    Column("state", String(12), nullable=False),
    Column("name", SafeText, nullable=False),
    Column("media_type", String(127), nullable=False),
    Column("source_sha256", String(64), nullable=False),
    Column("size_bytes", Integer, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("chunk_count", Integer, nullable=False),
    Column("title", SafeText),
    Column("added_at", String(40), nullable=False),
    Column("language", String(8), nullable=False),
)
Index(
    "one_searchable_document_a_name",
    documents.c.name,
    unique=True,
    sqlite_where=documents.c.state == "searchable",
    postgresql_where=documents.c.state == "searchable",
)
Index("documents_by_source", documents.c.source_sha256)
Index("documents_by_state_and_language", documents.c.state, documents.c.language)


def _document_id() -> Column[str]:
    return Column(
        "document_id",
        String(32),
        ForeignKey("documents.document_id", ondelete="CASCADE"),
        nullable=False,
    )


pages = Table(
    "pages",
    metadata,
    _document_id(),
    Column("page_number", Integer, nullable=False),
    Column("text", SafeText, nullable=False),
    Column("label", SafeText),
    Column("width_pt", Float, nullable=False),
    Column("height_pt", Float, nullable=False),
    Column("words", LargeBinary, nullable=False),
    PrimaryKeyConstraint("document_id", "page_number"),
)

page_readings = Table(
    "page_readings",
    metadata,
    _document_id(),
    Column("page_number", Integer, nullable=False),
    Column("path", String(12), nullable=False),
    Column("flags", SafeText, nullable=False),
    Column("native_words", Integer, nullable=False),
    Column("words", Integer, nullable=False),
    Column("coverage", Float),
    Column("ocr_confidence", Float),
    PrimaryKeyConstraint("document_id", "page_number"),
)

sections = Table(
    "sections",
    metadata,
    _document_id(),
    Column("ordinal", Integer, nullable=False),
    Column("section_id", SafeText, nullable=False),
    Column("title", SafeText, nullable=False),
    Column("level", Integer, nullable=False),
    Column("path", SafeText, nullable=False),
    Column("page_number", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end_page_number", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    PrimaryKeyConstraint("document_id", "ordinal"),
)

chunks = Table(
    "chunks",
    metadata,
    Column("chunk_id", String(32), primary_key=True),
    _document_id(),
    Column("ordinal", Integer, nullable=False),
    Column("page_number", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("text", SafeText, nullable=False),
    Column("section_id", SafeText, nullable=False),
    Column("heading_path", SafeText, nullable=False),
    Column("lead", SafeText, nullable=False),
)
Index("chunks_by_document", chunks.c.document_id, chunks.c.ordinal)

document_tags = Table(
    "document_tags",
    metadata,
    _document_id(),
    Column("ordinal", Integer, nullable=False),
    Column("tag", SafeText, nullable=False),
    PrimaryKeyConstraint("document_id", "ordinal"),
)

twins = Table(
    "twins",
    metadata,
    Column("name", SafeText, primary_key=True),
    Column("source_sha256", String(64), nullable=False, index=True),
)

jobs = Table(
    "jobs",
    metadata,
    Column("job_id", String(32), primary_key=True),
    Column("name", SafeText, nullable=False),
    Column("size_bytes", Integer, nullable=False),
    Column("state", String(12), nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("updated_at", String(40), nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("outcome", String(12)),
    Column("document_id", String(32)),
    Column("error_code", String(40)),
    Column("error_message", SafeText),
    Column("error_fix", SafeText),
    Column("can_retry", Boolean, nullable=False),
)

job_leases = Table(
    "job_leases",
    metadata,
    Column("job_id", String(32), ForeignKey("jobs.job_id", ondelete="CASCADE"), primary_key=True),
    Column("holder", String(120)),
    Column("until", Float, nullable=False),
    Column("ready", Boolean, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
)
Index("jobs_by_name", jobs.c.name)

conversations = Table(
    "conversations",
    metadata,
    Column("conversation_id", String(32), primary_key=True),
    Column("title", SafeText, nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("updated_at", String(40), nullable=False),
    Column("turn_count", Integer, nullable=False),
)
Index("conversations_by_time", conversations.c.updated_at, conversations.c.conversation_id)

conversation_turns = Table(
    "conversation_turns",
    metadata,
    Column(
        "conversation_id",
        String(32),
        ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("number", Integer, nullable=False),
    Column("asked_at", String(40), nullable=False),
    Column("question", SafeText, nullable=False),
    Column("understood_as", SafeText, nullable=False),
    Column("document_ids", SafeText),
    Column("still_reading", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    PrimaryKeyConstraint("conversation_id", "number"),
)

cases = Table(
    "cases",
    metadata,
    Column("case_id", SafeText, primary_key=True),
    Column("sameness", String(64), nullable=False, unique=True),
    Column("review_status", String(20), nullable=False),
    Column("line", SafeText, nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("updated_at", String(40), nullable=False),
)

index_settings = Table(
    "index_settings",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", SafeText, nullable=False),
)
