"""Values to run the queries of conversations with, where their headers do not tell."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import OneOfEach


def _conversation(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {
        "id": names.conversation_id,
        "ids": [names.conversation_id],
        "conversation_id": names.conversation_id,
        "conversation_ids": [names.conversation_id],
        "after_position": -1,
        "after_id": "",
        "properties": {"title": "y"},
    }


def _messages(names: OneOfEach, _: str) -> Mapping[str, Any]:
    """A message in another place, and the whole conversation, of which the end is not chained yet."""
    return {
        "conversation_id": names.conversation_id,
        "ids": [names.message_id],
        "positions": [2],
        "messages": [{"id": names.message_id, "properties": {"position": 5}}],
        "since": 0,
        "until": 5,
    }


CONVERSATION_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "chain_messages": _messages,
    "count_of_conversations": _conversation,
    "delete_conversation": _conversation,
    "find_captured": _messages,
    "find_messages": lambda names, _: {"id": names.message_id},
    "find_same_texts": _messages,
    "get_conversations": _conversation,
    "list_messages": _conversation,
    "list_turns": _conversation,
    "open_conversation": _conversation,
    "update_conversation": _conversation,
    "write_messages": _messages,
}
