"""Recall: from a query to ranked, explained memories within a budget."""
