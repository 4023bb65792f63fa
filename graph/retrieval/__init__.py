"""Retrieval: recall, search, context and answers."""
