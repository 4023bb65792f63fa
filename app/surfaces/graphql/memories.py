"""Memories: their GraphQL type, queries and mutations."""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Self

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import (
    ScopeArgument,
    Shown,
    build,
    made_of,
    or_default,
    requested_scope,
    set_fields,
)
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.memory_inputs import (
    ClearMemoriesInput,
    MemoryFilter,
    SaveMemoryInput,
    UpdateMemoryInput,
)
from app.surfaces.graphql.mentions import MentionsOfMemory
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.core.scope import ReadScope, seeing
from graph.memories import models
from graph.memories.models import (
    AssociationType,
    ImportanceBand,
    MemoryFacet,
    MemoryKind,
    MemoryState,
    MemoryType,
)
from graph.memories.saving.waiting import validated_timeout
from graph.retrieval.recall.models import HitRelation
from graph.telemetry import models as telemetry_models
from graph.telemetry.models import OutcomeOrder
from graph.tenancy.models import Scope

_DEFAULT_ROWS = 20

strawberry.enum(OutcomeOrder)


@strawberry.type
class RunOutcomes:
    """Outcomes of the runs that used a memory; an error or a dead end counts as failed."""

    runs: int = strawberry.field(description="Number of runs that used the memory and recorded an action.")
    succeeded: int
    failed: int
    success_rate: float | None = strawberry.field(
        description="Share of successful runs, 0 to 1; null without a run."
    )
    score: float = strawberry.field(
        description="Smoothed share of successful runs, which ranks memories: (succeeded + 2) / (runs + 4); 0.5 "
        "without a run."
    )

    @classmethod
    def of(cls, outcomes: telemetry_models.RunOutcomes | None) -> "RunOutcomes":
        """Return the GraphQL form of outcomes."""
        known = outcomes or telemetry_models.RunOutcomes(runs=0, succeeded=0)
        return made_of(cls, known)


@strawberry.type
class MemoryOutcome(RunOutcomes):
    """A memory with the outcomes of the runs that used it."""

    memory: "Memory"

    @classmethod
    def of_memory(cls, item: telemetry_models.MemoryOutcomes) -> "MemoryOutcome":
        """Return the GraphQL form of a memory with its outcomes."""
        return cls(
            memory=Memory.of(item.memory),
            runs=item.outcomes.runs,
            succeeded=item.outcomes.succeeded,
            failed=item.outcomes.failed,
            success_rate=item.outcomes.success_rate,
            score=item.outcomes.score,
        )


@strawberry.type
class MemoryOutcomeConnection(Connection[MemoryOutcome]):
    """A page of memories with their outcomes."""


