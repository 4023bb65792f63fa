"""API keys: their rotation, their last use, and their audit log."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from graph.core.errors import Unauthenticated
from graph.tenancy.access import Access
from graph.tenancy.keys import Keys
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient
from tests.fixtures.memories import MovingClock
from tests.fixtures.waiting import until

ROTATE = """mutation($id: ID!, $grace: Int) {
  rotateApiKey(id: $id, graceSeconds: $grace) { secret key { id prefix rotatedAt scopes } }
}"""


@pytest.fixture
async def key(services, workspace_id):
    """Create a key of the test's workspace; return it with its secret."""
    return await services.tenancy.keys.create(workspace_id, name="rotated", scopes=[Scope.READ])


@pytest.fixture
def access_at(services):
    """Return a function that gives the services of keys, without cached state, at another time."""

    def access_at(clock: MovingClock) -> Access:
        return Access(services.core.database, services.tenancy.workspaces, clock)

    return access_at


async def test_a_rotated_key_accepts_the_old_secret_for_a_while(admin, http, key, access_at) -> None:
    """The grace period ends automatically."""
    api_key, before = key

    rotated = (await admin.ok(ROTATE, id=api_key.id, grace=600))["rotateApiKey"]

    after = rotated["secret"]
    assert after != before
    assert rotated["key"]["id"] == api_key.id
    assert rotated["key"]["prefix"] == after[:10]
    assert rotated["key"]["scopes"] == ["READ"]
    me = "{ me { keyId } }"
    for secret in (before, after):
        assert await GraphQLClient(http, secret).ok(me) == {"me": {"keyId": api_key.id}}
    clock = MovingClock(datetime.fromisoformat(rotated["key"]["rotatedAt"]))
    late = access_at(clock)
    clock.move(seconds=599)
    assert (await late.authenticate(before)).key_id == api_key.id
    clock.move(seconds=1)
    with pytest.raises(Unauthenticated):
        await late.authenticate(before)
    with pytest.raises(Unauthenticated):
        await access_at(clock).authenticate(before)
    assert (await access_at(clock).authenticate(after)).key_id == api_key.id


async def test_without_a_grace_period_the_old_secret_ends_immediately(admin, http, key) -> None:
    api_key, before = key
    assert (await GraphQLClient(http, before).post("{ me { keyId } }")).status_code == 200

    await admin.ok(ROTATE, id=api_key.id, grace=0)

    assert (await GraphQLClient(http, before).post("{ me { keyId } }")).status_code == 401


async def test_a_second_rotation_ends_the_grace_of_the_first(admin, services, key) -> None:
    api_key, first = key
    second = (await admin.ok(ROTATE, id=api_key.id))["rotateApiKey"]["secret"]
    third = (await admin.ok(ROTATE, id=api_key.id))["rotateApiKey"]["secret"]

    with pytest.raises(Unauthenticated):
        await services.tenancy.access.authenticate(first)
    for secret in (second, third):
        assert (await services.tenancy.access.authenticate(secret)).key_id == api_key.id


async def test_revoking_ends_both_secrets(admin, services, key) -> None:
    api_key, before = key
    after = (await admin.ok(ROTATE, id=api_key.id))["rotateApiKey"]["secret"]
    await admin.ok("mutation($id: ID!) { revokeApiKey(id: $id) }", id=api_key.id)

    for secret in (before, after):
        with pytest.raises(Unauthenticated):
            await services.tenancy.access.authenticate(secret)
    assert (await admin.error(ROTATE, id=api_key.id))["code"] == "NOT_FOUND"


async def test_a_grace_period_ends_with_the_key(admin, services, workspace_id, access_at) -> None:
    ends = datetime.now(UTC) + timedelta(seconds=300)
    api_key, before = await services.tenancy.keys.create(
        workspace_id, name="brief", scopes=[Scope.READ], expires_at=ends
    )
    after = (await admin.ok(ROTATE, id=api_key.id, grace=600))["rotateApiKey"]["secret"]

    clock = MovingClock()
    clock.move(seconds=301)
    for secret in (before, after):
        with pytest.raises(Unauthenticated):
            await access_at(clock).authenticate(secret)
    with pytest.raises(Exception, match="there is no key"):
        await Keys(services.core.database, access_at(clock), clock).rotate(api_key.id)


@pytest.mark.parametrize("grace", [-1, 30 * 24 * 3600 + 1])
async def test_the_grace_period_has_bounds(admin, key, grace) -> None:
    error = await admin.error(ROTATE, id=key[0].id, grace=grace)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "graceSeconds")


async def test_sessions_end_with_the_secret_that_opened_them(admin, services, sign_in, workspace_id) -> None:
    dashboard = await sign_in(workspace_id)
    path = f"/chat/api/workspaces/{workspace_id}/memories"
    (api_key,) = await services.tenancy.keys.list_live(workspace_id)

    await admin.ok(ROTATE, id=api_key.id)
    in_its_grace = await dashboard.get(path)
    await admin.ok(ROTATE, id=api_key.id)
    after_it = await dashboard.get(path)

    assert (in_its_grace.status_code, after_it.status_code) == (200, 401)


async def test_the_last_use_is_written_in_the_background_at_most_once_a_minute(
    services, key, graph_driver
) -> None:
    """Any process may have seen it; not every request causes a write."""
    api_key, secret = key

    async def last_used():
        found = await services.tenancy.keys.list_live(api_key.workspace_id)
        return found[0].last_used_at

    assert await last_used() is None
    await services.tenancy.access.authenticate(secret)
    first = await until(last_used)
    clock = MovingClock(first)
    other_process = Access(services.core.database, services.tenancy.workspaces, clock)
    clock.move(seconds=50)
    await other_process.authenticate(secret)
    await other_process.use.flush()
    assert await last_used() == first

    third_process = Access(services.core.database, services.tenancy.workspaces, clock)
    clock.move(seconds=30)
    await asyncio.gather(*(third_process.authenticate(secret) for _ in range(5)))
    assert len(third_process.use._pending) == 1
    await third_process.use.flush()
    assert await last_used() == clock.now()
    await third_process.authenticate(secret)
    assert third_process.use._pending == {}
