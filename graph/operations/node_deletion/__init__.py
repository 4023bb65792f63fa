"""Deletes what is a node, of whichever kind that is deleted by itself."""
