"""Error responses: one form on every route, without internal details.

GraphQL answers ``{"data", "errors": [{"message", "extensions": {"code", "field"}}]}``, every other route
``{"error", "field"}``.
"""

from typing import Any

import httpx
import pytest

from app.bootstrap.runtime import open_runtime
from app.main import create_app, create_operations_app
from app.observability.requests import Watch
from tests.fixtures.app import ADMIN_KEY, GraphQLClient, secret_of_a_key
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.replaced import with_service
from tests.fixtures.timeouts import scaled_timeout

HEADERS = {"X-API-Key": ADMIN_KEY, "Content-Type": "application/json"}
SECRET = "the embedding endpoint at 10.0.0.7 said hunter2"


def the_error(response: httpx.Response) -> dict[str, Any]:
    """Return code, field and message of the only error in a GraphQL response of the required form."""
    assert response.headers["content-type"].startswith("application/json")
    body = response.json()
    assert not any((body["data"] or {}).values())
    (error,) = body["errors"]
    assert error.keys() <= {"message", "extensions", "locations", "path"}
    assert error["extensions"].keys() == {"code", "field"}
    return {"message": error["message"], **error["extensions"]}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "must be valid JSON: Expecting value: line 1 column 1 (char 0)"),
        (
            b"{",
            "must be valid JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        (b"query { me { name } }", "must be valid JSON: Expecting value: line 1 column 1 (char 0)"),
        (b'{"query": "{ me { name } }"} x', "must be valid JSON: Extra data: line 1 column 30 (char 29)"),
        (b'{"query": "\xff\xfe"}', "must be valid UTF-8; byte 11 is not"),
        (b"\xff\xfe{\x00}\x00", "must be valid UTF-8; byte 0 is not"),
        (
            b'{"query": "{me{name}}", "variables": {"a": NaN}}',
            "must hold finite numbers only, not NaN",
        ),
        (
            b'{"query": "{me{name}}", "variables": {"a": -Infinity}}',
            "must hold finite numbers only, not -Infinity",
        ),
        (b'{"query": "{me{name}}", "query": "{me{name}}"}', "contains the key 'query' twice in one object"),
        (
            b'{"query": "{me{name}}", "variables": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001,
            "must not be nested deeper than 64 levels",
        ),
    ],
    ids=lambda value: repr(value)[:36],
)
async def test_an_unreadable_body_is_refused_with_its_position(http, body, reason) -> None:
    response = await http.post("/graphql", content=body, headers=HEADERS)

    error = the_error(response)
    assert response.status_code == 400
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "body")
    assert error["message"] == f"body: {reason}"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (rb'{"query": "\ud800"}', "query"),
        (rb'{"query": "{me{name}}", "variables": {"a": "\udc00x"}}', "variables.a"),
    ],
)
async def test_a_lone_surrogate_is_refused_with_its_field(http, body, field) -> None:
    response = await http.post("/graphql", content=body, headers=HEADERS)

    error = the_error(response)
    assert response.status_code == 400
    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert error["message"] == f"{field}: must be valid Unicode, without lone surrogates"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/health", "GET, HEAD, OPTIONS"),
        ("TRACE", "/health/", "GET, HEAD, OPTIONS"),
        ("GET", "/v1/inject", "OPTIONS, POST"),
        ("PUT", "/memory/by-tag", "DELETE, GET, HEAD, OPTIONS"),
        ("PUT", "/memory/5f0c3c8e-0000-4000-8000-000000000000", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("DELETE", "/graphql", "GET, HEAD, OPTIONS, POST"),
    ],
)
async def test_a_wrong_method_is_answered_with_the_allowed_ones(http, method, path, allowed) -> None:
    """K20, RFC 9110: also without a key, since it reveals nothing."""
    response = await http.request(method, path)

    assert (response.status_code, response.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/memory/5f0c3c8e-0000-4000-8000-000000000000", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("/api/memory", "GET, HEAD, OPTIONS, POST"),
        ("/api/settings/qdrant", "GET, HEAD, OPTIONS, PUT"),
        ("/v1/workspaces/ws_any/language-model", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("/health", "GET, HEAD, OPTIONS"),
    ],
)
async def test_options_names_every_method_of_an_address(http, path, allowed) -> None:
    """K20, RFC 9110: also if several handlers share the path."""
    response = await http.options(path, headers=HEADERS)

    assert (response.status_code, response.headers["allow"]) == (204, allowed)


