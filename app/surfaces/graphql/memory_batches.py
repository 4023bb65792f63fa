"""Saving many memories of which some may be refused."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.memories import (
    DEFAULT_TIMEOUT_MS,
    SavedMemory,
    TimeoutMs,
    WaitFor,
    draft_of,
    receipts_of,
)
from app.surfaces.graphql.memory_inputs import SaveMemoryInput
from graph.core.errors import InvalidInput, RecollectError
from graph.memories import models
from graph.memories.saving.waiting import validated_timeout
from graph.tenancy.access.models import Scope


@strawberry.type
class BatchError:
    """Why one of several inputs was refused."""

    index: int = strawberry.field(description="Index in the request, from 0.")
    code: str = strawberry.field(description="As in `extensions.code`, such as INVALID_INPUT or CONFLICT.")
    field: str | None = strawberry.field(description="The field of the input that it is about.")
    message: str = strawberry.field(description="Advice for people.")

    @classmethod
    def of(cls, place: int, error: RecollectError) -> "BatchError":
        """Return the GraphQL form of a refusal."""
        return cls(index=place, code=error.code, field=error.field, message=error.message)


@strawberry.type
class MemoryBatch:
    """Result of each memory of a batch."""

    receipts: list[SavedMemory | None] = strawberry.field(
        description="In the order of the inputs; null where one was refused."
    )
    errors: list[BatchError] = strawberry.field(description="Why those were refused, by their places.")


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
