"""Checks of ``recollect doctor``: each returns its result and, after a failure, the remedy."""

import asyncio
import platform
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from packaging.requirements import Requirement
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, RedisError
from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_after_attempt, wait_fixed

from app.bootstrap.embedders import ModelChoice, choose, reads_english_only
from app.bootstrap.vectors import open_tier, tier_settings
from app.cli.doctor import CheckState, Finding, without_credentials
from app.cli.profile import is_named, running_port
from app.client.loopback import is_here
from app.embedded.data_folder import Holder, data_folder, find_holder
from app.embedded.errors import JavaNotFound, RedisNotFound
from app.embedded.jars import missing_jars, read_list
from app.embedded.java import VECTOR_MODULE, choose_java
from app.embedded.neo4j import read_address
from app.embedded.ports import LOOPBACK, is_free
from app.embedded.redis import read_url, redis_program
from app.settings import MachineSettings, Settings
from graph.core.database import Database, is_too_old, requirement
from graph.core.errors import RecollectError, Unavailable
from graph.core.ports import TierFailed
from graph.core.text.detection import foreign_share
from graph.operations import queries
from graph.operations.admin import inspect_indexes
from graph.operations.round_trip import Stage
from graph.operations.status import CHANGE_OVER, UNREAD_SHARE, sampled_texts
from graph.vectors.index.service import find_indexes

_SECONDS = 10.0
_TRIES = 3  # a busy service may miss a deadline
_AGAIN_SECONDS = 3.0
_CHECK = "Service"
_ANY_HOST = ("0.0.0.0", "::", "")  # noqa: S104 - nothing is bound to it


async def serves(host: str, port: int) -> bool:
    """Tell whether a service of Recollect, ready or not, listens at a port of this machine."""
    here = LOOPBACK if host in _ANY_HOST else host
    try:
        async with httpx.AsyncClient(timeout=_SECONDS, trust_env=False) as http:
            answer = await http.get(httpx.URL(scheme="http", host=here, port=port, path="/ready"))
            body = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return False
    return isinstance(body, dict) and {"failed", "missing"} <= body.keys()


def _last_result(tries: RetryCallState) -> Any:
    return tries.outcome.result() if tries.outcome else None


async def _readiness(http: httpx.AsyncClient, address: str) -> dict[str, Any]:
    state: dict[str, Any] = (await http.get(address)).json()
    return state


async def check_service(url: str, *, is_needed: bool) -> Finding:
    """Check the readiness of the service that commands use.

    Args:
        url: Address of the service.
        is_needed: True if a setting names this service.
    """
    shown = without_credentials(url)
    try:
        async with httpx.AsyncClient(timeout=_SECONDS, trust_env=not is_here(url)) as http:
            retrying = AsyncRetrying(
                retry=retry_if_result(lambda state: state["failed"] is not None),
                wait=wait_fixed(_AGAIN_SECONDS),
                stop=stop_after_attempt(_TRIES),
                retry_error_callback=_last_result,
            )
            body: dict[str, Any] = await retrying(_readiness, http, f"{url.rstrip('/')}/ready")
            failed, missing = body["failed"], ", ".join(body["missing"])
    except httpx.ReadTimeout:
        found, remedy = (
            f"{shown} takes more than {_SECONDS:.0f} seconds to answer",
            "wait until it is less busy",
        )
        return Finding(_CHECK, CheckState.WRONG, found, remedy, needed=is_needed)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        remedy = "`recollect up` starts one, or correct RECOLLECT_API_URL or `recollect login`"
        found = f"{shown} does not answer ({type(error).__name__})"
        return Finding(_CHECK, CheckState.MISSING, found, remedy, needed=is_needed)
    except (ValueError, KeyError, TypeError):
        remedy = "correct RECOLLECT_API_URL or `recollect login`"
        return Finding(
            _CHECK, CheckState.WRONG, f"{shown} is no service of Recollect", remedy, needed=is_needed
        )
    lacks = f"; without {missing}" if missing else ""
    if failed is None:
        return Finding(_CHECK, CheckState.FOUND, f"ready at {shown}{lacks}")
    if failed == Stage.STARTING:
        found, remedy = f"{shown} is still starting{lacks}", "wait until it has started"
    else:
        found = f"{shown} is not ready: {failed} fails{lacks}"
        remedy = "run `recollect doctor` on the machine where it runs"
    return Finding(_CHECK, CheckState.WRONG, found, remedy, needed=is_needed)


_CONNECT_SECONDS = 3.0
_ANSWER_SECONDS = 10.0
_NOT_RUNNING = "not running"
_UP = "`recollect up` starts it"