@strawberry.type
class OutcomeQueries:
    """Queries of memories by the outcomes of runs."""

    @strawberry.field
    async def memory_outcomes(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        order_by: OutcomeOrder | None = None,
        min_runs: int | None = 1,
        first: int | None = _DEFAULT_ROWS,
        after: str | None = None,
    ) -> MemoryOutcomeConnection:
        """Memories that runs have used, the most successful first, or last with WORST."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.telemetry.outcomes.page(
            workspace,
            order=order_by or OutcomeOrder.BEST,
            min_runs=or_default(min_runs, 1),
            first=or_default(first, _DEFAULT_ROWS),
            after=after,
        )
        edges, page_info = connection_parts(page, MemoryOutcome.of_memory, after)
        return MemoryOutcomeConnection(edges=edges, page_info=page_info)


strawberry.enum(AssociationType)


@strawberry.enum
class RelationDirection(Enum):
    """Direction of an association, seen from the requested memory."""

    OUT = "OUT"
    IN = "IN"


@strawberry.type
class Association:
    """An edge between two memories, seen from one of them."""

    id: strawberry.ID
    type: AssociationType
    direction: RelationDirection
    strength: float
    created_at: datetime
    from_id: strawberry.ID
    to_id: strawberry.ID
    other_id: strawberry.ID = strawberry.field(description="Id of the memory at the other end.")
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def other(
        self, info: Info
    ) -> Annotated["Memory", strawberry.lazy("app.surfaces.graphql.memories")] | None:
        """Memory at the other end; null if deleted."""
        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.other_id))
        return Memory.of(found) if found else None

    @classmethod
    def of(cls, association: models.Association, *, workspace_id: str, seen_from: str) -> "Association":
        """Return the GraphQL form of an association, seen from one of its ends."""
        is_own = association.from_id == seen_from
        return made_of(
            cls,
            association,
            direction=RelationDirection.OUT if is_own else RelationDirection.IN,
            other_id=strawberry.ID(association.to_id if is_own else association.from_id),
            workspace_id=workspace_id,
        )

    @classmethod
    def seen(cls, relation: HitRelation, *, by: str, workspace_id: str) -> "Association":
        """Return the GraphQL form of an association of a recalled memory."""
        from_id, to_id = (by, relation.other_id) if relation.direction == "OUT" else (relation.other_id, by)
        association = models.Association(
            **relation.model_dump(include={"id", "type", "strength", "created_at"}),
            from_id=from_id,
            to_id=to_id,
        )
        return cls.of(association, workspace_id=workspace_id, seen_from=by)


@strawberry.input
class AssociateInput:
    """An edge to create between two memories; an existing edge of that type gets the new strength."""

    from_id: strawberry.ID
    to_id: strawberry.ID
    type: AssociationType
    strength: float | None = strawberry.field(
        default=None,
        description="Strength, 0 to 1; defaults to 0.5 for a new edge, unchanged for an existing one.",
    )


@strawberry.type
class AssociationMutations:
    """Writing associations."""

    @strawberry.mutation
    async def associate(
        self,
        info: Info,
        input: AssociateInput,
        workspace_id: WorkspaceId = None,
        restore_deleted: bool = True,
    ) -> Association:
        """Draw an edge between two memories of the workspace."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drawn = await info.context.services.memories.associations.associate(
            workspace,
            from_id=input.from_id,
            to_id=input.to_id,
            type_=input.type,
            strength=input.strength,
            restores_deleted=restore_deleted,
        )
        return Association.of(drawn, workspace_id=workspace, seen_from=drawn.from_id)

    @strawberry.mutation
    async def dissociate(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Remove an edge; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.memories.associations.dissociate(workspace, id)


DEFAULT_ROWS = 20
DEFAULT_TIMEOUT_MS = 5000

for _vocabulary in (
    MemoryType,
    MemoryKind,
    MemoryFacet,
    MemoryState,
    ImportanceBand,
    models.MemoryOrder,
    models.SaveOutcome,
):
    strawberry.enum(_vocabulary)

WaitFor = Annotated[
    MemoryState | None,
    strawberry.argument(
        description="Wait until the memory reaches this state or fails, or until the timeout."
    ),
]
TimeoutMs = Annotated[
    int | None, strawberry.argument(description="Maximum wait in milliseconds, 0 to 10,000.")
]


@strawberry.type
class MemoryVersion(Shown[models.MemoryVersion]):
    """An earlier text of a memory."""

    version: int
    content: str
    created_at: datetime = strawberry.field(description="Time of its replacement.")


@strawberry.type
class Memory(Node, MentionsOfMemory, Shown[models.Memory]):
    """A fact worth keeping, or a turn of a conversation."""

    content: str
    summary: str | None
    category: str | None
    type: MemoryType
    kind: MemoryKind
    facet: MemoryFacet
    key: str | None
    tags: list[str]
    keywords: list[str]
    importance: float
    importance_band: ImportanceBand
    confidence: float
    metadata: JSON
    source_type: str
    source_conversation_id: strawberry.ID | None
    source_message_id: strawberry.ID | None
    session_id: strawberry.ID | None
    api_key_id: strawberry.ID | None
    user_id: strawberry.ID | None = strawberry.field(description="Owning user; null: everybody.")
    agent_id: strawberry.ID | None = strawberry.field(description="Owning agent; null: every agent.")
    speaker: str | None
    timestamp: datetime
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None
    t_valid: datetime | None
    t_invalid: datetime | None
    expires_at: datetime | None
    deleted_at: datetime | None
    old_text: str | None
    usage_count: int
    last_used_at: datetime | None
    enriched: bool
    state: MemoryState
    failure: str | None
    version: int
    needs_reindex: bool = strawberry.field(
        description="True if its current text has no vector: embedding is pending or failed."
    )
    noted_duplicate_of: strawberry.Private[str | None]

    @classmethod
    def of(cls, model: models.Memory, **others: Any) -> Self:
        """Return the GraphQL form of a memory."""
        return made_of(cls, model, noted_duplicate_of=model.duplicate_of, **others)

    @strawberry.field
    async def duplicate_of(self, info: Info) -> strawberry.ID | None:
        """Live memory that says the same, detected after both were saved; the two stay separate."""
        if self.noted_duplicate_of is None:
            return None
        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.noted_duplicate_of))
        return strawberry.ID(found.id) if found else None

    @strawberry.field
    async def versions(self, info: Info, first: int | None = DEFAULT_ROWS) -> list[MemoryVersion]:
        """Earlier texts, the latest first."""
        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_ROWS))
        return [MemoryVersion.of(version) for version in await info.context.loaders.versions.load(key) or ()]

    @strawberry.field
    async def associations(self, info: Info, first: int | None = DEFAULT_ROWS) -> list[Association]:
        """Associations in both directions, the strongest first."""
        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_ROWS))
        return [
            Association.of(edge, workspace_id=self.workspace_id, seen_from=self.id)
            for edge in await info.context.loaders.associations.load(key) or ()
        ]

    @strawberry.field
    async def outcomes(self, info: Info) -> RunOutcomes:
        """Outcomes of the runs that used the memory."""
        return RunOutcomes.of(await info.context.loaders.outcomes.load(Key(self.workspace_id, self.id)))


