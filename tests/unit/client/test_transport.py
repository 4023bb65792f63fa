"""The transport: retries, error shapes and paging, with a fake service at the HTTP boundary."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from app.client.transport import LONG_TIMEOUT_SECONDS, TIMEOUT_SECONDS, ApiError, Client

Answer = httpx.Response | Exception


class Service:
    """A fake service that gives its answers in order and records the requests and the client's sleeps."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def client(
        self, url: str = "http://recollect.test", key: str | None = "secret", **options: float
    ) -> Client:
        return Client(url, key, transport=httpx.MockTransport(self), sleep=self.sleep, **options)


def ok(data: dict[str, Any]) -> httpx.Response:
    return httpx.Response(200, json={"data": data})


def refused(code: str, message: str, field: str | None = None, status: int = 200) -> httpx.Response:
    error = {"message": message, "extensions": {"code": code, "field": field}}
    return httpx.Response(status, json={"data": None, "errors": [error]})


async def error_of(service: Service, document: str = "{ me { name } }") -> ApiError:
    async with service.client() as client:
        with pytest.raises(ApiError) as raised:
            await client.execute(document)
    return raised.value


async def test_data_comes_back_and_the_key_is_sent_as_bearer() -> None:
    service = Service(ok({"me": {"name": "Ada"}}))

    async with service.client("http://recollect.test/", "secret\n") as client:
        data = await client.execute("query Q($a: Int) { me { name } }", {"a": 1})

    (request,) = service.requests
    assert data == {"me": {"name": "Ada"}}
    assert str(request.url) == "http://recollect.test/graphql"
    assert request.headers["Authorization"] == "Bearer secret"
    assert request.content == b'{"query":"query Q($a: Int) { me { name } }","variables":{"a":1}}'


async def test_an_attempt_may_take_twenty_five_seconds() -> None:
    """M10."""
    service = Service(ok({}))

    async with service.client() as client:
        await client.execute("{ me { name } }")

    assert TIMEOUT_SECONDS == 25.0
    assert set(service.requests[0].extensions["timeout"].values()) == {25.0}


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        httpx.Response(500),
        httpx.Response(502, text="<html>"),
        httpx.Response(520),
        httpx.Response(503, json={"error": "starting"}),
        refused("UNAVAILABLE", "neo4j is away"),
    ],
)
async def test_network_failures_and_5xx_are_tried_again_three_times(failure: Answer) -> None:
    """M10."""
    service = Service(failure, failure, failure, ok({"fine": True}))

    async with service.client() as client:
        data = await client.execute("{ fine }")

    assert data == {"fine": True}
    assert service.slept == [0.5, 1.0, 2.0]


def broken() -> httpx.Response:
    """Return a gateway's error page that falsely claims to be compressed."""
    return httpx.Response(502, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(b"<html>"))


async def test_an_undecodable_response_counts_as_lost() -> None:
    service, once, streamed = Service(*[broken() for _ in range(4)]), Service(broken()), Service(broken())

    error = await error_of(service)
    lost = await error_of(once, CREATE)
    async with streamed.client() as client:
        with pytest.raises(ApiError) as raised:
            async with client.stream("GET", "/v1/archive"):
                pass

    assert (error.code, len(service.requests)) == ("UNAVAILABLE", 4)
    assert "gives an answer that cannot be read" in error.message
    assert (lost.code, len(once.requests)) == ("UNAVAILABLE", 1)
    assert lost.message.endswith("look before you ask again")
    assert raised.value.code == "UNAVAILABLE"


CREATE = 'mutation { createApiKey(input: {name: "ci"}) { secret } }'
ROTATE = "mutation RotateApiKey($id: ID!) { rotateApiKey(id: $id) { secret } }"
COMPACT = "mutation { compactMemories(input: {olderThanDays: 9}) { tokensSaved } }"


