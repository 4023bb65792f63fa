"""Memories that a person makes from messages, and their regeneration."""
