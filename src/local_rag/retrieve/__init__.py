"""From a question to evidence."""
