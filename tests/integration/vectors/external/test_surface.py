"""The external tier in the API: status, cleanup and changes of settings at run time."""

from collections.abc import AsyncIterator

import httpx
import pytest
from pydantic import SecretStr

from app.main import create_app
from graph.core.errors import Conflict, InvalidInput, Unavailable
from graph.core.models import RecallTier
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from graph.tenancy.models import Scope
from graph.vectors.external.models import TierChange
from tests.fixtures.app import GraphQLClient
from tests.fixtures.graphs import run
from tests.integration.vectors.external.conftest import serves, settled

STATUS = """{ engine { tiers vectorTier {
  enabled healthy latencyMs serves reason collection quantization phase mirrored total pending } } }"""
CLEANUP = "mutation($days: Int) { cleanupVectorTier(retentionDays: $days) { expired old } }"


@pytest.fixture
async def caller(own_services, own_workspace_id) -> AsyncIterator[GraphQLClient]:
    """Yield a client of the API over the store with the tier."""
    _, secret = await own_services.tenancy.keys.create(
        own_workspace_id, name="test", scopes=[Scope.READ, Scope.WRITE]
    )
    transport = httpx.ASGITransport(create_app(own_services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        yield GraphQLClient(http, secret)


async def test_the_status_shows_the_state_of_the_tier(tier, own_services, own_workspace_id, caller):
    """B22, C1: health with latency, the number of pending memories, and whether recall uses it."""
    await own_services.memories.store.save(own_workspace_id, MemoryDraft(content="a red bicycle"))
    await settled(own_services, own_workspace_id)

    well = (await caller.ok(STATUS))["engine"]
    tier.failure = "qdrant does not serve: status 500"
    await own_services.retrieval.recall.recall(own_workspace_id, RecallQuery(query="bicycle"))
    ill = (await caller.ok(STATUS))["engine"]

    assert well["tiers"] == ["keyword", "vector", "external"]
    assert {name: value for name, value in well["vectorTier"].items() if name not in ("mirrored", "total")} == {
        "enabled": True, "healthy": True, "latencyMs": 1.5, "serves": True, "reason": None,
        "collection": "omniroute_memory", "quantization": "none", "phase": "COMPLETE", "pending": 0,
    }  # fmt: skip
    assert ill["tiers"] == ["keyword", "vector"]
    assert (ill["vectorTier"]["healthy"], ill["vectorTier"]["latencyMs"]) == (False, None)
    assert (ill["vectorTier"]["serves"], ill["vectorTier"]["reason"]) == (False, tier.failure)


async def test_a_recall_names_its_tier(tier, own_services, own_workspace_id, caller):
    """C2."""
    await own_services.memories.store.save(own_workspace_id, MemoryDraft(content="a red bicycle"))
    await settled(own_services, own_workspace_id)
    query = '{ recall(input: {query: "bicycle"}) { hits { tier } resolution { tier fallback degraded } } }'

    found = (await caller.ok(query))["recall"]

    assert found == {
        "hits": [{"tier": "EXTERNAL"}],
        "resolution": {"tier": "EXTERNAL", "fallback": None, "degraded": []},
    }


async def test_omniroutes_dialect_shows_the_same_state(tier, own_services, own_workspace_id, caller):
    """C1, C25, M3: its preview excludes old memories and filters by key, in the tier as well."""
    draft = MemoryDraft(content="a red bicycle", key="bicycle", session_id="s")
    saved = await own_services.memories.store.save(own_workspace_id, draft)
    await settled(own_services, own_workspace_id)

    async def sent(method: str, path: str, **rest) -> dict:
        headers = {"Authorization": f"Bearer {caller.key}"}
        return (await caller.http.request(method, path, headers=headers, **rest)).json()

    for named in ({}, {"apiKeyId": saved.memory.api_key_id}, {"sessionId": "s"}):
        tier.searches.clear()
        found = await sent("POST", "/api/memory/retrieve-preview", json={"query": "red bicycle", **named})
        assert [(item["id"], item["tier"]) for item in found["items"]] == [(saved.memory.id, "qdrant")]
        assert (found["resolution"]["vectorStore"], found["resolution"]["fallback"]) == ("qdrant", None)
        assert len(tier.searches) == 1
    status = await sent("GET", "/api/memory/engine-status")
    assert (status["vectorStore"]["store"], status["qdrant"]["serves"]) == ("qdrant", True)

    tier.failure = "away"
    found = await sent("POST", "/api/memory/retrieve-preview", json={"query": "red bicycle"})
    assert [(item["id"], item["tier"]) for item in found["items"]] == [(saved.memory.id, "vector")]
    assert found["resolution"]["fallback"] == "the graph's own vectors: away"


async def test_the_search_test_filters_by_key_and_session(tier, own_services, own_workspace_id, caller):
    """B20, K9: the read scope is enough."""
    drafts = [
        MemoryDraft(content=f"a red bicycle of {name}", session_id=name, api_key_id=name) for name in "ab"
    ]
    ids = [(await own_services.memories.store.save(own_workspace_id, each)).memory.id for each in drafts]
    await settled(own_services, own_workspace_id)
    query = """query($key: ID, $session: ID) {
      searchVectorTier(query: "bicycle", apiKeyId: $key, sessionId: $session) { memory { id } } }"""
    headers = {"Authorization": f"Bearer {caller.key}"}

    for named in ({}, {"apiKeyId": "a"}, {"sessionId": "b"}):
        hits = (await caller.ok(query, key=named.get("apiKeyId"), session=named.get("sessionId")))[
            "searchVectorTier"
        ]
        body = {"query": "bicycle", **named}
        answer = await caller.http.post("/api/settings/qdrant/search", headers=headers, json=body)
        found = {hit["memory"]["id"] for hit in hits}
        assert found == {entry["id"] for entry in answer.json()["results"]}
        assert found == ({ids["ab".index(*named.values())]} if named else set(ids))


async def test_memories_filtered_afterwards_do_not_displace_hits(tier, own_services, own_workspace_id):
    """B20, issue 35: another agent's nearer memories, and one whose deletion the tier has not received."""
    store, drafts = own_services.memories.store, [MemoryDraft(content="a bicycle in a shed", agent_id="mine")]
    drafts += [MemoryDraft(content=f"bicycle {number}", agent_id="other", dedup=False) for number in range(8)]
    own, *_ = await store.save_all(own_workspace_id, drafts)
    await settled(own_services, own_workspace_id)
    tier.lies = [("mem_gone", 0.99)]

    with seeing(ReadScope(agent_id="mine")):
        seen = await own_services.vectors.external.search(own_workspace_id, "bicycle", top_k=1)
    both = await own_services.vectors.external.search(own_workspace_id, "bicycle", top_k=2)

    assert [hit.memory.id for hit in seen] == [own.memory.id]
    assert len(both) == 2


async def test_cleanup_returns_real_counts(tier, own_services, own_workspace_id, caller):
    """B21, M12."""
    assert (await caller.ok(CLEANUP, days=30))["cleanupVectorTier"] == {"expired": 0, "old": 0}
    refused = await caller.error(CLEANUP, days=0)
    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "retentionDays")
    tier.failure = "away"
    failed = await caller.error(CLEANUP)
    assert (failed["code"], failed["message"]) == (
        "UNAVAILABLE", "the external vector tier cannot serve the request now: away",
    )  # fmt: skip


async def test_the_search_test_names_the_failure(tier, own_services, own_workspace_id):
    """B20: it searches only the tier."""
    with pytest.raises(InvalidInput, match="query must have at least 1 character after trimming"):
        await own_services.vectors.external.search(own_workspace_id, "  ")
    tier.failure = "away"
    with pytest.raises(Unavailable, match="away"):
        await own_services.vectors.external.search(own_workspace_id, "bicycle")


async def test_settings_change_while_running(tier, own_services, own_workspace_id, own_driver):
    """B23: without a restart; the tier is filled again; the key is kept, never shown, and removed by ""."""
    control = own_services.vectors.external
    await own_services.memories.store.save(own_workspace_id, MemoryDraft(content="a red bicycle"))
    await settled(own_services, own_workspace_id)

    keyed = await control.change_settings(TierChange(api_key=SecretStr("qk-secret"), quantization="int8"))
    assert (keyed.has_key, keyed.quantization) == (True, "int8")
    assert "qk-secret" not in f"{keyed!r} {keyed.model_dump_json()}"
    keyless = await control.change_settings(TierChange(api_key=SecretStr("")))
    assert (keyless.has_key, keyless.quantization) == (False, "int8")

    off = await control.change_settings(TierChange(enabled=False))
    found = await own_services.retrieval.recall.recall(own_workspace_id, RecallQuery(query="bicycle"))
    assert (off.enabled, found.resolution.tier, found.resolution.degraded) == (False, RecallTier.VECTOR, ())
    for asked in (control.search(own_workspace_id, "bicycle"), control.cleanup(own_workspace_id)):
        with pytest.raises(Conflict, match="the external vector tier is off"):
            await asked
    assert await control.health() is None

    await control.change_settings(TierChange(enabled=None, quantization=None, api_key=None))
    await serves(own_services)
    found = await own_services.retrieval.recall.recall(own_workspace_id, RecallQuery(query="bicycle"))
    assert (found.resolution.tier, found.hits[0].memory.content) == (RecallTier.EXTERNAL, "a red bicycle")
    stored = await run(
        own_driver, "MATCH (setting:Setting) RETURN setting.key AS key, setting.value AS value"
    )
    assert [record.data() for record in stored.records] == []
