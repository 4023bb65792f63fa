"""Compaction: many memories put into fewer words, when a person asks for it."""
