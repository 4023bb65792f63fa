"""Plans the writes of one transaction from prepared drafts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graph.core.errors import NotFound
from graph.core.ids import default_key_id, new_memory_id
from graph.core.scope import owner_properties
from graph.core.text.lucene import as_indexed
from graph.core.text.normal_forms import folded_apart
from graph.memories import rules
from graph.memories.changes.timeline import slots_of, state_keys
from graph.memories.deduplication.claims import Claimed
from graph.memories.derived_keys import following_key
from graph.memories.models import Memory, MemoryDraft, MemoryState, SavedMemory, SaveOutcome, length_before
from graph.memories.policy import AUTOMATIC_SOURCES
from graph.memories.queries import LockMemoriesRow, OpenTurnsRow
from graph.memories.saving.applying import WritePlan, turn_place
from graph.memories.saving.automatic_changes import learnt_from
from graph.memories.saving.indexing import (
    SEARCHED,
    WINDOW_TURNS,
    is_role,
    labels_to_embed,
    search_keys,
    searchable_properties,
)
from graph.memories.saving.naming import find_stored, stored_by_name
from graph.memories.saving.preparing import PreparedDraft, suggested_associations
from graph.memories.tags import compute_tag_prefixes

_SCOPE_SEPARATOR = "\x1f"
# Memories of one batch get distinct, ascending creation times, so that lists show them in order. The query
# create_memories.cypher uses the same unit.
_TICK = timedelta(microseconds=1)
# Fields of a turn that its own search text and that of the turns around it depend on.
_OF_A_TURN = ("content", "speaker", "timestamp", "deleted_at", "expires_at")
# Fields that determine the slots of a memory, their owner, their values and their validity.
_OF_A_SLOT = (*_OF_A_TURN, "t_valid", "t_invalid", "user_id", "agent_id")


class BatchWriter:
    """Plans the writes of one batch of drafts; lives as long as one attempt of a transaction."""

    def __init__(
        self,
        workspace_id: str,
        *,
        now: datetime,
        stored: Iterable[LockMemoriesRow],
        tails: Mapping[str, OpenTurnsRow],
        claimed: Claimed | None = None,
        earlier: Sequence[SavedMemory] = (),
        new_id: Callable[[], str] = new_memory_id,
        lifetime_days: Mapping[str, float] | None = None,
    ) -> None:
        self._workspace_id = workspace_id
        self._now = now
        self._tails: dict[str, list[dict[str, Any]]] = {
            scope: [dict(turn) for turn in row.tail] for scope, row in tails.items()
        }
        self._last = {scope: row.last for scope, row in tails.items()}
        self._stored = stored_by_name(stored)
        self._claimed = claimed or Claimed(now)
        self._earlier = earlier
        self._new_id = new_id
        self._lifetime_days = lifetime_days or {}
        self.plan = WritePlan()

    def add(self, prepared: PreparedDraft) -> None:
        """Plan one draft: skip a duplicate, update the memory with its id or key, or create a memory.

        Raises:
            Conflict: The draft's id and key name two memories.
        """
        if prepared.same_as is not None:
            self._skip([*self._earlier, *self.plan.receipts][prepared.same_as].memory, prepared)
            return
        found = find_stored(self._stored, prepared.draft)
        if found is not None:
            self._update(prepared, found)
            return
        same = self._claimed.duplicate_of(prepared) if prepared.is_compared else None
        if same is not None:
            self._skip(same, prepared)
        else:
            self._create(prepared)

    def _skip(self, memory: Memory, prepared: PreparedDraft) -> None:
        self._receive(memory, SaveOutcome.DEDUPLICATED, prepared)

    def _receive(self, memory: Memory, outcome: SaveOutcome, prepared: PreparedDraft) -> None:
        is_new = outcome in (SaveOutcome.CREATED, SaveOutcome.UPDATED)
        hints = (
            suggested_associations(memory.type, memory.content)
            if is_new and not prepared.draft.is_turn
            else ()
        )
        self.plan.receipts.append(
            SavedMemory(
                memory=memory,
                outcome=outcome,
                warnings=prepared.warnings,
                suggested_associations=tuple(hints),
                original_length=length_before(prepared.original, memory.content) if is_new else None,
            )
        )

    def _create(self, prepared: PreparedDraft) -> None:
        draft = prepared.draft
        tick = len(self._earlier) + len(self.plan.receipts)
        properties = rules.new_properties(draft, now=self._now + tick * _TICK)
        properties |= self._ending(properties)
        properties["api_key_id"] = draft.api_key_id or default_key_id(self._workspace_id)
        times = _times_of_the_batch(draft, properties)
        if prepared.vector is not None:
            properties["state"] = MemoryState.EMBEDDED
        if prepared.is_compared:
            properties["dedup_key"] = self._claimed.free_key(prepared)
            properties["to_compare"] = prepared.to_compare or None
        if prepared.original is not None:
            properties |= {"version": 2, "old_text": prepared.original}
        id_ = draft.id or self._new_id()
        properties["slot_keys"] = list(prepared.slot_keys) or None
        properties["state_keys"] = list(prepared.state_keys) or None
        previous = self._append_turn(id_, draft, properties) if draft.is_turn else None
        properties |= _searchable(draft, properties, previous) | labels_to_embed(
            properties, is_turn=draft.is_turn
        )
        if draft.is_turn:
            self._widen_windows(id_, draft, properties)
        elif draft.source_conversation_id is not None:
            self._link_source(id_, draft)
        self.plan.creations.append(
            {
                "id": id_,
                "tick": tick,
                "properties": properties,
                "embedding": prepared.vector,
                "original": prepared.original,
            }
        )
        memory = Memory.model_validate({**properties, **times, "id": id_, "workspace_id": self._workspace_id})
        self.plan.changes += learnt_from(draft, None, memory)
        self._receive(memory, SaveOutcome.CREATED, prepared)

    def _link_source(self, id_: str, draft: MemoryDraft) -> None:
        source = {
            "id": id_,
            "conversation_id": draft.source_conversation_id,
            "message_id": draft.source_message_id,
        }
        self.plan.sources.append(source)

    def _ending(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """Return the default expiry of a new memory, set for its category or else for its type."""
        of_type = self._lifetime_days.get(properties["type"])
        days = self._lifetime_days.get(properties["category"], of_type)
        if properties["expires_at"] is not None or days is None:
            return {}
        return {"expires_at": self._now + timedelta(days=days)}

    def _append_turn(
        self, id_: str, draft: MemoryDraft, properties: dict[str, Any]
    ) -> Mapping[str, Any] | None:
        """Plan a turn at the end of its chain; return the last live turn, whose text joins its search text."""
        scope = turn_scope(draft)
        tail = self._tails.setdefault(scope, [])
        previous = tail[-1] if tail else None
        last = self._last.get(scope)
        properties["turn_scope"] = scope
        properties["position"] = last["position"] + 1 if last else 0
        self._last[scope] = {"id": id_, "position": properties["position"]}
        self.plan.turns.append(
            {
                "id": id_,
                "conversation_id": draft.source_conversation_id,
                "message_id": draft.source_message_id,
                "role": (draft.speaker or "").lower() if is_role(draft.speaker) else None,
                "said_at": draft.timestamp,
                "message_hash": rules.message_hash(draft.content),
                "previous_id": last["id"] if last else None,
            }
        )
        if previous and last and previous["id"] == last["id"]:
            self.plan.to_embed.append(previous["id"])  # its vector includes the next turn's text
        return previous

    def _widen_windows(self, id_: str, draft: MemoryDraft, properties: dict[str, Any]) -> None:
        """Add the text of a turn to the windows of the turns before it, and their texts to its window."""
        tail = self._tails[turn_scope(draft)]
        before = [as_indexed(turn["content"]) for turn in tail]
        text = as_indexed(draft.content)
        properties["search_window"] = " ".join([*before, properties["search_window"]])
        for turn in tail:
            if "search_window" in turn:  # only turns of this batch have it here
                turn["search_window"] += f" {text}"
            else:
                self.plan.extensions.append({"id": turn["id"], "text": text})
        properties["id"] = id_
        self._tails[turn_scope(draft)] = [*tail, properties][-WINDOW_TURNS:]

    def _update(self, prepared: PreparedDraft, found: LockMemoriesRow) -> None:
        properties = upsert_properties(prepared.draft, found.memory, self._now)
        if "deleted_at" in properties:  # the memory was deleted or expired and is saved again
            properties |= self._ending(properties)
        if rules.matches_stored(found.memory, properties) and prepared.vector is None:
            self._receive(found.memory, SaveOutcome.UNCHANGED, prepared)
        else:
            changed = self.change(found, properties, prepared.vector)
            before = None if "deleted_at" in properties else found.memory
            if changed.source_message_id != found.memory.source_message_id:
                self._link_source(changed.id, prepared.draft)
            self.plan.changes += learnt_from(prepared.draft, before, changed)
            self._receive(changed, SaveOutcome.UPDATED, prepared)

    def change(
        self, found: LockMemoriesRow, properties: dict[str, Any], embedding: Sequence[float] | None
    ) -> Memory:
        """Plan the change of a stored memory; return its new state."""
        memory = found.memory
        text_changed = properties.get("content", memory.content) != memory.content
        update = {"updated_at": self._now, **properties, **rules.revised_vocabularies(memory, properties)}
        if text_changed:
            update |= {
                "old_text": memory.content,
                "version": memory.version + 1,
                "content_hash": rules.content_hash(properties["content"]),
                "duplicate_of": None,
                "dedup_key": None,
            }
        merged = {**memory.model_dump(), **update}
        rules.check_validity(merged["t_valid"], merged["t_invalid"])
        update["active"] = rules.is_live(
            deleted_at=merged["deleted_at"], expires_at=merged["expires_at"], now=self._now
        )
        same_turn = all(getattr(memory, name) == merged[name] for name in _OF_A_TURN)
        if not same_turn:
            self._note_turn(found)
        update |= _compared_with(update)
        is_turn = turn_place(found.turn) is not None
        update |= _searchable_after_change(merged, found) | labels_to_embed(merged, is_turn=is_turn)
        if same_turn and is_turn:
            del update["search_window"]  # it holds the turns around, which are not read here
        if not update["active"]:
            update |= dict.fromkeys(SEARCHED)
        slots = {name: merged[name] for name in _OF_A_SLOT}
        if any(getattr(memory, name) != slots[name] for name in slots) and not is_turn:
            stated = slots_of(memory.model_copy(update=slots))
            update |= {"slot_keys": sorted(stated), "state_keys": list(state_keys(stated)) or None}
            self.plan.restated.append(memory.id)
        if text_changed or embedding is not None:
            update["revision"] = found.revision + 1
            with_vector = MemoryState.LINKED if memory.enriched and not text_changed else MemoryState.EMBEDDED
            update["state"] = merged["state"] = MemoryState.STORED if embedding is None else with_vector
            update["failure"] = None
            if memory.state is MemoryState.FAILED:
                merged["failure"] = None
        if text_changed:
            update["enriched"] = merged["enriched"] = False
            update["linking_failure"] = merged["failure"] = None
            self.plan.to_link.append(memory.id)
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

    def _note_turn(self, found: LockMemoriesRow) -> None:
        place = turn_place(found.turn)
        if place is not None:
            self.plan.changed_turns.append(place)


def turn_scope(draft: MemoryDraft) -> str:
    """Return the id of a chain of turns: those of one conversation, session and user."""
    parts = [draft.source_conversation_id or "", draft.session_id or "", *filter(None, [draft.user_id])]
    return _SCOPE_SEPARATOR.join(parts)


def upsert_properties(draft: MemoryDraft, stored: Memory, now: datetime) -> dict[str, Any]:
    """Return the properties that an upsert sets: the given fields of the draft.

    Metadata is merged. Tags replace the stored ones if a caller saves, and are added if a job saves. A deleted or
    expired memory gets all properties of a new one; it keeps its id, owner, creation time and versions.
    """
    if not rules.is_live(deleted_at=stored.deleted_at, expires_at=stored.expires_at, now=now):
        fresh = rules.new_properties(draft, now=now)
        unchanged = (
            "content_hash", "version", "revision", "state", "enriched", "created_at", "turn_scope", "position",
        )  # fmt: skip
        owner = {
            "api_key_id": draft.api_key_id or stored.api_key_id,
            **owner_properties(stored.user_id, stored.agent_id),
        }
        return (
            {name: value for name, value in fresh.items() if name not in unchanged}
            | owner
            | {"deleted_at": None}
        )
    properties: dict[str, Any] = {
        name: value
        for name in (
            "content", "summary", "category", "key", "importance", "confidence", "timestamp", "t_valid", "t_invalid",
            "expires_at", "speaker", "session_id", "type", "kind", "facet", "updated_at", "last_accessed_at",
        )
        if (value := getattr(draft, name)) is not None
    }  # fmt: skip
    if draft.key is not None and (draft.key != stored.key or stored.key_is_derived):
        properties["key_is_derived"] = draft.key_is_derived
    elif draft.key is None and stored.key is not None and stored.key_is_derived:
        content = properties.get("content", stored.content)
        if following_key(stored.key, stored.content, content) != stored.key:
            properties |= {"key": None, "key_is_derived": False}  # the key spells out the old text
    if draft.tags is not None:
        known = stored.tags if draft.source_type in AUTOMATIC_SOURCES else ()
        properties["tags"] = list(rules.joined_tags(known, draft.tags))
    if draft.keywords is not None:
        properties["keywords"] = list(draft.keywords)
    if _is_stated_elsewhere(draft, stored):
        properties |= {
            "source_conversation_id": draft.source_conversation_id,
            "source_message_id": draft.source_message_id,
        }
    lasting = rules.lasting_metadata(stored, draft.content)
    if draft.metadata is not None or lasting != stored.metadata:
        properties["metadata"] = rules.as_json(rules.merged_metadata(lasting, draft.metadata or {}))
    return properties


def _is_stated_elsewhere(draft: MemoryDraft, stored: Memory) -> bool:
    """Tell whether a job restates a memory of a job; the new message then becomes its source."""
    is_extracted = {draft.source_type, stored.source_type} <= set(AUTOMATIC_SOURCES)
    return is_extracted and draft.source_message_id is not None and draft.content != stored.content


def require(rows: Sequence[LockMemoriesRow], id_: str) -> LockMemoriesRow:
    """Return the only locked row.

    Raises:
        NotFound: There is no row: the memory does not exist in this workspace.
    """
    if not rows:
        raise NotFound(f"there is no memory {id_!r} in this workspace", field="id")
    return rows[0]


def _times_of_the_batch(draft: MemoryDraft, properties: dict[str, Any]) -> dict[str, datetime]:
    """Remove and return the times that ``create_memories`` sets itself.

    Converting one datetime for the driver costs more time than the rest of the row.
    """
    names = [name for name in ("created_at", "updated_at", "timestamp") if getattr(draft, name) is None]
    return {name: properties.pop(name) for name in names}


def _searchable(
    draft: MemoryDraft, properties: Mapping[str, Any], previous: Mapping[str, Any] | None
) -> dict[str, Any]:
    return searchable_properties(
        draft.content,
        speaker=draft.speaker,
        stated_at=draft.timestamp,
        previous=previous,
        keys=search_keys(properties),
    )


def _compared_with(update: Mapping[str, Any]) -> dict[str, Any]:
    """Return the comparison forms of a changed key and of changed tags."""
    forms: dict[str, Any] = {}
    if "key" in update:
        forms["folded_key"] = folded_apart(update["key"] or "")
    if "tags" in update:
        forms["tag_prefixes"] = list(compute_tag_prefixes(update["tags"] or ()))
    return forms


def _searchable_after_change(merged: Mapping[str, Any], found: LockMemoriesRow) -> dict[str, Any]:
    """Return the search properties of a changed memory; the caller updates the turns around it."""
    dated = found.turn.get("turn_scope") is not None or merged["timestamp"] != merged["created_at"]
    previous_content = found.turn.get("previous_content")
    return searchable_properties(
        merged["content"],
        speaker=merged["speaker"],
        stated_at=merged["timestamp"] if dated else None,
        previous={"content": previous_content, "speaker": found.turn.get("previous_speaker")}
        if previous_content
        else None,
        keys=search_keys(merged),
    )
