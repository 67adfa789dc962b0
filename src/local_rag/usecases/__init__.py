"""The order of the steps, written once."""
