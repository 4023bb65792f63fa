"""The variables that generated methods send: typed values as JSON, without omitted arguments."""

import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from app.client.generated import MemoryType, RecallInput, RecollectClient, SaveMemoryInput, UpdateMemoryInput
from app.client.transport import LONG_TIMEOUT_SECONDS, ApiError

EMPTY = {
    "data": {
        "recall": {
            "totalTokens": 0,
            "markdown": "",
            "hits": [],
            "resolution": {
                "strategy": "HYBRID",
                "tier": "VECTOR",
                "embedder": None,
                "fallback": None,
                "exact": False,
                "maxTokens": None,
                "degraded": [],
                "merged": 0,
                "calibration": None,
                "stagesMs": {},
            },
        }
    }
}


class Recorder:
    """A server that always gives the same answer and records the variables of each request."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer
        self.variables: list[dict[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.variables.append(json.loads(request.content)["variables"])
        return httpx.Response(200, json=self.answer)

    def client(self) -> RecollectClient:
        return RecollectClient("http://recollect.test", "rk", transport=httpx.MockTransport(self))


async def test_only_given_arguments_are_sent() -> None:
    service = Recorder(EMPTY)

    async with service.client() as client:
        result = await client.recall(RecallInput(query="tabs", types=[MemoryType.DECISION]))

    assert service.variables == [{"input": {"query": "tabs", "types": ["DECISION"]}}]
    assert (result.hits, result.total_tokens) == ([], 0)


async def test_a_given_null_is_sent() -> None:
    service = Recorder({"data": {"deleteMemory": True}})
    change = UpdateMemoryInput(expires_at=None, t_valid=datetime(2026, 5, 1, 12, tzinfo=UTC))

    async with service.client() as client:
        with pytest.raises(ValueError, match="updateMemory"):
            await client.update_memory("mem_1", change)
        assert await client.delete_memory("mem_1", hard=True) is True

    assert service.variables == [
        {"id": "mem_1", "input": {"expiresAt": None, "tValid": "2026-05-01T12:00:00Z"}},
        {"id": "mem_1", "hard": True},
    ]


async def test_a_list_of_inputs_is_sent_by_the_names_of_the_schema() -> None:
    service = Recorder({"data": {"saveMemories": []}})

    async with service.client() as client:
        await client.save_memories([SaveMemoryInput(content="Tabs", session_id="run-7")], timeout_ms=100)

    assert service.variables == [{"inputs": [{"content": "Tabs", "sessionId": "run-7"}], "timeoutMs": 100}]


async def test_a_value_json_cannot_represent_is_refused_before_sending() -> None:
    service = Recorder(EMPTY)

    async with service.client() as client:
        with pytest.raises(ApiError) as raised:
            await client.set_working_set("chat-1", "slot", object())

    assert (raised.value.code, service.variables) == ("INVALID_INPUT", [])


async def test_an_argument_that_no_method_has_is_an_error() -> None:
    async with Recorder(EMPTY).client() as client:
        with pytest.raises(TypeError, match="headers"):
            await client.me(headers={})


async def test_long_operations_have_a_longer_timeout() -> None:
    """A language model may take 30 seconds or more."""
    requests: list[httpx.Request] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        raise httpx.ReadTimeout("slow")

    transport = httpx.MockTransport(refuse)
    async with RecollectClient("http://recollect.test", "rk", transport=transport) as client:
        with pytest.raises(ApiError, match="look before you ask again"):
            await client.handoff_summary("chat-1")

    assert [request.extensions["timeout"]["read"] for request in requests] == [LONG_TIMEOUT_SECONDS]
