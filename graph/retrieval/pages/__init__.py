"""Numbered pages of memories, for interfaces that require them."""
