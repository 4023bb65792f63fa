"""The bridge between standard input and the service: forwarding, retries and errors, over fake HTTP."""

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

import anyio
import httpx
import pytest
from mcp import types
from mcp.shared.message import SessionMessage

from app.client.transport import Client
from app.surfaces.dialects import TOOLS
from app.surfaces.mcp.bridge import ONCE_TOOLS, Bridge

pytestmark = pytest.mark.asyncio(loop_scope="function")  # it waits for every task of its event loop

Answer = httpx.Response | Exception | Awaitable[httpx.Response]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
INITIALIZE = {"jsonrpc": "2.0", "id": 9, "method": "initialize", "params": {}}
CANCEL = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}


class Service:
    """A fake service that gives answers in order and records the requests and the bridge's sleeps."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else await answer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def answers_to(
        self, *messages: dict[str, Any] | Exception, **bounds: float
    ) -> list[dict[str, Any]]:
        """Return the responses to messages that arrive on standard input one by one."""
        to_bridge, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        writing, from_bridge = anyio.create_memory_object_stream[SessionMessage](100)
        transport = httpx.MockTransport(self)
        async with (
            Client("http://recollect.test/", "secret", **bounds) as client,
            Bridge(client, sleep=self.sleep, transport=transport) as bridge,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(bridge.run, reading, writing)
            async with to_bridge:
                for message in messages:
                    await to_bridge.send(_read(message))
                    await anyio.wait_all_tasks_blocked()
        async with from_bridge:
            return [
                each.message.model_dump(mode="json", by_alias=True, exclude_none=True)
                async for each in from_bridge
            ]


def _read(message: dict[str, Any] | Exception) -> SessionMessage | Exception:
    if isinstance(message, Exception):
        return message
    return SessionMessage(types.JSONRPCMessage.model_validate(message))


def ok(result: dict[str, Any], id_: int = 1) -> httpx.Response:
    return httpx.Response(200, json={"jsonrpc": "2.0", "id": id_, "result": result})


async def test_a_request_is_forwarded_with_the_key_and_its_response_returned() -> None:
    """K13."""
    service = Service(ok({"tools": []}))

    answers = await service.answers_to(PING)

    (request,) = service.requests
    assert str(request.url) == "http://recollect.test/mcp"
    assert request.headers["authorization"] == "Bearer secret"
    assert request.headers["accept"] == "application/json, text/event-stream"
    assert json.loads(request.content) == PING
    assert answers == [{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}]


async def test_the_negotiated_version_is_named_from_then_on() -> None:
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    service = Service(ok({"protocolVersion": "2025-06-18"}), ok({}, 2))

    await service.answers_to(initialize, {**PING, "id": 2})

    versions = [request.headers.get("mcp-protocol-version") for request in service.requests]
    assert versions == [None, "2025-06-18"]


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx.Response(500, json={"error": "an unexpected error occurred", "field": None}),
        httpx.Response(503, text="busy"),
    ],
    ids=repr,
)
async def test_temporary_failures_are_retried_three_times(failure) -> None:
    """M10: network failures and 5xx, after 0.5, 1 and 2 seconds."""
    service = Service(failure, failure, failure, ok({}))

    answers = await service.answers_to(PING)

    assert service.slept == [0.5, 1.0, 2.0]
    assert answers == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


def broken() -> httpx.Response:
    """Return a gateway's error page that falsely claims to be compressed."""
    return httpx.Response(502, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"<html>"))


async def test_an_undecodable_response_is_an_error_of_its_request() -> None:
    once = Service(broken(), ok({}, 2))
    service = Service(*[broken() for _ in range(4)], ok({}, 2))

    error, answer = await service.answers_to(PING, {**PING, "id": 2})
    lost, _ = await once.answers_to(calling("record"), {**PING, "id": 2})

    assert (error["id"], error["error"]["data"]["code"]) == (1, "UNAVAILABLE")
    assert "gives an answer that cannot be read" in error["error"]["message"]
    assert answer["result"] == {}
    assert lost["error"]["message"].endswith("may have been done: look before you ask again")


def calling(tool: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}


