"""What can serve a search of memories."""

from enum import StrEnum


class RecallTier(StrEnum):
    """What served a recall, the least able first."""

    KEYWORD = "keyword"
    VECTOR = "vector"
    EXTERNAL = "external"
