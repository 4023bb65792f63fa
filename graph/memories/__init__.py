"""Memories: saving, changing, deleting, comparing and indexing stored statements."""
