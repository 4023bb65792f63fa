"""Linking memories to the entities they speak of: by known names and by rules."""
