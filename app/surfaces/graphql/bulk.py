"""Bulk operations: change, delete and save many memories."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import build, made_of, or_default, set_fields
from app.surfaces.graphql.memories import (
    DEFAULT_TIMEOUT_MS,
    Memory,
    SavedMemory,
    TimeoutMs,
    WaitFor,
    draft_of,
    receipts_of,
)
from app.surfaces.graphql.memory_inputs import MemoryFilter, SaveMemoryInput
from graph.core.errors import InvalidInput, RecollectError
from graph.memories import bulk as bulk_memories
from graph.memories import models
from graph.memories.compaction import service as compaction_service
from graph.memories.compaction.service import DEFAULT_MAX_TOKENS, CompactionMode
from graph.memories.models import MemoryFilter as MemoryFilterModel
from graph.memories.saving.waiting import validated_timeout
from graph.tenancy.models import Scope


@strawberry.input
class MemorySelection:
    """Selection of live memories that match every given field; at least one field is required."""

    ids: list[strawberry.ID] = strawberry.field(default_factory=list, description="At most 1000.")
    filter: MemoryFilter | None = None
    metadata: JSON | None = strawberry.field(
        default=None, description="Metadata entries that a memory must have, by name at the top level."
    )

    def model(self) -> bulk_memories.Selection:
        """Return the engine's selection.

        Raises:
            InvalidInput: A field is invalid.
        """
        if self.metadata is not None and not isinstance(self.metadata, Mapping):
            raise InvalidInput("metadata", "metadata must be an object of names and values")
        filter_ = build(MemoryFilterModel, set_fields(self.filter)) if self.filter else MemoryFilterModel()
        values: dict[str, Any] = {"ids": tuple(self.ids), "metadata": self.metadata or {}}
        return build(bulk_memories.Selection, {**values, "filter": filter_})


@strawberry.input
class OwnerInput:
    """New owner of memories; omitted: the whole workspace."""

    user_id: strawberry.ID | None = None
    agent_id: strawberry.ID | None = None


@strawberry.input
class MemoriesChange:
    """Change of memories; omitted fields keep their values."""

    add_tags: list[str] = strawberry.field(default_factory=list)
    remove_tags: list[str] = strawberry.field(default_factory=list)
    expires_at: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Expiry time of the memories; null: never."
    )
    move_to: OwnerInput | None = None

    def model(self) -> bulk_memories.BulkChange:
        """Return the change in the form of the engine.

        Raises:
            InvalidInput: A field is invalid.
        """
        values = set_fields(self)
        owner = values.pop("move_to")
        moved = {} if owner is None else {"move_to": build(bulk_memories.Owner, set_fields(owner))}
        return build(bulk_memories.BulkChange, {**values, **moved})


@strawberry.type
class SkippedMemory:
    """A selected memory that stays unchanged."""

    id: strawberry.ID
    reason: str


@strawberry.type
class BulkReport:
    """Effect of a bulk operation, or in a dry run its expected effect."""

    matched: int = strawberry.field(description="Number of selected memories.")
    changed: int = strawberry.field(
        description="Number of changed or deleted memories, or the expected number."
    )
    skipped: list[SkippedMemory] = strawberry.field(description="Unchanged memories, at most 100 of them.")
    dry_run: bool

    @classmethod
    def of(cls, report: bulk_memories.BulkReport) -> "BulkReport":
        """Return the GraphQL form of a report."""
        skipped = [SkippedMemory(id=strawberry.ID(each.id), reason=each.reason) for each in report.skipped]
        return cls(matched=report.matched, changed=report.changed, skipped=skipped, dry_run=report.dry_run)


@strawberry.type
class BulkMutations:
    """Mutations of many memories."""

    @strawberry.mutation
    async def delete_memories(
        self,
        info: Info,
        selection: MemorySelection,
        hard: bool | None = False,
        dry_run: bool | None = False,
        workspace_id: WorkspaceId = None,
    ) -> BulkReport:
        """Delete the selected memories; they stay restorable unless hard is true."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        report = await info.context.services.memories.bulk.delete(
            workspace, selection.model(), hard=bool(hard), dry_run=bool(dry_run)
        )
        return BulkReport.of(report)

    @strawberry.mutation
    async def change_memories(
        self,
        info: Info,
        selection: MemorySelection,
        change: MemoriesChange,
        dry_run: bool | None = False,
        workspace_id: WorkspaceId = None,
    ) -> BulkReport:
        """Change the tags, owner or expiry of the selected memories."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        report = await info.context.services.memories.bulk.change(
            workspace, selection.model(), change.model(), dry_run=bool(dry_run)
        )
        return BulkReport.of(report)


@strawberry.type
class BatchError:
    """Reason why the service refused one of several inputs."""

    index: int = strawberry.field(description="Index in the request, from 0.")
    code: str = strawberry.field(
        description="Error code, as in `extensions.code`, such as INVALID_INPUT or CONFLICT."
    )
    field: str | None = strawberry.field(description="Invalid field of the input; null if there is none.")
    message: str = strawberry.field(description="Error message for people.")

    @classmethod
    def of(cls, place: int, error: RecollectError) -> "BatchError":
        """Return the GraphQL form of a refusal."""
        return cls(index=place, code=error.code, field=error.field, message=error.message)


@strawberry.type
class MemoryBatch:
    """Result of each memory of a batch."""

    receipts: list[SavedMemory | None] = strawberry.field(
        description="Receipts in the order of the inputs; null for a refused one."
    )
    errors: list[BatchError] = strawberry.field(description="Errors of the refused inputs, by index.")


@strawberry.type
class MemoryBatchMutations:
    """Mutations that save memories independently of each other."""

    @strawberry.mutation
    async def save_memory_batch(
        self,
        info: Info,
        inputs: list[SaveMemoryInput],
        workspace_id: WorkspaceId = None,
        wait_for: WaitFor = None,
        timeout_ms: TimeoutMs = DEFAULT_TIMEOUT_MS,
        restore_deleted: bool = True,
    ) -> MemoryBatch:
        """Save up to 1000 memories; the result lists refused ones with the reason."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        validated_timeout(or_default(timeout_ms, DEFAULT_TIMEOUT_MS))
        refused: dict[int, RecollectError] = {}
        drafts: dict[int, models.MemoryDraft] = {}
        for place, input_ in enumerate(inputs):
            try:
                drafts[place] = draft_of(info, input_)
            except InvalidInput as error:
                refused[place] = error
        outcomes = await info.context.services.memories.store.save_each(
            workspace, list(drafts.values()), restores_deleted=restore_deleted
        )
        saved: dict[int, models.SavedMemory] = {}
        for place, outcome in zip(drafts, outcomes, strict=True):
            if isinstance(outcome, RecollectError):
                refused[place] = outcome
            else:
                saved[place] = outcome
        receipts = await receipts_of(info, workspace, list(saved.values()), wait_for, timeout_ms)
        receipt_at = dict(zip(saved, receipts, strict=True))
        return MemoryBatch(
            receipts=[receipt_at.get(place) for place in range(len(inputs))],
            errors=[BatchError.of(place, error) for place, error in sorted(refused.items())],
        )