@pytest.mark.parametrize("document", [CREATE, ROTATE, COMPACT])
@pytest.mark.parametrize(
    "failure",
    [
        httpx.ReadTimeout("slow"),
        httpx.WriteError("reset"),
        httpx.RemoteProtocolError("hung up"),
        httpx.Response(500, json={"error": "an unexpected error occurred"}),
        httpx.Response(504, text="<html>"),
    ],
    ids=repr,
)
async def test_unrepeatable_operations_are_not_sent_twice(failure: Answer, document: str) -> None:
    service = Service(failure)

    async with service.client() as client:
        with pytest.raises(ApiError) as raised:
            await client.execute(document)

    assert (len(service.requests), service.slept) == (1, [])
    if isinstance(failure, httpx.TransportError):
        assert raised.value.code == "UNAVAILABLE"
        assert raised.value.message.endswith("look before you ask again")


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("refused"),
        httpx.ConnectTimeout("slow"),
        httpx.PoolTimeout("full"),
        httpx.Response(503, json={"error": "starting"}),
        refused("UNAVAILABLE", "neo4j is away"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("document", [CREATE, COMPACT])
async def test_unexecuted_requests_are_always_retried(failure: Answer, document: str) -> None:
    service = Service(failure, failure, failure, ok({"fine": True}))

    async with service.client() as client:
        assert await client.execute(document) == {"fine": True}

    assert service.slept == [0.5, 1.0, 2.0]


async def test_a_long_operation_past_its_deadline_is_not_repeated() -> None:
    """M10: it was rolled back, and a repetition would be as well."""
    service = Service(refused("UNAVAILABLE", "it took too long", status=503))

    async with service.client(timeout_seconds=0.0) as client:
        with pytest.raises(ApiError, match="it took too long"):
            await client.execute(COMPACT)

    assert (len(service.requests), service.slept) == (1, [])


SAVE = "mutation SaveMemory($input: SaveMemoryInput!) { saveMemory(input: $input) { outcome } }"
SAVE_ALL = "mutation SaveAll($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { outcome } }"
SAVE_BATCH = SAVE_ALL.replace("saveMemories", "saveMemoryBatch")
TABS = {"content": "Tabs"}
UNCOMPARED = {**TABS, "dedup": False}
TURN = {**TABS, "sourceConversationId": "c"}


@pytest.mark.parametrize(
    ("document", "variables", "sent"),
    [
        (SAVE, {"input": TABS}, 2),
        (SAVE, {"input": {**TABS, "dedup": True}}, 2),
        (SAVE, {"input": UNCOMPARED}, 1),
        (SAVE, {"input": {**UNCOMPARED, "id": None, "key": None}}, 1),
        (SAVE, {"input": {**UNCOMPARED, "key": "tabs"}}, 2),
        (SAVE, {"input": {**UNCOMPARED, "id": "m"}}, 2),
        (SAVE, {"input": TURN}, 1),
        (SAVE, {"input": {**TURN, "id": "m"}}, 2),
        (SAVE_ALL, {"inputs": [{**UNCOMPARED, "key": "tabs"}, TABS]}, 2),
        (SAVE_ALL, {"inputs": [{**UNCOMPARED, "key": "tabs"}, UNCOMPARED]}, 1),
        (SAVE_BATCH, {"inputs": [TABS, TURN]}, 1),
        ('mutation { saveMemory(input: {content: "Tabs"}) { outcome } }', {}, 2),
        ('mutation { saveMemory(input: {content: "Tabs", dedup: false}) { outcome } }', {}, 1),
        ("mutation M($c: String!, $d: Boolean) { saveMemory(input: {content: $c, dedup : $d}) { outcome } }",
         {"c": "Tabs", "d": False}, 1),
    ],
)  # fmt: skip
async def test_a_save_is_retried_if_the_service_detects_repetitions(
    document: str, variables: dict[str, Any], sent: int
) -> None:
    """M10: a response lost after the commit must not lead to a second memory."""
    service = Service(httpx.ReadTimeout("slow"), ok({}))

    async with service.client() as client:
        with nullcontext() if sent > 1 else pytest.raises(ApiError, match="look before you ask again"):
            await client.execute(document, variables)

    assert len(service.requests) == sent


@pytest.mark.parametrize(
    "document",
    [
        COMPACT,
        'query { ask(question: "Tabs?") { text } }',
        "mutation { reindex { nodes } }",
        "mutation SaveMemories($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { id } }",
    ],
)
async def test_long_operations_extend_only_the_read_timeout(document: str) -> None:
    service = Service(ok({}))

    async with service.client() as client:
        await client.execute(document)

    assert service.requests[0].extensions["timeout"] == {
        "connect": 25.0,
        "read": LONG_TIMEOUT_SECONDS,
        "write": 25.0,
        "pool": 25.0,
    }


async def test_the_last_error_is_raised_after_three_retries() -> None:
    """M10."""
    service = Service(*[refused("UNAVAILABLE", "neo4j is away", status=503)] * 4)

    error = await error_of(service)

    assert (error.code, error.message, len(service.requests)) == ("UNAVAILABLE", "neo4j is away", 4)


async def test_a_partial_response_is_not_retried() -> None:
    """Issue 16: a retry would repeat the first field's write."""
    unavailable = {"message": "neo4j is away", "path": ["b"], "extensions": {"code": "UNAVAILABLE"}}
    data = {"a": {"outcome": "CREATED"}, "b": None}
    service = Service(httpx.Response(200, json={"data": data, "errors": [unavailable]}))

    error = await error_of(service)

    assert (error.code, error.message, len(service.requests)) == ("UNAVAILABLE", "neo4j is away", 1)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 429])
