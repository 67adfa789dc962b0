"""The catalogue's history, run by Alembic."""

HEAD = "0007"
"""The newest version; a start that finds it recorded does not load Alembic at all."""
