"""Values to run a query of the catalogue with, made from its header; queries that need more have an entry here."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cypher import Param, Statement
from tests.fixtures.graphs import NOW, SHARED_WORD, OneOfEach

LATER = NOW + timedelta(days=1)
Overrides = Callable[[OneOfEach, str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class VectorSlot:
    """The vector index in use, and the embedder its vectors came from."""

    slot: str
    signature: str


_BY_TYPE: dict[str, Any] = {
    "boolean": True,
    "datetime": LATER,
    "float": 0.5,
    "integer": 1000,
    "list<string>": [],
    "string": "x",
}


def parameters_for(
    statement: Statement, names: OneOfEach, workspace_id: str, *, index: VectorSlot
) -> dict[str, Any]:
    """Return parameters that name things of ``names`` while the query runs in ``workspace_id``.

    Raises:
        LookupError: A value cannot be guessed from the header; add it to ``OVERRIDES``.
    """
    special = dict(OVERRIDES[statement.name](names, workspace_id)) if statement.name in OVERRIDES else {}
    known = {**_by_name(names), **_by_index(index), "workspace_id": workspace_id, **special}
    return {param.name: _value(statement, param, known) for param in statement.params}


def _by_name(names: OneOfEach) -> dict[str, Any]:
    return {
        "first_position": 0,
        "from_id": names.memory_ids[1],
        "to_id": names.memory_ids[3],
        "turn_scope": names.turn_scope,
        "dedup_keys": [f"dedup {names.mark}3"],
        "hashes": [f"sha {names.mark}"],
        "id": names.memory_ids[0],
        "ids": list(names.memory_ids),
        "keys": [names.memory_key],
        "memory_id": names.memory_ids[0],
        "memory_ids": list(names.memory_ids),
        "subject_ids": list(names.memory_ids),
        "vector": list(names.vector),
        "version": 1,
    }


def _by_index(index: VectorSlot) -> dict[str, Any]:
    return {
        "slot": index.slot,
        "signature": index.signature,
        "targets": [{"slot": index.slot, "signature": index.signature}],
        "vector_property": f"embedding_{index.slot}",
    }


def _value(statement: Statement, param: Param, known: Mapping[str, Any]) -> Any:
    if param.name in known:
        return known[param.name]
    if param.optional:
        return None
    if param.type not in _BY_TYPE:
        raise LookupError(f"{statement.name}: add a value for ${param.name} {param.type} to OVERRIDES")
    return _BY_TYPE[param.type]


def _fresh(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(8)}"


def _words(_: OneOfEach, __: str) -> Mapping[str, Any]:
    """The Lucene query names no workspace, so the statement alone has to keep to its own."""
    return {
        "text_queries": [{"index": "memory_text", "query": SHARED_WORD}],
        "window_queries": [{"index": "memory_text", "query": SHARED_WORD}],
        "terms": [f" {SHARED_WORD} "],
    }


def _key(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.key_id}


def _job(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.job_id}


def _rows(names: OneOfEach, workspace_id: str) -> Mapping[str, Any]:
    vector = list(names.vector)
    row = {
        "workspace_id": workspace_id,
        "id": names.memory_ids[0],
        "revision": 5,
        "reason": "a reason",
        "count": 2,
        "at": LATER,
        "duplicate_of": names.memory_ids[0],
        "vectors": [{"property": "embedding_a", "embedding": vector}],
        "passages": [{"slot": "a", "property": "embedding_a", "ordinal": 0, "embedding": vector}],
    }
    return {"rows": [row], "subjects": [row, {**row, "id": names.memory_ids[3]}]}


def _turns(names: OneOfEach, _: str) -> Mapping[str, Any]:
    first, _second, last, _note = names.memory_ids
    scope = {"turn_scope": names.turn_scope, "conversation_id": names.conversation_id}
    turn = {
        "properties": {"words": 9},
        "id": last,
        "message_id": names.message_id,
        "previous_id": first,
        **scope,
    }
    return {"turns": [turn], "scopes": [scope]}


OVERRIDES: Mapping[str, Overrides] = {
    "add_usage": _rows,
    "count_by_workspace": lambda _, workspace_id: {"workspace_ids": [workspace_id]},
    "create_api_key": lambda _n, _w: {"id": _fresh("key"), "hash": _fresh("hash"), "scopes": ["read"]},
    "create_memories": lambda _n, _w: {
        "memories": [{"id": _fresh("mem"), "properties": {"content": "x", "version": 2}, "original": "y"}]
    },
    "delete_association": lambda names, _: {"id": f"rel_a{names.mark}"},
    "enqueue_jobs": lambda _n, _w: {"kind": "EMBED"},
    "enqueue_reindexing": lambda _n, _w: {"after_id": ""},
    "extend_windows": lambda names, _: {"extensions": [{"id": names.memory_ids[0], "text": "x"}]},
    "find_near_memories": lambda names, _: {"probes": [{"ordinal": 0, "vector": list(names.vector)}]},
    "find_tombstones": lambda names, _: {"ids": [names.tombstone_id]},
    "gather_candidates": _words,
    "gather_candidates_exactly": _words,
    "link_turns": _turns,
    "list_embedding_sources": _rows,
    "list_uncompared": _rows,
    "list_memories_ranked": lambda _n, _w: {"rank_by": "importance"},
    "mark_embedding_failed": _rows,
    "mark_unembeddable": _rows,
    "note_duplicates": _rows,
    "open_turns": _turns,
    "reindex_turns": _turns,
    "retry_job": _job,
    "revoke_api_key": _key,
    "store_embeddings": _rows,
    "update_memories": lambda names, _: {
        "updates": [
            {
                "id": names.memory_ids[0],
                "properties": {"content": "y"},
                "previous_content": "x",
            }
        ]
    },
    "upsert_association": lambda _n, _w: {"id": _fresh("rel"), "type": "DERIVED_FROM"},
    "update_workspace": lambda _n, _w: {"properties": {"name": "y"}},
}
