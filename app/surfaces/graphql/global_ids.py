"""Inputs that name a message by its global id."""

from collections.abc import Mapping
from typing import Any

from graph.core.errors import InvalidInput
from graph.knowledge.traversal.global_ids import GlobalId
from graph.knowledge.traversal.models import NodeKind


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
