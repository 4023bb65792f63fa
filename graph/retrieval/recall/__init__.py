"""Recall: finds, ranks and explains the memories for a query, within a token budget."""
