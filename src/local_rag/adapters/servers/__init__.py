"""Model servers: what they have in common, and an adapter for each kind."""
