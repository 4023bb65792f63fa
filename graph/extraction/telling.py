"""How a memory is told to a model: one that was extracted holds no more than what it is about (F§12)."""

from collections.abc import Mapping
from typing import Any

from graph.memories.models import Memory
from graph.memories.sources import SourceType


def told(memory: Memory) -> str:
    """Return the whole statement of an extracted memory, "The user does not like Python", else its content (D18).

    A content that somebody has changed since is told as it is.
    """
    return told_of(memory.content, memory.metadata, memory.source_type, memory.version)


def told_of(content: str, metadata: Mapping[str, Any], source_type: str, version: int) -> str:
    """Return the same of a memory of which no more is known."""
    statement = metadata.get("statement")
    if source_type != SourceType.EXTRACTED or not isinstance(statement, str):
        return content
    return statement if version == 1 else content
