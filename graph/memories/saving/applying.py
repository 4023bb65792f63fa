"""Runs the writes of a plan in one transaction, and updates the search text of neighbouring turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graph.core import queries as jobs
from graph.core.automatic_changes import record_changes
from graph.core.errors import Conflict
from graph.core.models import JobKind, NewChange
from graph.core.rows import Runner
from graph.memories import queries
from graph.memories.changes.queries import enqueue_timelines
from graph.memories.models import MemoryState, SavedMemory
from graph.memories.saving.neighbourhood import refresh_neighbourhood
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.models import VectorIndex
from graph.vectors.index.vectors import USUAL_DIMENSION, placeholder_vector


@dataclass(frozen=True)
class TurnPlace:
    """Position of a turn."""

    turn_scope: str
    position: int


@dataclass
class WritePlan:
    """The writes of one batch, and the receipts of its drafts, in order.

    Attributes:
        creations: Rows of ``create_memories``.
        turns: Rows of ``link_turns``, one for each new turn.
        sources: Source conversations of new memories that are not turns.
        updates: Rows of ``update_memories``.
        extensions: Texts that the windows of earlier turns gain.
        to_embed: Ids of memories whose vector a job has to compute.
        to_link: Ids of memories whose links a job has to compute.
        changed_turns: Positions of changed turns; the search text of the turns around them needs an update.
        restated: Ids of memories whose statement or validity changed; their timelines need an update.
        changes: Entries of automatic changes by jobs.
        receipts: Receipts of the drafts, in order.
    """

    creations: list[dict[str, Any]] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    extensions: list[dict[str, str]] = field(default_factory=list)
    to_embed: list[str] = field(default_factory=list)
    to_link: list[str] = field(default_factory=list)
    changed_turns: list[TurnPlace] = field(default_factory=list)
    restated: list[str] = field(default_factory=list)
    changes: list[NewChange] = field(default_factory=list)
    receipts: list[SavedMemory] = field(default_factory=list)


def turn_place(turn: Mapping[str, Any]) -> TurnPlace | None:
    """Return the position of a stored turn, or None if the memory is not a turn."""
    if turn.get("turn_scope") is None:
        return None
    return TurnPlace(turn["turn_scope"], turn["position"])


_FIRST_PROPERTY = "embedding_a"  # the queries need a name even without an index; no row has a vector then


@dataclass(frozen=True)
class PlanRunner:
    """Applies plans of one workspace in one transaction.

    Attributes:
        index: Index of the plan's vectors; None: the plan has no vectors.
        has_placeholders: Give memories without a vector a placeholder vector.
    """

    tx: Runner
    workspace_id: str
    index: VectorIndex | None
    now: datetime
    mirroring: Mirroring
    has_placeholders: bool = False

    async def apply(self, plan: WritePlan) -> list[SavedMemory]:
        """Write the plan and return its receipts, corrected if a vector could not be stored.

        Raises:
            Conflict: A conversation is being moved to another workspace; the retry creates a new one here.
        """
        late = [*await self._create(plan), *await self._update(plan)]
        if plan.turns:
            await queries.link_turns(self.tx, workspace_id=self.workspace_id, turns=plan.turns, now=self.now)
        if plan.sources:
            await self._link_sources(plan.sources)
        if plan.extensions:
            await queries.extend_windows(self.tx, workspace_id=self.workspace_id, extensions=plan.extensions)
        created = {row["id"] for row in plan.creations}
        await self._enqueue(JobKind.EMBED, [*(id_ for id_ in plan.to_embed if id_ not in created), *late])
        await self._enqueue(JobKind.LINK, plan.to_link)
        stated = [row["properties"]["slot_keys"] or () for row in plan.creations]
        await self._enqueue(JobKind.TIMELINE, sorted({key for keys in stated for key in keys}))
        if plan.restated:
            await enqueue_timelines(self.tx, workspace_id=self.workspace_id, ids=plan.restated, now=self.now)
        if plan.changed_turns:
            await self.refresh_turns(plan.changed_turns)
        await self._mirror(plan)
        await record_changes(self.tx, self.workspace_id, plan.changes, now=self.now)
        return [
            _without_vector(receipt) if receipt.memory.id in late else receipt for receipt in plan.receipts
        ]

    async def refresh_turns(self, places: Sequence[TurnPlace]) -> None:
        """Update the search text of the turns around these positions."""
        for place in sorted(set(places), key=lambda place: (place.turn_scope, place.position)):
            await refresh_neighbourhood(
                self.tx,
                self.workspace_id,
                turn_scope=place.turn_scope,
                position=place.position,
                now=self.now,
            )

    async def _link_sources(self, sources: Sequence[Mapping[str, Any]]) -> None:
        left = await queries.link_sources(
            self.tx, workspace_id=self.workspace_id, sources=sources, now=self.now
        )
        if left:
            raise Conflict(f"conversation {left[0]!r} is being moved to another workspace; try again")

    async def _create(self, plan: WritePlan) -> list[str]:
        """Create memories; return the ids of those whose vector could not be stored and is left to a job."""
        if not plan.creations:
            return []
        row = await queries.create_memories(
            self.tx,
            workspace_id=self.workspace_id,
            memories=[self._with_placeholder(row) for row in plan.creations],
            vector_property=self.index.vector_property if self.index else _FIRST_PROPERTY,
            signature=self.index.signature if self.index else None,
            now=self.now,
        )
        return [] if row.keeps_vectors else _with_vectors(plan.creations)

    async def _update(self, plan: WritePlan) -> list[str]:
        if not plan.updates:
            return []
        row = await queries.update_memories(
            self.tx,
            workspace_id=self.workspace_id,
            updates=[self._with_placeholder(row) for row in plan.updates],
            vector_property=self.index.vector_property if self.index else _FIRST_PROPERTY,
            signature=self.index.signature if self.index else None,
            now=self.now,
        )
        return [] if row is None or row.keeps_vectors else _with_vectors(plan.updates)

    async def _mirror(self, plan: WritePlan) -> None:
        """Queue the update of the external vector store for memories with a vector, and for changed ones.

        Other memories are queued once they are embedded.
        """
        ids = [*_with_vectors(plan.creations), *(row["id"] for row in plan.updates)]
        await self.mirroring.enqueue(self.tx, self.workspace_id, ids, self.now)

    def _with_placeholder(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the row with a placeholder vector, if it has a new text (hence a revision) and no vector."""
        properties = row["properties"]
        if not self.has_placeholders or row["embedding"] is not None or "revision" not in properties:
            return row
        dimension = self.index.dimension if self.index else USUAL_DIMENSION
        vector = placeholder_vector(properties["content"], dimension)
        return {**row, "properties": {**properties, "placeholder_vector": vector}}

    async def _enqueue(self, kind: JobKind, ids: Sequence[str]) -> None:
        if ids:
            await jobs.enqueue_jobs(
                self.tx,
                workspace_id=self.workspace_id,
                kind=kind,
                subject_ids=list(dict.fromkeys(ids)),
                now=self.now,
                due_at=self.now,
            )


def _with_vectors(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows if row["embedding"] is not None]


def _without_vector(receipt: SavedMemory) -> SavedMemory:
    memory = receipt.memory.model_copy(update={"state": MemoryState.STORED})
    return receipt.model_copy(update={"memory": memory})
