"""Walks over the nodes of all workspaces: they skip none, even if workspaces share ids (C20)."""

from collections.abc import AsyncIterator

import pytest

from app.bootstrap.runtime import open_runtime
from graph.core.database import Database
from graph.core.ids import place_of
from graph.memories.models import MemoryDraft
from graph.vectors.external.queries import list_memories_to_mirror
from graph.vectors.index import queries
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import NOW, run
from tests.fixtures.own_store import make_empty

IDS = ("a", "a-b", "b", "note.1")
WORKSPACES = 3
PAGE = 2
SLOT_B = """
CYPHER 25 MATCH (node:Memory) SET node.embedding_b = CASE WHEN $filled THEN node.embedding_a ELSE null END
"""
FILLING = """
CYPHER 25 MATCH (meta:VectorIndexMeta {name: 'memory'})
SET meta.building_slot = 'b', meta.building_signature = meta.active_signature, meta.building_phase = 'FILLING',
    meta.building_cursor = '', meta.building_done = 0, meta.building_total = 12, meta.building_since = $now,
    meta.building_dimension = meta.active_dimension, meta.building_quantization = meta.active_quantization
"""
CURSOR = "CYPHER 25 MATCH (meta:VectorIndexMeta {name: 'memory'}) RETURN meta.building_cursor AS cursor"
IN_SLOT_B = """
CYPHER 25 MATCH (node:Memory) WHERE node.embedding_b IS NOT NULL
RETURN node.workspace_id AS workspace_id, node.id AS id
"""


@pytest.fixture(scope="module")
async def database(own_settings, own_driver) -> AsyncIterator[Database]:
    """Yield a store with several workspaces whose memories have equal ids, with vectors."""
    await make_empty(own_driver)
    async with open_runtime(own_settings, embedder=HashingEmbedder()) as runtime:
        services = runtime.services
        for number in range(WORKSPACES):
            workspace = await services.tenancy.workspaces.create(f"tenant {number}")
            vector = tuple(
                float(place == number) for place in range(services.vectors.embeddings.active.dimension)
            )
            drafts = [MemoryDraft(content=f"{id_} is known", id=id_, embedding=vector) for id_ in IDS]
            await services.memories.store.save_all(workspace.id, drafts)
        yield services.core.database


async def subjects(
    driver, query: str = "CYPHER 25 MATCH (n:Memory) RETURN n.workspace_id AS workspace_id, n.id AS id"
):
    return sorted((row["workspace_id"], row["id"]) for row in (await run(driver, query)).records)


async def test_every_memory_is_mirrored_once(database, own_driver) -> None:
    seen, after = [], ""
    while rows := await list_memories_to_mirror(database, after=after, limit=PAGE):
        seen += [(row.workspace_id, row.id) for row in rows]
        after = place_of(*seen[-1])

    assert len(seen) == WORKSPACES * len(IDS)
    assert sorted(seen) == await subjects(own_driver)


async def test_every_memory_is_embedded_again_once(database, own_driver) -> None:
    await run(own_driver, SLOT_B, filled=False)
    seen, after = [], ""
    while sources := await queries.list_sources_to_reembed(
        database, vector_property="embedding_b", signature="another", after=after, limit=PAGE
    ):
        seen += [(source.workspace_id, source.id) for source in sources]
        after = max(place_of(source.workspace_id, source.id) for source in sources)

    assert sorted(seen) == await subjects(own_driver)


async def test_every_vector_is_copied(database, own_driver) -> None:
    await run(own_driver, SLOT_B, filled=False)
    await run(own_driver, FILLING, now=NOW)
    signature = (
        await run(own_driver, "CYPHER 25 MATCH (m:VectorIndexMeta) RETURN m.active_signature AS s")
    ).records
    copied, after = [], ""
    while not copied or copied[-1]:
        copied.append(
            await queries.copy_vectors(
                database,
                signature=signature[0]["s"],
                from_slot="a",
                from_property="embedding_a",
                to_slot="b",
                to_property="embedding_b",
                after=after,
                limit=PAGE,
            )
        )
        after = (await run(own_driver, CURSOR)).records[0]["cursor"]

    assert copied == [PAGE] * (WORKSPACES * len(IDS) // PAGE) + [0]
    assert await subjects(own_driver, IN_SLOT_B) == await subjects(own_driver)


async def test_every_vector_is_cleared(database, own_driver) -> None:
    await run(own_driver, SLOT_B, filled=True)
    places = [""]
    while places[-1] is not None:
        places.append(
            await queries.clear_vectors(
                database,
                vector_property="embedding_b",
                active_property="embedding_a",
                after=places[-1],
                limit=PAGE,
                now=NOW,
            )
        )

    assert await subjects(own_driver, IN_SLOT_B) == []
    assert len(places) == WORKSPACES * len(IDS) // PAGE + 2


async def test_a_walk_started_by_release_0_1_continues(database, own_driver) -> None:
    """Its cursor was a bare id, so nodes with this id are read again."""
    rows = await list_memories_to_mirror(database, after="a-b", limit=100)

    assert sorted((row.workspace_id, row.id) for row in rows) == [
        each for each in await subjects(own_driver) if each[1] >= "a-b"
    ]
