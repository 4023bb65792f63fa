"""Separate servers that the fault tests kill; no other test may depend on them."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import httpx
import pytest

from app.adapters import redis_signals
from app.bootstrap.runtime import Runtime, open_runtime, working
from app.embedded.neo4j import EmbeddedNeo4j
from app.embedded.redis import EmbeddedRedis
from app.main import create_app
from app.settings import Neo4jSettings, RedisSettings, Settings
from graph.core.models import JobRules
from graph.operations import status
from tests.fixtures.app import ADMIN_KEY, GraphQLClient
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.neo4j import small_neo4j

MORTAL_RULES: Final = JobRules(poll_seconds=0.2, gather_seconds=0.1, lease_seconds=2.0)
open_mortal_runtime = partial(open_runtime, job_rules=MORTAL_RULES)
"""``open_runtime`` with short leases: other workers soon take the jobs of a killed engine."""
_SHIPPED_PATIENCE: Final = {module: module._PATIENCE_SECONDS for module in (status, redis_signals)}


@pytest.fixture(autouse=True)
def shipped_patience(monkeypatch) -> None:
    """Set the service's default timeouts, so that it notices an unavailable server as early as in use."""
    for module, seconds in _SHIPPED_PATIENCE.items():
        monkeypatch.setattr(module, "_PATIENCE_SECONDS", seconds)


def kill(server: EmbeddedNeo4j | EmbeddedRedis) -> int:
    """Kill a server with SIGKILL and return its process id."""
    pid = server.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    return pid


def hold_relaunch(server, monkeypatch) -> asyncio.Event:
    """Keep the supervisor from restarting a killed server until the event is set."""
    process = server._process
    released = asyncio.Event()
    launch = process._launch

    async def launch_later() -> None:
        await released.wait()
        await launch()

    monkeypatch.setattr(process, "_launch", launch_later)
    return released


@pytest.fixture(scope="package")
async def mortal_neo4j(tmp_path_factory) -> AsyncIterator[EmbeddedNeo4j]:
    folder = tmp_path_factory.mktemp("mortal-neo4j")
    server = await small_neo4j(folder)
    yield server
    await server.stop()


@pytest.fixture(scope="package")
async def mortal_redis(tmp_path_factory) -> AsyncIterator[tuple[EmbeddedRedis, str]]:
    server = EmbeddedRedis(tmp_path_factory.mktemp("mortal-redis"))
    url = await server.start()
    yield server, url
    await server.stop()


@pytest.fixture(scope="package")
def mortal_settings(mortal_neo4j, mortal_redis) -> Settings:
    address = mortal_neo4j.address
    return Settings(
        _env_file=None,
        admin_key=ADMIN_KEY,
        neo4j=Neo4jSettings(
            uri=address.uri,
            user=address.user,
            password=address.password,
            timeout_seconds=30,  # a restarted server has lost its query plans
        ),
        redis=RedisSettings(url=mortal_redis[1]),
    )


@pytest.fixture(scope="module")
async def mortal_runtime(mortal_settings) -> AsyncIterator[Runtime]:
    async with open_mortal_runtime(mortal_settings, embedder=HashingEmbedder()) as opened, working(opened):
        yield opened


@pytest.fixture(scope="module")
async def mortal(mortal_runtime) -> AsyncIterator[GraphQLClient]:
    """Yield a client of the application over the servers that tests kill."""
    transport = httpx.ASGITransport(create_app(mortal_runtime.services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test", timeout=60) as client:
        yield GraphQLClient(client, ADMIN_KEY)
