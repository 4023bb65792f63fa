"""Entries of automatic changes by saves: learnt memories, and saves merged into a stored memory."""

from typing import Any

from graph.core.models import SAVED, ChangeKind, NewChange
from graph.memories import rules
from graph.memories.models import Memory, MemoryDraft, SavedMemory
from graph.memories.policy import AUTOMATIC_SOURCES

# Fields that an automatic change may set, and that undoing it restores.
_CHANGEABLE = (
    "content", "summary", "category", "type", "kind", "facet", "key", "key_is_derived", "tags", "keywords",
    "importance", "confidence", "metadata", "timestamp", "speaker", "session_id", "t_valid", "t_invalid", "expires_at",
    "source_conversation_id", "source_message_id",
)  # fmt: skip
# Fields of a new learnt memory that the entry records; the caller's change of one confirms the memory.
_CONFIRMED_BY = {"confidence", "importance", "tags", "category", "summary", "t_valid", "expires_at"}
# Fields of a merged draft that the entry omits, since an undo saves the draft as a separate memory.
_OF_ITS_SAVE = {
    "id", "key", "key_is_derived", "embedding", "dedup", "learnt", "merges", "reembeds_on_mismatch",
}  # fmt: skip


def changed_fields(before: Memory, after: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields that differ between two states of a memory: their old and their new values."""
    names = {name for name in _CHANGEABLE if getattr(before, name) != getattr(after, name)}
    return before.model_dump(mode="json", include=names), after.model_dump(mode="json", include=names)


def learnt_from(draft: MemoryDraft, before: Memory | None, after: Memory) -> list[NewChange]:
    """Return the entry of a memory that a job created or changed; none for drafts of callers.

    Args:
        draft: Saved draft.
        before: Previous state of the memory; None: the job created it.
        after: State after the save.
    """
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
    """Return the entry of a save merged into a stored memory; none if the texts are equal and nothing changed."""
    before, after = changed_fields(known, receipt.memory) if receipt.merged else ({}, {})
    if not before and rules.content_hash(draft.content) == rules.content_hash(known.content):
        return []
    return [_merge(draft, known, before, after)]


def confirmation_of(draft: MemoryDraft, known: Memory) -> NewChange | None:
    """Return the entry of a caller's save that repeats a learnt memory; None for other saves.

    The entry keeps the caller's save when somebody undoes the learnt memory.
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
