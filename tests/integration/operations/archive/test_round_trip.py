"""A workspace as an archive, and the archive as a workspace (issue 15, point 6)."""

import io
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from graph.conversations.checkpoints.models import CheckpointDraft
from graph.core.errors import NotFound
from graph.core.ids import default_key_id, new_workspace_id
from graph.core.scope import EVERYTHING, ReadScope, seeing
from graph.memories.models import MemoryDraft
from graph.operations.archive.models import RestoreProgress
from graph.operations.archive.service import Archives
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.graphs import OneOfEach, fingerprint, one_of_each, run
from tests.fixtures.waiting import until

_LOCKED_AT = datetime(2026, 5, 1, tzinfo=UTC)
_NODES = """CYPHER 25
MATCH (n {workspace_id: $ws})
WHERE NOT n:Job|ApiKey|EventWebhook|EventWebhookDelivery AND NOT (n:Passage AND n.slot <> $slot)
RETURN elementId(n) AS ref, labels(n) AS labels, properties(n) AS properties
"""
_EDGES = """CYPHER 25
MATCH (n {workspace_id: $ws})-[r]->(other)
RETURN elementId(n) AS source, elementId(other) AS target, type(r) AS type, properties(r) AS properties
"""


@pytest.fixture
def archives(services) -> Archives:
    return services.operations.archives


@pytest.fixture
def slot(services) -> str:
    return services.vectors.embeddings.active.slot


async def settled(graph_driver, slot: str) -> OneOfEach:
    """A workspace of one of each, in which nothing is left to be embedded or linked."""
    names = await one_of_each(graph_driver)
    await run(
        graph_driver,
        "CYPHER 25 MATCH (n:Searchable|Passage {workspace_id: $ws}) "
        f"CALL db.create.setNodeVectorProperty(n, 'embedding_{slot}', $vector) "
        "SET n.enriched = CASE WHEN n:Memory THEN true END",
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
    return names


async def exported(archives: Archives, workspace_id: str, **options: Any) -> io.BytesIO:
    stream = await archives.export(workspace_id, **options)
    return io.BytesIO(b"".join([piece async for piece in stream.pieces]))


async def restored(archives: Archives, workspace_id: str, file: io.BytesIO) -> RestoreProgress:
    checked = await archives.check(file)
    *_, last = [progress async for progress in archives.restore(workspace_id, checked, file)]
    return last


async def graph_of(driver, workspace_id: str, slot: str) -> tuple[Counter[str], Counter[str]]:
    """Return all nodes and all relationships of a workspace, without the workspace's own id."""
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


async def test_what_is_restored_into_another_workspace_is_the_same_graph(
    archives, graph_driver, slot
) -> None:
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


async def test_what_is_restored_answers_the_same_recalls(archives, services, workspace_id) -> None:
    """As those of the workspace it was made of, for everybody and for one user."""
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

    async def until_settled(place: str) -> None:
        async def is_settled() -> bool:
            (counts,) = (await services.operations.status.engine([place])).workspaces
            return counts.pending_jobs == 0

        await until(is_settled)

    await until_settled(workspace_id)
    target = new_workspace_id()
    await restored(archives, target, await exported(archives, workspace_id, vectors=True))
    await until_settled(target)

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

    await until(
        answer_alike
    )  # how rare a word is follows from all that the store holds, so not while others write


async def test_an_early_archive_does_not_say_in_which_language_a_memory_is(
    archives, services, workspace_id, graph_driver
) -> None:
    """It is told when it is restored (issue 14, point 6)."""
    for content in ("Wir haben zwei Katzen aus dem Tierheim.", "We have two cats."):
        await services.memories.store.save(workspace_id, MemoryDraft(content=content))
    await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Memory {workspace_id: $ws}) REMOVE m.language, m:InGerman "
        "SET m.terms = replace(m.terms, ' de:katz', '')",
        ws=workspace_id,
    )
    target = new_workspace_id()

    await restored(archives, target, await exported(archives, workspace_id))

    found = await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Memory {workspace_id: $ws}) "
        "RETURN m.language AS language, m:InGerman AS is_labelled, m.terms CONTAINS ' de:katz ' AS has_stems",
        ws=target,
    )
    assert {tuple(record.values()) for record in found.records} == {("de", True, True), ("", False, False)}


