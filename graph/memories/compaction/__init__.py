"""Compaction: shortens memories or replaces them with summaries, on request only."""
