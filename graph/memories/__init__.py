"""Memories: facts worth keeping, their fields, their life and the text index made of them."""
