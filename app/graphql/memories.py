"""Memories: their GraphQL type, inputs, queries and mutations."""

from datetime import datetime
from typing import Annotated, Any

import strawberry
from strawberry.scalars import JSON

from app.graphql.context import Info
from app.graphql.inputs import build, given, or_default
from app.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.access.models import Scope
from graph.memories import models
from graph.memories.models import ImportanceBand, MemoryFacet, MemoryKind, MemoryState, MemoryType

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


@strawberry.type
class Memory:
    """A fact worth keeping, or a turn of a conversation."""

    id: strawberry.ID
    workspace_id: strawberry.ID
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

    @classmethod
    def of(cls, memory: models.Memory) -> "Memory":
        """Return the GraphQL form of a memory."""
        values: dict[str, Any] = {name: getattr(memory, name) for name in models.Memory.model_fields}
        values |= {
            "tags": list(memory.tags),
            "keywords": list(memory.keywords),
            "importance_band": memory.importance_band,
        }
        return cls(**values)


@strawberry.type
class MemoryConnection(Connection[Memory]):
    """A page of memories and how many the filter admits in all."""

    total_count: int


@strawberry.type
class SavedMemory:
    """The receipt of a save."""

    memory: Memory
    outcome: models.SaveOutcome
    deduplicated: bool = strawberry.field(description="Whether an existing memory was returned instead.")
    warnings: list[str]

    @classmethod
    def of(cls, saved: models.SavedMemory) -> "SavedMemory":
        """Return the GraphQL form of a receipt."""
        return cls(
            memory=Memory.of(saved.memory),
            outcome=saved.outcome,
            deduplicated=saved.outcome is models.SaveOutcome.DEDUPLICATED,
            warnings=list(saved.warnings),
        )


@strawberry.input
class SaveMemoryInput:
    """A memory to save; with a stored id or key it updates that one."""

    content: str
    category: str | None = strawberry.UNSET
    type: MemoryType | None = strawberry.UNSET
    kind: MemoryKind | None = strawberry.UNSET
    facet: MemoryFacet | None = strawberry.UNSET
    key: str | None = strawberry.UNSET
    id: strawberry.ID | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    keywords: list[str] | None = strawberry.UNSET
    importance: float | None = strawberry.UNSET
    confidence: float | None = strawberry.UNSET
    metadata: JSON | None = strawberry.UNSET
    timestamp: datetime | None = strawberry.UNSET
    t_valid: datetime | None = strawberry.UNSET
    t_invalid: datetime | None = strawberry.UNSET
    expires_at: datetime | None = strawberry.UNSET
    embedding: list[float] | None = strawberry.UNSET
    speaker: str | None = strawberry.UNSET
    source_conversation_id: strawberry.ID | None = strawberry.UNSET
    source_message_id: strawberry.ID | None = strawberry.UNSET
    session_id: strawberry.ID | None = strawberry.UNSET
    dedup: bool | None = strawberry.UNSET


@strawberry.input
class UpdateMemoryInput:
    """Fields to change; what is left out stays, metadata is merged and its nulls removed."""

    content: str | None = strawberry.UNSET
    summary: str | None = strawberry.UNSET
    category: str | None = strawberry.UNSET
    type: MemoryType | None = strawberry.UNSET
    kind: MemoryKind | None = strawberry.UNSET
    facet: MemoryFacet | None = strawberry.UNSET
    key: str | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    keywords: list[str] | None = strawberry.UNSET
    importance: float | None = strawberry.UNSET
    confidence: float | None = strawberry.UNSET
    metadata: JSON | None = strawberry.UNSET
    timestamp: datetime | None = strawberry.UNSET
    t_valid: datetime | None = strawberry.UNSET
    t_invalid: datetime | None = strawberry.UNSET
    expires_at: datetime | None = strawberry.UNSET
    embedding: list[float] | None = strawberry.UNSET


@strawberry.input
class MemoryFilter:
    """Which memories a list shows; what is left out admits everything."""

    types: list[MemoryType] = strawberry.field(default_factory=list)
    kinds: list[MemoryKind] = strawberry.field(default_factory=list)
    facets: list[MemoryFacet] = strawberry.field(default_factory=list)
    categories: list[str] = strawberry.field(default_factory=list)
    source_types: list[str] = strawberry.field(default_factory=list)
    any_tags: list[str] = strawberry.field(default_factory=list)
    all_tags: list[str] = strawberry.field(default_factory=list)
    min_importance: float | None = None
    min_confidence: float | None = None
    conversation_id: strawberry.ID | None = None
    session_id: strawberry.ID | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str | None = None


WorkspaceId = Annotated[
    strawberry.ID | None, strawberry.argument(description="Left out: the workspace of the key.")
]


@strawberry.type
class MemoryQueries:
    """Reading memories."""

    @strawberry.field
    async def memory(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> Memory | None:
        """One memory, or null where there is none in the workspace."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.memories.find(workspace, id)
        return Memory.of(found) if found else None

    @strawberry.field
    async def memories(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        filter: MemoryFilter | None = None,
        order_by: models.MemoryOrder | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> MemoryConnection:
        """A page of live memories, the newest first unless ordered otherwise."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        wanted = build(models.MemoryFilter, given(filter)) if filter else models.MemoryFilter()
        memories = info.context.services.memories
        order = order_by or models.MemoryOrder.CREATED_AT
        size = or_default(first, DEFAULT_PAGE)
        page = await memories.page(workspace, wanted, order=order, first=size, after=after)
        edges, page_info = connection_parts(page, Memory.of, after)
        total = await memories.count(workspace, wanted)
        return MemoryConnection(edges=edges, page_info=page_info, total_count=total)


@strawberry.type
class MemoryMutations:
    """Writing memories."""

    @strawberry.mutation
    async def save_memory(
        self, info: Info, input: SaveMemoryInput, workspace_id: WorkspaceId = None
    ) -> SavedMemory:
        """Save one memory; it is embedded in the background."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return SavedMemory.of(await info.context.services.memories.save(workspace, _draft(info, input)))

    @strawberry.mutation
    async def save_memories(
        self, info: Info, inputs: list[SaveMemoryInput], workspace_id: WorkspaceId = None
    ) -> list[SavedMemory]:
        """Save up to 1000 memories in one transaction: all of them, or none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drafts = [_draft(info, input_) for input_ in inputs]
        return [
            SavedMemory.of(saved)
            for saved in await info.context.services.memories.save_all(workspace, drafts)
        ]

    @strawberry.mutation
    async def update_memory(
        self, info: Info, id: strawberry.ID, input: UpdateMemoryInput, workspace_id: WorkspaceId = None
    ) -> Memory:
        """Change fields of a memory; a changed text keeps the one before as a version."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        change = build(models.MemoryChange, given(input))
        return Memory.of(await info.context.services.memories.update(workspace, id, change))

    @strawberry.mutation
    async def delete_memory(
        self, info: Info, id: strawberry.ID, hard: bool | None = False, workspace_id: WorkspaceId = None
    ) -> bool:
        """Delete a memory, softly unless asked otherwise; false where there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.memories.delete(workspace, id, hard=bool(hard))


def _draft(info: Info, input_: SaveMemoryInput) -> models.MemoryDraft:
    return build(models.MemoryDraft, {**given(input_), "api_key_id": info.context.principal.key_id})
