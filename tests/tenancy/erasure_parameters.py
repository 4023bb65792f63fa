"""Parameter values for the queries of erasure that their headers do not determine."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import OneOfEach


def _user(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"user_id": f"user_{names.mark}"}


ERASURE_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "count_of_user": _user,
    "delete_keys_of_user": _user,
    "delete_fillers": lambda _n, _w: {"prefix": "mem_gone"},
    "delete_orphaned_entities": lambda names, _: {"ids": list(names.entity_ids)},
    "delete_rest_of_user": _user,
    "delete_webhook_deliveries_of_user": _user,
    "delete_traces": lambda names, _: {"ids": [names.tombstone_id]},
    "lift_marks_of_user": lambda names, _: {"suffix": names.mark},
    "list_conversations_of_user": _user,
    "list_memories_of_user": lambda _n, _w: {"user_id": ""},
    "list_memories_still_of_user": lambda names, _w: {"user_id": "", "ids": list(names.memory_ids)},
    "list_sequences_of_user": _user,
    "revoke_keys_of_user": _user,
    "write_fillers": lambda _n, _w: {"ids": [f"filler_{secrets.token_hex(8)}"], "properties": {"x": 1}},
}
