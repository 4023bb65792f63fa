"""Fields that a stored memory takes over from a save with the same meaning."""

from typing import Any

from graph.memories import rules
from graph.memories.models import Memory, MemoryDraft
from graph.memories.sources import AUTOMATIC_SOURCES


def taken_over(draft: MemoryDraft, stored: Memory) -> dict[str, Any]:
    """Return the fields that a stored memory takes over from a save with the same meaning: new tags.

    If the draft ``merges``, it also takes over metadata and a higher importance.
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