async def test_an_early_archive_leaves_nothing_of_locks(
    archives, services, workspace_id, graph_driver
) -> None:
    """E16: of a thread it says when that was last saved."""
    draft = CheckpointDraft(thread_id="t", checkpoint_id="1", state="eA==", state_type="bytes")
    await services.conversations.checkpoints.save(workspace_id, draft)
    await services.memories.store.save(workspace_id, MemoryDraft(content="We have two cats."))
    await run(
        graph_driver,
        "CYPHER 25 MATCH (n:Memory|AgentCheckpointThread {workspace_id: $ws}) SET n.locked_at = $at "
        "WITH n WHERE n:AgentCheckpointThread REMOVE n.updated_at",
        ws=workspace_id,
        at=_LOCKED_AT,
    )
    target = new_workspace_id()

    await restored(archives, target, await exported(archives, workspace_id))

    found = await run(
        graph_driver,
        "CYPHER 25 MATCH (n:Memory|AgentCheckpointThread {workspace_id: $ws}) "
        "RETURN labels(n)[0] AS label, n['locked_at'] AS locked_at, n.updated_at = $at AS was_then",
        ws=target,
        at=_LOCKED_AT,
    )
    assert {record["label"]: (record["locked_at"], record["was_then"]) for record in found.records} == {
        "Memory": (None, False),
        "AgentCheckpointThread": (None, True),
    }


async def test_a_second_restore_changes_nothing(archives, graph_driver, slot) -> None:
    names = await settled(graph_driver, slot)
    file = await exported(archives, names.workspace_id, vectors=True)
    target = new_workspace_id()
    await restored(archives, target, file)
    before = await fingerprint(graph_driver, target)

    report = await restored(archives, target, file)

    assert await fingerprint(graph_driver, target) == before
    assert (report.created_nodes, report.created_edges) == (0, 0)


async def test_a_restore_that_was_cut_short_is_completed_by_another(archives, graph_driver, slot) -> None:
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


async def test_what_was_changed_since_stays_and_what_is_missing_comes_back(
    archives, graph_driver, slot
) -> None:
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


async def test_vectors_of_another_embedder_are_dropped_and_made_anew(archives, graph_driver, slot) -> None:
    names = await settled(graph_driver, slot)
    file = await exported(archives, names.workspace_id)  # without them is as good as another's
    target = new_workspace_id()

    report = await restored(archives, target, file)

    jobs = await run(
        graph_driver,
        "CYPHER 25 MATCH (n:Searchable {workspace_id: $ws}) WHERE n.active RETURN count(n) AS active",
        ws=target,
    )
    assert report.embedding == jobs.records[0]["active"] > 0


async def test_an_archive_of_a_user_holds_what_is_theirs_and_nothing_else(
    archives, services, graph_driver, workspace_id
) -> None:
    save = services.memories.store.save
    await save(workspace_id, MemoryDraft(content="alice likes tea", user_id="alice"))
    await save(workspace_id, MemoryDraft(content="bob likes coffee", user_id="bob"))
    await save(workspace_id, MemoryDraft(content="the office has both"))
    file = await exported(archives, workspace_id, user_id="alice")
    target = new_workspace_id()

    await restored(archives, target, file)

    found = await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Memory {workspace_id: $ws}) RETURN collect([m.content, m.user_id]) AS found",
        ws=target,
    )
    assert found.records[0]["found"] == [["alice likes tea", "alice"]]
    with pytest.raises(NotFound, match="nothing of a user 'carol'"):
        await archives.export(workspace_id, user_id="carol")
