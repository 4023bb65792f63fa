"""Sources of memories, and their consequences."""

from enum import StrEnum


class SourceType(StrEnum):
    """Creator of a memory."""

    API = "api"
    IMPORTED = "imported"
    USER = "user"
    MODEL = "model"
    EXTRACTED = "extracted"
    AUTO_DEEP_THINK = "auto_deep_think"
    AUTO_RESEARCH = "auto_research"
    AUTO_COMPACTION = "auto_compaction"


AUTOMATIC_SOURCES = (
    SourceType.EXTRACTED,
    SourceType.AUTO_DEEP_THINK,
    SourceType.AUTO_RESEARCH,
    SourceType.AUTO_COMPACTION,
)
"""Sources of background saves: no caller waits for them, and age alone may end them."""

CONCLUDING_SOURCES = frozenset({SourceType.USER, SourceType.MODEL, *AUTOMATIC_SOURCES})
"""Sources of conclusions from a conversation; others are its turns."""
