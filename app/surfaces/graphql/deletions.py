"""Deleting what has an id, of whichever kind, many at once."""

from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.memory_batches import BatchError
from app.surfaces.graphql.workspaces import Workspace
from graph.knowledge.traversal.global_ids import GlobalId
from graph.operations.node_deletion.models import NamedNode
from graph.tenancy.access.models import Scope


@strawberry.type
class NodeDeletions:
    """What became of each node that was to be deleted."""

    deleted_ids: list[strawberry.ID] = strawberry.field(
        description="The `id` of each that was deleted, in the order given; for `@deleteEdge` and other caches."
    )
    errors: list[BatchError] = strawberry.field(description="Why the others were not, by their places.")
    workspaces: list[Workspace] = strawberry.field(
        description="Those that something was deleted of, each once, as they are now: caches refresh its counts."
    )


@strawberry.type
class DeletionMutations:
    """Deleting nodes."""

    @strawberry.mutation
    async def delete_nodes(
        self,
        info: Info,
        ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(
                description="At most 100: each its own id, or a globalId as `node` takes it."
            ),
        ],
        hard: Annotated[
            bool | None,
            strawberry.argument(
                description="Whether memories are removed permanently, which nobody can undo."
            ),
        ] = False,
        workspace_id: Annotated[
            strawberry.ID | None,
            strawberry.argument(
                description="Where those are whose id names no workspace; left out: the workspace of the key."
            ),
        ] = None,
    ) -> NodeDeletions:
        """Delete whatever is deleted by itself, in any mixture.

        Memories, entities, conversations, documents, artifacts, sequences, relations, associations, types of entities
        and of relations that nothing uses, metrics, and webhooks, which take an administrator.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        done = await info.context.services.operations.node_deletion.delete(
            info.context.principal, [_named(id_, workspace) for id_ in ids], hard=bool(hard)
        )
        return NodeDeletions(
            deleted_ids=[strawberry.ID(id_) for id_ in done.deleted_ids],
            errors=[BatchError.of(place, error) for place, error in done.refused.items()],
            workspaces=[Workspace.of(each) for each in done.workspaces],
        )


def _named(id_: str, workspace_id: str) -> NamedNode:
    named = GlobalId.parsed(id_)
    return NamedNode(named.workspace_id, named.id, named.kind) if named else NamedNode(workspace_id, id_)
