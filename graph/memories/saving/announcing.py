"""Announces saved memories to subscribers; called after the transaction, never inside."""

from collections import defaultdict
from collections.abc import Sequence

from graph.core.events import Announcer
from graph.core.models import MemoryEventType
from graph.memories.models import SavedMemory, SaveOutcome
from graph.memories.policy import AUTOMATIC_SOURCES


def announce_saved(announcer: Announcer, workspace_id: str, receipts: Sequence[SavedMemory]) -> None:
    """Announce created and changed memories; one that a duplicate left unchanged causes no event."""
    ids: dict[MemoryEventType, dict[str, None]] = defaultdict(dict)
    for receipt in receipts:
        if (type_ := _type_of(receipt)) is not None:
            ids[type_][receipt.memory.id] = None
    for type_, distinct in ids.items():
        announcer.memories_changed(workspace_id, type_, list(distinct))


def _type_of(receipt: SavedMemory) -> MemoryEventType | None:
    if receipt.outcome is SaveOutcome.UPDATED or receipt.merged:
        return MemoryEventType.UPDATED
    if receipt.outcome is not SaveOutcome.CREATED:
        return None
    is_automatic = receipt.memory.source_type in AUTOMATIC_SOURCES
    return MemoryEventType.AUTO_SAVED if is_automatic else MemoryEventType.SAVED
