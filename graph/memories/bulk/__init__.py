"""Changing and deleting many memories at once."""
