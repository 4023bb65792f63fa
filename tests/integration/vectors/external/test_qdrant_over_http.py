"""Qdrant over real HTTP: the requests, and recall while the server fails, hangs or is unavailable."""

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from app.adapters.qdrant_tier import QdrantTier, open_qdrant
from app.bootstrap.runtime import working
from app.cli.examination import check_qdrant
from app.settings import QdrantSettings, Settings
from graph.core.models import RecallTier
from graph.core.ports import TierCleanup, TierFailed, TierPoint, TierRefused, TierScope
from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from graph.vectors.external import service as external
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.quick_runtime import open_quick_runtime
from tests.fixtures.waiting import until
from tests.integration.vectors.external.conftest import PATIENCE, serves, settled, with_tier

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SIGNATURE = "fake:x:2"
KEY = "qk-very-secret"
POINT = TierPoint("ws_a", "mem_1", None, None, "k", "content", {"x": 1}, NOW, None, [1.0, 0.0], [[0.0, 1.0]])
INT8 = {"scalar": {"type": "int8", "quantile": 0.99, "always_ram": True}}


def over(server, quantization="none", **kwargs) -> QdrantTier:
    client, url = open_qdrant("127.0.0.1", server.port, api_key=KEY, timeout_seconds=60)
    return QdrantTier(
        client,
        collection="omniroute_memory",
        namespace="here",
        quantization=quantization,
        url=url,
        api_key=KEY,
    )


async def test_the_whole_tier_works_over_http(qdrant_server):
    """B19-B22: every request has the key; the collection has cosine distance and payload indexes."""
    tier = over(qdrant_server)

    await tier.prepare(SIGNATURE, 2)
    await tier.upsert(SIGNATURE, [POINT])
    found = await tier.search(SIGNATURE, TierScope("ws_a"), [0.0, 2.0], 5)
    health = await tier.health()
    removed = await tier.cleanup("ws_a", now=NOW, created_before=NOW.replace(year=2027))

    assert found == [("mem_1", pytest.approx(1.0)), ("mem_1", pytest.approx(0.0))]
    assert (health.ok, removed) == (True, TierCleanup(expired=0, old=1))
    assert await tier.search(SIGNATURE, TierScope("ws_a"), [1.0, 0.0], 5) == []
    assert qdrant_server.keys == {KEY}
    (created,) = [body for body in qdrant_server.asked("PUT", "") if body and "vectors" in body]
    assert created["vectors"] == {"size": 2, "distance": "Cosine"}
    assert {body["field_name"] for body in qdrant_server.asked("PUT", "/index")} == {
        "workspace_id", "kind", "memoryId", "apiKeyId", "sessionId", "userId", "createdAtUnix", "expiresAtUnix",
    }  # fmt: skip
    await tier.close()


async def test_the_search_names_workspace_and_kind(qdrant_server):
    """B20, B18: OmniRoute's filter with the workspace; quantised vectors are rescored."""
    tier = over(qdrant_server, "int8")
    await tier.prepare(SIGNATURE, 2)

    await tier.search(SIGNATURE, TierScope("ws_a", "key_1", "ses_1"), [1.0, 0.0], 7, with_parts=False)

    (asked,) = qdrant_server.asked("POST", "/points/query")
    assert asked["limit"] == 7
    assert sorted((must["key"], must["match"]["value"]) for must in asked["filter"]["must"]) == [
        ("apiKeyId", "key_1"), ("kind", "omniroute_memory"), ("sessionId", "ses_1"), ("workspace_id", "ws_a"),
    ]  # fmt: skip
    assert asked["params"] == {"quantization": {"rescore": True}}
    await tier.close()


@pytest.mark.parametrize(
    ("before", "after", "stored"),
    [
        ("none", "int8", INT8),
        ("int8", "binary", {"binary": {"always_ram": True}}),
        ("binary", "none", "Disabled"),
    ],
)
async def test_another_quantisation_changes_the_existing_collection(qdrant_server, before, after, stored):
    """B18: the setting applies to stored points, and is sent once."""
    first, second = over(qdrant_server, before), over(qdrant_server, after)
    await first.prepare(SIGNATURE, 2)

    for _ in range(2):
        await second.upsert(SIGNATURE, [POINT])

    (kept,) = qdrant_server.quantization.values()
    assert kept == stored
    assert len([body for body in qdrant_server.asked("PATCH", "") if body]) == 1
    for tier in (first, second):
        await tier.close()


