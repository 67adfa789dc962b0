"""Conversations as files to be read elsewhere: pure functions from values to text."""
