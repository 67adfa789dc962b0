"""The catalogue's history, run by Alembic."""

HEAD = "0008"
"""The newest version; a start that finds it recorded does not load Alembic at all."""
