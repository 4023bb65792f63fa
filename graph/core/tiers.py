"""Tiers that can serve a search of memories."""

from enum import StrEnum


class RecallTier(StrEnum):
    """Tier that served a recall, the least capable first."""

    KEYWORD = "keyword"
    VECTOR = "vector"
    EXTERNAL = "external"
