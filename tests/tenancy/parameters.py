"""Parameter values for each query of the catalogue, derived from its header or listed here."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cypher import Param, Statement
from graph.core.scope import EVERYTHING
from graph.memories.filtering import filter_parameters
from graph.memories.models import MemoryFilter
from tests.fixtures.graphs import NOW, SHARED_WORD, OneOfEach
from tests.tenancy.archive_parameters import ARCHIVE_OVERRIDES
from tests.tenancy.automatic_change_parameters import AUTOMATIC_CHANGE_OVERRIDES
from tests.tenancy.changes_parameters import CHANGES_OVERRIDES
from tests.tenancy.compaction_parameters import COMPACTION_OVERRIDES
from tests.tenancy.conversation_parameters import CONVERSATION_OVERRIDES
from tests.tenancy.distilling_parameters import DISTILLING_OVERRIDES
from tests.tenancy.erasure_parameters import ERASURE_OVERRIDES
from tests.tenancy.extraction_parameters import EXTRACTION_OVERRIDES
from tests.tenancy.learning_parameters import LEARNING_OVERRIDES
from tests.tenancy.linking_parameters import LINKING_OVERRIDES
from tests.tenancy.settings_parameters import SETTINGS_OVERRIDES
from tests.tenancy.webhook_parameters import WEBHOOK_OVERRIDES

LATER = NOW + timedelta(days=1)
ALL_OF_A_STORE = 1_000_000  # a smaller limit would return rows that other tests left in the store
Overrides = Callable[[OneOfEach, str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class VectorSlot:
    """The active vector index and the embedder of its vectors."""

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
    """Return parameters that refer to records of ``names`` while the query runs in ``workspace_id``.

    Raises:
        LookupError: The header does not determine a value; add it to ``OVERRIDES``.
    """
    special = dict(OVERRIDES[statement.name](names, workspace_id)) if statement.name in OVERRIDES else {}
    known = {**_by_name(names), **_by_index(index), "workspace_id": workspace_id, **special}
    return {param.name: _value(statement, param, known) for param in statement.params}


def as_run(statement: Statement, parameters: Mapping[str, Any]) -> Statement:
    """Return the statement as its query function runs it with these parameters."""
    if not statement.searches_by_user:
        return statement
    scope = parameters.get("scope", {"users": ()})
    return statement.on_index(statement.index or "", by_user=scope["users"] is not None)


def _by_name(names: OneOfEach) -> dict[str, Any]:
    return {
        "filter": filter_parameters(MemoryFilter()),
        "first_position": 0,
        "from_id": names.memory_ids[1],
        "to_id": names.memory_ids[3],
        "scope": EVERYTHING.parameters,
        "settings": "{}",
        "turn_scope": names.turn_scope,
        "dedup_keys": [f"dedup {names.mark}3"],
        "document_id": names.document_id,
        "document_ids": [names.document_id],
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


def _entity(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.entity_ids[0]}


def _relation(names: OneOfEach, _: str) -> Mapping[str, Any]:
    ends = {"from_id": names.entity_ids[0], "to_id": names.entity_ids[1], "type": "DEPENDS_ON"}
    row = {**ends, "id": f"rel_{names.mark}", "strength": 0.1, "properties": "{}"}
    return {**ends, "relations": [{**row, "connection_id": names.connection_id}]}


def _merge(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.merge_id}


def _connection(names: OneOfEach, _: str) -> Mapping[str, Any]:
    held = {"connection_id": names.connection_id, "after_id": "", "properties": {"kind": "y"}}
    return {"id": names.connection_id, "ids": list(names.entity_ids), **held}


def _entity_list(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"types": ["Service"], "name": f"payments {names.mark}", "connection_id": names.connection_id}


def _types(names: OneOfEach, _: str) -> Mapping[str, Any]:
    """Return a type whose name both workspaces have, so that a change must stay in one."""
    made = {"id": _fresh("ety"), "name": "Service", "properties": {"description": "y"}}
    return {"types": [{**made, "properties": {"description": f"y {names.mark}", "parent": None}}]}


def _words(names: OneOfEach, _: str) -> Mapping[str, Any]:
    """Return unscoped Lucene queries and foreign external hits, so that only the statement sets a scope."""
    return {
        "text_limit": ALL_OF_A_STORE,
        "query": {
            "external": [{"id": id_, "similarity": 0.9} for id_ in names.memory_ids],
            "text_queries": [{"index": "memory_text", "query": SHARED_WORD}],
            "window_queries": [{"index": "memory_text", "query": SHARED_WORD}],
            "name_queries": [f"name_keys:{SHARED_WORD}"],
            "names": [SHARED_WORD],
            "terms": [f" {SHARED_WORD} "],
            "index_vector": list(names.vector),
            "focus_vector": list(names.vector),
        },
    }


def _key(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.key_id}


def _job(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.job_id}


def _document(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.document_id, "ids": [names.document_id], "key": names.document_key}


def _chunks(names: OneOfEach, _: str) -> Mapping[str, Any]:
    properties = {"excerpt": "x", "ordinal": 2}
    return {
        "ids": list(names.chunk_ids),
        "after_ordinal": -1,
        "chunks": [{"id": _fresh("chk"), "properties": properties}],
        "updates": [{"id": names.chunk_ids[0], "properties": properties}],
    }


def _artifact(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": names.artifact_id, "ids": [names.artifact_id], "key": names.artifact_key}


def _rows(names: OneOfEach, workspace_id: str) -> Mapping[str, Any]:
    vector = list(names.vector)
    row = {
        "workspace_id": workspace_id,
        "id": names.memory_ids[0],
        "revision": 5,
        "version": 2,
        "reason": "a reason",
        "stamp": "another",
        "count": 2,
        "answered": 1,
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
        "role": None,
        "said_at": None,
        "previous_id": first,
        **scope,
    }
    return {"turns": [turn], "scopes": [scope]}


OVERRIDES: Mapping[str, Overrides] = {
    **ARCHIVE_OVERRIDES,
    **AUTOMATIC_CHANGE_OVERRIDES,
    **CHANGES_OVERRIDES,
    **COMPACTION_OVERRIDES,
    **CONVERSATION_OVERRIDES,
    **DISTILLING_OVERRIDES,
    **ERASURE_OVERRIDES,
    **EXTRACTION_OVERRIDES,
    **LEARNING_OVERRIDES,
    **LINKING_OVERRIDES,
    **SETTINGS_OVERRIDES,
    **WEBHOOK_OVERRIDES,
    "add_recalls": _rows,
    "list_selected_memories": lambda _names, _: {"after_id": ""},
    "list_users": lambda _names, _: {"after_id": ""},
    "find_user": lambda names, _: {"id": f"user_{names.mark}"},
    "add_usage": _rows,
    "conversation_memories": lambda names, _: {"id": names.conversation_id},
    "archive_entity": _entity,
    "count_entities": _entity_list,
    "count_by_workspace": lambda _, workspace_id: {"workspace_ids": [workspace_id]},
    "count_mirror_jobs": lambda _, workspace_id: {"workspace_ids": [workspace_id]},
    "create_prompt_run": lambda _n, _w: {"id": _fresh("run"), "properties": {"outcome": "answered"}},
    "create_api_key": lambda _n, _w: {"id": _fresh("key"), "hash": _fresh("hash"), "scopes": ["read"]},
    "connect_document": lambda names, _: {"id": names.document_id, "connection_id": f"other_{names.mark}"},
    "create_chunks": _chunks,
    "create_memories": lambda _n, _w: {
        "memories": [
            {"id": _fresh("mem"), "tick": 0, "properties": {"content": "x", "version": 2}, "original": "y"}
        ]
    },
    "count_of_connections": lambda names, _: {"ids": [names.connection_id]},
    "create_missing_types": lambda _n, _w: {
        "entity_types": [{"id": _fresh("ety"), "name": _fresh("Type")}],
        "relation_types": [{"id": _fresh("rty"), "name": _fresh("TYPE")}],
    },
    "delete_connection": _connection,
    "delete_edges_of_entities": _connection,
    "delete_entities": _connection,
    "delete_entity_type": lambda names, _: {"name": f"Unused{names.mark}"},
    "delete_relation": _relation,
    "delete_relation_type": lambda names, _: {"name": f"UNUSED_{names.mark}"},
    "delete_artifact": _artifact,
    "delete_association": lambda names, _: {"id": f"rel_a{names.mark}"},
    "delete_chunks": _chunks,
    "delete_document": _document,
    "delete_documents_of_connection": _connection,
    "drop_chunk_jobs": _chunks,
    "enqueue_jobs": lambda _n, _w: {"kind": "EMBED"},
    "enqueue_mirroring": _rows,
    "enqueue_reindexing": lambda _n, _w: {"after_id": ""},
    "document_outline": lambda names, _: {"id": names.document_id},
    "entity_surroundings": lambda names, _: {"id": names.entity_id},
    "extend_windows": lambda names, _: {"extensions": [{"id": names.memory_ids[0], "text": "x"}]},
    "find_connection": _connection,
    "find_merge": _merge,
    "compare_entities": lambda names, _: {"types": ["Service"], "vector": list(names.vector)},
    "find_entities_by_name": lambda _n, _w: {
        "query": f"name_keys:{SHARED_WORD}",
        "names": [SHARED_WORD],
        "limit": ALL_OF_A_STORE,
    },
    "search_entities_by_words": lambda _n, _w: {
        "text_queries": [{"index": "knowledge_text", "query": f"+{SHARED_WORD} +search_kind:entity"}],
        "text_limit": ALL_OF_A_STORE,
        "limit": ALL_OF_A_STORE,
    },
    "link_sources": lambda names, _: {
        "sources": [
            {
                "id": names.memory_ids[3],
                "conversation_id": names.conversation_id,
                "message_id": names.message_id,
            }
        ]
    },
    "lock_memories": lambda names, _: {"keys": [{"user_id": "", "agent_id": "", "key": names.memory_key}]},
    "find_near_memories": lambda names, _: {
        "probes": [{"ordinal": 0, "vector": list(names.vector), "user_id": ""}]
    },
    "list_profile_facts": lambda _n, _w: {"user_id": "", "pinned_query": "tag_prefixes:pinned"},
    "find_tombstones": lambda names, _: {"ids": [names.tombstone_id]},
    "lift_marks": lambda names, _: {"marks": [names.tombstone_id]},
    "note_marks": lambda names, _: {"marks": [f"said:{names.mark}"]},
    "get_artifacts": _artifact,
    "get_chunks": _chunks,
    "get_documents": _document,
    "gather_candidates": _words,
    "gather_candidates_by_words": _words,
    "gather_candidates_exactly": _words,
    "get_entities": lambda names, _: {"ids": list(names.entity_ids), "keys": [names.entity_key]},
    "find_relation": _relation,
    "link_turns": _turns,
    "list_connections": _connection,
    "list_entities": _entity_list,
    "list_relation_properties": _relation,
    "list_relations": lambda names, _: {"entity_ids": list(names.entity_ids)},
    "lock_entities_of_connection": _connection,
    "lock_entities": lambda names, _: {"names": [*names.entity_ids, names.entity_key]},
    "list_chunk_states": _document,
    "list_chunks": _chunks,
    "list_embedding_sources": _rows,
    "list_linking_sources": _rows,
    "list_uncompared": _rows,
    "get_jobs": lambda names, _: {"ids": [names.job_id]},
    "list_mirror_sources": _rows,
    "list_memories_ranked": lambda _n, _w: {"rank_by": "importance"},
    "list_tagged": lambda _n, _w: {"offset": 0, "tag_query": "tag_prefixes:tag"},
    "list_tagged_without_index": lambda _n, _w: {"offset": 0},
    "list_taken_keys": lambda names, _: {"user_id": "", "agent_id": "", "keys": [names.memory_key]},
    "lock_artifact": _artifact,
    "lock_document": _document,
    "mark_embedding_failed": _rows,
    "mark_linking_failed": _rows,
    "mark_unembeddable": _rows,
    "note_duplicates": _rows,
    "open_turns": _turns,
    "pattern_evidence": lambda names, _: {"id": names.pattern_id},
    "reindex_turns": lambda names, _: {"turns": [{"id": names.memory_ids[0], "properties": {"words": 9}}]},
    "merge_entities": lambda names, _: {
        "id": _fresh("mrg"),
        "from_id": names.entity_ids[0],
        "into_id": names.entity_ids[1],
    },
    "release_entities": _connection,
    "release_relations": _connection,
    "restore_entity": lambda names, _: {"id": names.entity_ids[2]},
    "requeue_changed": _rows,
    "retry_job": _job,
    "session_actions": lambda names, _: {"id": names.sequence_id},
    "revoke_api_key": _key,
    "list_chunk_places": lambda names, _: {"ids": list(names.chunk_ids)},
    "list_texts_around_chunks": lambda names, _: {"ids": list(names.chunk_ids), "reach": 1},
    "search_knowledge_by_meaning": lambda _n, _w: {"kinds": ["memory"]},
    "search_knowledge_by_words": lambda _n, _w: {
        "text_queries": [{"index": "knowledge_text", "query": SHARED_WORD}],
        "searched": ALL_OF_A_STORE,
        "limit": ALL_OF_A_STORE,
    },
    **dict.fromkeys(
        ("search_memories_fast", "search_memories_fast_by_words"),
        lambda _n, _w: {
            "text_queries": [{"index": "memory_text", "query": SHARED_WORD}],
            "search_limit": ALL_OF_A_STORE,
            "list_limit": ALL_OF_A_STORE,
            "min_score": None,
            "limit": ALL_OF_A_STORE,
        },
    ),
    "store_embeddings": _rows,
    "tag_tree": lambda names, _: {"tag": "TAG:"},
    "update_artifact": lambda names, _: {"id": names.artifact_id, "properties": {"name": "y"}},
    "update_chunks": _chunks,
    "update_document": lambda names, _: {"id": names.document_id, "properties": {"title": "y"}},
    "update_memories": lambda names, _: {
        "updates": [
            {
                "id": names.memory_ids[0],
                "properties": {"content": "y"},
                "previous_content": "x",
            }
        ]
    },
    "undo_merge": _merge,
    "upsert_connection": _connection,
    "upsert_entity_types": _types,
    "upsert_relation_types": lambda names, _: {
        "types": [
            {"id": _fresh("rty"), "name": "DEPENDS_ON", "properties": {"description": f"y {names.mark}"}}
        ]
    },
    "upsert_relations": _relation,
    "write_entities": lambda names, _: {
        "entities": [
            {
                "id": names.entity_ids[0],
                "type": "Thing",
                "properties": {"name": "y"},
                "connection_ids": [names.connection_id],
                "by_hand": True,
            }
        ]
    },
    "upsert_association": lambda _n, _w: {"id": _fresh("rel"), "type": "DERIVED_FROM"},
    "update_workspace": lambda _n, _w: {"properties": {"name": "y"}},
}