async def check_neo4j(settings: Settings, holder: Holder | None) -> AsyncIterator[Finding]:
    """Check the server's version, and compare its indexes with the schema."""
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
            if (unread := await _languages(database)) is not None:
                yield unread
    except AuthError:
        remedy = "set RECOLLECT_NEO4J_USER and RECOLLECT_NEO4J_PASSWORD"
        yield Finding("Neo4j", CheckState.WRONG, f"{shown} refuses user {user}", remedy)
    except RecollectError as error:  # raised by requests after the first response
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
    """Check the server's version."""
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
    """Check the readiness of the server, which is optional; None if it is not enabled."""
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
    """Return URI, user and password of the server to check, or None."""
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
        # a new store lacks properties that queries read; the driver would print a notice of each
        notifications_min_severity="OFF",
    ) as driver:
        yield driver


async def _server(database: Database, uri: str) -> Finding:
    server = await queries.get_server(database)
    return Finding("Neo4j", CheckState.FOUND, f"{server.version} {server.edition} at {uri}")


async def _languages(database: Database) -> Finding | None:
    """Report a store with many texts in languages that its embedding model does not support; None for others."""
    indexes = await find_indexes(database)
    if indexes is None or indexes.active is None or not reads_english_only(indexes.active.signature):
        return None
    share = await asyncio.to_thread(foreign_share, await sampled_texts(database))
    if share < UNREAD_SHARE:
        return None
    found = f"{share:.0%} of the memories are in languages that {indexes.active.signature} does not read"
    return Finding("Languages", CheckState.MISSING, found, f"`{CHANGE_OVER}`", needed=False)


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


_OLDEST_PYTHON = (3, 11)
_EXTRAS = {"transformers": "sentence_transformers", "static": "model2vec"}
"""Package of each optional source of embeddings."""


def check_python() -> Finding:
    """Check the version of Python."""
    found = platform.python_version()
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("Python", CheckState.WRONG, found, "run it with Python 3.11 or later")
    return Finding("Python", CheckState.FOUND, found)


def check_packages() -> Finding:
    """Check the declared dependencies, without extras."""
    declared = [Requirement(text) for text in requires("recollect") or []]
    needed = [
        requirement for requirement in declared if requirement.marker is None or requirement.marker.evaluate()
    ]
    wrong = [text for requirement in needed if (text := _objection(requirement))]
    if wrong:
        return Finding(
            "Packages", CheckState.WRONG, ", ".join(wrong), "`make up` installs what requirements.lock names"
        )
    shown = ("litestar", "strawberry-graphql", "neo4j", "redis", "onnxruntime")
    return Finding("Packages", CheckState.FOUND, ", ".join(f"{name} {version(name)}" for name in shown))


def check_embedder(settings: Settings) -> Finding:
    """Check the configured model's files, and the checksum of a local one; calls no provider."""
    try:
        choice = choose(settings.embedding)
    except ValueError as error:
        return Finding(
            "Embedder", CheckState.WRONG, str(error), "correct the settings of the embedder (.env.example)"
        )
    if choice is None:
        return Finding("Embedder", CheckState.FOUND, "none: recall works from keywords")
    if choice.local_model is not None:
        sha256 = choice.local_model.artifact.sha256
        return _local_model(choice, sha256, settings.embedding.local_folder)
    package = _EXTRAS.get(choice.source)
    if package is not None and find_spec(package) is None:
        remedy = f"`make extra NAME={choice.source}` installs it"
        return Finding(
            "Embedder", CheckState.MISSING, f"{choice.name} needs {package}, which is not installed", remedy
        )
    return Finding("Embedder", CheckState.FOUND, f"{choice.source}: {choice.name}")


def check_language_model(settings: Settings) -> Finding:
    """Check the package for the configured language model, without a request to the model."""
    llm = settings.llm
    if llm.url is None:
        return Finding("Language model", CheckState.FOUND, "none: nothing needs one")
    if find_spec("pydantic_ai") is None:
        remedy = "`make extra NAME=llm` installs it"
        return Finding(
            "Language model",
            CheckState.MISSING,
            f"{llm.model} needs pydantic-ai, which is not installed",
            remedy,
        )
    return Finding("Language model", CheckState.FOUND, f"{llm.model} at {without_credentials(llm.url)}")


def check_data_folder(settings: Settings, holder: Holder | None) -> Finding:
    """Report the process that uses the data folder."""
    folder = data_folder(settings.data_dir)
    if holder is not None:
        return Finding(
            "Data folder", CheckState.FOUND, f"{folder}, held by process {holder.pid} (port {holder.port})"
        )
    if not folder.exists():
        return Finding(
            "Data folder", CheckState.MISSING, str(folder), "`recollect up` makes it", needed=False
        )
    return Finding("Data folder", CheckState.FOUND, f"{folder}, held by nobody")


