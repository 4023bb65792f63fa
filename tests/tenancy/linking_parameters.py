"""Values to run the queries of linking with, where their headers do not tell."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import NOW, SHARED_WORD, OneOfEach


def _links(names: OneOfEach, _: str) -> Mapping[str, Any]:
    mention = {"entity_id": names.entity_ids[1], "how": "rule", "surface": "x"}
    row = {"id": names.memory_ids[0], "version": 2, "is_done": True}
    return {
        "automatic": ["name", "rule"],
        "memories": [{**row, "entity_ids": [mention["entity_id"]], "mentions": [mention]}],
    }


def _relations(names: OneOfEach, _: str) -> Mapping[str, Any]:
    relation = {"id": f"rel_{secrets.token_hex(8)}", "other_id": names.memory_ids[0], "strength": 0.5}
    return {"how": "entities", "memories": [{"id": names.memory_ids[3], "relations": [relation]}]}


LINKING_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "find_named_entities": lambda _n, _w: {
        "queries": [f"name_keys:{SHARED_WORD}"],
        "limit": 1_000_000,  # of all workspaces that tests left in the store
    },
    "link_memories": _links,
    "relate_memories": _relations,
    "list_mentioning": lambda names, _: {"entity_ids": list(names.entity_ids), "now": NOW},
}
