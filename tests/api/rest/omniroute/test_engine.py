"""``/api/memory/…``: probing, inspecting and maintaining the engine as OmniRoute's clients do."""

import pytest

from graph.memories.models import MemoryDraft
from graph.operations.round_trip import PROBE_WORKSPACE
from tests.fixtures.graphs import fingerprint, run
from tests.fixtures.waiting import until

NOTES = ("a red bicycle in the shed", "a blue bicycle in the yard", "a kettle on the stove")


@pytest.fixture
async def notes(services, workspace_id) -> list[str]:
    """Save three memories, wait for their vectors, and return their ids."""
    saved = await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content=text, dedup=False) for text in NOTES]
    )

    async def is_embedded() -> bool:
        (counts,) = (await services.operations.status.engine([workspace_id])).workspaces
        return counts.embedded == len(NOTES) and counts.pending_jobs == 0

    await until(is_embedded)
    return [receipt.memory.id for receipt in saved]


@pytest.fixture
async def probe_left_nothing(graph_driver):
    """Return a function that tells whether the probe added nothing to the graph."""
    before = await probes_nodes(graph_driver)

    async def probe_left_nothing() -> bool:
        return await probes_nodes(graph_driver) <= before

    return probe_left_nothing


async def probes_nodes(driver) -> set[str]:
    found = await run(
        driver, "MATCH (n) WHERE n.workspace_id = $id RETURN elementId(n) AS id", id=PROBE_WORKSPACE
    )
    return {record["id"] for record in found.records}


async def test_the_round_trip_works_and_leaves_nothing(
    manager, graph_driver, workspace_id, probe_left_nothing
) -> None:
    """M2: neither a hard delete's tombstone nor a job remains."""
    before = await fingerprint(graph_driver, workspace_id)

    found = await manager.get("/api/memory/health")

    assert found.keys() == {"working", "latencyMs"}
    assert found["working"] is True
    assert found["latencyMs"] > 0
    assert await fingerprint(graph_driver, workspace_id) == before
    await until(probe_left_nothing)


async def test_a_failed_round_trip_names_the_reason_and_cleans_up(
    manager, services, probe_left_nothing, monkeypatch
) -> None:
    """M2: the probe cleans up after any failure."""

    async def do_nothing(*_: object, **__: object) -> None:
        pass

    monkeypatch.setattr(services.memories.deletion, "forget", do_nothing)

    found = await manager.get("/api/memory/health")

    assert found.keys() == {"working", "latencyMs", "error"}
    assert (found["working"], found["error"]) == (False, "the deleted memory is still listed")
    await until(probe_left_nothing)


async def test_a_preview_ranks_by_reciprocal_rank_and_changes_nothing(
    manager, graph_driver, workspace_id, notes
) -> None:
    """C5, C25, F§15: the sum of 1/(60 + rank) in both lists, at most 2/61."""
    before = await fingerprint(graph_driver, workspace_id)

    found = await manager.post("/api/memory/retrieve-preview", {"query": "red bicycle"})

    best = found["items"][0]
    assert (best["id"], best["score"]) == (notes[0], pytest.approx(2 / 61))
    assert (best["tier"], best["tokens"]) == ("vector", 7)
    assert best["vecScore"] is not None
    assert best["ftsScore"] is not None
    scores = [item["score"] for item in found["items"]]
    assert scores == sorted(scores, reverse=True)
    assert found["resolution"] == {
        "embeddingSource": "fake", "vectorStore": "neo4j", "fallback": None, "strategy": "hybrid", "maxTokens": 2000,
    }  # fmt: skip
    assert await fingerprint(graph_driver, workspace_id) == before


async def test_a_preview_applies_its_parameters(manager, notes) -> None:
    """C3, C4, C8, C9, C10: ``exact`` puts the newest matches first, within the budget but at least one."""
    newest = await manager.post("/api/memory/retrieve-preview", {"query": "bicycle", "strategy": "recent"})
    tight = await manager.post(
        "/api/memory/retrieve-preview", {"query": "bicycle", "strategy": "exact", "maxTokens": 1}
    )
    none = await manager.post("/api/memory/retrieve-preview", {"query": "bicycle", "maxTokens": 0})
    wide = await manager.post("/api/memory/retrieve-preview", {"query": "bicycle", "maxTokens": 16_000})

    assert [item["id"] for item in newest["items"]] == [notes[1], notes[0]]
    assert (newest["resolution"]["strategy"], newest["resolution"]["vectorStore"]) == ("exact", None)
    assert ([item["id"] for item in tight["items"]], tight["totalTokens"]) == ([notes[1]], 7)
    assert (none["items"], none["resolution"]["maxTokens"]) == ([], 0)
    assert wide["resolution"]["maxTokens"] == 8000


async def test_a_preview_searches_the_callers_workspace(manager, other_manager, notes) -> None:
    """N12, K17."""
    asked = {"query": "red bicycle"}

    assert (await other_manager.post("/api/memory/retrieve-preview", asked))["items"] == []
    mine = await manager.post("/api/memory/retrieve-preview", {**asked, "apiKeyId": other_manager.key_id})
    assert mine["items"] == []


async def test_settings_are_the_defaults_of_a_preview(manager, notes) -> None:
    """C24, M4: strategy and maxTokens, from the next request on."""
    await manager.put("/api/settings/memory", {"strategy": "recent", "maxTokens": 7})

    found = await manager.post("/api/memory/retrieve-preview", {"query": "bicycle"})

    assert [item["id"] for item in found["items"]] == [notes[1]]
    assert (found["resolution"]["strategy"], found["resolution"]["maxTokens"]) == ("exact", 7)


