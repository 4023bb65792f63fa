"""Locks of nodes: a second writer waits for the first, and locks leave no trace."""

from pathlib import Path

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.memories.models import MemoryChange, MemoryDraft
from tests.fixtures.graphs import run
from tests.fixtures.locks import overtaken_by
from tests.fixtures.telemetry import failing
from tests.fixtures.waiting import until

_LOCK = (Path(__file__).parents[3] / "cypher" / "fragments" / "lock.cypher").read_text(encoding="utf-8")
_MATCH = "CYPHER 25\nMATCH (memory:Memory {workspace_id: $ws, id: $id})\n"
_LOCKED = f"{_MATCH}{_LOCK}RETURN memory.content AS content"
_CHANGED = f"{_MATCH}SET memory.content = 'changed'"
_PROPERTIES = f"{_MATCH}RETURN keys(memory) AS names"
_TRACES = """CYPHER 25
MATCH (node)
WHERE node['locked_at'] IS NOT NULL AND (node.workspace_id = $ws OR node:VectorIndexMeta OR node:VectorTierMeta)
RETURN DISTINCT labels(node) AS labels"""
_WORKED_OFF = "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) RETURN count(job) = 0 AS done"


@pytest.mark.parametrize(("change", "seen"), [(_LOCKED, "as it was"), (_CHANGED, "changed")])
async def test_a_second_writer_waits_for_the_lock(services, graph_driver, workspace_id, change, seen) -> None:
    """The first transaction holds the lock until it ends."""
    saved = await services.memories.store.save(workspace_id, MemoryDraft(content="as it was"))
    await until(lambda: _worked_off(graph_driver, workspace_id))
    node = {"ws": workspace_id, "id": saved.memory.id}

    content = await overtaken_by(graph_driver, change, _content_under_the_lock(graph_driver, node), **node)

    assert content == seen
    (row,) = (await run(graph_driver, _PROPERTIES, **node)).records
    assert "locked_at" not in row["names"]


async def _content_under_the_lock(driver, node) -> str:
    (row,) = (await run(driver, _LOCKED, **node)).records
    return row["content"]


async def test_the_usual_operations_leave_no_trace_of_their_locks(
    services, graph_driver, capturing_workspace_id
) -> None:
    """E16: in Neo4j Browser, nodes show only their data, not how they were written."""
    for use in (_remember, _converse, _know, _act):
        await use(services, capturing_workspace_id)
    await until(lambda: _worked_off(graph_driver, capturing_workspace_id))

    traces = await run(graph_driver, _TRACES, ws=capturing_workspace_id)
    assert [row["labels"] for row in traces.records] == []


async def _remember(services, workspace_id: str) -> None:
    store = services.memories.store
    drafts = [MemoryDraft(content=f"Ada Lovelace visits {place}") for place in ("Rome", "Bern", "Oslo")]
    one, other, gone = [saved.memory.id for saved in await store.save_all(workspace_id, drafts)]
    await store.update(workspace_id, one, MemoryChange(content="Ada Lovelace has been to Rome"))
    await services.memories.associations.associate(workspace_id, from_id=one, to_id=other, type_="RELATES_TO")
    await services.memories.deletion.delete(workspace_id, gone)
    await store.restore(workspace_id, gone)


async def _converse(services, workspace_id: str) -> None:
    said = [
        MessageDraft(content=text)
        for text in ("I am allergic to nuts.", "I will keep that in mind.", "Thanks.")
    ]
    conversations = services.conversations
    await conversations.capture.append(workspace_id, CaptureDraft(conversation_id="c", messages=said))
    await conversations.extraction.request(workspace_id, "c")

    async def is_read() -> bool:
        found = await conversations.capture.find(workspace_id, "c")
        return found is not None and found.extracted_up_to == len(said) - 1

    assert await until(is_read)
    await conversations.episodes.consolidate(workspace_id, "c", retain_last=0, max_age_days=0)


async def _know(services, workspace_id: str) -> None:
    ontology = services.knowledge.ontology
    drafts = [EntityDraft(type="Person", name=name) for name in ("Ada Lovelace", "A. Lovelace", "Babbage")]
    ada, again, babbage = await ontology.upsert_entities(workspace_id, drafts)
    knows = RelationDraft(from_name=ada.id, to_name=babbage.id, type="KNOWS")
    await ontology.upsert_relations(workspace_id, [knows])
    merge = await services.knowledge.merging.merge(workspace_id, from_id=again.id, into_id=ada.id)
    await services.knowledge.merging.undo(workspace_id, merge.id)
    await ontology.delete(workspace_id, again.id)
    await ontology.restore(workspace_id, again.id)


async def _act(services, workspace_id: str) -> None:
    failed = [failing(f"session-{number}") for number in range(5)]
    await services.telemetry.recorder.record(workspace_id, failed)
    await services.telemetry.promoter.promote(workspace_id)


async def _worked_off(driver, workspace_id: str) -> bool:
    return bool((await run(driver, _WORKED_OFF, ws=workspace_id)).records[0]["done"])
