"""Demonstrations of `recollect demo`, with their sample data."""
