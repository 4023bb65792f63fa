"""The logs of every surface, which contain no users' texts at any level (M15, N7)."""

import dataclasses
import io
import json
from collections.abc import Iterator

import httpx
import pytest

from app.main import create_app
from graph.core.models import JobKind
from graph.tenancy.models import Scope
from tests.fixtures.logging import written_log
from tests.fixtures.marked_requests import MARK, Caller, Filling
from tests.fixtures.replaced import with_service
from tests.fixtures.waiting import until

BY_ITSELF = {"access", "request_limits", "sessions", "workspaces"}
"""Operations of authentication, which succeed even in the test of failures."""
SOON = {JobKind.EMBED, JobKind.LINK, JobKind.DISTILL, JobKind.RESTATE, JobKind.SYNTHESIZE}


@pytest.fixture(params=["debug", "info"])
def log(request) -> Iterator[io.StringIO]:
    """Yield the log of a process at a level."""
    with written_log(request.param) as written:
        yield written


@pytest.fixture
async def caller(services, http, agents_workspace_id) -> Caller:
    """Return an administrator of the test's workspace, with a key and a session."""
    _, key = await services.tenancy.keys.create(agents_workspace_id, name="all", scopes=list(Scope))
    signed_in = await http.post("/sign-in", data={"key": key})
    session = signed_in.cookies["session"]
    http.cookies.clear()
    return Caller(http, services, agents_workspace_id, key, session)


async def test_no_surface_logs_the_content_of_requests(log, caller) -> None:
    """For accepted, refused and malformed requests, and for their background jobs."""
    for filling in Filling:
        await caller.ask_everything(filling)
    await caller.ask_nonsense()

    async def is_done() -> bool:
        page = await caller.services.core.jobs.page(caller.workspace_id, first=200)
        return not [job for job in page.items if job.kind in SOON and job.state != "FAILED"]

    await until(is_done)
    assert {interface: taken > 10 for interface, taken in caller.taken.items()} == {
        "rest": True,
        "graphql": True,
        "mcp": True,
    }
    assert [line for line in log.getvalue().splitlines() if MARK in line] == []


class Quoting:
    """A defective service whose exceptions quote their arguments."""

    def __init__(self, real) -> None:
        self._real = real

    def __getattr__(self, name):
        if not callable(getattr(self._real, name)):
            return getattr(self._real, name)

        def use(*arguments, **named):
            raise ValueError(f"{MARK}: {arguments} {named}")

        return use


async def test_no_surface_logs_the_text_of_a_failure(log, caller, services) -> None:
    """Each failure is logged as a defect, with its type and place."""
    broken = services
    for room in dataclasses.fields(services):
        for each in dataclasses.fields(getattr(services, room.name)):
            if each.name not in BY_ITSELF:
                failing = Quoting(getattr(getattr(services, room.name), each.name))
                broken = with_service(broken, f"{room.name}.{each.name}", failing)
    app = create_app(broken)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        await dataclasses.replace(caller, http=http).ask_everything(Filling.REQUIRED)

    told = [json.loads(line) for line in log.getvalue().splitlines()]
    assert {"rest.unexpected_error", "graphql.unexpected_error", "mcp.unexpected_error"} <= {
        event["event"] for event in told
    }
    assert [line for line in log.getvalue().splitlines() if MARK in line] == []
