"""The checks of the servers: whether they answer, their versions, and whether the graph's indexes serve."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.bootstrap.vector_tier import open_tier, tier_settings
from app.cli.doctor.findings import CheckState, Finding
from app.embedded.data_folder import Holder
from app.embedded.errors import RedisNotFound
from app.embedded.neo4j import read_address
from app.embedded.redis import read_url, redis_program
from app.settings import Settings
from graph.core.database import Database
from graph.core.ports import TierFailed
from graph.operations.admin import queries
from graph.operations.admin.service import inspect_indexes

_OLDEST_NEO4J = 2026
"""Filters inside the vector index (the clause SEARCH of Cypher 25) came with the releases of that year."""
_CONNECT_SECONDS = 3.0
_ANSWER_SECONDS = 10.0
_NOT_RUNNING = "not running"
_UP = "`recollect up` starts it"


async def check_neo4j(settings: Settings, holder: Holder | None) -> AsyncIterator[Finding]:
    """Ask the server for its version, and compare its indexes with the migrations."""
    target = _neo4j_of(settings, holder)
    if target is None:
        yield Finding("Neo4j", CheckState.MISSING, _NOT_RUNNING, _UP, needed=False)
        return
    uri, user, password = target
    try:
        async with _driver(uri, user, password) as driver:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await driver.verify_connectivity()
            database = Database(driver, name=settings.neo4j.database, timeout_seconds=_ANSWER_SECONDS)
            yield await _server(database, uri)
            async for finding in _indexes(database):
                yield finding
    except AuthError:
        remedy = "set RECOLLECT_NEO4J_USER and RECOLLECT_NEO4J_PASSWORD"
        yield Finding("Neo4j", CheckState.WRONG, f"{uri} refuses user {user}", remedy)
    except (DriverError, Neo4jError, OSError, ValueError) as error:
        yield Finding(
            "Neo4j",
            CheckState.WRONG,
            f"{uri} does not answer: {error}",
            "start it, or correct RECOLLECT_NEO4J_URI",
        )


async def check_redis(settings: Settings, holder: Holder | None) -> Finding:
    """Ask the server for its version."""
    url = settings.redis.url or (read_url(settings.data_dir.resolve() / "redis") if holder else None)
    if url is None:
        return _redis_program()
    try:
        async with Redis.from_url(
            url, socket_connect_timeout=_CONNECT_SECONDS, socket_timeout=_ANSWER_SECONDS
        ) as client:
            info = await client.info("server")
    except (RedisError, OSError, ValueError) as error:
        return Finding(
            "Redis",
            CheckState.WRONG,
            f"{url} does not answer: {error}",
            "start it, or correct RECOLLECT_REDIS_URL",
        )
    return Finding("Redis", CheckState.FOUND, f"{info['redis_version']} at {url}")


async def check_qdrant(settings: Settings) -> Finding | None:
    """Ask the server whether it is ready; None where it is not enabled. Nothing needs it."""
    chosen = tier_settings(settings)
    if not chosen.enabled:
        return None
    address = f"{chosen.host}:{chosen.port}"
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
    """Return URI, user and password of the server that is to be asked, if there is one."""
    if settings.neo4j.uri is not None:
        password = settings.neo4j.password
        return settings.neo4j.uri, settings.neo4j.user, password.get_secret_value() if password else None
    address = read_address(settings.data_dir.resolve() / "neo4j") if holder else None
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
    found = f"{server.version} {server.edition} at {uri}"
    year = server.version.partition(".")[0]
    if year.isdigit() and int(year) < _OLDEST_NEO4J:
        return Finding("Neo4j", CheckState.WRONG, found, f"use Neo4j {_OLDEST_NEO4J} or later")
    return Finding("Neo4j", CheckState.FOUND, found)


async def _indexes(database: Database) -> AsyncIterator[Finding]:
    report = await inspect_indexes(database)
    if report.missing:
        remedy = "`recollect up` or `recollect serve` applies the migrations"
        yield Finding("Migrations", CheckState.MISSING, f"without {', '.join(report.missing)}", remedy)
    else:
        yield Finding("Migrations", CheckState.FOUND, "all applied")
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
