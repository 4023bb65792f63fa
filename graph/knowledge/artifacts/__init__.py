"""Artifacts: what agents made or speak of."""
