"""Contradictions: pairs of memories that cannot both be true, listed for a person to resolve."""