@pytest.mark.parametrize(
    "path",
    [
        "/", "/docs", "/health", "/openapi.json", "/pages/docs.js", "/ready", "/sign-in", "/studio",  # open
        "/api/memory", "/chat/api/chats", "/recall", "/v1/models",  # without a key
        "/nothing", "/v1/inject",
    ],
)  # fmt: skip
async def test_head_answers_like_get_without_a_body(http, path) -> None:
    """Issue 35, point 23; RFC 9110: probes and link checkers use it."""
    checked, shown = [await ask(path) for ask in (http.head, http.get)]

    assert checked.status_code == shown.status_code
    assert checked.content == b""
    for name in ("content-type", "location", "allow", "cache-control"):
        assert checked.headers.get(name) == shown.headers.get(name)


@pytest.mark.parametrize("path", ["/health", "/ready", "/nothing"])
async def test_head_answers_on_the_port_for_operators(services, path) -> None:
    """Issue 35, point 23."""
    transport = httpx.ASGITransport(create_operations_app(services, Watch()))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        checked, shown = [await ask(path) for ask in (client.head, client.get)]

    assert (checked.status_code, checked.content) == (shown.status_code, b"")


async def test_head_over_a_socket_ends_and_leaves_the_connection_usable(
    api_url, services, workspace_id
) -> None:
    """Issue 35, point 23: also for a stream, which GET would keep reading."""
    secret = await secret_of_a_key(services, workspace_id)
    async with httpx.AsyncClient(base_url=api_url, timeout=scaled_timeout(30)) as client:
        await client.post("/sign-in", data={"key": secret})

        probed = await client.head("/health")
        stream = await client.head("/chat/api/events")
        after = await client.get("/health")

    assert (probed.status_code, probed.content) == (200, b"")
    assert int(probed.headers["content-length"]) > 0
    assert (stream.status_code, stream.headers["content-type"].partition(";")[0]) == (
        200,
        "text/event-stream",
    )
    assert after.json()["neo4j"] is True


@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b"1",
        b'"{ me { name } }"',
        b"[]",
        b'[{"query": "{ me { name } }"}]',
        b"{}",
        b'{"query": null}',
        b'{"query": 1}',
        b'{"query": ["{ me { name } }"]}',
        b'{"query": "{ me { name } }", "variables": []}',
        b'{"query": "{ me { name } }", "variables": "x"}',
        b'{"query": "{ me { name } }", "extensions": 1}',
    ],
    ids=repr,
)
async def test_json_that_is_not_a_graphql_request_is_refused(http, body) -> None:
    response = await http.post("/graphql", content=body, headers=HEADERS)

    assert response.status_code == 400
    assert the_error(response)["code"] == "INVALID_INPUT"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "No GraphQL query found in the request"),
        ("{", "Syntax Error"),
        ("{ me { name }", "Syntax Error"),
        ("}{", "Syntax Error"),
        ("{ me \x00 }", "Syntax Error"),
        ('{ memory(id: "\\ud800") { id } }', "Invalid Unicode escape sequence"),
        ("{ nothing }", "Cannot query field 'nothing' on type 'Query'."),
        ("{ me }", "must have a selection of subfields"),
        ("{ me { name(x: 1) } }", "Unknown argument 'x'"),
        ("{ memory { id } }", "of type 'ID!' is required"),
        ('{ recall(input: {limit: "five"}) { totalTokens } }', "Int cannot represent non-integer value"),
        ("{ recall(input: {limit: 99999999999}) { totalTokens } }", "Int cannot represent"),
        ("{ recall(input: {nothing: 1}) { totalTokens } }", "not to include unknown field 'nothing'"),
        ("query($x: Nothing) { memory(id: $x) { id } }", "Unknown type 'Nothing'"),
        ("query A { me { name } } query A { me { name } }", "There can be only one operation named 'A'"),
        ("fragment F on Query { me { name } }", "operation"),
        ("{ ...F } fragment F on Query { ...F }", "the fragment F is spread within itself"),
        ("subscription { memoryEvents { at } }", "subscriptions are not allowed when using POST"),
        (
            "mutation { saveMemory(input: {}) { outcome } }",
            "to include required field 'content'",
        ),
        (
            "mutation { saveMemory(input: {content: null}) { outcome } }",
            "Expected value of non-null type 'String!'",
        ),
        (
            "mutation { saveMemory(input: {content: 5}) { outcome } }",
            "String cannot represent a non string value",
        ),
        (
            'mutation { saveMemory(input: {content: "x", type: WISH}) { outcome } }',
            "Value 'WISH' does not exist",
        ),
        (
            'mutation { saveMemory(input: {content: "x", importance: NaN}) { outcome } }',
            "Float cannot represent",
        ),
        ('mutation { saveMemory(input: {content: "x", timestamp: "soon"}) { outcome } }', "soon"),
    ],
    ids=lambda value: repr(value)[:48],
)
async def test_invalid_graphql_is_refused_in_its_own_words(admin, query, said) -> None:
    response = await admin.post(query)

    error = the_error(response)
    assert (error["code"], error["field"]) == ("INVALID_INPUT", None)
    assert said in error["message"]


