"""Alembic's entry: runs the versions on the connection that the catalogue hands over."""

from alembic import context

from local_rag.adapters.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
