"""B18-B25: the optional Qdrant tier, over the client's in-process store and without a server."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from qdrant_client import models as q

from app.adapters.qdrant_tier import QdrantTier, open_qdrant
from graph.core.ports import TierCleanup, TierFailed, TierPoint, TierScope

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SIGNATURE = "fake:x:4"
VECTORS = np.eye(4, dtype=np.float32).tolist()


def point(number: int, *, workspace_id: str = "ws_a", **fields) -> TierPoint:
    values = {
        "workspace_id": workspace_id, "memory_id": f"mem_{number}", "api_key_id": "key_1", "session_id": "ses_1",
        "key": f"k{number}", "content": f"content {number}", "metadata": {"x": [number]}, "created_at": NOW,
        "expires_at": None, "vector": VECTORS[number],
    }  # fmt: skip
    return TierPoint(**(values | fields))


@pytest.fixture
async def client():
    opened, url = open_qdrant(":memory:", 6333, api_key=None, timeout_seconds=1)
    assert url is None
    yield opened
    await opened.close()


def over(
    client, *, collection="omniroute_memory", namespace="here", quantization="none", **kwargs
) -> QdrantTier:
    return QdrantTier(client, collection=collection, namespace=namespace, quantization=quantization, **kwargs)


@pytest.fixture
async def tier(client) -> QdrantTier:
    made = over(client)
    await made.prepare(SIGNATURE, 4)
    return made


async def found(tier, scope=TierScope("ws_a"), vector=VECTORS[0], top_k=10) -> list[str]:  # noqa: B008 - a frozen value
    return [id_ for id_, _ in await tier.search(SIGNATURE, scope, vector, top_k)]


async def test_the_payload_is_omniroutes_with_the_workspace(tier, client):
    """B19: through the alias of the configured name, with cosine distance."""
    await tier.upsert(SIGNATURE, [point(0, expires_at=NOW + timedelta(days=1))])

    (stored,) = (await client.scroll("omniroute_memory", with_payload=True))[0]
    config = (await client.get_collection("omniroute_memory")).config

    assert stored.payload == {
        "memoryId": "mem_0", "apiKeyId": "key_1", "sessionId": "ses_1", "key": "k0", "content": "content 0",
        "metadata": {"x": [0]}, "createdAtUnix": 1777593600, "expiresAtUnix": 1777680000,
        "kind": "omniroute_memory", "workspace_id": "ws_a", "userId": "",
    }  # fmt: skip
    assert (config.params.vectors.distance, config.params.vectors.size) == (q.Distance.COSINE, 4)


async def test_a_memory_has_one_point_however_often_it_is_written(tier, client):
    """B25: a change is mirrored."""
    await tier.upsert(SIGNATURE, [point(0)])
    await tier.upsert(SIGNATURE, [point(0, content="changed")])

    (stored,) = (await client.scroll("omniroute_memory", with_payload=True))[0]
    assert stored.payload["content"] == "changed"


async def test_search_stays_in_its_scope(tier):
    """B20: always by workspace, on request by key and session; nearest first with the cosine."""
    await tier.upsert(
        SIGNATURE,
        [
            point(0),
            point(1, session_id="ses_2", vector=[0.6, 0.8, 0, 0]),
            point(2, api_key_id="key_2", vector=[0.8, 0.6, 0, 0]),
            point(0, workspace_id="ws_b", memory_id="mem_b"),
        ],
    )

    assert await found(tier) == ["mem_0", "mem_2", "mem_1"]
    assert await found(tier, TierScope("ws_b")) == ["mem_b"]
    assert await found(tier, TierScope("ws_a", session_id="ses_2")) == ["mem_1"]
    assert await found(tier, TierScope("ws_a", api_key_id="key_2")) == ["mem_2"]
    await tier.upsert(SIGNATURE, [point(1, user_id="alice"), point(2, user_id="bob")])
    assert await found(tier, TierScope("ws_a", users=["alice"])) == ["mem_1"]
    assert "mem_2" not in await found(tier, TierScope("ws_a", users=["alice", ""]))
    ((_, score), *_) = await tier.search(SIGNATURE, TierScope("ws_a"), [2, 0, 0, 0], 1)
    assert score == pytest.approx(1.0)


async def test_the_limit_sets_the_number_of_hits(tier):
    """B20: recall needs more than the twenty hits that callers may request."""
    await tier.upsert(SIGNATURE, [point(0, memory_id=f"mem_{number}") for number in range(60)])

    assert len(await found(tier, top_k=50)) == 50


async def test_a_memory_is_found_by_its_passages_on_request(tier, client):
    """B19: each part is a point of a separate kind that names its memory; an update replaces the parts."""
    await tier.upsert(SIGNATURE, [point(0, parts=[VECTORS[1], VECTORS[2], VECTORS[3]])])
    await tier.upsert(SIGNATURE, [point(0, parts=[VECTORS[2]])])

    assert await tier.search(SIGNATURE, TierScope("ws_a"), VECTORS[2], 5) == [
        ("mem_0", pytest.approx(1.0)),
        ("mem_0", pytest.approx(0.0)),
    ]
    assert await tier.search(SIGNATURE, TierScope("ws_a"), VECTORS[2], 5, with_parts=False) == [
        ("mem_0", pytest.approx(0.0))
    ]
    kinds = [stored.payload["kind"] for stored in (await client.scroll("omniroute_memory"))[0]]
    assert sorted(kinds) == ["omniroute_memory", "omniroute_memory_part"]
    await tier.delete("ws_a", ["mem_0"])
    assert (await client.count("omniroute_memory")).count == 0


async def test_only_the_deleted_memory_is_removed(tier):
    """B21: an id of another workspace deletes nothing there."""
    await tier.upsert(SIGNATURE, [point(0), point(1), point(0, workspace_id="ws_b")])

    await tier.delete("ws_a", ["mem_0"])

    assert await found(tier) == ["mem_1"]
    assert await found(tier, TierScope("ws_b")) == ["mem_0"]


async def test_a_cleanup_counts_the_points_it_removed(tier):
    """B21: these are real counts; a point that is both expired and old counts once."""
    old, past = NOW - timedelta(days=40), NOW - timedelta(seconds=1)
    await tier.upsert(
        SIGNATURE,
        [
            point(0),
            point(1, expires_at=past),
            point(2, created_at=old),
            point(3, created_at=old, expires_at=past),
            point(1, workspace_id="ws_b", expires_at=past),
        ],
    )

    removed = await tier.cleanup("ws_a", now=NOW, created_before=NOW - timedelta(days=30))

    assert removed == TierCleanup(expired=2, old=1)
    assert await found(tier) == ["mem_0"]
    assert await found(tier, TierScope("ws_b")) == ["mem_1"]
    assert await tier.cleanup("ws_a", now=NOW, created_before=NOW - timedelta(days=30)) == TierCleanup(0, 0)


async def test_only_the_deleted_workspace_is_removed(tier):
    """I14."""
    await tier.upsert(SIGNATURE, [point(0, parts=[VECTORS[1]]), point(0, workspace_id="ws_b")])

    await tier.delete_workspace("ws_a")

    assert await found(tier) == []
    assert await found(tier, TierScope("ws_b")) == ["mem_0"]


async def test_another_embedder_replaces_the_collection(tier, client):
    """B10: vectors of two embedders are never compared; the alias leads to the current collection."""
    await tier.upsert(SIGNATURE, [point(0)])
    await tier.prepare("fake:y:2", 2)
    await tier.upsert("fake:y:2", [point(1, vector=[1.0, 0.0])])

    assert await tier.search("fake:y:2", TierScope("ws_a"), [1.0, 0.0], 5) == [("mem_1", pytest.approx(1.0))]
    assert [stored.payload["memoryId"] for stored in (await client.scroll("omniroute_memory"))[0]] == [
        "mem_1"
    ]
    assert (await tier.holds("fake:y:2"), await tier.holds(SIGNATURE)) == (True, False)
    with pytest.raises(TierFailed):
        await tier.search(SIGNATURE, TierScope("ws_a"), VECTORS[0], 5)
    with pytest.raises(TierFailed):
        await tier.upsert(SIGNATURE, [point(0)])


async def test_points_of_other_deployments_stay(tier, client):
    """Another deployment, a collection with a similar name, and a collection that has the alias's name."""
    await tier.upsert(SIGNATURE, [point(0)])
    other, longer, taken = (
        over(client, namespace="there"),
        over(client, collection="omniroute_memory_x"),
        "taken",
    )
    for made in (other, longer):
        await made.prepare(SIGNATURE, 4)
    await client.create_collection(taken, vectors_config=q.VectorParams(size=2, distance=q.Distance.DOT))
    beside = over(client, collection=taken)
    await beside.prepare(SIGNATURE, 4)

    await other.upsert(SIGNATURE, [point(1)])
    await other.delete_workspace("ws_a")
    await other.prepare("fake:y:4", 4)

    assert await found(tier) == ["mem_0"]
    assert await longer.holds(SIGNATURE)
    assert (await client.get_collection(taken)).config.params.vectors.size == 2
    assert await beside.holds(SIGNATURE)


