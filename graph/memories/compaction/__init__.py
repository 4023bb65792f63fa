"""Compaction: replaces many memories by a summary, when a person asks for it."""
