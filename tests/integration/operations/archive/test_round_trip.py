"""Export of a workspace to an archive and restore into a workspace (issue 15, point 6)."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from graph.core.ids import default_key_id, new_workspace_id
from graph.core.models import ChangeKind
from graph.core.scope import EVERYTHING, ReadScope, seeing
from graph.memories.models import MemoryDraft, MemoryState
from graph.operations import erasure as service
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.archives import JOBS, exported, restored
from tests.fixtures.graphs import OneOfEach, fingerprint, one_of_each, run
from tests.fixtures.jobs import jobs_done
from tests.fixtures.waiting import until

_NODES = """CYPHER 25
MATCH (n {workspace_id: $ws})
WHERE NOT n:Job|ApiKey|EventWebhook|EventWebhookDelivery AND NOT (n:Passage AND n.slot <> $slot)
RETURN elementId(n) AS ref, labels(n) AS labels, properties(n) AS properties
"""
_EDGES = """CYPHER 25
MATCH (n {workspace_id: $ws})-[r]->(other)
RETURN elementId(n) AS source, elementId(other) AS target, type(r) AS type, properties(r) AS properties
"""
_CLOSINGS = """CYPHER 25
MATCH (:Memory {workspace_id: $ws})-[edge:INVALIDATED_BY]->(:Memory {workspace_id: $ws})
RETURN properties(edge) AS properties
"""


@pytest.fixture
def slot(services) -> str:
    return services.vectors.embeddings.active.slot


async def settled(graph_driver, slot: str) -> OneOfEach:
    """Return a seeded workspace with no work left to do and with its counts up to date."""
    names = await one_of_each(graph_driver)
    await run(
        graph_driver,
        "CYPHER 25 MATCH (n:Searchable|Passage {workspace_id: $ws}) "
        f"CALL db.create.setNodeVectorProperty(n, 'embedding_{slot}', $vector) "
        "SET n.enriched = CASE WHEN n:Memory THEN true END, n.embedded_revision = n.revision",
        ws=names.workspace_id,
        vector=list(names.vector),
    )
    await run(
        graph_driver,
        "CYPHER 25 MATCH (n:Passage {workspace_id: $ws}) "
        "SET n.slot = $slot, n.odd = [1.5, 2.5], n.late = datetime('2026-01-01T00:00:00.123456789Z')",
        ws=names.workspace_id,
        slot=slot,
    )
    await run(
        graph_driver,
        "CYPHER 25 MATCH (t:AgentTally|AgentFailure|Memory {workspace_id: $ws}) "
        "WHERE NOT t:Memory OR t.runs = 2 "
        "SET t += CASE WHEN t:Memory THEN {runs: 1, runs_succeeded: 1} WHEN t:AgentTally THEN {sequences: 1} "
        "ELSE {sequences: 1, attempts: 1, confidence: 1.0, state: 'DEMOTED'} END",
        ws=names.workspace_id,
    )
    await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Message {workspace_id: $ws, position: 2}), (n:Message {workspace_id: $ws, position: 3}) "
        "CREATE (m)-[:NEXT]->(n)",
        ws=names.workspace_id,
    )
    return names


async def graph_of(driver, workspace_id: str, slot: str) -> tuple[Counter[str], Counter[str]]:
    """Return all nodes and relationships of a workspace, without its own id."""
    other = f"embedding_{'b' if slot == 'a' else 'a'}"
    nodes = {}
    for record in (await run(driver, _NODES, ws=workspace_id, slot=slot)).records:
        properties = dict(record["properties"])
        properties.pop(other, None)
        text = repr((sorted(record["labels"]), sorted(properties.items())))
        for own in (workspace_id, default_key_id(workspace_id)):
            text = text.replace(repr(own), "its own")
        nodes[record["ref"]] = text
    edges = Counter(
        repr((nodes[r["source"]], r["type"], sorted(r["properties"].items()), nodes[r["target"]]))
        for r in (await run(driver, _EDGES, ws=workspace_id)).records
        if r["source"] in nodes and r["target"] in nodes
    )
    return Counter(nodes.values()), edges


@pytest.mark.usefixtures("nothing_due")
async def test_a_restore_into_another_workspace_creates_the_same_graph(archives, graph_driver, slot) -> None:
    names = await settled(graph_driver, slot)
    before = await graph_of(graph_driver, names.workspace_id, slot)

    file = await exported(archives, names.workspace_id, vectors=True)
    target = new_workspace_id()
    report = await restored(archives, target, file)

    after = await graph_of(graph_driver, target, slot)
    assert set(after[0]) ^ set(before[0]) == set()
    assert after == before
    assert report.created_nodes == report.total_nodes == report.nodes == before[0].total()
    assert report.created_edges == report.total_edges == report.edges == before[1].total()
    assert (report.skipped_nodes, report.embedding, report.is_done) == (0, 0, True)
    workspace = (
        await run(graph_driver, "MATCH (w:Workspace {id: $ws}) RETURN properties(w) AS p", ws=target)
    ).records[0]["p"]
    assert workspace["settings"] == f'{{"x": "{names.mark}"}}'
    assert workspace["name"] == f"name {names.mark} ({target})"
    assert "restoring" not in workspace


async def test_closings_and_automatic_changes_are_restored(
    archives, services, graph_driver, workspace_id
) -> None:
    """Issue 36, points 1 and 7: with words and time of the closing, and undoing works after the restore."""
    store, changes = services.memories.store, services.operations.changes
    march = datetime(2026, 3, 5, tzinfo=UTC)
    said = {"I live in Munich": datetime(2025, 1, 10, tzinfo=UTC), "I moved to Berlin last month": march}
    older, _ = [
        (await store.save(workspace_id, MemoryDraft(content=content, timestamp=at))).memory.id
        for content, at in said.items()
    ]
    await jobs_done(services, workspace_id)
    (closing,) = await closings(graph_driver, workspace_id)
    (change,) = (await changes.page(workspace_id)).items
    told = {name: closing[name] for name in ("by", "slot", "words", "strength")}
    assert told == {"by": "slot", "slot": "home", "words": "moved to Berlin", "strength": 1.0}
    assert closing["at"] == march
    assert (change.kind, change.subject_id, change.rule) == (ChangeKind.CLOSED, older, "slot:home")

    target = new_workspace_id()
    await restored(archives, target, await exported(archives, workspace_id))
    await jobs_done(services, target)

    assert await closings(graph_driver, target) == [closing]
    assert list((await changes.page(target)).items) == [change]
    await changes.undo(target, change.id)
    await jobs_done(services, target)
    ends = [(await store.get(place, older)).t_invalid for place in (workspace_id, target)]
    assert ends == [march, None]


async def closings(driver, workspace_id: str) -> list[dict[str, Any]]:
    """Return the properties of the edges from closed memories to their successors."""
    found = await run(driver, _CLOSINGS, ws=workspace_id)
    return [dict(record["properties"]) for record in found.records]


async def test_a_restored_workspace_answers_the_same_recalls(archives, services, workspace_id) -> None:
    """The same as in the original workspace, for everybody and for one user."""
    animals = ("bees", "goats", "geese", "cats", "olms")
    drafts = [
        MemoryDraft(
            content=f"Keeper {number} of house {number} looks after {animals[number % 5]}",
            user_id=("alice", "bob", None)[number % 3],
            dedup=False,
        )
        for number in range(60)
    ]
    await services.memories.store.save_all(workspace_id, drafts)
    await jobs_done(services, workspace_id)
    target = new_workspace_id()
    await restored(archives, target, await exported(archives, workspace_id, vectors=True))
    await jobs_done(services, target)

    async def answers(place: str) -> list[list[tuple[str, float]]]:
        found = []
        for scope in (EVERYTHING, ReadScope(user_id="alice")):
            for query in ("geese", "who keeps cats and olms", "house 77", "bees"):
                with seeing(scope):
                    result = await services.retrieval.recall.recall(
                        place, RecallQuery(query=query, limit=10, dry_run=True)
                    )
                found.append([(hit.memory.id, round(hit.score, 6)) for hit in result.hits])
        return found

    async def answer_alike() -> bool:
        before = await answers(workspace_id)
        assert all(before)
        return await answers(target) == before

    # Word rarity depends on the whole store, so compare only while no other test writes.
    await until(answer_alike)


@pytest.mark.usefixtures("nothing_due")
async def test_a_second_restore_changes_nothing(archives, graph_driver, slot) -> None:
    names = await settled(graph_driver, slot)
    file = await exported(archives, names.workspace_id, vectors=True)
    target = new_workspace_id()
    await restored(archives, target, file)
    before = await fingerprint(graph_driver, target)

    report = await restored(archives, target, file)

    assert await fingerprint(graph_driver, target) == before
    assert (report.created_nodes, report.created_edges) == (0, 0)


@pytest.mark.usefixtures("nothing_due")
async def test_another_restore_completes_an_interrupted_one(archives, graph_driver, slot) -> None:
    names = await settled(graph_driver, slot)
    before = await graph_of(graph_driver, names.workspace_id, slot)
    file = await exported(archives, names.workspace_id, vectors=True)
    target = new_workspace_id()
    checked = await archives.check(file)
    running = archives.restore(target, checked, file)
    async for progress in running:
        if progress.edges or progress.nodes == progress.total_nodes:
            break
    await running.aclose()

    await restored(archives, target, file)

    assert await graph_of(graph_driver, target, slot) == before


async def test_a_restore_keeps_later_changes_and_adds_missing_records(archives, graph_driver, slot) -> None:
    names = await settled(graph_driver, slot)
    file = await exported(archives, names.workspace_id, vectors=True)
    kept, gone = names.memory_ids[:2]
    await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Memory {workspace_id: $ws, id: $kept}) SET m.content = 'changed' "
        "WITH m MATCH (g:Memory {workspace_id: $ws, id: $gone}) DETACH DELETE g",
        ws=names.workspace_id,
        kept=kept,
        gone=gone,
    )

    report = await restored(archives, names.workspace_id, file)

    found = await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Memory {workspace_id: $ws}) RETURN m.id AS id, m.content AS content",
        ws=names.workspace_id,
    )
    contents = {record["id"]: record["content"] for record in found.records}
    assert contents[kept] == "changed"
    assert gone in contents
    assert report.created_nodes == 1
    assert report.created_edges > 0


async def test_vectors_of_another_embedder_are_dropped_and_recomputed(archives, graph_driver, slot) -> None:
    names = await settled(graph_driver, slot)
    file = await exported(archives, names.workspace_id)  # missing ones count as another embedder's
    target = new_workspace_id()

    report = await restored(archives, target, file)

    (found,) = (
        await run(
            graph_driver,
            "CYPHER 25 MATCH (n:Searchable {workspace_id: $ws}) RETURN count(n) AS searchable",
            ws=target,
        )
    ).records
    assert report.embedding == found["searchable"] > 0


async def test_a_deleted_memory_of_an_archive_can_be_restored(archives, services, workspace_id) -> None:
    """It is embedded and linked at the restore of the archive, because undeleting changes no text."""
    store = services.memories.store
    saved = await store.save(workspace_id, MemoryDraft(content="The kettle of Ada is in the attic."))
    await services.memories.deletion.delete(workspace_id, saved.memory.id)
    target = new_workspace_id()
    await restored(archives, target, await exported(archives, workspace_id))

    await store.restore(target, saved.memory.id)

    async def is_linked() -> bool:
        return (await store.get(target, saved.memory.id)).state is MemoryState.LINKED

    await until(is_linked)


@pytest.mark.usefixtures("nothing_due")
async def test_pending_work_is_pending_after_a_restore(archives, graph_driver, slot) -> None:
    """Pending distillation, unread conversations, uncounted runs, outdated vectors and unsettled slots."""
    names = await settled(graph_driver, slot)
    changed = names.memory_ids[3]
    await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Memory {workspace_id: $ws, id: $id}) SET m.revision = m.revision + 1 "
        "CREATE (:Conversation {workspace_id: $ws, id: 'read', next_position: 3, extracted_up_to: 2, facts_up_to: 2})",
        ws=names.workspace_id,
        id=changed,
    )
    target = new_workspace_id()

    report = await restored(archives, target, await exported(archives, names.workspace_id, vectors=True))

    found = await run(graph_driver, JOBS, ws=target)
    assert sorted(tuple(record.values()) for record in found.records) == [
        ("DISTILL", f"dst_{names.mark}"),
        ("DISTILL", f"dst_unread{names.mark}"),
        ("EMBED", changed),
        ("EXTRACT", names.conversation_id),
        ("PROMOTE", names.sequence_id),
        ("TIMELINE", f"slot{names.mark}"),
    ]
    assert report.embedding == 1


async def test_an_archive_excludes_the_filler_of_an_erasure(
    archives, services, workspace_id, graph_driver, monkeypatch
) -> None:
    """Nothing would ever delete it after the restore."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="We have two cats."))
    stream = None

    async def export_meanwhile(*_: Any, **__: Any) -> int:
        nonlocal stream
        stream = await archives.export(workspace_id)
        return 0

    monkeypatch.setattr(service, "_FREED_AFTER_SECONDS", 0)
    monkeypatch.setattr("graph.operations.queries.delete_fillers", export_meanwhile)
    await service.overwrite_freed(services.core.database, workspace_id, 1)
    (written,) = (
        await run(
            graph_driver, "MATCH (n:Tombstone {workspace_id: $ws}) RETURN count(n) AS count", ws=workspace_id
        )
    ).records

    assert written["count"] > 0
    assert stream is not None
    assert stream.nodes == 1