async def test_an_error_of_the_server_is_reported_without_its_text(qdrant_server):
    """C2: an error page may repeat users' texts."""
    tier = over(qdrant_server)
    await tier.prepare(SIGNATURE, 2)
    qdrant_server.status = 500

    for asked in (
        tier.search(SIGNATURE, TierScope("ws_a"), [1.0, 0.0], 3),
        tier.upsert(SIGNATURE, [POINT]),
        tier.delete("ws_a", ["mem_1"]),
        tier.holds(SIGNATURE),
    ):
        with pytest.raises(TierFailed) as failed:
            await asked
        assert str(failed.value) == "qdrant does not serve: status 500"
    await tier.close()


@pytest.mark.parametrize(
    ("status", "is_refusal"),
    [(400, True), (413, True), (422, True), (401, False), (404, False), (500, False)],
)
async def test_a_refused_point_is_distinguished_from_a_failing_server(qdrant_server, status, is_refusal):
    """B21: a refused memory must not stop recall of the others."""
    qdrant_server.status = status
    tier = over(qdrant_server)
    with pytest.raises(TierFailed) as failed:
        await tier.upsert(SIGNATURE, [POINT])
    assert isinstance(failed.value, TierRefused) is is_refusal
    await tier.close()


async def test_a_server_that_is_not_ready_fails_its_probe(qdrant_server):
    """B22."""
    tier = over(qdrant_server)
    qdrant_server.ready_status = 503

    health = await tier.health()

    assert (health.ok, health.error) == (False, "qdrant does not serve: HTTPStatusError")
    assert health.latency_ms > 0
    await tier.close()


async def test_the_doctor_checks_qdrant_only_if_enabled(qdrant_server):
    """B22: the finding, the problem and its remedy."""
    qdrant = QdrantSettings(enabled=True, port=qdrant_server.port)
    settings = Settings(_env_file=None, qdrant=qdrant)

    well = await check_qdrant(settings)
    qdrant_server.ready_status = 503
    ill = await check_qdrant(settings)
    nowhere = await check_qdrant(
        settings.model_copy(update={"qdrant": qdrant.model_copy(update={"host": "http://[bad"})})
    )

    assert await check_qdrant(Settings(_env_file=None)) is None
    assert (well.state, well.found.startswith(f"ready at 127.0.0.1:{qdrant_server.port}")) == ("found", True)
    assert (ill.state, ill.is_failure, nowhere.state, nowhere.is_failure) == ("wrong", False, "wrong", False)
    assert "RECOLLECT_QDRANT_HOST" in ill.remedy
    assert "RECOLLECT_QDRANT_HOST" in nowhere.remedy


async def test_recall_works_with_and_without_the_server(
    own_settings, empty_store, qdrant_server, capfd, monkeypatch
):
    """C1, C2, B21, B23: with a failing, a hanging and a healthy server; nothing reveals the key."""
    monkeypatch.setattr(external, "_QUERY_SECONDS", 3.0)  # other tests keep the machine busy
    settings = with_tier(own_settings, host="127.0.0.1", port=qdrant_server.port, api_key=SecretStr(KEY))
    async with open_quick_runtime(settings, embedder=HashingEmbedder()) as runtime, working(runtime):
        services = runtime.services
        await serves(services)
        workspace_id = (await services.tenancy.workspaces.create("over http")).id
        await services.memories.store.save(workspace_id, MemoryDraft(content="a red bicycle"))
        await settled(services, workspace_id)
        query = RecallQuery(query="red bicycle")

        healthy = await services.retrieval.recall.recall(workspace_id, query)
        qdrant_server.status = 500
        failing = await services.retrieval.recall.recall(workspace_id, query)
        qdrant_server.status = 200
        await serves(services)
        qdrant_server.answers.clear()
        hanging = await services.retrieval.recall.recall(workspace_id, query)
        qdrant_server.answers.set()
        await serves(services)
        again = await services.retrieval.recall.recall(workspace_id, query)

        results = (healthy, failing, hanging, again)
        assert [result.hits[0].memory.content for result in results] == ["a red bicycle"] * 4
        assert [result.resolution.tier for result in results] == [
            RecallTier.EXTERNAL, RecallTier.VECTOR, RecallTier.VECTOR, RecallTier.EXTERNAL,
        ]  # fmt: skip
        assert failing.resolution.fallback == "the graph's own vectors: qdrant does not serve: status 500"
        assert "did not answer within 3 seconds" in hanging.resolution.fallback
        status = await services.vectors.external.status([workspace_id])
        assert status.health.ok
        assert KEY not in f"{services.vectors.external.settings!r} {status!r}"

        await services.memories.deletion.delete(workspace_id, again.hits[0].memory.id)

        async def is_gone() -> bool:
            (name,) = qdrant_server.quantization
            return qdrant_server.store.count(name).count == 0

        await until(is_gone, seconds=PATIENCE)
    assert KEY not in "".join(capfd.readouterr())
