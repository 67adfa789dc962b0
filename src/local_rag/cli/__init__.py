"""The command line door."""
