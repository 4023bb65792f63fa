"""The security headers of every response, and the origins whose scripts may read it."""

import httpx
import pytest

from app.main import create_app
from tests.fixtures.app import ADMIN_KEY

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
DATA_ONLY = "default-src 'none'; frame-ancestors 'none'"
PAGE = "https://chat.example"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/health", 200),
        ("POST", "/graphql", 401),
        ("GET", "/nothing", 404),
        ("PUT", "/health", 405),
        ("GET", "/v1/inject", 405),
        ("POST", "/v1/inject", 401),
    ],
)
async def test_every_response_has_the_security_headers(http, method, path, status) -> None:
    """Also errors of middleware and router."""
    answer = await http.request(method, path)

    assert answer.status_code == status
    assert {name: answer.headers[name] for name in ALWAYS} == ALWAYS
    assert answer.headers["content-security-policy"] == DATA_ONLY
    assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize(
    ("path", "accept"), [("/sign-in", "*/*"), ("/graphql", "text/html"), ("/chat/api/c/memories", "*/*")]
)
async def test_no_page_can_be_framed_or_send_its_forms_elsewhere(http, path, accept) -> None:
    answer = await http.get(path, headers={"Accept": accept})

    policy = dict(
        directive.strip().split(" ", 1) for directive in answer.headers["content-security-policy"].split(";")
    )
    assert answer.headers["content-type"].startswith("text/html")
    assert policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert policy["base-uri"] == "'none'"
    assert {name: answer.headers[name] for name in ALWAYS} == ALWAYS


async def test_over_https_responses_set_strict_transport_security(http) -> None:
    async with httpx.AsyncClient(transport=http._transport, base_url="https://recollect.test") as client:
        answer = await client.get("/health")

    assert answer.headers["strict-transport-security"] == "max-age=31536000"


# ----- scripts of other pages -----


@pytest.fixture
async def called_from_pages(services):
    """Yield a client of a service that allows one origin."""
    transport = httpx.ASGITransport(create_app(services, allowed_origins=[PAGE]))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        yield client


def preflight(origin: str) -> dict[str, str]:
    return {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }


def granted(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control")}


async def test_by_default_other_origins_may_read_nothing(http) -> None:
    asked = await http.options("/graphql", headers=preflight(PAGE))
    answered = await http.get("/health", headers={"Origin": PAGE})

    assert granted(asked) == granted(answered) == {}


async def test_an_allowed_origin_may_call_with_a_key_only(called_from_pages) -> None:
    """Without a wildcard and without credentials: sessions are for the service's own pages."""
    asked = await called_from_pages.options("/graphql", headers=preflight(PAGE))
    answered = await called_from_pages.post(
        "/graphql",
        json={"query": "{ me { name } }"},
        headers={"Origin": PAGE, "Authorization": f"Bearer {ADMIN_KEY}"},
    )

    for answer in (asked, answered):
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert "access-control-allow-credentials" not in answer.headers
    assert answered.status_code == 200


async def test_a_page_that_is_named_reads_the_headers_that_tell_it_something(called_from_pages) -> None:
    """MCP clients in a browser need the session, and every client needs the time to retry."""
    answered = await called_from_pages.get("/health", headers={"Origin": PAGE})

    exposed = answered.headers["access-control-expose-headers"].lower().split(", ")
    assert sorted(exposed) == [
        "etag",
        "mcp-session-id",
        "ratelimit-limit",
        "ratelimit-policy",
        "ratelimit-remaining",
        "ratelimit-reset",
        "retry-after",
        "x-recollect-memory",
        "x-recollect-nodes",
        "x-recollect-notice",
    ]


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.test", "null", "https://chat.example.elsewhere.test", "*"]
)
async def test_any_other_page_may_not(called_from_pages, origin) -> None:
    asked = await called_from_pages.options("/graphql", headers=preflight(origin))
    answered = await called_from_pages.get("/health", headers={"Origin": origin})

    for answer in (asked, answered):
        assert answer.headers.get("access-control-allow-origin") != origin
        assert "*" not in granted(answer).get("access-control-allow-origin", "")


async def test_even_a_page_that_is_named_cannot_use_a_session(called_from_pages) -> None:
    await called_from_pages.post("/sign-in", data={"key": ADMIN_KEY})

    answer = await called_from_pages.post(
        "/chat/api/chat_abc123/memory",
        json={"content": "x"},
        headers={"Origin": PAGE, "Sec-Fetch-Site": "cross-site"},
    )

    assert answer.status_code == 403
