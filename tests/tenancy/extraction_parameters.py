"""Parameter values for the queries of extraction that their headers do not determine."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import NOW, SHARED_WORD, OneOfEach


def _conversation(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {
        "conversation_id": names.conversation_id,
        "seen": 1,
        "position": 2,
        "rereads": 2,
        "requested_at": NOW,
    }


EXTRACTION_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "advance_extraction": _conversation,
    "advance_facts": _conversation,
    "find_job": lambda names, _: {"kind": "EMBED", "subject_id": names.memory_ids[0]},
    "find_extraction": _conversation,
    "list_deletion_suggestions": lambda names, _: {"after_id": names.memory_ids[0]},
    "list_earlier_messages": lambda names, _: {"conversation_id": names.conversation_id, "position": 3},
    "list_known_facts": lambda names, _: {
        "keys": [names.memory_key],
        "hashes": [],
        "user_id": "",
        "agent_ids": [""],
        "now": NOW,
    },
    "list_forgotten_texts": _conversation,
    "release_keys": lambda names, _: {"ids": [names.memory_ids[0]]},
    "remove_read_texts": _conversation,
    "search_known_memories": lambda names, _: {
        "conversation_id": names.conversation_id,
        "text_queries": [{"index": "memory_text", "query": f"search_text:{SHARED_WORD}"}],
        "searched": 1_000_000,
        "limit": 1_000_000,
        "now": NOW,
    },
    "settle_deletion_suggestion": lambda names, _: {"memory_id": names.memory_ids[1]},
    "suggest_deletions": lambda names, _: {
        "conversation_id": names.conversation_id,
        "rows": [{"id": names.memory_ids[0], "reason": "x"}],
    },
    "schedule_extraction": _conversation,
}
