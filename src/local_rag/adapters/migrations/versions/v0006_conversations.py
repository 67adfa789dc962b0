"""Conversations and what was answered in them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds ``conversations`` and ``conversation_turns``."""
    op.create_table(
        "conversations",
        sa.Column("conversation_id", sa.String(32), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("updated_at", sa.String(40), nullable=False),
        sa.Column("turn_count", sa.Integer, nullable=False),
    )
    op.create_index("conversations_by_time", "conversations", ["updated_at", "conversation_id"])
    op.create_table(
        "conversation_turns",
        sa.Column(
            "conversation_id",
            sa.String(32),
            sa.ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("asked_at", sa.String(40), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("understood_as", sa.Text, nullable=False),
        sa.Column("document_ids", sa.Text),
        sa.Column("still_reading", sa.Integer, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("conversation_id", "number"),
    )
