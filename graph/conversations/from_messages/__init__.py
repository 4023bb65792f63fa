"""Memories that a person saves from messages, and their regeneration."""
