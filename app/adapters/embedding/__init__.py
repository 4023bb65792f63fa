"""Embedders: local models, remote servers, and the cache before them."""
