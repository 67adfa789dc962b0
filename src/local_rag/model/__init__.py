"""Frozen values that every part of the program shares. Standard library only."""
