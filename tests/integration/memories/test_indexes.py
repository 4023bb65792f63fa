"""Indexes and constraints for lookups, filters and searches of memories."""

import pytest

from graph.operations.queries import list_indexes
from tests.fixtures.graphs import run

# A46: the properties used for lookups, filters and searches, and the index that serves each.
INDEXES = {
    "id": ("memory_of_workspace_unique", "RANGE", ["workspace_id", "id"]),
    "id over all workspaces": ("searchable_id", "RANGE", ["id"]),
    "workspace": ("memory_workspace", "RANGE", ["workspace_id"]),
    "key": ("memory_key_of_owner_unique", "RANGE", ["workspace_id", "user_id", "agent_id", "key"]),
    "api key": ("memory_api_key", "RANGE", ["workspace_id", "api_key_id"]),
    "session": ("memory_session", "RANGE", ["workspace_id", "session_id"]),
    "source chat": ("memory_conversation", "RANGE", ["workspace_id", "source_conversation_id"]),
    "type": ("memory_type", "RANGE", ["workspace_id", "type"]),
    "kind": ("memory_kind", "RANGE", ["workspace_id", "kind"]),
    "expiry": ("memory_workspace_expiry", "RANGE", ["workspace_id", "active", "expires_at"]),
    "creation": ("memory_created", "RANGE", ["workspace_id", "created_at"]),
    "tags and their prefixes": ("memory_tags", "FULLTEXT", ["tag_prefixes", "workspace_id"]),
    "words, key, tags, keywords": (
        "memory_text",
        "FULLTEXT",
        ["search_text", "search_window", "search_keys", "workspace_id", "search_user"],
    ),
}
UNIQUE = {
    "memory_of_workspace_unique": ["workspace_id", "id"],
    "searchable_of_workspace_unique": ["workspace_id", "id"],
    "memory_key_of_owner_unique": ["workspace_id", "user_id", "agent_id", "key"],
}
SHAPES = "SHOW INDEXES YIELD name, properties RETURN name, properties"
CONSTRAINTS = (
    "SHOW CONSTRAINTS YIELD name, properties, type WHERE type CONTAINS 'UNIQUE' RETURN name, properties"
)


@pytest.mark.parametrize(("name", "kind", "properties"), INDEXES.values(), ids=INDEXES)
async def test_each_memory_query_has_an_online_index(services, graph_driver, name, kind, properties) -> None:
    """A46, N5."""
    served = {row.name: (row.kind, row.state) for row in await list_indexes(services.core.database)}
    shapes = {each["name"]: each["properties"] for each in (await run(graph_driver, SHAPES)).records}

    assert served[name] == (kind, "ONLINE")
    assert shapes[name] == properties


async def test_ids_and_keys_are_unique_in_a_workspace(services, graph_driver) -> None:
    """A46, A20, A42."""
    found = {each["name"]: each["properties"] for each in (await run(graph_driver, CONSTRAINTS)).records}

    assert {name: found.get(name) for name in UNIQUE} == UNIQUE


async def test_the_vectors_in_use_have_an_index(services) -> None:
    """A46: its name changes with the embedder."""
    served = {row.name: (row.kind, row.state) for row in await list_indexes(services.core.database)}

    assert served[services.vectors.embeddings.active.name] == ("VECTOR", "ONLINE")
