"""Finds duplicates of drafts before they are saved, and of memories that were saved without a comparison.

Near vectors only propose duplicates, because contradictions have near vectors, too. The words decide; see
:func:`graph.memories.deduplication.sameness.say_the_same`.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np
import structlog

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.ports import Clock, EmbeddingFailed, Vectors
from graph.core.queries import ClaimJobsRow
from graph.core.scope import SHARED
from graph.core.text.language import word_count
from graph.core.text.lucene import slot_query
from graph.memories import queries
from graph.memories.changes.slots import SlotStatement
from graph.memories.changes.statements import closes
from graph.memories.changes.timeline import slots_of
from graph.memories.deduplication.claims import Claim
from graph.memories.models import Memory, MemoryDraft
from graph.memories.policy import MemoryPolicy
from graph.memories.saving.indexing import labels_to_embed
from graph.memories.saving.preparing import PreparedDraft, Successor
from graph.vectors.index.models import Utterance
from graph.vectors.index.service import Embeddings
from graph.vectors.index.vectors import embedded_text

_log = structlog.get_logger("recollect.memories")

_NEIGHBOURS = 20
# A model on two cores embeds about 500 short texts per second, so a larger batch would miss the deadline.
_MOST_EMBEDDED_BEFORE_SAVE = 100
# A longer text may need passages, which only the embedding job creates.
_LONGEST_STORED_WORDS = 120
_LONGEST_STORED_CHARS = 500


@dataclass(frozen=True)
class _Probe:
    """A vector to search neighbours of, among the memories of one user, and its index in the batch."""

    place: int
    vector: Sequence[float]
    user_id: str | None


class Deduplicator:
    """Compares drafts and memories with stored memories; lives as long as the process."""

    def __init__(
        self, database: Database, embeddings: Embeddings, clock: Clock, policy: MemoryPolicy
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._policy = policy

    async def compare(self, workspace_id: str, batch: Sequence[PreparedDraft]) -> list[PreparedDraft]:
        """Mark duplicates of earlier drafts, and note possible duplicates among stored memories.

        Drafts that could not be embedded within the deadline are marked for a later comparison.
        """
        now = self._clock.now()
        found = _with_repetitions(await self._with_successors(workspace_id, batch, now), now)
        places = [place for place, item in enumerate(found) if item.is_compared and item.same_as is None]
        if not places:
            return found
        vectors = await self._vectors([found[place].draft for place in places])
        if vectors is None:
            return _marked(found, places)
        for place, vector in zip(places, vectors, strict=True):
            if found[place].vector is None and self._is_final(found[place].draft):
                found[place] = replace(found[place], vector=vector.tolist())
        threshold = self._policy.dedup_threshold
        found = await asyncio.to_thread(_with_near_repetitions, found, places, vectors, threshold, now)
        probes = [
            _Probe(place, vector, found[place].draft.user_id)
            for place, vector in zip(places, vectors, strict=True)
            if found[place].same_as is None
        ]
        near = await self._near(workspace_id, probes)
        if near is None:
            return _marked(found, [probe.place for probe in probes])
        return await asyncio.to_thread(_with_near_ids, found, near, now)

    async def _with_successors(
        self, workspace_id: str, batch: Sequence[PreparedDraft], now: datetime
    ) -> Sequence[PreparedDraft]:
        """Return the batch; add to each draft the stored statements that end its state.

        They are read before the transaction; a concurrent save may count as earlier or later.
        """
        keys = sorted({key for item in batch if item.is_compared for key in item.slot_keys})
        if not keys:
            return batch
        rows = await queries.list_latest_of_slots(
            self._database,
            workspace_id=workspace_id,
            slots=[{"key": key, "query": slot_query(key, workspace_id)} for key in keys],
            now=now,
        )
        return await asyncio.to_thread(_followed, batch, {row.key: row.memory for row in rows})

    async def note_duplicates(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Compare memories that were saved without a comparison; note their duplicates, but delete none."""
        if self._embeddings.active is None:
            return
        rows = await queries.list_uncompared(
            self._database,
            subjects=[{"workspace_id": job.workspace_id, "id": job.subject_id} for job in jobs],
            vector_property=self._embeddings.vector_property,
        )
        by_workspace: dict[str, list[tuple[Memory, Sequence[float]]]] = defaultdict(list)
        for row in rows:
            by_workspace[row.memory.workspace_id].append((row.memory, row.vector))
        for workspace_id, memories in by_workspace.items():
            await self._note(workspace_id, memories)

    async def _note(self, workspace_id: str, memories: Sequence[tuple[Memory, Sequence[float]]]) -> None:
        near = await self._near(
            workspace_id,
            [_Probe(place, vector, memory.user_id) for place, (memory, vector) in enumerate(memories)],
        )
        if near is None:
            return
        stored = [memory for memory, _ in memories]
        notes = await asyncio.to_thread(_notes, stored, near, self._clock.now())
        await queries.note_duplicates(self._database, workspace_id=workspace_id, rows=notes)

    async def _vectors(self, drafts: Sequence[MemoryDraft]) -> Vectors | None:
        """Return a vector per draft, given or computed within the deadline; None if that fails."""
        to_embed = [draft for draft in drafts if draft.embedding is None]
        if len(to_embed) > _MOST_EMBEDDED_BEFORE_SAVE:
            return None
        before = self._embeddings.active
        try:
            async with asyncio.timeout(self._policy.dedup_deadline_seconds):
                made = iter(
                    await self._embeddings.embed([_text_of(draft) for draft in to_embed]) if to_embed else ()
                )
        except (EmbeddingFailed, TimeoutError) as error:
            _log.info("memories.compared_later", count=len(to_embed), reason=type(error).__name__)
            return None
        if before is not None and self._embeddings.active != before:
            return None
        rows = [next(made) if draft.embedding is None else _unit(draft.embedding) for draft in drafts]
        return np.asarray(rows, dtype=np.float32)

    def _is_final(self, draft: MemoryDraft) -> bool:
        """Tell whether the vector can be stored as it is: the text needs no passages, and the embedder stays."""
        return (
            self._embeddings.building is None
            and len(draft.content) <= _LONGEST_STORED_CHARS
            and word_count(draft.content) <= _LONGEST_STORED_WORDS
        )

    async def _near(
        self, workspace_id: str, probes: Sequence[_Probe]
    ) -> Mapping[int, Sequence[Memory]] | None:
        """Return the memories near each probe, or None if the vector index is missing."""
        index = self._embeddings.active
        if index is None or not probes:
            return {}
        try:
            rows = await queries.find_near_memories(
                self._database,
                workspace_id=workspace_id,
                probes=[
                    {
                        "ordinal": probe.place,
                        "vector": [float(value) for value in probe.vector],
                        "user_id": probe.user_id or SHARED,
                    }
                    for probe in probes
                ],
                vector_index=index.name,
                vector_property=index.vector_property,
                vector_limit=_NEIGHBOURS,
                least_cosine=self._policy.dedup_threshold,
                now=self._clock.now(),
            )
        except Unavailable as error:
            if error.index is None:
                raise
            _log.warning("memories.not_compared", count=len(probes), reason=error.message)
            return None
        near: dict[int, list[Memory]] = defaultdict(list)
        for row in rows:
            near[row.ordinal].append(row.memory)
        return near


