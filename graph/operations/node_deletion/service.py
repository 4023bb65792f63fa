"""Deletes nodes by the kinds they are of."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from graph.conversations.capture.service import Conversations
from graph.core.errors import InvalidInput, NotFound
from graph.knowledge.artifacts.service import Artifacts
from graph.knowledge.documents.service import Documents
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal.models import NodeKind
from graph.knowledge.traversal.service import Traversal
from graph.memories.deletion.service import Deleter

_PARTS: Final[Mapping[NodeKind, str]] = {
    NodeKind.MESSAGE: "conversation",
    NodeKind.EPISODE: "conversation",
    NodeKind.CONVERSATION_SUMMARY: "conversation",
    NodeKind.CHUNK: "document",
    NodeKind.AGENT_ACTION: "run, with deleteSequence",
    NodeKind.AGENT_SEQUENCE: "run, with deleteSequence",
    NodeKind.AGENT_PATTERN: "run, with deleteSequence",
}
"""What is to be deleted in the place of nodes that end with it."""


class NodeDeletion:
    """The use case of deleting a node; lives as long as the process."""

    def __init__(
        self,
        traversal: Traversal,
        *,
        memories: Deleter,
        entities: Ontology,
        conversations: Conversations,
        documents: Documents,
        artifacts: Artifacts,
    ) -> None:
        self._traversal = traversal
        self._memories = memories
        self._deleters: Mapping[NodeKind, Callable[[str, str], Awaitable[bool]]] = {
            NodeKind.ENTITY: entities.delete,
            NodeKind.CONVERSATION: conversations.delete,
            NodeKind.DOCUMENT: documents.delete,
            NodeKind.ARTIFACT: artifacts.delete,
        }

    async def delete(
        self, workspace_id: str, id_: str, kind: NodeKind | None = None, *, hard: bool = False
    ) -> None:
        """Delete one node.

        Args:
            workspace_id: Where it is.
            id_: Its id.
            kind: What it is; None: that is looked up.
            hard: Whether a memory is removed permanently. Entities can always be brought back, the others never.

        Raises:
            InvalidInput: It is part of another node, with which it is deleted.
            NotFound: There is none.
        """
        if kind is None:
            found = (await self._traversal.find(workspace_id, [id_])).get(id_)
            kind = found.kind if found else None
        if kind is not None and kind in _PARTS:
            raise InvalidInput("ids", f"{kind} {id_} cannot be deleted alone: delete its {_PARTS[kind]}")
        if kind is None or not await self._delete(workspace_id, id_, kind, hard=hard):
            raise NotFound(f"there is no node {id_} in this workspace", field="ids")

    async def _delete(self, workspace_id: str, id_: str, kind: NodeKind, *, hard: bool) -> bool:
        if kind is NodeKind.MEMORY:
            return await self._memories.delete(workspace_id, id_, hard=hard)
        return await self._deleters[kind](workspace_id, id_)
