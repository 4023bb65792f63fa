"""Placeholder vectors, for deployments that require a vector for every memory."""

import hashlib

import numpy as np

USUAL_DIMENSION = 768
"""Length of a placeholder while no embedder has told the length of its vectors."""


def placeholder_vector(text: str, dimension: int) -> list[float]:
    """Return a unit vector that is the same for the same text, and says nothing of its meaning."""
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    values = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)
    return [float(value) for value in values / np.linalg.norm(values)]