def check_ports(
    settings: Settings, holder: Holder | None, api_port: int, *, is_served: bool
) -> Iterator[Finding]:
    """Check whether the configured ports are free or used by Recollect.

    Args:
        settings: Settings of this machine.
        holder: Process that uses its data folder.
        api_port: Configured port of the API.
        is_served: True if a Recollect service answers at the API's port, such as ``recollect serve``.
    """
    if is_served:
        yield Finding("API port", CheckState.FOUND, f"{api_port} is in use by a service of Recollect")
    else:
        yield _port("API port", settings.host, api_port, holder, "RECOLLECT_PORT")
    if settings.neo4j.uri is None and settings.neo4j.bolt_port:
        yield _port("Bolt port", LOOPBACK, settings.neo4j.bolt_port, holder, "RECOLLECT_NEO4J_BOLT_PORT")
    if settings.neo4j.uri is None and settings.neo4j.http_port:
        yield _port("Browser port", LOOPBACK, settings.neo4j.http_port, holder, "RECOLLECT_NEO4J_HTTP_PORT")


def check_java() -> Finding:
    """Check the Java for the embedded Neo4j."""
    try:
        java = choose_java(MachineSettings().java_home)
    except JavaNotFound as error:
        return Finding("Java", CheckState.WRONG, str(error), "set JAVA_HOME to a JDK of version 21 or later")
    found = f"{java.version} ({java.source}: {java.executable}), {VECTOR_MODULE} "
    if java.has_vector:
        return Finding("Java", CheckState.FOUND, found + "present")
    remedy = "vector search is faster on a full JDK of version 21 or later: install one"
    return Finding("Java", CheckState.FOUND, found + "absent", remedy)


def check_jars() -> Finding:
    """Check the embedded Neo4j's jars and their checksums."""
    jars, missing = read_list(), missing_jars()
    if missing:
        found = f"{len(missing)} of {len(jars)} not there or damaged, such as {missing[0].coordinate}"
        return Finding("Neo4j jars", CheckState.MISSING, found, "`recollect up` fetches them", needed=False)
    return Finding(
        "Neo4j jars", CheckState.FOUND, f"{len(jars)} jars, {sum(jar.size for jar in jars) // 1_000_000} MB"
    )


def _local_model(choice: ModelChoice, sha256: str, folder: Path | None) -> Finding:
    place = choice.missing_file(folder)
    if place is None:
        return Finding("Embedder", CheckState.FOUND, f"{choice.name} on onnxruntime, sha256 {sha256[:12]}…")
    if folder is not None:
        remedy = "put the published file there, or correct RECOLLECT_EMBEDDING_LOCAL_FOLDER"
        return Finding("Embedder", CheckState.WRONG, f"{place} is missing or another file", remedy)
    found = f"{choice.name} is not there, or damaged"
    return Finding("Embedder", CheckState.MISSING, found, "`recollect up` fetches it", needed=False)


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
        return Finding(check, CheckState.FOUND, f"{port} is free")
    if holder is not None:
        return Finding(check, CheckState.FOUND, f"{port} is in use while process {holder.pid} runs")
    return Finding(check, CheckState.WRONG, f"{port} is in use", f"stop what listens there, or set {setting}")


async def examine(settings: Settings, url: str) -> list[Finding]:
    """Run every check; none starts, changes or repairs anything.

    Args:
        settings: Settings of this machine.
        url: Service that commands use; if it is on another machine, its servers are not checked here.
    """
    if not is_here(url):
        return [check_python(), check_packages(), await check_service(url, is_needed=True)]
    holder = await asyncio.to_thread(find_holder, data_folder(settings.data_dir))
    findings = [
        check_python(),
        check_packages(),
        check_embedder(settings),
        check_language_model(settings),
        check_data_folder(settings, holder),
    ]
    port = running_port(settings) or settings.port
    findings += check_ports(settings, holder, port, is_served=await serves(settings.host, port))
    if settings.neo4j.uri is None:
        findings += [await asyncio.to_thread(check_java)]
        findings += [await asyncio.to_thread(check_jars)]
    findings += [finding async for finding in check_neo4j(settings, holder)]
    findings.append(await check_redis(settings, holder))
    qdrant = await check_qdrant(settings)
    findings += [qdrant] if qdrant else []
    return [*findings, await check_service(url, is_needed=is_named(settings, url))]
