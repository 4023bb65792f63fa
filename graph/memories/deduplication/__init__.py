"""Duplicates: whether a memory is stored already, in the same words or in others."""
