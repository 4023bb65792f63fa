"""Ids that identify a node among the nodes of all workspaces."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple, Self

from graph.knowledge.traversal.models import NodeKind


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
