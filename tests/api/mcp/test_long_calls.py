"""Long calls: clients receive progress and may cancel them."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from app.surfaces.mcp import running
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

RECALL = {"name": "recall", "arguments": {"query": "tea"}}


def call(id_: int, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": {**RECALL, **params}}


def cancel(id_: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id_}}


class Stuck:
    """A recall that never ends and records its cancellation."""

    def __init__(self) -> None:
        self.begun = 0
        self.ended = 0

    async def __call__(self, *_: object, **__: object) -> None:
        self.begun += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.ended += 1


@pytest.fixture
def stuck(services, monkeypatch) -> Stuck:
    stuck = Stuck()
    monkeypatch.setattr(services.retrieval.recall, "recall", stuck)
    return stuck


@pytest.fixture
async def client(agent):
    """Yield an agent's HTTP client with a key and without a session."""
    headers = {"Authorization": f"Bearer {agent.key}", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(base_url=agent.url, headers=headers, timeout=scaled_timeout(60)) as http:
        yield http


async def begun(stuck: Stuck, count: int = 1) -> None:
    async def reached() -> bool:
        return stuck.begun == count

    await until(reached)


async def test_a_client_that_requests_progress_receives_it(agent, monkeypatch, services) -> None:
    monkeypatch.setattr(running, "_EVERY_SECONDS", 0.01)
    recall, told = services.retrieval.recall.recall, []

    async def slow(*arguments: Any, **named: Any) -> Any:
        await told_twice.wait()
        return await recall(*arguments, **named)

    async def hear(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))
        if len(told) > 2:
            told_twice.set()

    told_twice = asyncio.Event()
    monkeypatch.setattr(services.retrieval.recall, "recall", slow)
    async with agent.session() as session:
        answer = await session.call_tool("recall", {"query": "tea"}, progress_callback=hear)

    assert not answer.isError
    assert told[0] == (0.0, None, "recall has been running for 0 s")
    assert [done for done, _, _ in told] == sorted({done for done, _, _ in told})


async def test_clients_without_a_progress_token_receive_json(client) -> None:
    plain = await client.post("/mcp", json=call(1))
    without = await client.post(
        "/mcp", json=call(2, _meta={"progressToken": 2}), headers={"Accept": "application/json"}
    )

    assert {each.headers["content-type"] for each in (plain, without)} == {"application/json"}


@pytest.mark.parametrize("meta", [{}, {"_meta": {"progressToken": "p"}}], ids=["JSON", "events"])
async def test_a_client_cancels_its_own_request(client, stuck, meta) -> None:
    session = {"mcp-session-id": "a"}
    asked = asyncio.create_task(client.post("/mcp", json=call(7, **meta), headers=session))
    await begun(stuck)

    ending = await client.post("/mcp", json=cancel(7), headers=session)
    answer = await asked

    assert (ending.status_code, stuck.ended) == (202, 1)
    if not meta:
        error = {"code": 0, "message": "the request was cancelled"}
        assert json.loads(answer.text) == {"jsonrpc": "2.0", "id": 7, "error": error}
    else:
        assert '"result"' not in answer.text


async def test_a_client_cannot_cancel_anothers_request(client, stuck, stranger) -> None:
    """Nor by another id, session or key."""
    asked = asyncio.create_task(client.post("/mcp", json=call(7), headers={"mcp-session-id": "a"}))
    await begun(stuck)
    for id_, headers in (
        (8, {"mcp-session-id": "a"}),
        (7, {"mcp-session-id": "b"}),
        (7, {}),
        (7, {"mcp-session-id": "a", "Authorization": f"Bearer {stranger.key}"}),
    ):
        await client.post("/mcp", json=cancel(id_), headers=headers)
    before = stuck.ended

    await client.post("/mcp", json=cancel(7), headers={"mcp-session-id": "a"})
    await asked

    assert (before, stuck.ended) == (0, 1)


async def test_each_client_has_a_session_of_its_own(client) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    answers = [await client.post("/mcp", json=hello) for _ in range(2)]
    later = await client.post("/mcp", json=call(2))

    assert len({answer.headers["mcp-session-id"] for answer in answers}) == 2
    assert "mcp-session-id" not in later.headers
