"""Vectors that arrive after their memory has changed or moved to another workspace."""

from typing import Any

import pytest

from graph.vectors.index.queries import store_embeddings
from tests.fixtures.graphs import one_of_each, run
from tests.fixtures.locks import overtaken_by

_CHANGES = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.revision = memory.revision + 1, memory.content = 'changed'
CALL db.create.setNodeVectorProperty(memory, $property, $vector)"""
_LEAVES = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.workspace_id = $target"""
_STORED = """CYPHER 25
MATCH (memory:Memory {id: $id})
RETURN memory[$property] AS vector, COUNT { (:Passage {memory_id: $id, ordinal: 1}) } AS passages"""


@pytest.fixture
async def seeded(graph_driver):
    return await one_of_each(graph_driver)


@pytest.fixture
def late(services, seeded):
    """Return a function that stores vectors of the seeded memory and of a passage."""
    index = services.vectors.embeddings.active

    def late(*, replaces: bool):
        vector = [0.0] * (index.dimension - 1) + [1.0]
        row = {
            "workspace_id": seeded.workspace_id,
            "id": seeded.memory_ids[0],
            "revision": 5,
            "vectors": [{"property": index.vector_property, "embedding": vector}],
            "passages": [
                {"slot": index.slot, "property": index.vector_property, "ordinal": 1, "embedding": vector}
            ],
            "is_whole": False,
        }
        target = {"slot": index.slot, "signature": index.signature}
        return store_embeddings(
            services.core.database, rows=[row], targets=[target], replaces=replaces, cursor=None
        )

    return late


@pytest.fixture
def stored(services, graph_driver, seeded):
    """Return a function that returns the memory's vector and the number of late passages."""

    async def stored() -> dict[str, Any]:
        property_ = services.vectors.embeddings.vector_property
        (row,) = (await run(graph_driver, _STORED, id=seeded.memory_ids[0], property=property_)).records
        return row.data()

    return stored


async def test_the_vector_of_an_unchanged_text_is_stored(late, stored) -> None:
    done = await late(replaces=True)

    assert (done.accepted, done.stored, (await stored())["passages"]) == (True, 1, 1)


async def test_a_change_with_a_vector_keeps_that_vector(services, graph_driver, seeded, late, stored) -> None:
    """B5: the change removed the embedding job, so nothing would embed the memory again."""
    index = services.vectors.embeddings.active
    newer = [1.0] + [0.0] * (index.dimension - 1)

    done = await overtaken_by(
        graph_driver,
        _CHANGES,
        late(replaces=True),
        ws=seeded.workspace_id,
        id=seeded.memory_ids[0],
        property=index.vector_property,
        vector=newer,
    )

    assert (done.accepted, done.stored) == (True, 0)
    assert await stored() == {"vector": newer, "passages": 0}


@pytest.mark.parametrize("replaces", [True, False])
async def test_a_memory_moved_during_embedding_leaves_no_passages_behind(
    graph_driver, seeded, late, stored, other_workspace_id, replaces
) -> None:
    """I15: otherwise the passages of a foreign memory would stay in the index permanently."""
    before = await stored()

    done = await overtaken_by(
        graph_driver,
        _LEAVES,
        late(replaces=replaces),
        ws=seeded.workspace_id,
        id=seeded.memory_ids[0],
        target=other_workspace_id,
    )

    assert (done.accepted, done.stored) == (True, 0)
    assert await stored() == before
