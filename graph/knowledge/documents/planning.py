"""Compares a document's chunks with the stored ones, and plans the smallest set of writes."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graph.core.ids import new_id
from graph.knowledge.documents.chunking import IndexedChunk, place_of
from graph.knowledge.documents.models import StoredChunk


@dataclass(frozen=True)
class Storing:
    """Storage options of a document's chunks.

    Attributes:
        embedded_whole: Hashes of the chunks for which a vector of all of their text is at hand.
    """

    search_keys: str
    stores_text: bool
    now: datetime
    embedded_whole: frozenset[str] = frozenset()


@dataclass
class ChunkPlan:
    """The writes.

    Attributes:
        creations: ``{id, properties}`` of new chunks.
        updates: The same of stored ones: only what changes.
        deletions: Ids of chunks that are not in the document any more.
        to_embed: Ids of chunks whose vector a job computes from stored text.
        whole: ``(id, revision, hash)`` of chunks that get the vector of all of their text now.
        kept: Number of stored chunks that stay in the document.
        is_reordered: True if a chunk follows another one than before.
    """

    creations: list[dict[str, Any]] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    deletions: list[str] = field(default_factory=list)
    to_embed: list[str] = field(default_factory=list)
    whole: list[tuple[str, int, str]] = field(default_factory=list)
    kept: int = 0
    is_reordered: bool = False

    @property
    def is_empty(self) -> bool:
        """True if nothing is to be written."""
        return not (self.creations or self.updates or self.deletions or self.whole)


def plan_chunks(chunks: Sequence[IndexedChunk], stored: Iterable[StoredChunk], storing: Storing) -> ChunkPlan:
    """Return the plan: a stored chunk of the same text is kept with its id, vector and edges.

    Equal chunks of one document are matched in their order.
    """
    by_hash: Mapping[str, deque[StoredChunk]] = defaultdict(deque)
    before = sorted(stored, key=lambda each: each.ordinal)
    for stored_chunk in before:
        by_hash[stored_chunk.content_hash].append(stored_chunk)
    plan = ChunkPlan()
    order: list[str] = []
    for chunk in chunks:
        same = by_hash[chunk.draft.content_hash]
        if same:
            plan.kept += 1
            order.append(same[0].id)
            _keep(plan, chunk, same.popleft(), storing)
        else:
            order.append(_create(plan, chunk, storing))
    plan.deletions = [left.id for same in by_hash.values() for left in same]
    plan.is_reordered = order != [stored_chunk.id for stored_chunk in before]
    return plan


def lacking_vectors(
    chunks: Sequence[IndexedChunk], stored: Iterable[StoredChunk], *, stores_text: bool
) -> dict[str, str]:
    """Return hash and text of the chunks whose vector needs a text that is not stored."""
    if stores_text:
        return {}
    whole = Counter(chunk.content_hash for chunk in stored if chunk.is_whole)
    drafts = [chunk.draft for chunk in chunks]
    needed = Counter(draft.content_hash for draft in drafts)
    return {
        draft.content_hash: draft.embedded_text
        for draft in drafts
        if whole[draft.content_hash] < needed[draft.content_hash]
    }


def _create(plan: ChunkPlan, chunk: IndexedChunk, storing: Storing) -> str:
    id_ = new_id("chk")
    properties = {
        **place_of(chunk, search_keys=storing.search_keys),
        **_text(chunk, storing),
        "content_hash": chunk.draft.content_hash,
        "revision": 1,
        "state": "STORED",
        "active": True,
        "search_kind": "chunk",
        "created_at": storing.now,
        "updated_at": storing.now,
    }
    plan.creations.append({"id": id_, "properties": properties})
    _plan_vector(plan, chunk, id_, 1, storing)
    return id_


def _keep(plan: ChunkPlan, chunk: IndexedChunk, stored: StoredChunk, storing: Storing) -> None:
    place = place_of(chunk, search_keys=storing.search_keys)
    held = stored.model_dump(include=set(place), mode="json")
    changed = {name: value for name, value in place.items() if held[name] != value}
    is_rewritten = stored.stores_text is not storing.stores_text or "excerpt" in changed
    has_vector = chunk.draft.content_hash in storing.embedded_whole
    lacks = not storing.stores_text and not stored.is_whole and has_vector
    if is_rewritten or lacks:
        changed |= _rewritten(plan, chunk, stored, storing)
    if changed:
        changed["updated_at"] = storing.now
        plan.updates.append({"id": stored.id, "properties": changed})


def _rewritten(plan: ChunkPlan, chunk: IndexedChunk, stored: StoredChunk, storing: Storing) -> dict[str, Any]:
    """Return the properties that change with the stored text; a vector of the whole chunk stays."""
    revision = stored.revision + 1  # a vector that is being made of the former text is refused
    properties = {**_text(chunk, storing), "revision": revision}
    if stored.is_whole:
        made_by = None if storing.stores_text else stored.signature
        return properties | {"embedded_revision": revision, "embedded_whole_by": made_by}
    _plan_vector(plan, chunk, stored.id, revision, storing)
    return properties


def _text(chunk: IndexedChunk, storing: Storing) -> dict[str, Any]:
    return {"text": chunk.draft.text if storing.stores_text else None, "search_text": chunk.search_text}


def _plan_vector(plan: ChunkPlan, chunk: IndexedChunk, id_: str, revision: int, storing: Storing) -> None:
    content_hash = chunk.draft.content_hash
    if not storing.stores_text and content_hash in storing.embedded_whole:
        plan.whole.append((id_, revision, content_hash))
    else:
        plan.to_embed.append(id_)
