"""Linking of memories to the entities that they mention, by known names and by rules."""
