"""Compares a document's chunks with those that are stored, and plans the fewest writes that make them the same."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graph.core.ids import new_id
from graph.core.text.language import Specificity
from graph.knowledge.documents.chunking import ChunkDraft
from graph.knowledge.documents.indexing import place_of, search_text_of
from graph.knowledge.documents.models import StoredChunk


@dataclass(frozen=True)
class Storing:
    """How a document's chunks are stored.

    Attributes:
        embedded_whole: Hashes of the chunks for which a vector of all of their text is at hand.
    """

    search_keys: str
    stores_text: bool
    specificity: Specificity
    now: datetime
    embedded_whole: frozenset[str] = frozenset()


@dataclass
class ChunkPlan:
    """The writes.

    Attributes:
        creations: ``{id, properties}`` of new chunks.
        updates: The same of stored ones: only what changes.
        deletions: Ids of chunks that are not in the document any more.
        to_embed: Ids of chunks whose vector is made by a job, out of what is stored.
        whole: ``(id, revision, hash)`` of chunks that get the vector of all of their text now.
        kept: How many stored chunks are still in the document.
        is_reordered: Whether one chunk follows another that it did not follow before.
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
        """Whether nothing is written."""
        return not (self.creations or self.updates or self.deletions or self.whole)


def plan_chunks(drafts: Sequence[ChunkDraft], stored: Iterable[StoredChunk], storing: Storing) -> ChunkPlan:
    """Return the plan: a stored chunk of the same text is kept with its id, vector and edges.

    Equal chunks of one document are matched in their order.
    """
    by_hash: Mapping[str, deque[StoredChunk]] = defaultdict(deque)
    before = sorted(stored, key=lambda chunk: chunk.ordinal)
    for chunk in before:
        by_hash[chunk.content_hash].append(chunk)
    plan = ChunkPlan()
    order: list[str] = []
    for draft in drafts:
        same = by_hash[draft.content_hash]
        if same:
            plan.kept += 1
            order.append(same[0].id)
            _keep(plan, draft, same.popleft(), storing)
        else:
            order.append(_create(plan, draft, storing))
    plan.deletions = [chunk.id for left in by_hash.values() for chunk in left]
    plan.is_reordered = order != [chunk.id for chunk in before]
    return plan


def lacking_vectors(
    drafts: Sequence[ChunkDraft], stored: Iterable[StoredChunk], *, stores_text: bool
) -> dict[str, str]:
    """Return hash and text of the chunks whose vector must be made of a text that is not stored."""
    if stores_text:
        return {}
    whole = Counter(chunk.content_hash for chunk in stored if chunk.is_whole)
    needed = Counter(draft.content_hash for draft in drafts)
    return {
        draft.content_hash: draft.embedded_text
        for draft in drafts
        if whole[draft.content_hash] < needed[draft.content_hash]
    }


def _create(plan: ChunkPlan, draft: ChunkDraft, storing: Storing) -> str:
    id_ = new_id("chk")
    properties = {
        **place_of(
            draft, storing.specificity, search_keys=storing.search_keys, stores_text=storing.stores_text
        ),
        **_text(draft, storing),
        "content_hash": draft.content_hash,
        "revision": 1,
        "state": "STORED",
        "active": True,
        "search_kind": "chunk",
        "created_at": storing.now,
        "updated_at": storing.now,
    }
    plan.creations.append({"id": id_, "properties": properties})
    _plan_vector(plan, draft, id_, 1, storing)
    return id_


def _keep(plan: ChunkPlan, draft: ChunkDraft, chunk: StoredChunk, storing: Storing) -> None:
    place = place_of(
        draft, storing.specificity, search_keys=storing.search_keys, stores_text=storing.stores_text
    )
    held = chunk.model_dump(include=set(place), mode="json")
    changed = {name: value for name, value in place.items() if held[name] != value}
    is_rewritten = chunk.stores_text is not storing.stores_text or "excerpt" in changed
    lacks = not storing.stores_text and not chunk.is_whole and draft.content_hash in storing.embedded_whole
    if is_rewritten or lacks:
        changed |= _rewritten(plan, draft, chunk, storing)
    if changed:
        changed["updated_at"] = storing.now
        plan.updates.append({"id": chunk.id, "properties": changed})


def _rewritten(plan: ChunkPlan, draft: ChunkDraft, chunk: StoredChunk, storing: Storing) -> dict[str, Any]:
    """Return what changes with the text that is stored; a vector of the whole chunk stays what it is."""
    revision = chunk.revision + 1  # a vector that is being made of the former text is refused
    properties = {**_text(draft, storing), "revision": revision}
    if chunk.is_whole:
        made_by = None if storing.stores_text else chunk.signature
        return properties | {"embedded_revision": revision, "embedded_whole_by": made_by}
    _plan_vector(plan, draft, chunk.id, revision, storing)
    return properties


def _text(draft: ChunkDraft, storing: Storing) -> dict[str, Any]:
    return {
        "text": draft.text if storing.stores_text else None,
        "search_text": search_text_of(draft, storing.specificity, stores_text=storing.stores_text),
    }


def _plan_vector(plan: ChunkPlan, draft: ChunkDraft, id_: str, revision: int, storing: Storing) -> None:
    if not storing.stores_text and draft.content_hash in storing.embedded_whole:
        plan.whole.append((id_, revision, draft.content_hash))
    else:
        plan.to_embed.append(id_)
