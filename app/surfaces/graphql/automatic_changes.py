"""Automatic changes of the engine, and their undo."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.made_of import Shown
from app.surfaces.graphql.memories import Memory
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.core.automatic_changes import models
from graph.core.automatic_changes.models import ChangeKind, SubjectKind
from graph.tenancy.access.models import Scope

for _vocabulary in (ChangeKind, SubjectKind):
    strawberry.enum(_vocabulary, name=f"Automatic{_vocabulary.__name__}")


@strawberry.type
class AutomaticChange(Shown[models.AutomaticChange]):
    """Something that the engine changed automatically."""

    id: strawberry.ID
    workspace_id: strawberry.Private[str]
    kind: ChangeKind = strawberry.field(description="Kind of change.")
    subject_kind: SubjectKind = strawberry.field(description="Kind of the changed node.")
    subject_id: strawberry.ID | None = strawberry.field(
        description="Id of the changed node; null after an erasure."
    )
    cause_id: strawberry.ID | None = strawberry.field(
        description="Id of the node that replaced it, such as the newer statement; null: none did."
    )
    other_ids: list[strawberry.ID] = strawberry.field(
        description="Ids of further changed nodes, such as the originals of a summary."
    )
    rule: str = strawberry.field(description="Rule that decided, such as `rules:preference` or `slot:home`.")
    words: str | None = strawberry.field(
        description="Words that triggered the change, at most 500 characters; null: none, or deleted."
    )
    before: JSON | None = strawberry.field(description="Former fields; null: none, or deleted.")
    count: int = strawberry.field(description="Number of nodes that it concerns.")
    job: str | None = strawberry.field(
        description="Kind of the job that did it; null: a request or the sweeper."
    )
    created_at: datetime = strawberry.field(description="Time of the change.")
    undone_at: datetime | None = strawberry.field(
        description="Time at which it was undone or ceased to apply; null: it stands."
    )
    can_be_undone: bool = strawberry.field(
        description="True if `undoAutomaticChange` can restore the former state."
    )

    @strawberry.field
    async def memory(self, info: Info) -> Memory | None:
        """The changed memory as it is now, deleted ones included; null for other nodes, or if it is gone."""
        if self.subject_kind is not SubjectKind.MEMORY or self.subject_id is None:
            return None
        found = await info.context.loaders.kept_memories.load(Key(self.workspace_id, self.subject_id))
        return Memory.of(found) if found else None


def _shown(change: models.AutomaticChange, workspace_id: str) -> AutomaticChange:
    return AutomaticChange.of(change, workspace_id=workspace_id, before=change.before_in_camel_case)


@strawberry.type
class AutomaticChangeConnection(Connection[AutomaticChange]):
    """A page of automatic changes."""


@strawberry.type
class AutomaticChangeQueries:
    """Reading automatic changes."""

    @strawberry.field
    async def automatic_changes(
        self,
        info: Info,
        kinds: Annotated[
            list[ChangeKind] | None, strawberry.argument(description="Only these; omitted or empty: all.")
        ] = None,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> AutomaticChangeConnection:
        """Automatic changes of the last 90 days, newest first, including undone ones."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.operations.changes.page(
            workspace, kinds=kinds or (), first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, lambda change: _shown(change, workspace), after)
        return AutomaticChangeConnection(edges=edges, page_info=page_info)


@strawberry.type
class AutomaticChangeMutations:
    """Undoing automatic changes."""

    @strawberry.mutation
    async def undo_automatic_change(
        self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> AutomaticChange:
        """Undo an automatic change; the same evidence does not repeat it.

        An extracted memory is deleted, or regains its former text and fields. A merged save becomes a separate memory,
        a closed one becomes current, originals replace their summary, and an expired memory loses its end.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        change = await info.context.services.operations.changes.undo(workspace, id)
        return _shown(change, workspace)
