"""Bodies that are refused early, in the form of the route, so that nothing is written."""

import gzip
import json

import pytest

from app.surfaces.http.limits import USUAL_BODY_BYTES

AN_ID = "00000000-0000-4000-8000-000000000000"
AUTOMEM = ("/memory", "/associate")
ROUTES = [
    ("POST", "/memory"),
    ("PATCH", f"/memory/{AN_ID}"),
    ("POST", "/associate"),
    ("POST", "/v1/workspaces/{workspace}/memories"),
    ("PATCH", "/v1/workspaces/{workspace}/memories/x"),
    ("PUT", "/v1/workspaces/{workspace}/settings"),
    ("POST", "/v1/conversations/c/messages"),
    ("POST", "/v1/inject"),
]
FIELD_OF_MENDED = {"/v1/conversations/c/messages": "messages", "/v1/inject": "text"}
"""Missing field of a body with a lone surrogate, by route."""
every_route = pytest.mark.parametrize(("method", "path"), ROUTES, ids=[f"{m} {p}" for m, p in ROUTES])


def refusal(path: str, error: str) -> dict[str, str]:
    """Return a route's refusal of a body; AutoMem's client reads ``message``."""
    told = {"error": error, "field": "body"}
    return {**told, "message": error} if path.startswith(AUTOMEM) else told


@pytest.fixture
async def send(rest, workspace_id):
    """Return a function that sends bytes to a route."""

    async def send_to(method, path, content, **headers):
        path = path.format(workspace=workspace_id)
        given = {"content-type": "application/json", **headers}
        return await rest.send(method, path, content=content, headers=given)

    return send_to


@every_route
@pytest.mark.parametrize(
    "content",
    [
        b'{"content": "\xff"}',
        b'{"content": NaN}',
        b'{"content": "x", "content": "y"}',
        b'{"content": "\\ud800"}',
        b'{"metadata": ' + b'{"a":' * 65 + b"1" + b"}" * 66,
        b"[" * 100_000,
        b"",
        b"content=x",
    ],
    ids=["utf-8", "nan", "key twice", "surrogate", "deep", "deeper", "empty", "form"],
)
async def test_what_cannot_be_read_is_refused(send, services, workspace_id, method, path, content) -> None:
    answer = await send(method, path, content)

    assert answer.status_code == 400
    told = {"error", "field", "message"} if path.startswith(AUTOMEM) else {"error", "field"}
    assert answer.json().keys() == told
    field = FIELD_OF_MENDED.get(path, "content") if rb"\ud800" in content else "body"
    assert answer.json()["field"] == field
    assert await services.memories.store.count(workspace_id) == 0


@every_route
async def test_a_compressed_body_is_refused_without_being_unpacked(send, method, path) -> None:
    """A few bytes may unpack to a gigabyte of zeros."""
    answer = await send(method, path, gzip.compress(b'{"content": "x"}'), **{"content-encoding": "gzip"})

    assert answer.status_code == 415
    assert answer.json() == refusal(path, "body: must come as it is, without Content-Encoding")


@pytest.mark.parametrize(
    ("method", "path"), [route for route in ROUTES if "messages" not in route[1]], ids=lambda part: part
)
@pytest.mark.parametrize("is_announced", [True, False])
async def test_a_body_that_is_too_large_is_refused(send, method, path, is_announced) -> None:
    """Before it is read, if its length is announced."""
    body = json.dumps({"content": "x" * USUAL_BODY_BYTES}).encode()

    async def in_pieces():
        yield body

    answer = await send(method, path, body if is_announced else in_pieces())

    assert answer.status_code == 413
    assert answer.json() == refusal(path, "body: is larger than this route takes")


async def test_a_capture_may_be_larger_than_a_memory(rest, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    messages = [{"content": f"{number} " + "word " * 5000} for number in range(50)]

    assert (await rest.post("/v1/conversations/c/messages", {"messages": messages}, status=200))[
        "added"
    ] == 50


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/graphql", lambda body: body["errors"][0]["extensions"]["code"]),
        ("/v1/chat/completions", lambda body: body["error"]["type"]),
    ],
)
async def test_each_surface_refuses_compressed_bodies_in_its_own_form(send, path, form) -> None:
    answer = await send("POST", path, gzip.compress(b"{}"), **{"content-encoding": "gzip"})

    assert answer.status_code == 415
    assert form(answer.json()) in ("INVALID_INPUT", "invalid_request_error")


async def test_an_identity_encoded_body_is_accepted(send) -> None:
    answer = await send("POST", "/memory", b'{"content": "As it is."}', **{"content-encoding": "identity"})

    assert answer.status_code == 201
