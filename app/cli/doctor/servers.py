"""The checks of the servers: whether they answer, their versions, and whether the graph's indexes serve."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, RedisError

from app.bootstrap.vectors import open_tier, tier_settings
from app.cli.doctor.findings import CheckState, Finding, without_credentials
from app.embedded.data_folder import Holder, data_folder
from app.embedded.errors import RedisNotFound
from app.embedded.neo4j import read_address
from app.embedded.redis import read_url, redis_program
from app.settings import Settings
from graph.core.database import Database, is_too_old, requirement
from graph.core.errors import RecollectError, Unavailable
from graph.core.ports import TierFailed
from graph.operations import queries
from graph.operations.admin import inspect_indexes

_CONNECT_SECONDS = 3.0
_ANSWER_SECONDS = 10.0
_NOT_RUNNING = "not running"
_UP = "`recollect up` starts it"


async def check_neo4j(settings: Settings, holder: Holder | None) -> AsyncIterator[Finding]:
    """Ask the server for its version, and compare its indexes with the schema."""
    target = _neo4j_of(settings, holder)
    if target is None:
        yield Finding("Neo4j", CheckState.MISSING, _NOT_RUNNING, _UP, needed=False)
        return
    uri, user, password = target
    shown = without_credentials(uri)
    try:
        async with _driver(uri, user, password) as driver:
            async with asyncio.timeout(_ANSWER_SECONDS):
                agent = (await driver.get_server_info()).agent
            if is_too_old(agent):
                yield Finding("Neo4j", CheckState.WRONG, f"{agent} at {shown}", f"use {requirement()}")
                return
            database = Database(driver, name=settings.neo4j.database, timeout_seconds=_ANSWER_SECONDS)
            yield await _server(database, shown)
            async for finding in _indexes(database):
                yield finding
    except AuthError:
        remedy = "set RECOLLECT_NEO4J_USER and RECOLLECT_NEO4J_PASSWORD"
        yield Finding("Neo4j", CheckState.WRONG, f"{shown} refuses user {user}", remedy)
    except RecollectError as error:  # of what is asked once it answers
        remedy = "start it, or correct RECOLLECT_NEO4J_URI"
        if isinstance(error, Unavailable) and error.is_refused:
            remedy = f"correct RECOLLECT_NEO4J_DATABASE, which is {settings.neo4j.database!r}"
        yield Finding("Neo4j", CheckState.WRONG, f"{shown}: {error}", remedy)
    except (DriverError, Neo4jError, OSError, ValueError) as error:
        yield Finding(
            "Neo4j",
            CheckState.WRONG,
            f"{shown} does not answer: {error}",
            "start it, or correct RECOLLECT_NEO4J_URI",
        )


async def check_redis(settings: Settings, holder: Holder | None) -> Finding:
    """Ask the server for its version."""
    url = settings.redis.url or (read_url(data_folder(settings.data_dir) / "redis") if holder else None)
    if url is None:
        return _redis_program()
    shown = without_credentials(url)
    try:
        async with Redis.from_url(
            url, socket_connect_timeout=_CONNECT_SECONDS, socket_timeout=_ANSWER_SECONDS
        ) as client:
            info = await client.info("server")
    except AuthenticationError:
        remedy = "correct user and password in RECOLLECT_REDIS_URL"
        return Finding("Redis", CheckState.WRONG, f"{shown} refuses the login", remedy)
    except (RedisError, OSError, ValueError) as error:
        return Finding(
            "Redis",
            CheckState.WRONG,
            f"{shown} does not answer: {error}",
            "start it, or correct RECOLLECT_REDIS_URL",
        )
    return Finding("Redis", CheckState.FOUND, f"{info['redis_version']} at {shown}")


async def check_qdrant(settings: Settings) -> Finding | None:
    """Ask the server whether it is ready; None where it is not enabled. Nothing needs it."""
    chosen = tier_settings(settings)
    if not chosen.enabled:
        return None
    address = f"{without_credentials(chosen.host)}:{chosen.port}"
    try:
        tier = await asyncio.to_thread(open_tier, chosen, "")
    except TierFailed as error:
        remedy = "`make extra NAME=qdrant`, or correct RECOLLECT_QDRANT_HOST"
        return Finding("Qdrant", CheckState.WRONG, str(error), remedy, needed=False)
    health = await tier.health()
    await tier.close()
    if health.ok:
        return Finding("Qdrant", CheckState.FOUND, f"ready at {address} after {health.latency_ms:.0f} ms")
    remedy = (
        "start it, or correct RECOLLECT_QDRANT_HOST and _PORT; recall uses the graph's own index meanwhile"
    )
    return Finding(
        "Qdrant", CheckState.WRONG, f"{address} is not ready: {health.error}", remedy, needed=False
    )


def _neo4j_of(settings: Settings, holder: Holder | None) -> tuple[str, str, str | None] | None:
    """Return URI, user and password of the server to check, if there is one."""
    if settings.neo4j.uri is not None:
        password = settings.neo4j.password
        return settings.neo4j.uri, settings.neo4j.user, password.get_secret_value() if password else None
    address = read_address(data_folder(settings.data_dir) / "neo4j") if holder else None
    return (address.uri, address.user, address.password) if address else None


@asynccontextmanager
async def _driver(uri: str, user: str, password: str | None) -> AsyncIterator[AsyncDriver]:
    auth = (user, password) if password is not None else None
    async with AsyncGraphDatabase.driver(
        uri,
        auth=auth,
        connection_timeout=_CONNECT_SECONDS,
        connection_acquisition_timeout=_ANSWER_SECONDS,
    ) as driver:
        yield driver


async def _server(database: Database, uri: str) -> Finding:
    server = await queries.get_server(database)
    return Finding("Neo4j", CheckState.FOUND, f"{server.version} {server.edition} at {uri}")


async def _indexes(database: Database) -> AsyncIterator[Finding]:
    report = await inspect_indexes(database)
    if report.missing:
        remedy = "`recollect up` or `recollect serve` creates them"
        yield Finding("Schema", CheckState.MISSING, f"without {', '.join(report.missing)}", remedy)
    else:
        yield Finding("Schema", CheckState.FOUND, "complete")
    if report.failed:
        remedy = "drop them in Neo4j Browser and start Recollect again, which builds them again"
        yield Finding("Indexes", CheckState.WRONG, f"failed: {', '.join(report.failed)}", remedy)
    elif report.building:
        progress = ", ".join(f"{name} {percent:.0f} %" for name, percent in report.building.items())
        yield Finding(
            "Indexes",
            CheckState.MISSING,
            f"being built: {progress}",
            "wait until they are online",
            needed=False,
        )
    else:
        yield Finding("Indexes", CheckState.FOUND, f"{len(report.online)} online")


def _redis_program() -> Finding:
    try:
        return Finding(
            "Redis", CheckState.MISSING, f"{_NOT_RUNNING}; it would be {redis_program()}", _UP, needed=False
        )
    except RedisNotFound as error:
        return Finding("Redis", CheckState.MISSING, _NOT_RUNNING, str(error), needed=False)
