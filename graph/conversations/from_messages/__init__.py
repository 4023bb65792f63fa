"""Remembering: memories made of what was said, at a person's wish, and made again from it."""
