"""Deletion: soft and permanent deletes, bulk clears, and the sweep of expired memories."""
