"""Names nodes so that each has one name: a message by its global id, all else by its own."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from graph.knowledge.traversal.models import FoundEdge, FoundNode, NodeKind
from graph.knowledge.traversal.queries import ExpandNodesRow, NodeRow


class GlobalId(NamedTuple):
    """Parts of a global id; ``conversation_id`` is set only for a message, whose id is unique in its conversation."""

    kind: NodeKind
    workspace_id: str
    id: str
    conversation_id: str | None = None

    def __str__(self) -> str:
        parts = [self.kind, self.workspace_id, self.id]
        text = json.dumps(parts if self.conversation_id is None else [*parts, self.conversation_id])
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def parsed(cls, id_: str) -> Self | None:
        """Return what an id names, or None for one that is no global id."""
        try:
            parts = json.loads(urlsafe_b64decode(id_ + "=" * (-len(id_) % 4)))
            kind, workspace_id, own_id, *conversation = parts
            if not all(isinstance(part, str) for part in parts):
                return None
            named = cls(NodeKind(kind), workspace_id, own_id, *conversation)
        except (ValueError, TypeError, RecursionError):
            return None
        return named if (named.kind is NodeKind.MESSAGE) == (named.conversation_id is not None) else None


class Step(NamedTuple):
    """An edge of a requested node, and the node at its other end."""

    from_id: str
    edge: FoundEdge
    node: FoundNode


def asked_for(workspace_id: str, ids: Iterable[str]) -> list[dict[str, str | None]]:
    """Return what ids of either form name, as queries take it; ids of other workspaces name nothing here."""
    rows: list[dict[str, str | None]] = []
    for asked in dict.fromkeys(ids):
        named = GlobalId.parsed(asked)
        if named is None:
            rows.append({"asked": asked, "id": asked, "kind": None, "conversation_id": None})
        elif named.workspace_id == workspace_id:
            own = {"id": named.id, "kind": named.kind, "conversation_id": named.conversation_id}
            rows.append({"asked": asked, **own})
    return rows


def found_node(workspace_id: str, row: NodeRow) -> FoundNode:
    """Return a node by the name that only it has in its workspace."""
    conversation_id = row.conversation_id
    id_ = (
        row.id if conversation_id is None else str(GlobalId(row.kind, workspace_id, row.id, conversation_id))
    )
    return FoundNode(id=id_, kind=row.kind, type=row.type, caption=row.caption)


def steps(workspace_id: str, rows: Sequence[ExpandNodesRow]) -> list[Step]:
    """Return the edges that may be followed."""
    found = []
    for row in rows:
        if row.edge and row.node:
            node = found_node(workspace_id, row.node)
            from_id, to_id = (row.from_id, node.id) if row.edge.is_outgoing else (node.id, row.from_id)
            edge = FoundEdge(
                type=row.edge.type, from_id=from_id, to_id=to_id, strength=row.edge.strength, id=row.edge.id
            )
            found.append(Step(row.from_id, edge, node))
    return found
