"""Memories exempt from compaction: those with a key or a caller-chosen id, and verbatim ones."""

from collections.abc import Sequence

from graph.core.ids import is_own_memory_id
from graph.core.text.budget import estimate_tokens
from graph.memories.compaction.wording import summary_text
from graph.memories.models import Memory
from graph.memories.tags import PINNED, compute_tag_prefixes

KEPT_IMPORTANCE = 0.9
_ADAPTERS = frozenset({"langgraph"})
"""First levels of the tags under which adapters keep their items (``app/client/langgraph_store``)."""


def may_be_compacted(memory: Memory) -> bool:
    """Tell whether nobody has to find a memory as it is.

    Callers fetch memories by a chosen key or id, or by an adapter's tag; a derived key is not a chosen one. Memories
    pinned by tag or by ``pinned: true`` in their metadata, and those with an importance of at least 0.9, keep their
    text.
    """
    return (
        (memory.key is None or memory.key_is_derived)
        and memory.importance < KEPT_IMPORTANCE
        and memory.metadata.get(PINNED) is not True
        and PINNED not in compute_tag_prefixes(memory.tags)
        and is_own_memory_id(memory.id)
        and _ADAPTERS.isdisjoint(tag.split("/")[0] for tag in memory.tags)
    )


def shrinking(memories: Sequence[Memory], line_chars: int) -> list[tuple[Memory, str]]:
    """Return the memories with more tokens than their summary line and its line break, with this line."""
    lined = [(memory, summary_text([memory], line_chars)) for memory in memories]
    return [
        (memory, line)
        for memory, line in lined
        if estimate_tokens(line + "\n") < estimate_tokens(memory.content)
    ]
