"""Signing in with a key, and signing out (I10, L15)."""

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import httpx
import pytest
from redis.asyncio import Redis

from app.main import create_app
from graph.core.errors import Unavailable
from graph.tenancy.models import Principal, Scope
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.signed_in import visitor

MEMORIES = "/chat/api/workspaces/{}/memories"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text of the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data) -> None:
        self.text += data

    def one(self, tag: str, **attributes: str) -> dict[str, str | None]:
        (element,) = [
            found for name, found in self.found if name == tag and attributes.items() <= found.items()
        ]
        return element


@pytest.fixture
async def key(services, workspace_id):
    """Create a key of the test's workspace; return it with its secret."""
    return await services.tenancy.keys.create(workspace_id, name="person", scopes=[Scope.READ])


def session_of(answer: httpx.Response) -> str:
    (set_cookie,) = answer.headers.get_list("set-cookie")
    found = re.fullmatch(r"session=([A-Za-z0-9_-]{43});.*", set_cookie)
    assert found, set_cookie
    return found[1]


def attributes_of(answer: httpx.Response) -> set[str]:
    (set_cookie,) = answer.headers.get_list("set-cookie")
    return {part.strip().lower() for part in set_cookie.split(";")[1:]}


async def test_the_page_is_a_labelled_form_without_anything_from_elsewhere(browser) -> None:
    """L15: a screen reader can use it, and it loads nothing.

    The form posts to its own URL, so the fragment survives signing in.
    """
    answer = await browser.get("/sign-in")

    page = Elements(answer.text)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.one("html")["lang"] == "en"
    assert page.one("form") == {"method": "post"}
    field = page.one("input", name="key")
    assert page.one("label")["for"] == field["id"]
    assert field["type"] == "password"
    assert field["aria-describedby"] == page.one("p", id="hint")["id"]
    assert not {"src", "href"} & {name for _, found in page.found for name in found}
    assert not {"script", "link", "img"} & {tag for tag, _ in page.found}
    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; form-action 'self'; base-uri 'none'; "
        r"frame-ancestors 'none'",
        answer.headers["content-security-policy"],
    )


async def test_a_key_opens_a_session_that_no_script_and_no_other_site_can_use(browser, key) -> None:
    """I10: HttpOnly, SameSite and path ``/``; not Secure if the service uses plain http."""
    answer = await browser.post("/sign-in", data={"key": f" {key[1]}\n"})

    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert session_of(answer)
    assert attributes_of(answer) == {"httponly", "path=/", "samesite=lax", f"max-age={7 * 24 * 3600}"}


async def test_over_https_the_cookie_is_secure(http, key) -> None:
    async with visitor(http, base_url="https://recollect.test") as client:
        answer = await client.post("/sign-in", data={"key": key[1]})

    assert "secure" in attributes_of(answer)


async def test_a_signed_in_person_is_shown_and_can_sign_out(browser, key, workspace_id) -> None:
    await browser.post("/sign-in", data={"key": key[1]})

    page = Elements((await browser.get("/sign-in")).text)

    assert "You are signed in" in page.text
    assert "person" in page.text
    assert workspace_id in page.text
    assert page.one("form") == {"method": "post", "action": "/sign-out"}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("rk_nobody_has_this_key", "This key is unknown, revoked or expired."),
        (f"{ADMIN_KEY}x", "This key is unknown, revoked or expired."),
        ("'\"><script>alert(1)</script>", "This key is unknown, revoked or expired."),
        ("\x00\ud7ff\U0010ffff", "This key is unknown, revoked or expired."),
        ("", "Enter your API key."),
        ("  ", "Enter your API key."),
    ],
)
async def test_a_wrong_key_opens_nothing_and_is_not_repeated(browser, sent, said) -> None:
    answer = await browser.post("/sign-in", data={"key": sent})

    page = Elements(answer.text)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert page.one("p", role="alert")["id"] == "wrong"
    assert said in page.text
    assert page.one("input", name="key")["aria-describedby"] == "hint wrong"
    assert not sent.strip() or sent.strip() not in answer.text


async def test_a_form_without_a_key_counts_as_empty(browser) -> None:
    answer = await browser.post("/sign-in", data={"other": "x"})

    assert answer.status_code == 401
    assert "Enter your API key." in answer.text


@pytest.mark.parametrize("ended", ["revoked", "expired"])
async def test_an_expired_key_cannot_sign_in(browser, services, workspace_id, graph_driver, ended) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    api_key, secret = await services.tenancy.keys.create(
        workspace_id, name="brief", scopes=[Scope.READ], expires_at=soon
    )
    if ended == "revoked":
        await services.tenancy.keys.revoke(api_key.id)
    else:
        await graph_driver.execute_query(
            "MATCH (key:ApiKey {id: $id}) SET key.expires_at = datetime() - duration('PT1S')", id=api_key.id
        )

    answer = await browser.post("/sign-in", data={"key": secret})

    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)


