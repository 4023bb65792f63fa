"""Restores into a workspace with data: the archive is merged in, existing data stays (issue 15, point 6)."""

from typing import Any

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.knowledge.ontology.names import relation_id
from graph.memories.models import MemoryChange, MemoryDraft
from graph.operations import queries
from tests.fixtures.archives import exported, restored
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import failing

_CHUNKS = """CYPHER 25
MATCH (c:Chunk {workspace_id: $ws})
RETURN c.excerpt AS text
"""
_CHAIN = """CYPHER 25
MATCH (n:Memory|Message {workspace_id: $ws})
RETURN labels(n)[0] AS label, n.content AS content, [(n)-[:NEXT]->(following) | following.content] AS following,
       [(previous)-[:NEXT]->(n) | previous.content] AS previous, n.search_window AS searched
ORDER BY n.position, n.content
"""
_PASSAGES = """CYPHER 25
MATCH (m:Memory {workspace_id: $ws})
RETURN m.content AS content, COUNT { (m)<-[:PART_OF]-(:Passage) } AS passages
"""
_WITH_PASSAGE = """CYPHER 25
MATCH (m:Memory {workspace_id: $ws})
CREATE (p:Passage {workspace_id: $ws, memory_id: m.id, ordinal: 7, slot: $slot, active: true, search_kind: 'passage'})
CREATE (p)-[:PART_OF]->(m)
WITH p
CALL db.create.setNodeVectorProperty(p, 'embedding_' + $slot, $vector)
"""


async def said(services, workspace_id: str, *contents: str) -> list[str]:
    """Capture messages of one conversation and save them as turns; return the turns' ids."""
    messages = [MessageDraft(id=f"msg-{content}", content=content) for content in contents]
    await services.conversations.capture.append(
        workspace_id, CaptureDraft(conversation_id="chat", messages=messages)
    )
    turns = [
        MemoryDraft(
            content=content,
            source_conversation_id="chat",
            source_message_id=f"msg-{content}",
            dedup=False,
        )
        for content in contents
    ]
    receipts = await services.memories.store.save_all(workspace_id, turns)
    return [receipt.memory.id for receipt in receipts]


async def chains_of(driver, workspace_id: str) -> dict[str, dict[str, tuple[list[str], list[str]]]]:
    """Return the neighbours of each message and turn in its chain, by label and text."""
    found: dict[str, dict[str, tuple[list[str], list[str]]]] = {"Memory": {}, "Message": {}}
    for record in (await run(driver, _CHAIN, ws=workspace_id)).records:
        found[record["label"]][record["content"]] = (record["previous"], record["following"])
    return found


async def test_finding_existing_nodes_does_not_read_their_contents(
    archives, services, workspace_id, monkeypatch
) -> None:
    """Otherwise the restore reads each text once more than the archive itself."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="Anna drinks tea", key="tea"))
    file = await exported(archives, workspace_id)
    read: list[str] = []
    get_archive_identities = queries.get_archive_identities

    async def noted(*args: Any, **kwargs: Any) -> list[queries.GetArchiveIdentitiesRow]:
        rows = await get_archive_identities(*args, **kwargs)
        read.extend(str(row.properties) for row in rows)
        return rows

    monkeypatch.setattr(queries, "get_archive_identities", noted)
    monkeypatch.delattr(queries, "get_archive_nodes")
    report = await restored(archives, workspace_id, file)

    assert (report.created_nodes, report.is_done) == (0, True)
    assert any("tea" in text for text in read)
    assert not any("Anna" in text for text in read)


async def test_a_restored_turn_returns_to_its_position(
    archives, services, workspace_id, graph_driver
) -> None:
    """Its deletion joined its neighbours; the restore inserts it again and makes it searchable."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    ids = await said(services, workspace_id, "Anna", "Bert", "Carl")
    before = await chains_of(graph_driver, workspace_id)
    assert (
        before["Memory"]
        == before["Message"]
        == {
            "Anna": ([], ["Bert"]),
            "Bert": (["Anna"], ["Carl"]),
            "Carl": (["Bert"], []),
        }
    )
    file = await exported(archives, workspace_id)
    await services.memories.deletion.delete(workspace_id, ids[1], hard=True)

    await restored(archives, workspace_id, file)

    assert await chains_of(graph_driver, workspace_id) == before
    searched = [
        record["searched"]
        for record in (await run(graph_driver, _CHAIN, ws=workspace_id)).records
        if record["label"] == "Memory"
    ]
    assert all("Bert" in text for text in searched)


