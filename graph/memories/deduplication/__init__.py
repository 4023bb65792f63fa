"""Deduplication: recognises memories that are already stored, in the same or in other words."""
