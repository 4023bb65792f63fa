"""The log for operators: named events with the request's id, without users' texts (M15, N7)."""

import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator

import httpx
import pytest
import structlog

from app.bootstrap.runtime import open_runtime
from app.main import create_app
from app.observability.logging import configure_logging
from graph.core.jobs import run_worker
from graph.core.models import Lane
from tests.fixtures.app import ADMIN_KEY, GraphQLClient
from tests.fixtures.chat_proxy import serving_proxy
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.logging import written_log
from tests.fixtures.replaced import with_service
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Says
from tests.fixtures.waiting import until

MARK = "quokkamarmalade"
EVENT = re.compile(r"[a-z_]+(\.[a-z_]+)+")
SAVE = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { memory { id state } } }"
READ = """query($text: String!) {
  recall(input: {query: $text}) { totalTokens }
  search(query: $text) { resolution { tier } }
}"""
ASK = "query($text: String!) { ask(question: $text) { text } }"
SAY = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { id } }"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Yield the log of a process at level debug."""
    with written_log("debug") as written:
        yield written


def events(log: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


class QuotingEmbedder(HashingEmbedder):
    """An embedder with an unexpected failure that quotes its input."""

    async def embed(self, texts, *, as_query=False):
        raise ValueError(f"cannot embed {texts!r}")


class BrokenStatus:
    """A service whose failure quotes a user's data."""

    async def health(self):
        try:
            raise LookupError(f"the row says {MARK}")  # noqa: TRY301 - a cause of its own
        except LookupError as error:
            raise RuntimeError(f"a defect beside {MARK}") from error


async def test_nothing_that_users_write_is_logged(
    log, settings, services, agents_workspace_id, upstream, served_upstream
) -> None:
    """N7: in saves, chats, questions, refusals and failures, at level debug."""
    async with serving_proxy(services, settings, agents_workspace_id, served_upstream) as proxy:
        client = GraphQLClient(httpx.AsyncClient(base_url=proxy.url, timeout=scaled_timeout(60)), proxy.key)
        await client.ok(SAVE, input={"content": f"{MARK} is what I like", "tags": [MARK]})
        await client.post(SAVE, input={"content": f"password = {MARK}hunter2"})
        await client.post(SAVE, input={"content": MARK, "importance": 99})
        await client.post(SAVE, input={"content": MARK, MARK: 1})
        await client.ok(READ, text=MARK)
        await client.ok(ASK, text=f"What is {MARK}?")
        await client.ok(
            SAY, input={"conversationId": MARK, "messages": [{"role": "USER", "content": f"I like {MARK}"}]}
        )
        await client.post("{ " + MARK + " }")
        await client.http.get(f"/{MARK}?q={MARK}", headers={"X-API-Key": MARK})
        await client.http.post(
            "/graphql", content=f'{{"query": "{MARK}'.encode(), headers={"X-API-Key": proxy.key}
        )
        upstream.answers = [Says(f"You like {MARK}")]
        said = [{"role": "user", "content": f"What do I like beside {MARK}?"}]
        await proxy.client().chat.completions.create(
            model="gpt-test", messages=said, extra_headers={"x-recollect-conversation-id": MARK}
        )
        await proxy.proxy.drain()
        await client.http.aclose()
    await failing(settings, agents_workspace_id)

    assert events(log), "something was logged"
    assert MARK not in log.getvalue()


async def failing(settings, workspace_id) -> None:
    """Send requests that meet an embedder whose failure quotes its input."""
    query = (
        "query($ws: ID, $text: String) { recall(input: {query: $text}, workspaceId: $ws) { totalTokens } }"
    )
    async with open_runtime(settings, embedder=QuotingEmbedder()) as runtime:
        transport = httpx.ASGITransport(create_app(runtime.services), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
            answer = await GraphQLClient(http, ADMIN_KEY).post(query, ws=workspace_id, text=MARK)
    assert answer.json()["errors"][0]["extensions"]["code"] == "INTERNAL"


async def test_each_line_is_a_named_event(log, services) -> None:
    """M15: programs read the event, its time and its level."""
    broken = with_service(services, "operations.status", BrokenStatus())
    transport = httpx.ASGITransport(create_app(broken), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        response = await http.get("/health")

    (event,) = [event for event in events(log) if event["event"] == "rest.unexpected_error"]
    assert event["level"] == "error"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", event["timestamp"])
    assert event["request_id"] == response.headers["x-request-id"]
    assert event["reference"] in response.json()["error"]
    assert event["path"] == "/health"
    assert all(EVENT.fullmatch(event["event"]) for event in events(log))


async def test_an_exception_is_logged_by_type_and_place_without_its_text(log, services) -> None:
    """N7: the text may quote anything, as may the text of its cause."""
    broken = with_service(services, "operations.status", BrokenStatus())
    transport = httpx.ASGITransport(create_app(broken), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        await http.get("/health")

    (event,) = [event for event in events(log) if event["event"] == "rest.unexpected_error"]
    assert "LookupError\n" in event["exception"]
    assert "RuntimeError\n" in event["exception"]
    assert "test_logs.py" in event["exception"]
    assert "raise LookupError(f" in event["exception"]  # the line of code, whose braces stay unfilled
    assert MARK not in event["exception"]


async def test_warnings_of_libraries_are_logged_without_values(log) -> None:
    library = logging.getLogger("some.library")
    library.debug("a connection to %s", MARK)
    library.warning("the value %s is odd", MARK)

    (event,) = events(log)
    assert (event["event"], event["logger"], event["message"]) == (
        "library.warning",
        "some.library",
        "the value %s is odd",
    )


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "format_", "is_json"),
    [
        (io.StringIO(), "auto", True),
        (Terminal(), "auto", False),
        (Terminal(), "json", True),
        (io.StringIO(), "console", False),
    ],
    ids=["piped", "looked at", "json wanted", "lines wanted"],
)
def test_log_lines_are_json_unless_the_output_is_a_terminal(log, stream, format_, is_json) -> None:
    configure_logging("info", format_, stream)
    structlog.get_logger("recollect.test").info("test.happened", count=1)
    structlog.get_logger("recollect.test").debug("test.not_told")

    (line,) = stream.getvalue().splitlines()
    assert line.startswith("{") is is_json
    assert "test.happened" in line


async def test_every_response_has_the_id_of_its_request(http, graphql) -> None:
    """Successful, refused or unknown: a new id, unless the caller sends one."""
    answers = [
        await http.get("/health"),
        await http.get("/nothing"),
        await http.post("/graphql", json={"query": "{ me { name } }"}),
        await graphql.post("{ me { name } }"),
    ]

    ids = [answer.headers["x-request-id"] for answer in answers]
    assert [answer.status_code for answer in answers] == [200, 404, 401, 200]
    assert all(re.fullmatch(r"[0-9a-f]{32}", id_) for id_ in ids)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [("trace-7:a.b_c", True), ("x" * 65, False), ("a b", False), ("", False), ("é", False)],
)
async def test_a_request_id_from_a_proxy_is_kept(http, given, is_kept) -> None:
    """Unless it could break the format of a log line."""
    answer = await http.get("/health", headers={"X-Request-Id": given.encode()})

    assert (answer.headers["x-request-id"] == given) is is_kept


class Crashing:
    """Jobs, one of which quotes its input in an exception."""

    async def run_due(self, worker: str, lane: Lane | None) -> int:
        raise ExceptionGroup("jobs crashed", [ValueError(f"cannot link {MARK}")])


async def test_a_crashing_job_is_logged_by_its_exception(log, services) -> None:
    """M15: and the worker continues, as tests/integration/core/jobs shows."""
    worker = asyncio.create_task(
        run_worker(Crashing(), services.core.wake_up, poll_seconds=1, gather_seconds=0)
    )

    async def found() -> list[dict]:
        return [event for event in events(log) if event["event"] == "worker.job_crashed"]

    (event,) = await until(found)
    worker.cancel()
    await asyncio.gather(worker, return_exceptions=True)
    assert event["level"] == "error"
    assert "ExceptionGroup\n" in event["exception"]
    assert "ValueError\n" in event["exception"]
    assert MARK not in log.getvalue()
