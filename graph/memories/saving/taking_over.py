"""What a memory that is known already takes over from a save that says the same."""

from typing import Any

from graph.memories import rules
from graph.memories.models import Memory, MemoryDraft
from graph.memories.sources import AUTOMATIC_SOURCES


def taken_over(draft: MemoryDraft, stored: Memory) -> dict[str, Any]:
    """Return what a memory that says the same takes over from what somebody saves: further tags.

    A draft that ``merges`` has it take over metadata and a higher importance, too.
    """
    taken: dict[str, Any] = {}
    if draft.source_type in AUTOMATIC_SOURCES:
        return taken
    tags = rules.joined_tags(stored.tags, draft.tags or ())
    if tags != tuple(stored.tags):
        taken["tags"] = list(tags)
    if not draft.merges:
        return taken
    metadata = rules.merged_metadata(stored.metadata, draft.metadata or {})
    if metadata != dict(stored.metadata):
        taken["metadata"] = rules.as_json(metadata)
    if draft.importance is not None and draft.importance > stored.importance:
        taken["importance"] = draft.importance
    return taken
