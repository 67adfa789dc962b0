"""From a file to passages: read, section, chunk."""
