"""Turns checked drafts into the writes of one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from graph.core.errors import NotFound
from graph.memories import rules
from graph.memories.indexing import searchable_properties
from graph.memories.models import Memory, MemoryDraft, MemoryState, SavedMemory, SaveOutcome
from graph.memories.queries import LockMemoriesRow
from graph.memories.tags import compute_tag_prefixes

_SCOPE_SEPARATOR = "\x1f"
# Rows of one batch get distinct, ascending creation times, so that a list shows them in the order given.
_TICK = timedelta(microseconds=1)


@dataclass
class WritePlan:
    """The writes of one batch, and the receipt for each draft in the order given."""

    creations: list[dict[str, Any]] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    to_embed: list[str] = field(default_factory=list)
    receipts: list[SavedMemory] = field(default_factory=list)


class BatchWriter:
    """Plans one batch of drafts against what is stored; lives as long as one attempt of one transaction."""

    def __init__(
        self,
        workspace_id: str,
        *,
        now: datetime,
        stored: Iterable[LockMemoriesRow],
        tails: Mapping[str, Mapping[str, Any] | None],
    ) -> None:
        self._workspace_id = workspace_id
        self._now = now
        self._tails = dict(tails)
        self._stored = {}
        for row in stored:
            self._stored[row.memory.id] = row
            if row.memory.key is not None:
                self._stored[row.memory.key] = row
        self.plan = WritePlan()

    def add(self, draft: MemoryDraft, warnings: Sequence[str] = ()) -> None:
        """Plan one draft: an update where its id or key is stored, a new memory otherwise."""
        found = self._stored.get(draft.id or "") or self._stored.get(draft.key or "")
        if found is None:
            self._create(draft, warnings)
        else:
            self._update(draft, found, warnings)

    def _create(self, draft: MemoryDraft, warnings: Sequence[str]) -> None:
        now = self._now + len(self.plan.receipts) * _TICK
        properties = rules.new_properties(draft, now=now)
        id_ = rules.new_id_for(draft)
        previous = self._append_turn(id_, draft, properties) if draft.is_turn else None
        properties |= _searchable(draft, properties, previous)
        self.plan.creations.append({"id": id_, "properties": properties, "embedding": draft.embedding})
        if draft.is_turn:
            self._tails[turn_scope(draft)] = {"id": id_, **properties}
        memory = Memory.model_validate({**properties, "id": id_, "workspace_id": self._workspace_id})
        self.plan.receipts.append(
            SavedMemory(memory=memory, outcome=SaveOutcome.CREATED, warnings=tuple(warnings))
        )

    def _append_turn(
        self, id_: str, draft: MemoryDraft, properties: dict[str, Any]
    ) -> Mapping[str, Any] | None:
        scope = turn_scope(draft)
        previous = self._tails.get(scope)
        properties["turn_scope"] = scope
        properties["position"] = previous["position"] + 1 if previous else 0
        self.plan.turns.append(
            {
                "id": id_,
                "conversation_id": draft.source_conversation_id,
                "message_id": draft.source_message_id,
                "previous_id": previous["id"] if previous else None,
            }
        )
        if previous:
            self.plan.to_embed.append(previous["id"])  # its vector covers the turn after it
        return previous

    def _update(self, draft: MemoryDraft, found: LockMemoriesRow, warnings: Sequence[str]) -> None:
        properties = upsert_properties(draft, found.memory)
        if rules.matches_stored(found.memory, properties) and draft.embedding is None:
            receipt = SavedMemory(
                memory=found.memory, outcome=SaveOutcome.UNCHANGED, warnings=tuple(warnings)
            )
        else:
            receipt = SavedMemory(
                memory=self.change(found, properties, draft.embedding),
                outcome=SaveOutcome.UPDATED,
                warnings=tuple(warnings),
            )
        self.plan.receipts.append(receipt)

    def change(
        self, found: LockMemoriesRow, properties: dict[str, Any], embedding: Sequence[float] | None
    ) -> Memory:
        """Plan the change of a stored memory and return how it will be."""
        memory = found.memory
        text_changed = properties.get("content", memory.content) != memory.content
        update = {**properties, "updated_at": self._now}
        if text_changed:
            update |= {
                "old_text": memory.content,
                "version": memory.version + 1,
                "content_hash": rules.content_hash(properties["content"]),
            }
        merged = {**memory.model_dump(), **update}
        if "tags" in update:
            update["tag_prefixes"] = list(compute_tag_prefixes(update["tags"] or ()))
        update |= _searchable_after_change(merged, found)
        if text_changed or embedding is not None:
            update["revision"] = found.revision + 1
            update["state"] = MemoryState.STORED if embedding is None else MemoryState.EMBEDDED
            merged["state"] = update["state"]
            update["failure"] = merged["failure"] = None
        if text_changed and embedding is None:
            self.plan.to_embed.append(memory.id)
        self.plan.updates.append(
            {
                "id": memory.id,
                "properties": update,
                "previous_content": memory.content if text_changed else None,
                "embedding": embedding,
            }
        )
        return Memory.model_validate(merged)


def turn_scope(draft: MemoryDraft) -> str:
    """Return what the turns of one session of one conversation share."""
    return f"{draft.source_conversation_id}{_SCOPE_SEPARATOR}{draft.session_id or ''}"


def rounds(drafts: Sequence[MemoryDraft]) -> list[list[MemoryDraft]]:
    """Split drafts, in order, so that no round names an id or key twice: the later updates the earlier."""
    result: list[list[MemoryDraft]] = [[]]
    named: set[str] = set()
    for draft in drafts:
        names = {name for name in (draft.id, draft.key) if name}
        if names & named:
            result.append([])
            named = set()
        result[-1].append(draft)
        named |= names
    return result


def upsert_properties(draft: MemoryDraft, stored: Memory) -> dict[str, Any]:
    """Return the properties an upsert sets: what the draft gives; metadata is merged (A20)."""
    given: dict[str, Any] = {
        name: value
        for name in (
            "content", "category", "key", "importance", "confidence", "timestamp", "t_valid", "t_invalid",
            "expires_at", "speaker", "session_id", "type", "kind", "facet",
        )
        if (value := getattr(draft, name)) is not None
    }  # fmt: skip
    if draft.tags is not None:
        given["tags"] = list(draft.tags)
    if draft.keywords is not None:
        given["keywords"] = list(draft.keywords)
    if draft.metadata is not None:
        given["metadata"] = rules.as_json(rules.merged_metadata(stored.metadata, draft.metadata))
    if stored.deleted_at is not None:
        given |= {"deleted_at": None, "active": True}
    return given


def require(rows: Sequence[LockMemoriesRow], id_: str) -> LockMemoriesRow:
    """Return the one locked row.

    Raises:
        NotFound: There is none in this workspace.
    """
    if not rows:
        raise NotFound(f"there is no memory {id_!r} in this workspace", field="id")
    return rows[0]


def _searchable(
    draft: MemoryDraft, properties: Mapping[str, Any], previous: Mapping[str, Any] | None
) -> dict[str, Any]:
    return searchable_properties(
        draft.content,
        speaker=draft.speaker,
        said_at=draft.timestamp,
        previous=previous,
        keys=_keys(properties),
    )


def _searchable_after_change(merged: Mapping[str, Any], found: LockMemoriesRow) -> dict[str, Any]:
    dated = found.turn.get("turn_scope") is not None or merged["timestamp"] != merged["created_at"]
    previous_content = found.turn.get("previous_content")
    return searchable_properties(
        merged["content"],
        speaker=merged["speaker"],
        said_at=merged["timestamp"] if dated else None,
        previous={"content": previous_content, "speaker": found.turn.get("previous_speaker")}
        if previous_content
        else None,
        keys=_keys(merged),
    )


def _keys(properties: Mapping[str, Any]) -> list[str]:
    own_key = [properties["key"]] if properties.get("key") else []
    return [*own_key, *(properties.get("tags") or ()), *(properties.get("keywords") or ())]
