"""Neo4j or Redis stops responding while its connections stay open, as under SIGSTOP or with a cut cable."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from app.bootstrap.runtime import working
from graph.core.errors import Unavailable
from graph.core.rows import Runner
from graph.operations.queries import ping
from tests.faults.conftest import open_mortal_runtime
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.chat_proxy import ServedProxy, serving_proxy
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.mcp_agents import Agent
from tests.fixtures.waiting import until
from tests.fixtures.websockets import connected

DEADLINE_SECONDS = 4.0
SLACK_SECONDS = 15.0
"""Reserve for everything except the graph, on a busy machine."""
SAVE = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { memory { id } } }"
RECALL = 'query { recall(input: {query: "lighthouse"}) { hits { memory { content } } } }'
BULK = "mutation($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { saved } }"
STATE = "query($id: ID!) { memory(id: $id) { state } }"
CHAT = {"model": "m", "messages": [{"role": "user", "content": "Who counts gulls?"}]}
LIMITED_CONNECTIONS = 100
"""Size of the driver's connection pool (its default)."""


async def freeze(pid: int) -> None:
    """Send SIGSTOP to a process and wait until all its threads have stopped."""
    os.kill(pid, signal.SIGSTOP)
    process = psutil.Process(pid)

    async def has_stopped() -> bool:
        threads = (psutil.Process(thread.id) for thread in process.threads())
        return all(thread.status() == psutil.STATUS_STOPPED for thread in threads)

    await until(has_stopped)


@dataclass(frozen=True)
class Frozen:
    """The service, with a Neo4j that can be frozen."""

    served: ServedProxy
    http: httpx.AsyncClient
    pid: int

    @asynccontextmanager
    async def stopped(self) -> AsyncIterator[None]:
        """Freeze the graph within the block and return once the service works again."""
        self.served.services.tenancy.access._known.clear()  # else cached keys need no graph
        await freeze(self.pid)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)
            await until(self.works, seconds=120)

    async def works(self) -> bool:
        saved = await self.graphql(
            SAVE, input={"content": "The lighthouse keeper counts gulls", "dedup": False}
        )
        ready = await self.http.get("/ready")
        return saved.status_code == 200 and "errors" not in saved.json() and ready.status_code == 200

    async def recalls(self) -> bool:
        """Return whether recall works; on a busy machine, query planning alone can exceed the deadline."""
        asked = [await self.http.get("/recall?query=lighthouse"), await self.graphql(RECALL)]
        return {response.status_code for response in asked} == {200}

    async def graphql(self, query: str, **variables: Any) -> httpx.Response:
        return await self.http.post("/graphql", json={"query": query, "variables": variables})


@pytest.fixture(scope="module")
async def frozen_service(mortal_settings, mortal_neo4j, served_upstream) -> AsyncIterator[Frozen]:
    neo4j = mortal_settings.neo4j.model_copy(update={"timeout_seconds": DEADLINE_SECONDS})
    settings = mortal_settings.model_copy(update={"neo4j": neo4j})
    async with open_mortal_runtime(settings, embedder=HashingEmbedder()) as runtime, working(runtime):
        workspace = await runtime.services.tenancy.workspaces.create("frozen", memory_enabled=True)
        async with (
            serving_proxy(runtime.services, settings, workspace.id, served_upstream) as served,
            httpx.AsyncClient(
                base_url=served.url, headers={"Authorization": f"Bearer {served.key}"}, timeout=120
            ) as http,
        ):
            assert mortal_neo4j.pid is not None
            frozen = Frozen(served, http, mortal_neo4j.pid)
            await served.remembers("The keeper of the lighthouse drinks tea")
            await until(frozen.works, seconds=240)
            await until(frozen.recalls, seconds=240)
            yield frozen


def within(seconds: float) -> asyncio.Timeout:
    return asyncio.timeout(seconds + SLACK_SECONDS)


async def by_graphql_reading(frozen: Frozen) -> None:
    is_refused(response := await frozen.graphql(RECALL))
    assert response.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"


async def by_graphql_writing(frozen: Frozen) -> None:
    is_refused(await frozen.graphql(SAVE, input={"content": "said to nobody"}))


async def by_graphql_in_bulk(frozen: Frozen) -> None:
    """Send a bulk save; a bulk write gets more time only while the server responds."""
    inputs = [{"content": f"statement number {number}"} for number in range(200)]
    is_refused(await frozen.graphql(BULK, inputs=inputs))


async def by_automem(frozen: Frozen) -> None:
    is_refused(await frozen.http.get("/recall", params={"query": "lighthouse"}))
    is_refused(await frozen.http.post("/memory", json={"content": "said to nobody"}))


async def by_omniroute(frozen: Frozen) -> None:
    is_refused(await frozen.http.get("/api/memory", headers={"Authorization": f"Bearer {ADMIN_KEY}"}))


async def by_mcp(frozen: Frozen) -> None:
    agent = Agent(frozen.served.url, "", frozen.served.key, frozen.served.workspace_id)
    response = await frozen.http.post(
        "/mcp",
        json={
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "recall_memory", "arguments": {"query": "lighthouse"}},
        },
        headers={"Accept": "application/json, text/event-stream"},
    )
    assert response.status_code == 503, (agent, response.text)


