"""Deleting what is a node, of whichever kind, many at once."""

from typing import Annotated, Final

import strawberry

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.global_ids import GlobalId
from app.surfaces.graphql.memory_batches import BatchError
from graph.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from graph.tenancy.access.models import Scope

MOST_DELETED: Final = 100


@strawberry.type
class NodeDeletions:
    """What became of each node that was to be deleted."""

    deleted_ids: list[strawberry.ID] = strawberry.field(
        description="The `id` of each that was deleted, in the order given; for `@deleteEdge` and other caches."
    )
    errors: list[BatchError] = strawberry.field(description="Why the others were not, by their places.")


@strawberry.type
class DeletionMutations:
    """Deleting nodes."""

    @strawberry.mutation
    async def delete_nodes(
        self,
        info: Info,
        ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(description="At most 100, each as `node` takes it."),
        ],
        hard: Annotated[
            bool | None,
            strawberry.argument(
                description="Whether memories are removed permanently, which nobody can undo."
            ),
        ] = False,
    ) -> NodeDeletions:
        """Delete memories, entities, conversations, documents and artifacts, each of which is deleted by itself."""
        await info.context.workspace(Scope.WRITE, None)
        if len(ids) > MOST_DELETED:
            raise InvalidInput("ids", f"ids must name at most {MOST_DELETED} nodes, got {len(ids)}")
        deleted: list[strawberry.ID] = []
        errors: list[BatchError] = []
        for place, id_ in enumerate(ids):
            try:
                deleted.append(await _delete(info, id_, hard=bool(hard)))
            except (Conflict, Forbidden, InvalidInput, NotFound) as error:
                errors.append(
                    BatchError(index=place, code=error.code, field=error.field, message=error.message)
                )
        return NodeDeletions(deleted_ids=deleted, errors=errors)


async def _delete(info: Info, id_: str, *, hard: bool) -> strawberry.ID:
    """Delete one node and return its own id."""
    named = GlobalId.parsed(id_)
    workspace_id = await info.context.workspace(Scope.WRITE, named.workspace_id if named else None)
    own_id, kind = (named.id, named.kind) if named else (id_, None)
    await info.context.services.operations.node_deletion.delete(workspace_id, own_id, kind, hard=hard)
    return strawberry.ID(own_id)
