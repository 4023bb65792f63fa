"""Entries for automatic changes of a save: memories that a job learnt, and saves merged into another."""

from typing import Any

from graph.core.models import SAVED, ChangeKind, NewChange
from graph.memories import rules
from graph.memories.models import Memory, MemoryDraft, SavedMemory
from graph.memories.policy import AUTOMATIC_SOURCES

# What an automatic change may have changed of a memory, and what undoing it puts back.
_CHANGEABLE = (
    "content", "summary", "category", "type", "kind", "facet", "key", "key_is_derived", "tags", "keywords",
    "importance", "confidence", "metadata", "timestamp", "speaker", "session_id", "t_valid", "t_invalid", "expires_at",
    "source_conversation_id", "source_message_id",
)  # fmt: skip
# What somebody changes of a memory that is to stay.
_CONFIRMED_BY = {"confidence", "importance", "tags", "category", "summary", "t_valid", "expires_at"}
# What does not belong to a draft that is saved later on its own.
_OF_ITS_SAVE = {
    "id", "key", "key_is_derived", "embedding", "dedup", "learnt", "merges", "reembeds_on_mismatch",
}  # fmt: skip


def changed_fields(before: Memory, after: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields that differ between two states of a memory, as the first has them and as the second does."""
    names = {name for name in _CHANGEABLE if getattr(before, name) != getattr(after, name)}
    return before.model_dump(mode="json", include=names), after.model_dump(mode="json", include=names)


def learnt_from(draft: MemoryDraft, before: Memory | None, after: Memory) -> list[NewChange]:
    """Return the entry of a memory that a job created, or whose ``before`` it changed; none for other drafts."""
    if draft.learnt is None:
        return []
    fields = changed_fields(before, after) if before else None
    if fields and not fields[0]:
        return []
    return [
        NewChange(
            kind=ChangeKind.LEARNT,
            subject_id=after.id,
            rule=draft.learnt.rule,
            job=draft.learnt.job,
            user_id=after.user_id,
            agent_id=after.agent_id,
            conversation_id=draft.source_conversation_id,
            message_id=draft.source_message_id,
            version=after.version,
            before=fields and fields[0],
            after=fields[1] if fields else after.model_dump(mode="json", include=_CONFIRMED_BY),
        )
    ]


def merge_of(draft: MemoryDraft, known: Memory, receipt: SavedMemory) -> list[NewChange]:
    """Return the entry of a save that became part of a known memory; none where nothing of it was lost or moved."""
    before, after = changed_fields(known, receipt.memory) if receipt.merged else ({}, {})
    if not before and rules.content_hash(draft.content) == rules.content_hash(known.content):
        return []
    return [_merge(draft, known, before, after)]


def confirmation_of(draft: MemoryDraft, known: Memory) -> NewChange | None:
    """Return the entry of a caller's save that repeats what a job learnt; None for any other save.

    Undoing what was learnt would delete what the caller saved, were there no trace of it.
    """
    is_callers = draft.learnt is None and draft.source_type not in AUTOMATIC_SOURCES
    return _merge(draft, known, {}, {}) if is_callers and known.source_type in AUTOMATIC_SOURCES else None


def _merge(draft: MemoryDraft, known: Memory, before: dict[str, Any], after: dict[str, Any]) -> NewChange:
    saved = draft.model_dump(mode="json", exclude=_OF_ITS_SAVE, exclude_none=True, exclude_defaults=True)
    return NewChange(
        kind=ChangeKind.MERGED,
        subject_id=known.id,
        rule="says_the_same",
        job=draft.learnt.job if draft.learnt else None,
        user_id=known.user_id,
        agent_id=known.agent_id,
        conversation_id=draft.source_conversation_id,
        message_id=draft.source_message_id,
        version=known.version,
        before={SAVED: saved, **before},
        after=after,
    )