@pytest.mark.parametrize(
    "query",
    [
        "{ me " * 20 + "{ name }" + " }" * 20,
        "{" + " ".join(f"a{i}: me {{ name }}" for i in range(60)) + "}",
        "{ me { " + "name " * 20_000 + "} }",
    ],
    ids=["depth", "aliases", "tokens"],
)
async def test_a_query_beyond_the_limits_is_too_complex(admin, query) -> None:
    response = await admin.post(query)

    codes = {error["extensions"]["code"] for error in response.json()["errors"]}
    assert "TOO_COMPLEX" in codes
    assert response.json()["data"] is None


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "Expected a value of non-null type 'SaveMemoryInput!' to be provided."),
        ({"input": None}, "Expected value of non-null type 'SaveMemoryInput!' not to be None."),
        ({"input": "x"}, "Expected value of type 'SaveMemoryInput' to be an object, found: 'x'."),
        ({"input": {"content": ["x"]}}, "String cannot represent a non string value"),
        ({"input": {"content": "x", "importance": "high"}}, "Float cannot represent non numeric value"),
        ({"input": {"content": "x", "tags": [1]}}, "String cannot represent a non string value"),
        ({"input": {"content": "x", "nothing": 1}}, "not to include unknown field 'nothing'"),
        ({"input": {"content": "x", "embedding": ["a"]}}, "Float cannot represent non numeric value"),
        ({"input": {"content": "x", "tValid": "soon"}}, "soon"),
    ],
    ids=lambda value: repr(value)[:48],
)
async def test_a_variable_of_the_wrong_type_is_named(admin, variables, said) -> None:
    mutation = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { outcome } }"

    error = the_error(await admin.post(mutation, **variables))

    assert error["code"] == "INVALID_INPUT"
    assert said in error["message"]


async def test_a_mutation_by_get_is_refused(http) -> None:
    """A page of another site can cause a GET, which must not write."""
    response = await http.get(
        "/graphql",
        params={"query": 'mutation { createWorkspace(input: {name: "x"}) { id } }'},
        headers=HEADERS,
    )

    assert response.status_code == 400
    assert the_error(response)["code"] == "INVALID_INPUT"


async def test_unreadable_variables_of_a_get_are_refused(http) -> None:
    response = await http.get(
        "/graphql", params={"query": "{ me { name } }", "variables": "{"}, headers=HEADERS
    )

    assert response.status_code == 400
    assert the_error(response)["field"] == "body"


async def test_another_content_type_is_refused(http) -> None:
    response = await http.post(
        "/graphql", content=b"query=x", headers={**HEADERS, "Content-Type": "text/plain"}
    )

    assert response.status_code == 400
    assert the_error(response)["code"] == "INVALID_INPUT"


async def test_a_body_beyond_the_limit_is_refused(http) -> None:
    response = await http.post("/graphql", content=b" " * (33 * 1024 * 1024), headers=HEADERS)

    assert response.status_code == 413
    assert the_error(response)["code"] == "INVALID_INPUT"


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nothing", 404), ("POST", "/health", 405)])
async def test_other_routes_refuse_in_the_rest_shape(http, method, path, status) -> None:
    response = await http.request(method, path, headers=HEADERS)

    assert response.status_code == status
    assert response.json().keys() == {"error", "field"}


class CrashingEmbedder(HashingEmbedder):
    """An embedder with an unexpected failure."""

    async def embed(self, texts, *, as_query=False):
        raise RuntimeError(SECRET)


async def test_an_unexpected_failure_of_a_port_is_masked(settings, workspace_id) -> None:
    """K6: the message may contain anything, so the caller gets a reference into the log."""
    async with open_runtime(settings, embedder=CrashingEmbedder()) as runtime:
        transport = httpx.ASGITransport(create_app(runtime.services), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
            response = await GraphQLClient(http, ADMIN_KEY).post(
                'query($ws: ID) { recall(input: {query: "x"}, workspaceId: $ws) { totalTokens } }',
                ws=workspace_id,
            )

    error = the_error(response)
    assert (error["code"], error["field"]) == ("INTERNAL", None)
    assert error["message"].startswith("an unexpected error occurred; the log has it under ")
    assert SECRET not in response.text
    assert "RuntimeError" not in response.text


class BrokenStatus:
    """A service with an unexpected failure."""

    async def health(self):
        raise RuntimeError(SECRET)


async def test_an_unexpected_failure_outside_graphql_is_masked(services) -> None:
    broken = with_service(services, "operations.status", BrokenStatus())
    transport = httpx.ASGITransport(create_app(broken), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        response = await http.get("/health")

    assert response.status_code == 500
    assert response.json().keys() == {"error", "field"}
    assert response.json()["error"].startswith("an unexpected error occurred; the log has it under ")
    assert SECRET not in response.text
