"""Embedders: local models, remote servers and their cache."""
