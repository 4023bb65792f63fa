"""Parameter values for the queries of conversations that their headers do not determine."""

import secrets
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
        "before_position": 9,
        "before_id": "",
        "properties": {"title": "y"},
    }


def _messages(names: OneOfEach, _: str) -> Mapping[str, Any]:
    """Return a message at another position, and the range of a conversation whose end is not chained yet."""
    return {
        "conversation_id": names.conversation_id,
        "ids": [names.message_id],
        "positions": [2],
        "messages": [{"id": names.message_id, "properties": {"position": 5}}],
        "since": 0,
        "until": 5,
    }


def _episode(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {
        "id": f"epi_new{secrets.token_hex(8)}",
        "ids": [f"epi_{names.mark}"],
        "conversation_id": names.conversation_id,
        "message_ids": [names.message_id],
        "properties": {
            "summary": "x",
            "source_message_ids": [names.message_id],
            "turn_count": 1,
        },
        "retain_last": 1,
    }


def _summary(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {
        "id": f"sum_new{secrets.token_hex(8)}",
        "ids": [f"sum_{names.mark}"],
        "conversation_id": names.conversation_id,
        "conversation_ids": [names.conversation_id],
        "properties": {
            "handoff": "{}",
            "language": "en",
            "message_count": 2,
            "summarised_by": "rules",
        },
    }


CONVERSATION_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "chain_messages": _messages,
    "create_episode": _episode,
    "count_of_conversations": _conversation,
    "count_what_moves": _conversation,
    "delete_conversation": _conversation,
    "delete_messages": lambda names, _: {"conversation_id": names.conversation_id, "limit": 1},
    "delete_episode": lambda names, _: {"id": f"epi_{names.mark}", "conversation_id": names.conversation_id},
    "find_captured": _messages,
    "find_messages": lambda names, _: {"id": names.message_id},
    "find_same_texts": _messages,
    "get_conversations": _conversation,
    "get_conversation_summaries": _summary,
    "get_episodes": _episode,
    "list_both_ends": lambda names, _: {"conversation_id": names.conversation_id, "first": 1, "last": 1},
    "list_concluded": lambda names, _: {"conversation_id": names.conversation_id, "source_types": ["chat"]},
    "list_summaries_of_conversations": _summary,
    "replace_conversation_summary": _summary,
    "list_gone_messages": lambda names, _: {
        "conversation_id": names.conversation_id,
        "ids": [f"msg_gone{names.mark}"],
        "positions": [1],
        "texts": [f"sha gone {names.mark}"],
    },
    "list_episodes": _conversation,
    "list_latest_episodes": _conversation,
    "list_old_messages": _episode,
    "lock_conversation": _conversation,
    "list_messages": _conversation,
    "list_messages_before": _conversation,
    "list_turns": _conversation,
    "move_conversation": lambda names, _: {
        "id": names.conversation_id,
        "target_id": f"ws_new{secrets.token_hex(8)}",
        "api_key_id": "key_new",
    },
    "open_conversation": _conversation,
    "update_conversation": _conversation,
    "write_messages": _messages,
}