async def test_4xx_are_never_tried_again(status: int) -> None:
    """M10."""
    service = Service(httpx.Response(status, json={"error": "no", "field": "content"}))

    error = await error_of(service)

    assert (error.message, error.field, len(service.requests), service.slept) == ("no", "content", 1, [])


@pytest.mark.parametrize(("header", "slept"), [("0", 0.0), ("1", 0.5), ("soon", 0.5), ("", 0.5)])
async def test_retry_after_shortens_a_wait_and_never_lengthens_it(header: str, slept: float) -> None:
    service = Service(httpx.Response(503, headers={"Retry-After": header}), ok({}))

    async with service.client() as client:
        await client.execute("{ fine }")

    assert service.slept == [slept]


async def test_retry_after_may_be_a_date() -> None:
    past = format_datetime(datetime.now(UTC) - timedelta(minutes=1), usegmt=True)
    service = Service(httpx.Response(503, headers={"Retry-After": past}), ok({}))

    async with service.client() as client:
        await client.execute("{ fine }")

    assert service.slept == [0.0]


@pytest.mark.parametrize(
    ("answer", "code", "message", "field"),
    [
        (
            refused("INVALID_INPUT", "content must not be empty", "content"),
            "INVALID_INPUT",
            "content must",
            "content",
        ),
        (
            httpx.Response(401, json={"error": "unknown key", "field": None}),
            "UNAUTHENTICATED",
            "unknown key",
            None,
        ),
        (httpx.Response(200, json={"errors": [{"message": "syntax"}]}), "INVALID_INPUT", "syntax", None),
        (
            httpx.Response(
                200,
                json={
                    "data": {"me": {"name": "Ada"}, "recall": None},
                    "errors": [{"message": "no", "path": ["recall"], "extensions": {"code": "FORBIDDEN"}}],
                },
            ),
            "FORBIDDEN",
            "no",
            None,
        ),
        (httpx.Response(404, text="not found"), "NOT_FOUND", "http://recollect.test/graphql gave 404", None),
        (
            httpx.Response(200, text="<html>hello"),
            "UNEXPECTED",
            "http://recollect.test/graphql gave 200",
            None,
        ),
        (httpx.Response(200, json=[1]), "UNEXPECTED", "http://recollect.test/graphql gave 200", None),
        (
            httpx.Response(302, headers={"Location": "/x"}),
            "UNEXPECTED",
            "http://recollect.test/graphql gave",
            None,
        ),
    ],
)
async def test_each_error_shape_becomes_a_typed_error(
    answer: httpx.Response, code: str, message: str, field: str | None
) -> None:
    error = await error_of(Service(answer))

    assert (error.code, error.field) == (code, field)
    assert error.message.startswith(message)


@pytest.mark.parametrize("url", ["recollect", "ftp://host", "http://", "http://[::1"])
def test_an_invalid_address_is_refused_immediately(url: str) -> None:
    with pytest.raises(ApiError, match="is not an address"):
        Client(url, None)


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines"])
def test_a_key_invalid_in_headers_is_refused_immediately(key: str) -> None:
    with pytest.raises(ApiError, match="RECOLLECT_API_KEY"):
        Client("http://recollect.test", key)


@pytest.mark.parametrize("value", ["\ud800", float("nan")])
async def test_a_value_json_cannot_represent_is_refused_before_sending(value: object) -> None:
    service = Service()

    async with service.client() as client:
        with pytest.raises(ApiError, match="cannot be written as JSON"):
            await client.execute("query", {"value": value})

    assert service.requests == []


def page(names: list[str], cursor: str | None) -> httpx.Response:
    info = {"hasNextPage": cursor is not None, "endCursor": cursor}
    return ok({"workspaces": {"edges": [{"node": {"name": n}} for n in names], "pageInfo": info}})


def test_an_error_is_one_line_with_its_field() -> None:
    make: Callable[..., ApiError] = ApiError

    assert str(make("INVALID_INPUT", "must be 0 to 1", field="importance")) == "importance: must be 0 to 1"
    assert (
        str(make("INVALID_INPUT", "importance must be 0 to 1", field="importance"))
        == "importance must be 0 to 1"
    )
