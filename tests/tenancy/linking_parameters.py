"""Parameter values for the queries of linking and merging that their headers do not determine."""

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


def _walk(names: OneOfEach, _: str) -> Mapping[str, Any]:
    ids = [*names.memory_ids, *names.entity_ids]
    said = {"id": names.message_id, "conversation_id": names.conversation_id}
    nodes = [*({"id": id_, "conversation_id": None} for id_ in ids), said]
    return {
        "nodes": [{"asked": each["id"], "kind": None, **each} for each in nodes],
        "kinds": ["Memory", "Entity", "Message"],
        "direction": "BOTH",
    }


LINKING_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "expand_nodes": _walk,
    "find_nodes": _walk,
    "count_edges": lambda names, _: {"id": names.entity_ids[0]},
    "find_named_entities": lambda _n, _w: {
        "queries": [f"name_keys:{SHARED_WORD}"],
        "limit": 1_000_000,  # covers the workspaces that other tests left in the store
    },
    "link_memories": _links,
    "relate_memories": _relations,
    "list_relation_ends": lambda names, _: {"entity_ids": list(names.entity_ids)},
    "list_relation_kinds": lambda names, _: {"id": names.entity_ids[0], "other_id": names.entity_ids[3]},
    "list_mentioning": lambda names, _: {"entity_ids": list(names.entity_ids), "now": NOW},
}
