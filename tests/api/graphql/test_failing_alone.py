"""Root fields that fail beside others, whose data is still returned (issue 16)."""

import httpx
import pytest

from app.main import create_app
from graph.core.errors import LimitExceeded, Unavailable
from tests.fixtures.replaced import with_service
from tests.fixtures.websockets import connected

MEDIA_TYPES = pytest.mark.parametrize("accept", ["application/json", "application/graphql-response+json"])
READ = '{ refused: recall(input: {query: "tabs", limit: 0}) { totalTokens } me { name } }'
WRITE = """mutation {
  first: saveMemory(input: {content: "We indent with tabs"}) { outcome memory { id } }
  second: saveMemory(input: {content: " "}) { outcome }
  third: saveMemory(input: {content: "Releases are cut on Thursdays"}) { outcome memory { id } }
}"""
FOUND = "query($id: ID!) { memory(id: $id) { content } }"


def refusal(answer: dict) -> tuple:
    """Return path, code and field of the only error."""
    (error,) = answer["errors"]
    return (error["path"], error["extensions"]["code"], error["extensions"]["field"])


async def written(graphql, answer: dict) -> list[str]:
    """Return the stored contents of the mutations that succeeded above."""
    assert answer["data"]["second"] is None
    ids = [answer["data"][name]["memory"]["id"] for name in ("first", "third")]
    return [(await graphql.ok(FOUND, id=id_))["memory"]["content"] for id_ in ids]


async def test_a_failed_query_field_keeps_the_others_result(graphql) -> None:
    answer = (await graphql.post(READ)).json()

    assert answer["data"] == {"refused": None, "me": {"name": "test"}}
    assert refusal(answer) == (["refused"], "INVALID_INPUT", "limit")


async def test_a_failed_mutation_keeps_the_receipts_of_the_others(graphql) -> None:
    answer = (await graphql.post(WRITE)).json()

    assert await written(graphql, answer) == ["We indent with tabs", "Releases are cut on Thursdays"]
    assert refusal(answer) == (["second"], "INVALID_INPUT", "content")


async def test_websocket_mutations_fail_independently_too(graphql, sockets) -> None:
    async with connected(sockets, key=graphql.key) as subscriber:
        read = await subscriber.answer(await subscriber.subscribe(READ))
        wrote = await subscriber.answer(await subscriber.subscribe(WRITE))

    assert read["data"] == {"refused": None, "me": {"name": "test"}}
    assert refusal(read) == (["refused"], "INVALID_INPUT", "limit")
    assert await written(graphql, wrote) == ["We indent with tabs", "Releases are cut on Thursdays"]
    assert refusal(wrote) == (["second"], "INVALID_INPUT", "content")


class FailingRecall:
    """A recall that raises the given error."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def recall(self, workspace_id, query):
        raise self.error


async def ask(services, key: str, error: Exception, query: str, accept: str) -> httpx.Response:
    """Return the response if recall raises the error."""
    failing = with_service(services, "retrieval.recall", FailingRecall(error))
    transport = httpx.ASGITransport(create_app(failing))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        headers = {"Authorization": f"Bearer {key}", "Accept": accept}
        return await http.post("/graphql", json={"query": query}, headers=headers)


@MEDIA_TYPES
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Unavailable("neo4j", "neo4j does not answer"), 503),
        (LimitExceeded("too much", retry_after_seconds=3), 429),
    ],
    ids=["away", "limited"],
)
async def test_a_retry_hint_appears_only_if_every_field_failed(
    services, graphql, accept, error, status
) -> None:
    alone = '{ recall(input: {query: "tabs"}) { totalTokens } }'
    both = '{ recall(input: {query: "tabs"}) { totalTokens } me { name } }'

    nothing = await ask(services, graphql.key, error, alone, accept)
    something = await ask(services, graphql.key, error, both, accept)

    assert (nothing.status_code, nothing.json()["data"]) == (status, {"recall": None})
    assert int(nothing.headers["retry-after"]) > 0
    assert (something.status_code, something.json()["data"]) == (
        200, {"recall": None, "me": {"name": "test"}}
    )  # fmt: skip
    assert "retry-after" not in something.headers
    assert refusal(something.json())[:2] == (["recall"], error.code)


@MEDIA_TYPES
async def test_a_null_without_an_error_counts_as_an_answer(services, graphql, accept) -> None:
    query = '{ memory(id: "mem_none") { id } recall(input: {query: "tabs"}) { totalTokens } }'

    answer = await ask(services, graphql.key, Unavailable("neo4j", "neo4j does not answer"), query, accept)

    assert answer.status_code == 200
    assert answer.json()["data"] == {"memory": None, "recall": None}


async def test_a_refusal_of_every_field_has_status_200(graphql) -> None:
    answer = await graphql.post('mutation { saveMemory(input: {content: ""}) { outcome } }')

    assert (answer.status_code, answer.json()["data"]) == (200, {"saveMemory": None})
