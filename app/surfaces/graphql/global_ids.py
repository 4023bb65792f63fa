"""Ids that name a node among those of all workspaces, whatever its own id is unique within."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from graph.core.errors import InvalidInput
from graph.knowledge.traversal.models import NodeKind


class GlobalId(NamedTuple):
    """What names a node; ``conversation_id`` is None but for a message, whose id is unique within its conversation."""

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


def with_own_message_id(fields: Mapping[str, Any], workspace_id: str) -> dict[str, Any]:
    """Return fields of an input whose ``message_id``, if it is global, is split into the conversation's and its own.

    Raises:
        InvalidInput: It names a message of another workspace, or of another conversation than ``conversation_id``.
    """
    named = GlobalId.parsed(fields.get("message_id") or "")
    if named is None or named.kind is not NodeKind.MESSAGE:
        return dict(fields)
    if named.workspace_id != workspace_id:
        raise InvalidInput("messageId", "messageId must name a message of this workspace")
    if fields.get("conversation_id") not in (None, named.conversation_id):
        raise InvalidInput("messageId", "messageId must name a message of the conversation in conversationId")
    return {**fields, "message_id": named.id, "conversation_id": named.conversation_id}
