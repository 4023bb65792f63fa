"""Vectors: which embedder is in use, and how memories get theirs."""
