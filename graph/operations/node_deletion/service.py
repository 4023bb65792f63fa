"""Deletes nodes by the kinds they are of."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from graph.conversations.capture.service import Conversations
from graph.core.errors import Conflict, Forbidden, InvalidInput, NotFound, RecollectError
from graph.knowledge.artifacts.service import Artifacts
from graph.knowledge.documents.service import Documents
from graph.knowledge.ontology.names import triple_of
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal.models import NodeKind
from graph.knowledge.traversal.service import Traversal
from graph.memories.associations.service import Associations
from graph.memories.deletion.service import Deleter
from graph.operations.node_deletion.models import Kind, NamedNode, NodeDeletions, OtherKind
from graph.operations.webhooks.service import Webhooks
from graph.telemetry.benchmarks.service import Benchmarks
from graph.telemetry.promoting import PatternPromoter
from graph.tenancy.access.models import Principal, Scope
from graph.tenancy.access.service import Access
from graph.tenancy.workspaces.models import Workspace
from graph.tenancy.workspaces.service import Workspaces

MOST_DELETED: Final = 100
"""Nodes of one call."""

_PARTS: Final[Mapping[Kind, str]] = {
    NodeKind.MESSAGE: "conversation",
    NodeKind.EPISODE: "conversation",
    NodeKind.CONVERSATION_SUMMARY: "conversation",
    NodeKind.CHUNK: "document",
    NodeKind.AGENT_ACTION: "sequence",
    NodeKind.AGENT_PATTERN: "sequences",
}
"""What is to be deleted in the place of nodes that end with it."""

_KIND_OF_PREFIX: Final[Mapping[str, Kind]] = {
    "rel": OtherKind.ASSOCIATION,
    "ety": OtherKind.ENTITY_TYPE,
    "rty": OtherKind.RELATION_TYPE,
    "met": OtherKind.METRIC,
    "whk": OtherKind.WEBHOOK,
}
"""What ids say that are made here; what no traversal meets has no id that a caller chose."""

_OF_ADMINISTRATORS: Final = frozenset({OtherKind.WEBHOOK})

_Delete = Callable[[str, str], Awaitable[bool]]


class NodeDeletion:
    """The use case of deleting nodes; lives as long as the process."""

    def __init__(
        self,
        access: Access,
        workspaces: Workspaces,
        traversal: Traversal,
        *,
        memories: Deleter,
        associations: Associations,
        ontology: Ontology,
        conversations: Conversations,
        documents: Documents,
        artifacts: Artifacts,
        sequences: PatternPromoter,
        metrics: Benchmarks,
        webhooks: Webhooks,
    ) -> None:
        self._access = access
        self._workspaces = workspaces
        self._traversal = traversal
        self._memories = memories
        self._ontology = ontology
        self._deleters: Mapping[Kind, _Delete] = {
            NodeKind.ENTITY: ontology.delete,
            NodeKind.CONVERSATION: conversations.delete,
            NodeKind.DOCUMENT: documents.delete,
            NodeKind.ARTIFACT: artifacts.delete,
            NodeKind.AGENT_SEQUENCE: sequences.delete_sequence,
            OtherKind.RELATION: ontology.relations.delete,
            OtherKind.ASSOCIATION: associations.dissociate,
            OtherKind.ENTITY_TYPE: self._delete_entity_type,
            OtherKind.RELATION_TYPE: self._delete_relation_type,
            OtherKind.METRIC: metrics.delete_metric,
            OtherKind.WEBHOOK: webhooks.delete,
        }

    async def delete(
        self, principal: Principal, nodes: Sequence[NamedNode], *, hard: bool = False
    ) -> NodeDeletions:
        """Delete nodes, each by itself, as far as the principal may.

        One is refused that is not there, is part of another node, is still needed, or that the principal may not
        delete: webhooks take an administrator, all else a key that writes.

        Args:
            principal: Whoever wants it.
            nodes: At most 100.
            hard: Whether memories are removed permanently. Entities can always be brought back, the others never.

        Raises:
            InvalidInput: There are too many.
        """
        if len(nodes) > MOST_DELETED:
            raise InvalidInput("ids", f"ids must name at most {MOST_DELETED} nodes, got {len(nodes)}")
        deleted: list[NamedNode] = []
        refused: dict[int, RecollectError] = {}
        for place, node in enumerate(nodes):
            try:
                await self._delete(principal, node, hard=hard)
                deleted.append(node)
            except (Conflict, Forbidden, InvalidInput, NotFound) as error:
                refused[place] = error
        return NodeDeletions(
            deleted_ids=[node.id for node in deleted],
            refused=refused,
            workspaces=await self._those_that_are_there(node.workspace_id for node in deleted),
        )

    async def _delete(self, principal: Principal, node: NamedNode, *, hard: bool) -> None:
        workspace_id = await self._access.authorize(principal, Scope.WRITE, node.workspace_id)
        kind = node.kind or await self._kind_of(workspace_id, node.id)
        if kind in _PARTS:
            raise InvalidInput("ids", f"{kind} {node.id} cannot be deleted alone: delete its {_PARTS[kind]}")
        if kind in _OF_ADMINISTRATORS:
            await self._access.authorize(principal, Scope.ADMIN, node.workspace_id)
        if kind is NodeKind.MEMORY:
            was_there = await self._memories.delete(workspace_id, node.id, hard=hard)
        else:
            was_there = await self._deleters[kind](workspace_id, node.id)
        if not was_there:
            raise _not_found(node.id)

    async def _kind_of(self, workspace_id: str, id_: str) -> Kind:
        found = (await self._traversal.find(workspace_id, [id_], field="ids")).get(id_)
        if found is not None:
            return found.kind
        kind = OtherKind.RELATION if triple_of(id_) else _KIND_OF_PREFIX.get(id_.partition("_")[0])
        if kind is None:
            raise _not_found(id_)
        return kind

    async def _delete_entity_type(self, workspace_id: str, id_: str) -> bool:
        types = (await self._ontology.types.read(workspace_id)).entity_types.values()
        name = next((type_.name for type_ in types if type_.id == id_), None)
        return name is not None and await self._ontology.types.delete_entity_type(workspace_id, name)

    async def _delete_relation_type(self, workspace_id: str, id_: str) -> bool:
        types = (await self._ontology.types.read(workspace_id)).relation_types.values()
        name = next((type_.name for type_ in types if type_.id == id_), None)
        return name is not None and await self._ontology.types.delete_relation_type(workspace_id, name)

    async def _those_that_are_there(self, workspace_ids: Iterable[str]) -> list[Workspace]:
        there = []
        for workspace_id in dict.fromkeys(workspace_ids):
            with suppress(NotFound):  # it was deleted meanwhile, with all that was in it
                there.append(await self._workspaces.get(workspace_id))
        return there


def _not_found(id_: str) -> NotFound:
    return NotFound(f"there is no node {id_} in this workspace", field="ids")