strawberry.enum(CompactionMode)


@strawberry.input
class CompactInput:
    """Memories to compact, with the mode; compaction skips turns of conversations and summaries."""

    older_than_days: int | None = strawberry.field(
        default=None,
        description="Replace memories older than this with a summary of one line each, or with several summaries of at "
        "most 4000 characters; the originals can be restored.",
    )
    mode: CompactionMode | None = strawberry.field(
        default=None,
        description="Mode without olderThanDays. TRUNCATE (default) keeps the newest within maxTokens and shortens "
        "all others to three sentences. CONDENSE replaces all with one summary of at most maxTokens.",
    )
    max_tokens: int | None = strawberry.field(default=DEFAULT_MAX_TOKENS, description="1 to 8000.")
    api_key_id: strawberry.ID | None = strawberry.field(
        default=None, description="Only memories of this API key; omitted: all keys."
    )
    session_id: strawberry.ID | None = strawberry.field(
        default=None, description="Only memories of this session; omitted: all sessions."
    )
    dry_run: bool | None = strawberry.field(
        default=False, description="Report the changes without making them."
    )


@strawberry.type
class CompactionReport:
    """Effect of a compaction, or its expected effect."""

    dry_run: bool
    candidate_count: int = strawberry.field(description="Number of memories to compact.")
    candidates: list[Memory] = strawberry.field(
        description="First 100 of these memories, in their state before."
    )
    tokens_before: int = strawberry.field(description="Approximate tokens of the candidates.")
    tokens_after: int = strawberry.field(description="Approximate tokens of the replacement.")
    tokens_saved: int = strawberry.field(
        description="tokensBefore minus tokensAfter; never negative, because memories that would not shrink stay "
        "unchanged."
    )
    texts: list[str] = strawberry.field(description="Texts of the summaries.")
    summaries: list[Memory] = strawberry.field(description="New summary memories; empty in a dry run.")

    @classmethod
    def of(cls, report: compaction_service.CompactionReport) -> "CompactionReport":
        """Return the GraphQL form of a report."""
        return made_of(
            cls,
            report,
            candidates=[Memory.of(memory) for memory in report.candidates],
            summaries=[Memory.of(memory) for memory in report.summaries],
        )


@strawberry.type
class CompactionMutations:
    """Mutations that compact memories."""

    @strawberry.mutation
    async def compact_memories(
        self, info: Info, input: CompactInput, workspace_id: WorkspaceId = None
    ) -> CompactionReport:
        """Compact memories; the originals can be restored. Compaction never runs automatically."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        values = {name: value for name, value in set_fields(input).items() if value is not None}
        request = build(compaction_service.CompactionRequest, values)
        return CompactionReport.of(
            await info.context.services.memories.compaction.compact(workspace, request)
        )