async def test_signing_in_creates_a_new_session_and_ends_the_previous_one(browser, key, workspace_id) -> None:
    """A planted or an old cookie is useless."""
    planted = "p" * 43
    browser.cookies.set("session", planted)
    first = session_of(await browser.post("/sign-in", data={"key": key[1]}))
    second = session_of(await browser.post("/sign-in", data={"key": key[1]}))

    assert len({planted, first, second}) == 3
    statuses = [
        (await browser.get(MEMORIES.format(workspace_id), headers={"Cookie": f"session={id_}"})).status_code
        for id_ in (planted, first, second)
    ]
    assert statuses == [401, 401, 200]


async def test_signing_out_ends_the_session_in_the_store_too(dashboard, http, workspace_id) -> None:
    path, id_ = MEMORIES.format(workspace_id), dashboard.cookies["session"]
    before = await dashboard.get(path)

    answer = await dashboard.post("/sign-out")

    assert before.status_code == 200
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert "max-age=0" in attributes_of(answer)
    assert "session" not in dashboard.cookies
    async with visitor(http) as thief:
        assert (await thief.get(path, headers={"Cookie": f"session={id_}"})).status_code == 401


async def test_signing_out_without_a_session_does_no_harm(browser) -> None:
    assert (await browser.post("/sign-out")).status_code == 303


@pytest.mark.parametrize(
    ("asked", "sent_to"),
    [
        ("/chat/api/c/memories?x=1", "/chat/api/c/memories?x=1"),
        ("https://elsewhere.test/", "/sign-in"),
        ("//elsewhere.test/", "/sign-in"),
        ("/\\elsewhere.test/", "/sign-in"),
        ("javascript:alert(1)", "/sign-in"),
        ("/x\r\nSet-Cookie: a=b", "/sign-in"),
        ("/\u2028", "/sign-in"),
        ("", "/sign-in"),
    ],
)
async def test_signing_in_never_redirects_to_another_site(browser, key, asked, sent_to) -> None:
    answer = await browser.post("/sign-in", data={"key": key[1], "next": asked})

    assert (answer.status_code, answer.headers["location"]) == (303, sent_to)
    assert len(answer.headers.get_list("set-cookie")) == 1


async def test_the_form_keeps_the_requested_address(browser) -> None:
    wanted = '/chat/api/c/memories?q="><script>'

    answer = await browser.get("/sign-in", params={"next": wanted})

    assert Elements(answer.text).one("input", name="next")["value"] == wanted
    assert "<script>" not in answer.text


async def test_failed_attempts_are_limited_by_address(services, key, one_window) -> None:
    """Only failures count, and only for their own address."""
    app = create_app(services)

    def from_address(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://recollect.test")

    allowed = services.tenancy.sessions.rules.attempts_per_minute
    async with from_address("203.0.113.7") as client, from_address("203.0.113.8") as other:
        for _ in range(3):
            assert (await client.post("/sign-in", data={"key": key[1]})).status_code == 303
        statuses = [
            (await client.post("/sign-in", data={"key": "wrong"})).status_code for _ in range(allowed + 1)
        ]
        refused = await client.post("/sign-in", data={"key": key[1]})
        elsewhere = await other.post("/sign-in", data={"key": key[1]})

    assert statuses == [401] * allowed + [429]
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert "Too many attempts failed." in refused.text
    assert elsewhere.status_code == 303


async def test_signing_in_waits_for_a_slow_redis(browser, key, redis_url) -> None:
    async with Redis.from_url(redis_url) as redis:
        await redis.client_pause(600)  # longer than other code waits for a count

    answer = await browser.post("/sign-in", data={"key": key[1]})

    assert answer.status_code == 303


async def test_attempts_during_an_outage_do_not_count_as_failed(services, key, monkeypatch) -> None:
    """Nobody is locked out for an outage."""

    async def unavailable(_: str | None) -> Principal:
        raise Unavailable("neo4j", "the graph does not answer")

    allowed = services.tenancy.sessions.rules.attempts_per_minute
    transport = httpx.ASGITransport(create_app(services), client=("203.0.113.9", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        with monkeypatch.context() as broken:
            broken.setattr(services.tenancy.access, "authenticate", unavailable)
            meanwhile = {
                (await client.post("/sign-in", data={"key": key[1]})).status_code
                for _ in range(2 * allowed + 1)
            }
        afterwards = await client.post("/sign-in", data={"key": key[1]})

    assert meanwhile == {503}
    assert afterwards.status_code == 303


async def test_a_stored_session_reveals_no_credential(dashboard, redis_url, key) -> None:
    """Redis contains neither the cookie nor the key."""
    id_ = dashboard.cookies["session"]
    async with Redis.from_url(redis_url, decode_responses=True) as redis:
        found = {name: await redis.get(name) async for name in redis.scan_iter("recollect:session:*")}

    assert found
    assert id_ not in repr(found)
    assert key[1] not in repr(found)
    assert all(set(eval_keys(value)) == {"key_digest", "started_at"} for value in found.values())


def eval_keys(value: str) -> list[str]:
    return re.findall(r'"(\w+)":', value)
