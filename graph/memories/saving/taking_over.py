"""Fields that a stored memory takes over from a save with the same meaning."""

from typing import Any

from graph.memories import rules
from graph.memories.models import Memory, MemoryDraft
from graph.memories.sources import AUTOMATIC_SOURCES

CONFIRMED = 1.0
"""Confidence of what a job learnt and a caller saves without a confidence of its own."""


def taken_over(draft: MemoryDraft, stored: Memory) -> dict[str, Any]:
    """Return the fields that a stored memory takes over from a save with the same meaning: new tags.

    What a job learnt has the confidence of the save, where that is higher. A draft that ``merges`` has the memory take
    over metadata and a higher importance, too.
    """
    taken: dict[str, Any] = {}
    if draft.source_type in AUTOMATIC_SOURCES:
        return taken
    tags = rules.joined_tags(stored.tags, draft.tags or ())
    if tags != tuple(stored.tags):
        taken["tags"] = list(tags)
    if stored.source_type in AUTOMATIC_SOURCES:
        confidence = CONFIRMED if draft.confidence is None else draft.confidence
        if confidence > stored.confidence:
            taken["confidence"] = confidence
    if not draft.merges:
        return taken
    metadata = rules.merged_metadata(stored.metadata, draft.metadata or {})
    if metadata != dict(stored.metadata):
        taken["metadata"] = rules.as_json(metadata)
    if draft.importance is not None and draft.importance > stored.importance:
        taken["importance"] = draft.importance
    return taken