@strawberry.type
class MemoryConnection(Connection[Memory]):
    """A page of memories, with the total number of matches."""

    workspace_id: strawberry.Private[str]
    filter_: strawberry.Private[models.MemoryFilter]
    scope: strawberry.Private[ReadScope]

    @strawberry.field
    async def total_count(self, info: Info) -> int:
        """Number of memories that match the filter."""
        with seeing(self.scope):
            return await info.context.services.memories.store.count(self.workspace_id, self.filter_)


@strawberry.type
class SavedMemory:
    """The receipt of a save."""

    memory: Memory
    outcome: models.SaveOutcome
    deduplicated: bool = strawberry.field(description="True if this is an existing memory.")
    warnings: list[str] = strawberry.field(description="Hints to improve the memory.")
    suggested_associations: list[str] = strawberry.field(
        description="Types of associations that such memories usually have with earlier ones."
    )
    summarized: bool = strawberry.field(
        description="True if a language model shortened the text; version 1 is the original."
    )
    original_length: int | None
    summarized_length: int | None
    degraded: list[str] = strawberry.field(description="Degraded parts of the request, with the reason.")

    @classmethod
    def of(cls, saved: models.SavedMemory) -> "SavedMemory":
        """Return the GraphQL form of a receipt."""
        return made_of(
            cls,
            saved,
            memory=Memory.of(saved.memory),
            deduplicated=saved.outcome is models.SaveOutcome.DEDUPLICATED,
        )


@strawberry.type
class MemoryQueries:
    """Queries of memories."""

    @strawberry.field
    async def memory(
        self,
        info: Info,
        id: strawberry.ID,
        workspace_id: WorkspaceId = None,
        wait_for: WaitFor = None,
        timeout_ms: TimeoutMs = DEFAULT_TIMEOUT_MS,
    ) -> Memory | None:
        """One memory; null if the workspace has none with this id."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await _stored(info, workspace, [id], wait_for, timeout_ms)
        return Memory.of(found[id]) if id in found else None

    @strawberry.field
    async def memories(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        filter: MemoryFilter | None = None,
        order_by: models.MemoryOrder | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
        scope: ScopeArgument = None,
    ) -> MemoryConnection:
        """A page of live memories, the newest first unless ordered otherwise."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        filter_ = build(models.MemoryFilter, set_fields(filter)) if filter else models.MemoryFilter()
        memories = info.context.services.memories.store
        order = order_by or models.MemoryOrder.CREATED_AT
        size = or_default(first, DEFAULT_PAGE)
        seen = requested_scope(scope)
        with seeing(seen):
            page = await memories.page(workspace, filter_, order=order, first=size, after=after)
        edges, page_info = connection_parts(page, Memory.of, after)
        return MemoryConnection(
            edges=edges, page_info=page_info, workspace_id=workspace, filter_=filter_, scope=seen
        )


