"""Holding claims against what they cite: by a decision model, and by rules."""
