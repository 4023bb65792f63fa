"""Changing and deleting many memories at once."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import build, given
from app.surfaces.graphql.memory_inputs import MemoryFilter
from graph.core.errors import InvalidInput
from graph.memories.bulk import models
from graph.memories.models import MemoryFilter as MemoryFilterModel
from graph.tenancy.access.models import Scope


@strawberry.input
class MemorySelection:
    """Selection of live memories that match every given field; at least one field is required."""

    ids: list[strawberry.ID] = strawberry.field(default_factory=list, description="At most 1000.")
    filter: MemoryFilter | None = None
    metadata: JSON | None = strawberry.field(
        default=None, description="Values that the metadata has under these names at its top."
    )

    def model(self) -> models.Selection:
        """Return what the engine takes.

        Raises:
            InvalidInput: A field does not fit.
        """
        if self.metadata is not None and not isinstance(self.metadata, Mapping):
            raise InvalidInput("metadata", "metadata must be an object of names and values")
        filter_ = build(MemoryFilterModel, given(self.filter)) if self.filter else MemoryFilterModel()
        values: dict[str, Any] = {"ids": tuple(self.ids), "metadata": self.metadata or {}}
        return build(models.Selection, {**values, "filter": filter_})


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
        default=strawberry.UNSET, description="When they end; null: never."
    )
    move_to: OwnerInput | None = None

    def model(self) -> models.BulkChange:
        """Return what the engine takes.

        Raises:
            InvalidInput: A field does not fit.
        """
        values = given(self)
        owner = values.pop("move_to")
        moved = {} if owner is None else {"move_to": build(models.Owner, given(owner))}
        return build(models.BulkChange, {**values, **moved})


@strawberry.type
class SkippedMemory:
    """A selected memory that stays unchanged."""

    id: strawberry.ID
    reason: str


@strawberry.type
class BulkReport:
    """Effect of the operation, or in a dry run its expected effect."""

    matched: int = strawberry.field(description="Number of selected memories.")
    changed: int = strawberry.field(description="Number of changed or deleted ones, or the expected number.")
    skipped: list[SkippedMemory] = strawberry.field(description="At most 100 of the omitted ones.")
    dry_run: bool

    @classmethod
    def of(cls, report: models.BulkReport) -> "BulkReport":
        """Return the GraphQL form of a report."""
        skipped = [SkippedMemory(id=strawberry.ID(each.id), reason=each.reason) for each in report.skipped]
        return cls(matched=report.matched, changed=report.changed, skipped=skipped, dry_run=report.dry_run)


@strawberry.type
class BulkMutations:
    """Writing many memories at once."""

    @strawberry.mutation
    async def delete_memories(
        self,
        info: Info,
        selection: MemorySelection,
        hard: bool | None = False,
        dry_run: bool | None = False,
        workspace_id: WorkspaceId = None,
    ) -> BulkReport:
        """Delete the memories of a selection, softly unless asked otherwise; a dry run counts them."""
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
        """Tag the memories of a selection, move them to another user or agent, or set when they end."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        report = await info.context.services.memories.bulk.change(
            workspace, selection.model(), change.model(), dry_run=bool(dry_run)
        )
        return BulkReport.of(report)