@pytest.mark.parametrize("tool", sorted(ONCE_TOOLS))
async def test_unrepeatable_tools_are_retried_only_if_not_called(tool) -> None:
    lost, refused, crashed = (
        Service(httpx.ReadTimeout("slow")),
        Service(httpx.ConnectError("refused"), httpx.Response(503, text="busy"), ok({})),
        Service(httpx.Response(500, json={"error": "an unexpected error occurred", "field": None})),
    )

    (told,) = await lost.answers_to(calling(tool))
    answers = await refused.answers_to(calling(tool))
    (error,) = await crashed.answers_to(calling(tool))

    assert told["error"]["data"]["code"] == "UNAVAILABLE"
    assert told["error"]["message"].endswith("may have been done: look before you ask again")
    assert answers == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
    assert error["error"]["message"] == "an unexpected error occurred"


async def test_saves_of_an_agent_are_retried() -> None:
    """ADR 81: a repeated text is stored once."""
    service = Service(httpx.ReadTimeout("slow"), ok({}))

    answers = await service.answers_to(calling("remember"))

    assert answers == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


def test_every_tool_that_adds_something_may_be_repeated_or_is_named() -> None:
    """The same is true of its aliases."""
    stored_once = {"remember", "store_memory", "x_save_memory"}
    adding = [
        tool for tool in TOOLS if not (tool.annotations.readOnlyHint or tool.annotations.idempotentHint)
    ]

    names = {name for tool in adding for name in (tool.name, *tool.aliases)}
    waiting_for_a_model = {"ask"}
    changing_many = {"move_conversation", "omniroute_memory_clear"}
    assert names | waiting_for_a_model | changing_many == stored_once | ONCE_TOOLS


async def test_the_last_failure_reaches_the_agent() -> None:
    """M10."""
    service = Service(*[httpx.ConnectError("refused")] * 4)

    (answer,) = await service.answers_to(PING)

    assert len(service.requests) == 4
    assert answer["id"] == 1
    assert answer["error"]["data"]["code"] == "UNAVAILABLE"
    assert answer["error"]["message"] == (
        "Recollect at http://recollect.test/mcp does not answer; is it running (`recollect up`)?"
    )


@pytest.mark.parametrize(
    ("response", "code", "message"),
    [
        (
            httpx.Response(401, json={"error": "this API key is unknown", "field": None}),
            "UNAUTHENTICATED",
            "this API key is unknown; set RECOLLECT_API_KEY to a key of the service",
        ),
        (httpx.Response(429, json={"error": "too fast", "field": None}), "UNEXPECTED", "too fast"),
        (
            httpx.Response(404, text="nothing"),
            "UNEXPECTED",
            "http://recollect.test/mcp gave 404 and no MCP message; check RECOLLECT_API_URL",
        ),
    ],
    ids=["401", "429", "404"],
)
async def test_a_refused_request_is_not_retried(response, code, message) -> None:
    """M10: any 4xx."""
    service = Service(response)

    (answer,) = await service.answers_to(PING)

    assert service.slept == []
    assert (answer["error"]["data"]["code"], answer["error"]["message"]) == (code, message)


async def test_an_error_of_the_protocol_is_passed_on_as_it_is() -> None:
    error = {"code": -32601, "message": "there is no method 'x'"}
    service = Service(httpx.Response(200, json={"jsonrpc": "2.0", "id": None, "error": error}))
    refused = httpx.Response(400, json={"jsonrpc": "2.0", "id": 1, "error": error})

    answers = await Service(refused).answers_to(PING)
    without_id = await service.answers_to(PING)

    assert answers == [{"jsonrpc": "2.0", "id": 1, "error": error}]
    assert without_id[0]["id"] == 1


async def test_notifications_and_unreadable_lines_do_not_end_the_bridge() -> None:
    service = Service(ok({}))

    answers = await service.answers_to(
        {"jsonrpc": "2.0", "method": "notifications/initialized"}, ValueError("no JSON"), PING
    )

    assert [answer["id"] for answer in answers] == [1]
    assert len(service.requests) == 1


async def test_a_cancelled_request_gets_no_response() -> None:
    """MCP: the sender of a cancellation expects no response."""
    service = Service(httpx.ConnectError("refused"), ok({}, 2))
    forever = asyncio.Event()
    service.sleep = lambda _: forever.wait()  # type: ignore[method-assign,assignment]

    answers = await service.answers_to(PING, CANCEL, {**PING, "id": 2})

    assert [answer["id"] for answer in answers] == [2]


def stream(*messages: dict[str, Any] | str) -> httpx.Response:
    texts = (each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in messages)
    events = "".join(f"event: message\r\ndata: {text}\r\n\r\n" for text in texts)
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, text=events)


