"""Merging of entities that are one, and undoing it."""