def _followed(batch: Sequence[PreparedDraft], latest: Mapping[str, Memory]) -> list[PreparedDraft]:
    """Return the drafts with the latest statements of their slots that end their state.

    The statements are stored, or come from earlier drafts.
    """
    stored = {key: (slots_of(memory).get(key), memory.timestamp) for key, memory in latest.items()}
    earlier: dict[str, tuple[SlotStatement, datetime | None]] = {}
    found = []
    for item in batch:
        states = slots_of(item.draft) if item.slot_keys else {}
        pairs = [
            (each[key], state) for key, state in states.items() for each in (stored, earlier) if key in each
        ]
        successors = tuple(
            Successor(timestamp, change.is_change)
            for (change, timestamp), state in pairs
            if change is not None and closes(change, state)
        )
        earlier |= {key: (state, item.draft.timestamp) for key, state in states.items()}
        found.append(replace(item, successors=successors) if successors else item)
    return found


def _with_repetitions(batch: Sequence[PreparedDraft], now: datetime) -> list[PreparedDraft]:
    """Mark the drafts that repeat the text of an earlier draft."""
    first: dict[str, int] = {}
    latest: dict[str, int] = {}
    found = list(batch)
    for place, item in enumerate(batch):
        if not item.is_compared:
            continue
        key = item.dedup_key
        if any(latest[slot] > first.get(key, place) for slot in item.slot_keys if slot in latest):
            first[key] = place  # a draft in between states another value of the slot
        earlier = first.setdefault(key, place)
        latest |= dict.fromkeys(item.slot_keys if earlier == place else (), place)
        if earlier != place and Claim.of_draft(batch[earlier].draft, now).covers(
            Claim.of_draft(item.draft, now), now=now
        ):
            found[place] = replace(item, same_as=earlier)
    return found


