"""Vectors of other records than memories: made by the same jobs, in the same indexes."""

from datetime import UTC, datetime

from tests.fixtures.graphs import one_of_each, run
from tests.fixtures.waiting import until

_CREATE = """CYPHER 25
CREATE (entity:Entity:Searchable {workspace_id: $ws, id: $id, active: true, search_kind: 'entity', revision: 1,
  search_text: 'Acme. Acme makes anvils.', state: 'STORED'})
CREATE (:Job {workspace_id: $ws, id: 'job_' + $id, kind: 'EMBED', subject_id: $id, state: 'PENDING', revision: 1,
  attempts: 0, created_at: $now, updated_at: $now, due_at: $now})
"""
_READ = """CYPHER 25
MATCH (entity:Searchable {workspace_id: $ws, id: $id})
RETURN entity.state AS state, size(entity[$property]) AS dimension, entity.embedding_signature AS signature,
       COUNT { (entity)<-[:PART_OF]-(:Passage) } AS passages
"""
_UNMARKED = """CYPHER 25
MATCH (node) WHERE node.search_kind IS NOT NULL AND node.search_kind <> 'passage' AND NOT node:Searchable
RETURN DISTINCT labels(node) AS labels
"""


async def test_any_searchable_node_is_embedded_whole(services, workspace_id, stored_memories) -> None:
    """B27: entities, chunks, artifacts, episodes and sequences share the memories' jobs and indexes."""
    id_ = f"ent_{workspace_id}"
    driver = stored_memories.driver
    await run(driver, _CREATE, ws=workspace_id, id=id_, now=datetime.now(UTC))
    await services.core.wake_up.signal()

    async def read() -> dict | None:
        result = await run(
            driver, _READ, ws=workspace_id, id=id_, property=services.vectors.embeddings.vector_property
        )
        row = result.records[0].data()
        return row if row["state"] == "EMBEDDED" else None

    active = services.vectors.embeddings.active
    assert await until(read) == {
        "state": "EMBEDDED",
        "dimension": active.dimension,
        "signature": active.signature,
        "passages": 0,
    }


async def test_every_kind_of_searchable_node_bears_the_label(stored_memories) -> None:
    """B27: without the label, a change of the embedder would skip the node."""
    await one_of_each(stored_memories.driver)

    result = await run(stored_memories.driver, _UNMARKED)

    assert [record["labels"] for record in result.records] == []
