"""Memories that cannot both be true, for a person to decide between them."""
