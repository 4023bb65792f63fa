"""Automatic changes: listing and undoing them."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, or_default
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.memories import Memory
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.core import models
from graph.core.models import ChangeKind, SubjectKind
from graph.tenancy.models import Scope

for _vocabulary in (ChangeKind, SubjectKind):
    strawberry.enum(_vocabulary, name=f"Automatic{_vocabulary.__name__}")


@strawberry.type
class AutomaticChange(Shown[models.AutomaticChange]):
    """An automatic change of memories, entities, messages or a user's data."""

    id: strawberry.ID
    workspace_id: strawberry.Private[str]
    kind: ChangeKind = strawberry.field(description="Kind of the change.")
    subject_kind: SubjectKind = strawberry.field(description="Kind of the changed node.")
    subject_id: strawberry.ID | None = strawberry.field(
        description="Id of the changed node; null after an erasure."
    )
    cause_id: strawberry.ID | None = strawberry.field(
        description="Id of the replacing node, such as the newer statement; null if there is none."
    )
    other_ids: list[strawberry.ID] = strawberry.field(
        description="Ids of further changed nodes, such as the originals of a summary."
    )
    rule: str = strawberry.field(description="Rule that decided, such as `rules:preference` or `slot:home`.")
    words: str | None = strawberry.field(
        description="Text that the rule decided on, at most 500 characters; null if none is left."
    )
    before: JSON | None = strawberry.field(
        description="Fields before the change; null if there were none or none are left."
    )
    count: int = strawberry.field(description="Number of affected nodes.")
    job: str | None = strawberry.field(
        description="Kind of the job that made the change; null for a request or an expiry."
    )
    created_at: datetime = strawberry.field(description="Time of the change.")
    undone_at: datetime | None = strawberry.field(
        description="Time at which it was undone or ceased to apply; null if it is in effect."
    )
    can_be_undone: bool = strawberry.field(description="True if `undoAutomaticChange` can undo it.")

    @strawberry.field
    async def memory(self, info: Info) -> Memory | None:
        """Current state of the changed memory, even in the trash; null for other nodes, or if it no longer exists."""
        if self.subject_kind is not SubjectKind.MEMORY or self.subject_id is None:
            return None
        found = await info.context.loaders.memories_with_deleted.load(Key(self.workspace_id, self.subject_id))
        return Memory.of(found) if found else None


def _shown(change: models.AutomaticChange, workspace_id: str) -> AutomaticChange:
    return AutomaticChange.of(change, workspace_id=workspace_id, before=change.before_in_camel_case)


@strawberry.type
class AutomaticChangeConnection(Connection[AutomaticChange]):
    """A page of automatic changes."""


@strawberry.type
class AutomaticChangeQueries:
    """Queries of automatic changes."""

    @strawberry.field
    async def automatic_changes(
        self,
        info: Info,
        kinds: Annotated[
            list[ChangeKind] | None,
            strawberry.argument(description="Only these kinds; omitted or empty: all."),
        ] = None,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> AutomaticChangeConnection:
        """Automatic changes of the last 90 days, undone ones included, the newest first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.operations.changes.page(
            workspace, kinds=kinds or (), first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, lambda change: _shown(change, workspace), after)
        return AutomaticChangeConnection(edges=edges, page_info=page_info)


@strawberry.type
class AutomaticChangeMutations:
    """Mutations of automatic changes."""

    @strawberry.mutation
    async def undo_automatic_change(
        self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> AutomaticChange:
        """Undo an automatic change; the same evidence does not repeat it.

        Deletes a learnt memory, or restores its earlier text and fields. Saves a merged text as a separate memory,
        reopens a closed memory, replaces a summary with its originals, and restores an expired memory without an
        expiry.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        change = await info.context.services.operations.changes.undo(workspace, id)
        return _shown(change, workspace)