async def by_websocket(frozen: Frozen) -> None:
    url = frozen.served.url.replace("http", "ws", 1) + "/graphql"
    async with connected(url) as subscriber:
        await subscriber.send(
            {"type": "connection_init", "payload": {"Authorization": f"Bearer {frozen.served.key}"}}
        )
        with pytest.raises(ConnectionClosed) as closed:
            await subscriber.read()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013


def is_refused(response: httpx.Response) -> None:
    assert response.status_code == 503, response.text
    assert int(response.headers["retry-after"]) > 0
    assert "bolt" not in response.text


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "ask",
    [
        by_graphql_reading,
        by_graphql_writing,
        by_graphql_in_bulk,
        by_automem,
        by_omniroute,
        by_mcp,
        by_websocket,
    ],
)
async def test_a_frozen_neo4j_is_answered_with_503_within_the_deadline_and_recovers(
    frozen_service, ask: Callable[[Frozen], Awaitable[None]]
) -> None:
    """C17: on every interface, for each kind of first request after the freeze."""
    async with frozen_service.stopped(), within(DEADLINE_SECONDS):
        await ask(frozen_service)


@pytest.mark.timeout(300)
async def test_a_write_without_a_response_is_reported_and_made_at_most_once(frozen_service) -> None:
    """C17: the write may have been committed, so the service never retries it."""
    database, tries = frozen_service.served.services.core.database, []

    async def work(tx: Runner) -> None:
        await ping(tx)
        await freeze(frozen_service.pid)  # only the commit is missing
        tries.append(frozen_service.pid)

    try:
        async with within(DEADLINE_SECONDS):
            with pytest.raises(Unavailable, match="whether the change was made is not known"):
                await database.transaction(work)
    finally:
        os.kill(frozen_service.pid, signal.SIGCONT)
        await until(frozen_service.works, seconds=120)
    assert len(tries) == 1


@pytest.mark.timeout(300)
async def test_probes_of_a_frozen_neo4j_are_answered_within_two_seconds(frozen_service) -> None:
    """C17: even while a round-trip check is running."""
    known = frozen_service.served.services.operations.readiness
    known._known = None
    trip = asyncio.create_task(frozen_service.http.get("/ready"))
    async with frozen_service.stopped(), within(2):
        known._known = None
        for path in ("/health", "/ready", "/health"):
            assert (await frozen_service.http.get(path)).status_code == 503
        assert (await trip).status_code in {200, 503}


@pytest.mark.timeout(300)
async def test_a_turn_of_the_chat_proxy_passes_while_neo4j_is_frozen(frozen_service, upstream) -> None:
    """C17, N1: the proxy accepts a recently used key and forwards the turn without memories."""
    assert (await frozen_service.http.post("/v1/chat/completions", json=CHAT)).status_code == 200
    async with frozen_service.stopped(), within(DEADLINE_SECONDS):
        response = await frozen_service.http.post("/v1/chat/completions", json=CHAT)
        assert response.status_code == 200
        assert response.json()["choices"][0]["message"]["content"] == "An answer."
        assert "keeper" not in upstream.requests[-1].raw.decode()


@pytest.mark.timeout(300)
async def test_many_requests_wait_no_longer_than_one_and_free_their_connections(frozen_service) -> None:
    """C17: with more requests than connections, later requests get 503 at once."""
    async with frozen_service.stopped():
        async with within(DEADLINE_SECONDS + SLACK_SECONDS):
            crowd = await asyncio.gather(
                *(frozen_service.graphql(RECALL) for _ in range(LIMITED_CONNECTIONS + 20))
            )
        assert {response.status_code for response in crowd} == {503}
        async with within(0):
            later = [await frozen_service.graphql(RECALL) for _ in range(20)]
        assert {response.status_code for response in later} == {503}
    database = frozen_service.served.services.core.database
    assert all(await asyncio.gather(*(database.answers_within(60) for _ in range(LIMITED_CONNECTIONS))))


@pytest.mark.timeout(300)
async def test_background_work_continues_after_neo4j_was_frozen(frozen_service) -> None:
    """C17: a worker whose claim failed takes the job again."""
    saved = await frozen_service.graphql(SAVE, input={"content": "A lamp turns in the tower", "dedup": False})
    id_ = saved.json()["data"]["saveMemory"]["memory"]["id"]
    async with frozen_service.stopped():
        await asyncio.sleep(2 * DEADLINE_SECONDS)

    async def is_embedded() -> bool:
        told = await frozen_service.graphql(STATE, id=id_)
        return told.json()["data"]["memory"]["state"] in {"EMBEDDED", "LINKED"}

    await until(is_embedded, seconds=60)


@pytest.mark.timeout(300)
async def test_a_frozen_redis_does_not_stop_the_service(frozen_service, mortal_redis) -> None:
    """C17: the service works without working set, counters and signals; health probes answer within 2 s."""
    pid = mortal_redis[0].pid
    await freeze(pid)
    try:
        async with within(2):
            health = await frozen_service.http.get("/health")
        async with within(2 * DEADLINE_SECONDS):
            saved = await frozen_service.graphql(SAVE, input={"content": "Redis is asleep", "dedup": False})
            found = await frozen_service.graphql(RECALL)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert (health.status_code, health.json()["redis"]) == (200, False)
    for response in (saved, found):
        assert "errors" not in response.json()

    async def is_back() -> bool:
        return (await frozen_service.http.get("/health")).json()["redis"] is True

    await until(is_back, seconds=60)
