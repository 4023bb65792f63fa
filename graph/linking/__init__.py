"""Linking memories to the entities they speak of: by known names, by rules, and by a model where one is asked for."""
