"""Reads and measures texts."""