def _with_near_repetitions(
    found: list[PreparedDraft], places: Sequence[int], vectors: Vectors, threshold: float, now: datetime
) -> list[PreparedDraft]:
    """Mark the drafts that paraphrase an earlier draft."""
    cosines = vectors @ vectors.T
    marked = list(found)
    for later, place in enumerate(places):
        own = Claim.of_draft(found[place].draft, now)
        row = cosines[later, :later]
        near = np.flatnonzero(row > threshold)
        for earlier in np.sort(near[np.argsort(-row[near])][:_NEIGHBOURS]):
            other = places[int(earlier)]
            if _comes_between(found, other, place):
                continue
            if marked[other].same_as is None and Claim.of_draft(found[other].draft, now).covers(own, now=now):
                marked[place] = replace(marked[place], same_as=other)
                break
    return marked


def _comes_between(batch: Sequence[PreparedDraft], earlier: int, later: int) -> bool:
    """Tell whether a draft between two others states another value of a slot of the later one."""
    slots = set(batch[later].slot_keys)
    return bool(slots) and any(
        not slots.isdisjoint(item.slot_keys) and item.same_as is None for item in batch[earlier + 1 : later]
    )


def _with_near_ids(
    found: Sequence[PreparedDraft], near: Mapping[int, Sequence[Memory]], now: datetime
) -> list[PreparedDraft]:
    """Add to each draft the ids of near stored memories that say the same."""
    compared = list(found)
    for place, memories in near.items():
        own = Claim.of_draft(found[place].draft, now)
        ids = tuple(memory.id for memory in memories if Claim.of_memory(memory).covers(own, now=now))
        compared[place] = replace(found[place], near_ids=ids)
    return compared


def _notes(
    memories: Sequence[Memory], near: Mapping[int, Sequence[Memory]], now: datetime
) -> list[dict[str, Any]]:
    """Return the id and version of each memory with the id of its nearest duplicate, or None."""
    notes: list[dict[str, Any]] = []
    for place, memory in enumerate(memories):
        own = Claim.of_memory(memory)
        same = (
            other.id
            for other in near.get(place, ())
            if memory.id not in (other.id, other.duplicate_of) and Claim.of_memory(other).covers(own, now=now)
        )
        notes.append({"id": memory.id, "version": memory.version, "duplicate_of": next(same, None)})
    return notes


def _marked(found: Sequence[PreparedDraft], places: Sequence[int]) -> list[PreparedDraft]:
    late = set(places)
    return [replace(item, to_compare=True) if place in late else item for place, item in enumerate(found)]


def _text_of(draft: MemoryDraft) -> str:
    own = Utterance(content=draft.content, speaker=draft.speaker)
    labels = labels_to_embed(draft.model_dump(include={"source_type", "keywords", "tags"}), is_turn=False)
    return embedded_text(
        own,
        words=word_count(draft.content),
        keywords=labels["embedded_keywords"],
        tags=labels["embedded_tags"],
    )


def _unit(vector: Sequence[float]) -> Vectors:
    row = np.asarray(vector, dtype=np.float32)
    return row / np.linalg.norm(row)
