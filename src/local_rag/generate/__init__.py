"""From evidence to a draft."""