async def test_the_status_counts_memories_without_a_vector(
    manager, graph_driver, workspace_id, notes
) -> None:
    """M3, B12."""
    await run(graph_driver, "MATCH (m:Memory {id: $id}) SET m.state = 'FAILED', m.failure = 'x'", id=notes[0])

    store = (await manager.get("/api/memory/engine-status"))["vectorStore"]

    assert (store["total"], store["indexed"], store["needsReindex"]) == (3, 2, 1)


async def test_a_forced_reindex_embeds_every_memory(manager, notes) -> None:
    """B12, M7: without a body, the call embeds only memories without a vector, here none."""
    assert await manager.post("/api/memory/reindex") == {"started": False, "pending": 0}
    assert await manager.post("/api/memory/reindex", {"force": True}) == {"started": True, "pending": 3}


async def test_the_status_counts_reembedded_memories_from_the_start(
    manager, graph_driver, workspace_id
) -> None:
    """B12: it counts memories only, though the reindex also embeds entities, and goes down to zero."""
    await manager.post("/api/memory", {"content": "a red bicycle", "key": "bicycle"}, status=201)

    async def needs_reindex() -> int:
        return (await manager.get("/api/memory/engine-status"))["vectorStore"]["needsReindex"]

    async def is_done() -> bool:
        return await needs_reindex() == 0

    await until(is_done)
    await run(
        graph_driver,
        "MERGE (job:Job {workspace_id: $ws, kind: 'EMBED', subject_id: $id}) "
        "SET job.id = 'job_' + randomUUID(), job.state = 'PENDING', job.revision = 1, job.attempts = 0, "
        "job.created_at = datetime(), job.updated_at = datetime(), job.due_at = datetime('2999-01-01T00:00:00Z')",
        ws=workspace_id,
        id=(await manager.get("/api/memory"))["data"][0]["id"],
    )
    assert await needs_reindex() == 1

    assert (await manager.post("/api/memory/reindex", {"force": True}))["pending"] == 1
    await until(is_done)


async def test_compaction_without_a_body_uses_the_retention_age(manager, aged) -> None:
    """M7, F14, L6: a dry run changes nothing; a cron job's call compacts."""
    for number in range(3):
        await aged(f"an old note about matter number {number}{' of many words' * 20}", days=40)
    await manager.post("/api/memory", {"content": "a new note", "key": "new"}, status=201)

    dry = await manager.post("/api/memory/summarize", {"dryRun": True})
    again = await manager.post("/api/memory/summarize", {"dryRun": True})
    done = await manager.post("/api/memory/summarize")
    rest = await manager.post("/api/memory/summarize")

    assert dry == again == done
    assert (done.keys(), done["candidates"]) == ({"candidates", "tokensSaved"}, 3)
    assert rest == {"candidates": 0, "tokensSaved": 0}


async def test_compaction_obeys_the_age_and_the_key(manager, aged) -> None:
    for number in range(2):
        await aged(f"an old note about matter number {number}{' of many words' * 20}", days=40)

    async def candidates(**body) -> int:
        return (await manager.post("/api/memory/summarize", {"dryRun": True, **body}))["candidates"]

    assert await candidates(olderThanDays=41) == 0
    assert await candidates(olderThanDays=39) == 2
    assert await candidates(olderThanDays=39, apiKeyId="key_ofNobody") == 0


async def test_compaction_includes_memories_with_a_derived_key(manager) -> None:
    """Issue 35 (14): this dialect requires a key; only a key that somebody chose prevents compaction."""
    words = "of many words" * 20
    for key, content in (
        ("preference:a_note_about_tea", f"A note about tea. {words}"),
        (
            "decision:a_note_about_coffee_and_its_places_of_origin",
            f"A note about coffee and its places of origin {words}",
        ),
        (
            "decision:a_note_about_cocoa_and_its_places_of_origin",
            f"A note about cocoa and its places of origin {words}",
        ),
    ):
        await manager.post("/api/memory", {"content": content, "key": key}, status=201)

    found = await manager.post("/api/memory/summarize", {"dryRun": True, "olderThanDays": 0})

    assert found["candidates"] == 2


async def test_providers_are_listed_without_their_keys(manager) -> None:
    """B26."""
    providers = await manager.get("/api/memory/embedding-providers")

    assert [entry["provider"] for entry in providers] == ["openai", "cohere", "voyage", "custom"]
    assert all(entry.keys() == {"provider", "models", "hasKey"} for entry in providers)
    assert "text-embedding-3-small" in providers[0]["models"]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("retrieve-preview", {}, "query"),
        ("retrieve-preview", {"query": "  "}, "query"),
        ("retrieve-preview", {"query": "x", "strategy": "fuzzy"}, "strategy"),
        ("retrieve-preview", {"query": "x", "maxTokens": 16_001}, "maxTokens"),
        ("retrieve-preview", {"query": "x", "limit": 0}, "limit"),
        ("retrieve-preview", {"query": "x", "limit": "5"}, "limit"),
        ("summarize", {"olderThanDays": -1}, "olderThanDays"),
        ("summarize", {"dryRun": "yes"}, "dryRun"),
        ("summarize", {"apiKeyId": " "}, "apiKeyId"),
        ("reindex", {"force": 1}, "force"),
        ("reindex", {"limit": 1}, "limit"),
    ],
)
async def test_a_body_that_breaks_a_rule_is_refused_with_the_field(manager, path, body, field) -> None:
    """K20."""
    assert await manager.refused("POST", f"/api/memory/{path}", json=body) == (400, field)


@pytest.mark.parametrize("path", ["summarize", "reindex"])
async def test_an_optional_body_may_not_be_null(manager, path) -> None:
    """K20: as the OpenAPI document says."""
    assert await manager.refused("POST", f"/api/memory/{path}", content=b"null") == (400, "body")