async def test_restored_turns_join_those_saved_since(archives, services, workspace_id, graph_driver) -> None:
    """After the deletion of all earlier turns, new ones start at the first position."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    ids = await said(services, workspace_id, "Anna", "Bert", "Carl")
    file = await exported(archives, workspace_id)
    await services.memories.deletion.delete_all(workspace_id, ids, hard=True)
    await said(services, workspace_id, "Dora")

    await restored(archives, workspace_id, file)

    for chain in (await chains_of(graph_driver, workspace_id)).values():
        ends = [(len(previous), len(following)) for previous, following in chain.values()]
        assert sorted(ends) == [(0, 1), (1, 0), (1, 1), (1, 1)]


async def test_a_document_that_was_changed_since_gets_no_chunks_of_its_earlier_text(
    archives, services, workspace_id, graph_driver
) -> None:
    documents = services.knowledge.documents
    await documents.add(workspace_id, DocumentDraft(key="guide", content="The kettle is in the attic."))
    file = await exported(archives, workspace_id)
    await documents.add(workspace_id, DocumentDraft(key="guide", content="The samovar is in the cellar."))

    report = await restored(archives, workspace_id, file)

    (chunk,) = (await run(graph_driver, _CHUNKS, ws=workspace_id)).records
    assert chunk["text"].startswith("The samovar")
    assert (report.created_nodes, report.created_edges) == (0, 0)


@pytest.mark.usefixtures("nothing_due")
async def test_a_memory_that_was_shortened_since_gets_no_passages_of_its_earlier_text(
    archives, services, workspace_id, graph_driver
) -> None:
    """The restore adds earlier versions, but they are not part of the current text."""
    saved = await services.memories.store.save(workspace_id, MemoryDraft(content="A long story of a kettle."))
    await services.memories.store.update(workspace_id, saved.memory.id, MemoryChange(content="A long story."))
    index = services.vectors.embeddings.active
    await run(
        graph_driver,
        _WITH_PASSAGE,
        ws=workspace_id,
        slot=index.slot,
        vector=[1.0] + [0.0] * (index.dimension - 1),
    )
    file = await exported(archives, workspace_id, vectors=True)
    await services.memories.store.update(workspace_id, saved.memory.id, MemoryChange(content="Short."))
    await run(
        graph_driver,
        "CYPHER 25 MATCH (n:Passage|MemoryVersion {workspace_id: $ws}) DETACH DELETE n",
        ws=workspace_id,
    )

    report = await restored(archives, workspace_id, file)

    (found,) = (await run(graph_driver, _PASSAGES, ws=workspace_id)).records
    assert (found["content"], found["passages"]) == ("Short.", 0)
    assert report.created_nodes == 1


async def test_restored_references_use_the_existing_entitys_id(
    archives, services, telemetry, agents_workspace_id, other_agents_workspace_id
) -> None:
    """Relations, merges and actions refer to the id that the entity has in that workspace."""
    ours, theirs = agents_workspace_id, other_agents_workspace_id
    ontology, merging = services.knowledge.ontology, services.knowledge.merging
    drafts = [EntityDraft(type="Person", name=name) for name in ("Ada", "Countess", "Babbage")]
    ada, countess, babbage = await ontology.upsert_entities(ours, drafts)
    draft = RelationDraft(from_name=ada.id, to_name=babbage.id, type="KNOWS")
    (known,) = await ontology.upsert_relations(ours, [draft])
    merge = await merging.merge(ours, from_id=countess.id, into_id=ada.id)
    await telemetry.recorder.record(ours, [failing("run", target_id=ada.id)])
    (there,) = await ontology.upsert_entities(theirs, [EntityDraft(type="Person", name="Ada")])

    await restored(archives, theirs, await exported(archives, ours))

    (relation,) = (await ontology.relations.of_entities(theirs, [there.id], first=5))[there.id]
    assert relation.id == relation_id(there.id, "KNOWS", babbage.id) != known.id
    assert await ontology.relations.find(theirs, relation.id) == relation
    assert await ontology.relations.delete(theirs, relation.id)
    assert (await merging.undo(theirs, merge.id)).name == "Countess"
    history = (await telemetry.reader.actions_on(theirs, [there.id]))[there.id]
    assert [action.target_id for action in history.items] == [there.id]
