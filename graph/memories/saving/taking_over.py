"""What a memory that is known already takes over from a save that says the same."""

from typing import Any

from graph.memories import rules
from graph.memories.models import Memory, MemoryDraft


def taken_over(draft: MemoryDraft, stored: Memory) -> dict[str, Any]:
    """Return what a memory that says the same takes over from a draft: further tags, metadata, a higher importance."""
    taken: dict[str, Any] = {}
    tags = tuple(dict.fromkeys([*stored.tags, *(draft.tags or ())]))
    if tags != tuple(stored.tags):
        taken["tags"] = list(tags)
    metadata = rules.merged_metadata(stored.metadata, draft.metadata or {})
    if metadata != dict(stored.metadata):
        taken["metadata"] = rules.as_json(metadata)
    if draft.importance is not None and draft.importance > stored.importance:
        taken["importance"] = draft.importance
    return taken