async def test_progress_is_passed_on_before_the_answer() -> None:
    told = {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": 1, "progress": 0},
    }
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    service = Service(stream(told, told, answer))

    assert await service.answers_to(PING) == [told, told, answer]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0c"], ids=ascii)
async def test_unicode_line_separators_do_not_end_an_event(separator) -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"text": f"first{separator}second"}}

    assert await Service(stream(answer)).answers_to(PING) == [answer]


async def test_events_that_end_without_an_answer_are_reported() -> None:
    service = Service(stream("no JSON"))

    (answer,) = await service.answers_to(PING)

    assert answer["error"]["data"]["code"] == "UNEXPECTED"


async def test_a_cancellation_reaches_the_service_in_its_session() -> None:
    service = Service(in_a_session(), httpx.ConnectError("refused"), httpx.Response(202))
    forever = asyncio.Event()
    service.sleep = lambda _: forever.wait()  # type: ignore[method-assign,assignment]

    answers = await service.answers_to(INITIALIZE, PING, CANCEL)

    assert [answer["id"] for answer in answers] == [9]
    assert [request.headers.get("mcp-session-id") for request in service.requests] == [None, "a", "a"]
    assert json.loads(service.requests[-1].content) == CANCEL


def in_a_session() -> httpx.Response:
    """Return a response to INITIALIZE that names a session."""
    named = ok({"protocolVersion": "2025-06-18"}, 9)
    named.headers["mcp-session-id"] = "a"
    return named


async def test_a_response_during_a_cancellation_is_harmless() -> None:
    """It arrives before the response to the cancellation."""
    is_told = asyncio.Event()

    async def answer() -> httpx.Response:
        await is_told.wait()
        return ok({})

    async def accept() -> httpx.Response:
        is_told.set()
        await anyio.wait_all_tasks_blocked()
        return httpx.Response(202)

    service = Service(in_a_session(), answer(), accept(), ok({}, 2))

    answers = await service.answers_to(INITIALIZE, PING, CANCEL, {**PING, "id": 2})

    assert [answer["id"] for answer in answers] == [9, 2]


async def test_a_cancellation_is_not_awaited() -> None:
    is_asked = asyncio.Event()

    async def accept() -> httpx.Response:
        await is_asked.wait()
        return httpx.Response(202)

    async def answer() -> httpx.Response:
        is_asked.set()
        return ok({}, 2)

    service = Service(in_a_session(), asyncio.Event().wait(), accept(), answer())  # type: ignore[arg-type]

    with anyio.fail_after(60):
        answers = await service.answers_to(INITIALIZE, PING, CANCEL, {**PING, "id": 2})

    assert [answer["id"] for answer in answers] == [9, 2]


@pytest.mark.parametrize("id_", [[1], {"id": 1}, True, 1.0, None, 2], ids=repr)
async def test_a_cancellation_that_names_no_request_cancels_none(id_) -> None:
    """In Python, 1 equals 1.0 and true, which are no ids here."""
    go_on = asyncio.Event()

    async def answer() -> httpx.Response:
        go_on.set()  # everything before it was read
        return ok({}, 3)

    service = Service(httpx.ConnectError("refused"), answer(), ok({}))
    service.sleep = lambda _: go_on.wait()  # type: ignore[method-assign,assignment]

    answers = await service.answers_to(PING, {**CANCEL, "params": {"requestId": id_}}, {**PING, "id": 3})

    assert sorted(answer["id"] for answer in answers) == [1, 3]


async def test_an_attempt_times_out_after_25_seconds() -> None:
    """M10."""
    async with Client("http://recollect.test", None) as client, Bridge(client) as bridge:
        assert bridge._http.timeout == httpx.Timeout(25.0)


@pytest.mark.parametrize(
    ("tool", "advice"),
    [
        ("recall", "is it running (`recollect up`)?"),
        ("record", "may have been done: look before you ask again"),
        ("ask", "may have been done: look before you ask again"),
    ],
)
async def test_a_request_times_out_however_often_it_is_retried(tool, advice) -> None:
    """M10, issue 35 point 25: by then, its host gives up without showing a reason."""
    never = asyncio.get_running_loop().create_future()
    service = Service(httpx.Response(503, text="busy"), never)

    (answer,) = await service.answers_to(calling(tool), timeout_seconds=0)

    assert answer["error"]["data"]["code"] == "UNAVAILABLE"
    assert answer["error"]["message"].endswith(advice)
