"""The duration, end and rights of a session (I10, I11)."""

from datetime import timedelta

import httpx
import pytest
from litestar import Litestar, get, post
from redis.asyncio import Redis

from app.adapters.redis_stores import RedisCounters, RedisSessions
from app.bootstrap.dependencies import open_redis
from app.main import create_app
from app.settings import RedisSettings
from app.surfaces.http.credentials import CREDENTIAL, Credential
from graph.core.errors import Unauthenticated, Unavailable
from graph.tenancy.models import Scope
from graph.tenancy.sessions import SessionRules, Sessions
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.memories import MovingClock
from tests.fixtures.replaced import with_service
from tests.fixtures.signed_in import visitor

MEMORIES = "/chat/api/workspaces/{}/memories"
NOWHERE = RedisSettings(url="redis://127.0.0.1:1")


@pytest.fixture
async def sessions(services, redis_url):
    """Yield sessions with a clock of the test."""
    async with Redis.from_url(redis_url) as redis:
        yield Sessions(
            RedisSessions(redis),
            RedisCounters(redis),
            services.tenancy.access,
            MovingClock(),
            SessionRules(idle=timedelta(minutes=10), longest=timedelta(hours=2)),
        )


@pytest.fixture
async def secret(services, workspace_id) -> str:
    return (await services.tenancy.keys.create(workspace_id, name="person", scopes=[Scope.READ]))[1]


async def test_a_session_acts_as_its_key(sessions, secret, services) -> None:
    opened = await sessions.sign_in(secret, client="192.0.2.1")

    assert (
        await sessions.resume(opened.id)
        == opened.principal
        == await services.tenancy.access.authenticate(secret)
    )


async def test_each_request_extends_a_session(sessions, secret, redis_url) -> None:
    """It ends ten minutes after the last request."""
    await sessions.sign_in(secret, client="192.0.2.1")
    opened = await sessions.sign_in(secret, client="192.0.2.1")
    async with Redis.from_url(redis_url, decode_responses=True) as redis:
        before = {name async for name in redis.scan_iter("recollect:session:*")}
        for name in before:
            if await redis.ttl(name) <= 600:  # other tests' sessions last longer
                await redis.expire(name, 50)

        await sessions.resume(opened.id)

        renewed = [name for name in before if 50 < await redis.ttl(name) <= 600]
    assert len(renewed) == 1


async def test_a_session_has_a_maximum_lifetime(sessions, secret) -> None:
    opened = await sessions.sign_in(secret, client="192.0.2.1")
    sessions._clock.move(hours=1, minutes=59)
    assert await sessions.resume(opened.id)

    sessions._clock.move(minutes=1)

    for _ in range(2):
        with pytest.raises(Unauthenticated, match="this session is over"):
            await sessions.resume(opened.id)


@pytest.mark.parametrize(
    "id_",
    ["x" * 43, "x", "*", "../" * 14, "\x00" * 43, "x" * 10_000, "ü" * 43],
    ids=lambda id_: repr(id_)[:20],
)
async def test_an_invented_id_is_not_a_session(sessions, id_) -> None:
    with pytest.raises(Unauthenticated):
        await sessions.resume(id_)


async def test_a_revoked_key_ends_its_sessions(dashboard, services, workspace_id) -> None:
    before = await dashboard.get(MEMORIES.format(workspace_id))
    for api_key in await services.tenancy.keys.list_live(workspace_id):
        await services.tenancy.keys.revoke(api_key.id)

    after = await dashboard.get(MEMORIES.format(workspace_id))

    assert (before.status_code, after.status_code) == (200, 401)
    assert "This session is over. Sign in again." in after.text


@pytest.mark.parametrize("hard", [False, True])
async def test_a_deleted_workspace_ends_its_sessions(dashboard, services, workspace_id, hard) -> None:
    await services.tenancy.access.delete_workspace(workspace_id, hard=hard)

    assert (await dashboard.get(MEMORIES.format(workspace_id))).status_code == 401


def without_redis(services) -> Litestar:
    sessions = Sessions(
        RedisSessions(open_redis(NOWHERE, reconnects=False)),
        RedisCounters(open_redis(NOWHERE, reconnects=False)),
        services.tenancy.access,
        MovingClock(),
        SessionRules(),
    )
    return create_app(with_service(services, "tenancy.sessions", sessions))


async def test_without_redis_nobody_can_sign_in(services, workspace_id, secret) -> None:
    """The status is 503; a request with its own key still works."""
    transport = httpx.ASGITransport(without_redis(services))
    cookie = {"Cookie": f"session={'x' * 43}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        asked = await client.get(MEMORIES.format(workspace_id), headers=cookie)
        signing_in = await client.post("/sign-in", data={"key": secret})
        shown = await client.get("/sign-in", headers=cookie)
        signing_out = await client.post("/sign-out", headers=cookie)
        with_a_key = await client.post(
            "/graphql", json={"query": "{ me { name } }"}, headers={"X-API-Key": secret}
        )

    assert [asked.status_code, signing_in.status_code, shown.status_code, signing_out.status_code] == [
        503
    ] * 4
    assert all(answer.headers["retry-after"] == "5" for answer in (asked, signing_in, shown, signing_out))
    assert asked.json() == {"error": "Redis does not answer; try again shortly", "field": None}
    assert "Signing in is not possible right now." in signing_in.text
    assert "set-cookie" not in signing_in.headers
    assert with_a_key.json() == {"data": {"me": {"name": "person"}}}


async def test_counters_without_redis_report_that_they_are_local() -> None:
    counters = RedisCounters(open_redis(NOWHERE, reconnects=False))

    with pytest.raises(Unavailable):
        await counters.count("x", window_seconds=60)


@get("/test/management", opt={CREDENTIAL: Credential.MANAGEMENT})
async def managed() -> str:
    return "managed"


@post("/test/management", opt={CREDENTIAL: Credential.MANAGEMENT})
async def manage() -> str:
    return "managed"


@pytest.fixture
async def management(services):
    """Yield a client of an application with routes for administrators."""
    app = create_app(services)
    app.register(managed)
    app.register(manage)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://recollect.test"
    ) as client:
        yield client


async def test_an_administrators_session_may_administer(management, dashboard) -> None:
    """I11: with the key or its session; another key's session may not."""
    with_key = await management.get("/test/management", headers={"X-API-Key": ADMIN_KEY})
    with_nothing = await management.get("/test/management")
    with_anothers = await management.get(
        "/test/management", headers={"Cookie": f"session={dashboard.cookies['session']}"}
    )
    await management.post("/sign-in", data={"key": ADMIN_KEY})
    with_session = await management.get("/test/management")
    from_elsewhere = await management.post("/test/management", headers={"Sec-Fetch-Site": "cross-site"})
    with_a_wrong_key_too = await management.get("/test/management", headers={"X-API-Key": "wrong"})

    statuses = [
        answer.status_code
        for answer in (
            with_key,
            with_nothing,
            with_anothers,
            with_session,
            from_elsewhere,
            with_a_wrong_key_too,
        )
    ]
    assert statuses == [200, 401, 403, 200, 403, 401]


async def test_a_session_is_not_accepted_on_key_routes(http, services) -> None:
    """Routes of agents accept keys only; the Studio uses only chats of the chat proxy."""
    async with visitor(http) as client:
        await client.post("/sign-in", data={"key": ADMIN_KEY})

        asked = [
            await client.post("/mcp", json={}),
            await client.post("/v1/inject", json={"text": "x"}),
            await client.post("/v1/responses", json={}),
        ]

    assert [answer.status_code for answer in asked] == [401, 401, 401]
