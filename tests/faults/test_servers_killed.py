"""Neo4j or Redis is killed while the service runs."""

import asyncio

import pytest

from tests.faults.conftest import hold_relaunch, kill, open_mortal_runtime
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.waiting import until

SAVE = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { memory { id } } }"
STATE = "query($id: ID!) { memory(id: $id) { state } }"
RECALL = "query($q: String) { recall(input: {query: $q}) { hits { memory { id } } resolution { tier } } }"
HEALTH = "{ health { status neo4j redis embedder } }"


async def save(client, content: str) -> str:
    return (await client.ok(SAVE, input={"content": content}))["saveMemory"]["memory"]["id"]


async def becomes_embedded(client, id_: str) -> None:
    async def embedded() -> bool:
        return (await client.ok(STATE, id=id_))["memory"]["state"] in ("EMBEDDED", "LINKED")

    await until(embedded)


@pytest.mark.timeout(600)
async def test_requests_report_a_killed_neo4j_and_recover_automatically(
    mortal, mortal_neo4j, monkeypatch
) -> None:
    """N4: requests get 503 with Retry-After while Neo4j is down; the service then recovers without help."""

    async def is_ready() -> bool:
        return (await mortal.http.get("/ready")).json() == {"ready": True, "failed": None, "missing": []}

    await until(is_ready, seconds=240)
    before = await save(mortal, "The lighthouse keeper counts gulls")
    await becomes_embedded(mortal, before)
    # A fast machine would restart it before the second request.
    relaunched = hold_relaunch(mortal_neo4j, monkeypatch)
    killed = kill(mortal_neo4j)

    async with asyncio.timeout(30):  # the driver retries for 4 s, so a short outage goes unnoticed
        refused = await mortal.post(SAVE, input={"content": "said to nobody"})
    asleep = await mortal.http.get("/health")
    async with asyncio.timeout(30):
        refused_read = await mortal.post(RECALL, q="lighthouse")

    for response in (refused, refused_read):
        assert response.status_code == 503
        assert int(response.headers["retry-after"]) > 0
        assert not any((response.json()["data"] or {}).values())
        (error,) = response.json()["errors"]
        assert error["extensions"] == {"code": "UNAVAILABLE", "field": None}
        assert "bolt" not in error["message"]
    assert (asleep.status_code, asleep.json()["status"]) == (503, "unavailable")
    unready = await mortal.http.get("/ready")
    assert (unready.status_code, unready.json()) == (
        503,
        {"ready": False, "failed": "save", "missing": ["neo4j"]},
    )
    assert int(unready.headers["retry-after"]) > 0

    relaunched.set()

    async def answers() -> bool:
        return (await mortal.post(HEALTH)).json().get("data", {}) is not None and (
            await mortal.post(STATE, id=before)
        ).status_code == 200

    await until(answers, seconds=240)
    await until(is_ready, seconds=240)
    assert mortal_neo4j.pid not in {None, killed}
    found = await mortal.ok(RECALL, q="lighthouse keeper")
    assert [hit["memory"]["id"] for hit in found["recall"]["hits"]] == [before]
    await becomes_embedded(mortal, await save(mortal, "The keeper went home"))


@pytest.mark.timeout(600)
async def test_a_service_that_starts_before_its_graph_waits_for_it(
    mortal_settings, mortal_neo4j, monkeypatch
) -> None:
    """N4: the driver alone gives up after 4 s."""
    relaunched = hold_relaunch(mortal_neo4j, monkeypatch)
    kill(mortal_neo4j)

    async def opened() -> str:
        # Enough time for a machine that runs other tests.
        engine = open_mortal_runtime(mortal_settings, embedder=HashingEmbedder(), start_seconds=240)
        async with engine as runtime:
            return (await runtime.services.tenancy.workspaces.ensure_default()).id

    opening = asyncio.create_task(opened())
    await asyncio.sleep(6)
    assert not opening.done()
    relaunched.set()

    assert (await opening).startswith("ws_")


async def test_a_killed_redis_does_not_stop_the_service(mortal, mortal_redis, monkeypatch) -> None:
    """Workers poll without Redis, and the health response names it as missing."""
    server, _ = mortal_redis
    relaunched = hold_relaunch(server, monkeypatch)
    kill(server)

    degraded = {"status": "degraded", "neo4j": True, "redis": False, "embedder": True}

    async def is_degraded() -> bool:
        return (await mortal.ok(HEALTH))["health"] == degraded

    await until(is_degraded)

    async def is_ready_without() -> bool:
        told = (await mortal.http.get("/ready")).json()
        return told == {"ready": True, "failed": None, "missing": ["redis"]}

    await until(is_ready_without)
    saved = await save(mortal, "Marmalade needs bitter oranges")
    await becomes_embedded(mortal, saved)
    found = await mortal.ok(RECALL, q="bitter oranges")
    assert found["recall"]["hits"][0]["memory"]["id"] == saved
    assert found["recall"]["resolution"] == {"tier": "VECTOR"}

    relaunched.set()

    async def is_ok() -> bool:
        return (await mortal.ok(HEALTH))["health"]["status"] == "ok"

    await until(is_ok)
    await becomes_embedded(mortal, await save(mortal, "And sugar"))
