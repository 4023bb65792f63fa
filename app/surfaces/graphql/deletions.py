"""Deleting what is a node, of whichever kind, many at once."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import strawberry

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.global_ids import GlobalId
from app.surfaces.graphql.memory_batches import BatchError
from graph.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from graph.knowledge.traversal.models import NodeKind
from graph.tenancy.access.models import Scope

MOST_DELETED: Final = 100
_PARTS: Final = {
    NodeKind.MESSAGE: "conversation",
    NodeKind.EPISODE: "conversation",
    NodeKind.CONVERSATION_SUMMARY: "conversation",
    NodeKind.CHUNK: "document",
    NodeKind.AGENT_ACTION: "run, with deleteSequence",
    NodeKind.AGENT_SEQUENCE: "run, with deleteSequence",
    NodeKind.AGENT_PATTERN: "run, with deleteSequence",
}
"""What is to be deleted in the place of nodes that end with it."""


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
    """Delete one node and return its id.

    Raises:
        InvalidInput: It is part of another node, with which it is deleted.
        NotFound: There is none.
        Forbidden: The key may not write where it is.
    """
    named = GlobalId.parsed(id_)
    workspace_id = await info.context.workspace(Scope.WRITE, named.workspace_id if named else None)
    if named is None:
        found = (await info.context.services.knowledge.traversal.find(workspace_id, [id_])).get(id_)
        named = GlobalId(found.kind, workspace_id, found.id) if found else None
    if named is not None and named.kind in _PARTS:
        raise InvalidInput(
            "ids", f"{named.kind} {id_} cannot be deleted alone: delete its {_PARTS[named.kind]}"
        )
    if named is None or not await _deleter(info, named, hard=hard)():
        raise NotFound(f"there is no node {id_} in this workspace", field="ids")
    return strawberry.ID(named.id)


def _deleter(info: Info, named: GlobalId, *, hard: bool) -> Callable[[], Awaitable[bool]]:
    services, workspace_id, id_ = info.context.services, named.workspace_id, named.id
    deleters: dict[NodeKind, Callable[[], Awaitable[bool]]] = {
        NodeKind.MEMORY: lambda: services.memories.deletion.delete(workspace_id, id_, hard=hard),
        NodeKind.ENTITY: lambda: services.knowledge.ontology.delete(workspace_id, id_),
        NodeKind.CONVERSATION: lambda: services.conversations.capture.delete(workspace_id, id_),
        NodeKind.DOCUMENT: lambda: services.knowledge.documents.delete(workspace_id, id_),
        NodeKind.ARTIFACT: lambda: services.knowledge.artifacts.delete(workspace_id, id_),
    }
    return deleters[named.kind]