@strawberry.type
class MemoryMutations:
    """Mutations of memories."""

    @strawberry.mutation
    async def save_memory(
        self,
        info: Info,
        input: SaveMemoryInput,
        workspace_id: WorkspaceId = None,
        wait_for: WaitFor = None,
        timeout_ms: TimeoutMs = DEFAULT_TIMEOUT_MS,
    ) -> SavedMemory:
        """Save one memory, unless a memory already says the same."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        validated_timeout(or_default(timeout_ms, DEFAULT_TIMEOUT_MS))
        saved = await info.context.services.memories.store.save_all(workspace, [draft_of(info, input)])
        return (await receipts_of(info, workspace, saved, wait_for, timeout_ms))[0]

    @strawberry.mutation
    async def save_memories(
        self,
        info: Info,
        inputs: list[SaveMemoryInput],
        workspace_id: WorkspaceId = None,
        wait_for: WaitFor = None,
        timeout_ms: TimeoutMs = DEFAULT_TIMEOUT_MS,
    ) -> list[SavedMemory]:
        """Save up to 1000 memories in one transaction, all or none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        validated_timeout(or_default(timeout_ms, DEFAULT_TIMEOUT_MS))
        drafts = [draft_of(info, input_) for input_ in inputs]
        saved = await info.context.services.memories.store.save_all(workspace, drafts)
        return await receipts_of(info, workspace, saved, wait_for, timeout_ms)

    @strawberry.mutation
    async def update_memory(
        self, info: Info, id: strawberry.ID, input: UpdateMemoryInput, workspace_id: WorkspaceId = None
    ) -> Memory:
        """Change fields of a memory; a replaced text stays as a version."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        change = build(models.MemoryChange, set_fields(input))
        return Memory.of(await info.context.services.memories.store.update(workspace, id, change))

    @strawberry.mutation
    async def delete_memory(
        self, info: Info, id: strawberry.ID, hard: bool | None = False, workspace_id: WorkspaceId = None
    ) -> bool:
        """Delete a memory, restorably unless hard is true; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.memories.deletion.delete(workspace, id, hard=bool(hard))

    @strawberry.mutation
    async def restore_memory(
        self, info: Info, id: strawberry.ID, version: int | None = None, workspace_id: WorkspaceId = None
    ) -> Memory:
        """Restore a deleted memory or an earlier text; the replaced text stays as a version."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return Memory.of(await info.context.services.memories.store.restore(workspace, id, version=version))

    @strawberry.mutation
    async def clear_memories(
        self,
        info: Info,
        input: ClearMemoriesInput,
        hard: bool | None = False,
        workspace_id: WorkspaceId = None,
    ) -> int:
        """Delete all matching memories, restorably unless hard is true; returns their number."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        values = {name: value for name, value in set_fields(input).items() if value is not None}
        clearing = build(models.MemoryClearing, values)
        return await info.context.services.memories.deletion.clear(workspace, clearing, hard=bool(hard))


def draft_of(info: Info, input_: SaveMemoryInput) -> models.MemoryDraft:
    """Return the draft of an input, owned by the caller's key.

    Raises:
        InvalidInput: A value is invalid; the error names its field.
    """
    values = {**set_fields(input_), "api_key_id": info.context.principal.key_id}
    if values.get("source_type") is None:
        values.pop("source_type", None)
    return build(models.MemoryDraft, values)


async def _stored(
    info: Info, workspace: str, ids: Sequence[str], wait_for: MemoryState | None, timeout_ms: int | None
) -> dict[str, models.Memory]:
    """Return stored memories; wait for the requested state, at most until the timeout."""
    memories = info.context.services.memories.store
    timeout = or_default(timeout_ms, DEFAULT_TIMEOUT_MS)
    validated_timeout(timeout)
    if wait_for is None:
        return await memories.find_all(workspace, ids)
    return await memories.wait_for(workspace, ids, wait_for, timeout_ms=timeout)


async def receipts_of(
    info: Info,
    workspace: str,
    saved: Sequence[models.SavedMemory],
    wait_for: MemoryState | None,
    timeout_ms: int | None,
) -> list[SavedMemory]:
    """Return receipts; wait for the memories' requested state, at most until the timeout."""
    if wait_for is None:
        return [SavedMemory.of(each) for each in saved]
    ids = list(dict.fromkeys(each.memory.id for each in saved))
    stored = await _stored(info, workspace, ids, wait_for, timeout_ms)
    return [
        SavedMemory.of(each.model_copy(update={"memory": stored.get(each.memory.id, each.memory)}))
        for each in saved
    ]


_DEFAULT_FIRST = 20


@strawberry.type
class Contradiction:
    """Two memories of one owner that contradict each other."""

    newer: Memory = strawberry.field(description="Memory that was saved later.")
    older: Memory = strawberry.field(description="Memory that was saved earlier.")


@strawberry.type
class ContradictionQueries:
    """Queries of contradictions."""

    @strawberry.field
    async def contradictions(
        self, info: Info, workspace_id: WorkspaceId = None, first: int | None = _DEFAULT_FIRST
    ) -> list[Contradiction]:
        """Contradictions between the 100 latest memories and older ones, the newest first.

        To settle one, delete one of the two memories, or associate them as CONTRADICTS to keep both. The comparison
        needs vectors: the list is empty without an embedder or the vector index.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.memories.contradictions.latest(
            workspace, first=or_default(first, _DEFAULT_FIRST)
        )
        return [Contradiction(newer=Memory.of(each.newer), older=Memory.of(each.older)) for each in found]