async def test_each_quantisation_is_applied(client):
    """B18: scalar int8 in memory with quantile 0.99, or binary; searches rescore."""
    int8, binary, none = (over(client, quantization=name) for name in ("int8", "binary", "none"))

    scalar = int8._compression().scalar
    assert (scalar.type, scalar.quantile, scalar.always_ram) == (q.ScalarType.INT8, 0.99, True)
    assert isinstance(binary._compression(), q.BinaryQuantization)
    assert none._compression() is None
    assert [tier._search_params() and tier._search_params().quantization.rescore for tier in (int8, binary, none)] == [
        True, True, None,
    ]  # fmt: skip


async def test_an_in_process_store_is_healthy(tier):
    """B22."""
    health = await tier.health()

    assert (health.ok, health.error) == (True, None)
    assert health.latency_ms >= 0


async def test_a_missing_server_raises_its_own_error():
    """C2, B22: recall uses the next tier for this error."""
    client, url = open_qdrant("127.0.0.1", 9, api_key=None, timeout_seconds=1)
    tier = over(client, url=url)

    health = await tier.health()

    assert (health.ok, health.error) == (False, "qdrant does not serve: ConnectError")
    for asked in (
        tier.search(SIGNATURE, TierScope("ws_a"), VECTORS[0], 3),
        tier.upsert(SIGNATURE, [point(0)]),
        tier.delete("ws_a", ["mem_0"]),
        tier.delete_workspace("ws_a"),
        tier.prepare(SIGNATURE, 4),
        tier.holds(SIGNATURE),
        tier.cleanup("ws_a", now=NOW, created_before=NOW),
    ):
        with pytest.raises(TierFailed, match="qdrant does not serve: ConnectError"):
            await asked
    await tier.close()


async def test_a_closed_tier_fails_like_a_missing_one(tier):
    """Settings may change during a recall."""
    await tier.close()

    with pytest.raises(TierFailed):
        await tier.search(SIGNATURE, TierScope("ws_a"), VECTORS[0], 3)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("qdrant", "http://qdrant:6333"),
        ("https://q.example/", "https://q.example:6333"),
        ("http://q.example:7000", "http://q.example:7000"),
    ],
)
async def test_the_host_may_be_a_name_or_an_address(host, url):
    """B23: a port within the address overrides the setting."""
    client, address = open_qdrant(host, 6333, api_key="secret", timeout_seconds=1)
    await client.close()

    assert address == url


async def test_an_invalid_address_fails_the_tier():
    with pytest.raises(TierFailed):
        open_qdrant("http://[bad", 6333, api_key=None, timeout_seconds=1)
