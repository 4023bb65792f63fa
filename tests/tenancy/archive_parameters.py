"""Parameter values for the queries of archives that their headers do not determine."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from graph.operations.archive.format import ARCHIVED
from graph.operations.erasure import FILLER_PREFIX
from tests.fixtures.graphs import OneOfEach


def _new_node(_names: OneOfEach, _: str) -> Mapping[str, Any]:
    properties = {"id": f"mem_gone{secrets.token_hex(8)}"}
    return {"rows": [{"number": 1, "labels": ["Tombstone"], "properties": properties, "vector": None}]}


ARCHIVE_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "create_archive_nodes": _new_node,
    "chain_turns": lambda names, _: {
        "turn_scope": names.turn_scope,
        "conversation_id": names.conversation_id,
        "since": 1,
        "until": 1,
    },
    "list_archive_nodes": lambda _n, _w: {
        "labels": list(ARCHIVED),
        "user_id": None,
        "filler_prefix": FILLER_PREFIX,
    },
    "lock_restored_conversation": lambda names, _: {"id": names.conversation_id},
    "note_restore": lambda _n, _w: {"digest": secrets.token_hex(8)},
}
