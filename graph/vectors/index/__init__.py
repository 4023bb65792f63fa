"""Vectors: the embedder in use, and the embedding of memories."""
