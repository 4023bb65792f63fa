"""``recollect up`` from its first start to its last: its output, and no processes left behind."""

import asyncio
import json
import re
import shutil
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import psutil
import pytest
from neo4j import AsyncGraphDatabase
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from app.embedded.data_folder import find_holder
from app.embedded.neo4j import Neo4jAddress, read_address
from app.embedded.ports import free_port
from app.embedded.redis import read_url
from tests.fixtures.command_line import Running, run_to_end, start
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

SMALL = {
    "RECOLLECT_NEO4J_HEAP_MB": "512",
    "RECOLLECT_NEO4J_PAGECACHE_MB": "64",
    "RECOLLECT_EMBEDDING_SOURCE": "none",
}
KEY = re.compile(r"rk_[\w-]{40,}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("up")


@pytest.fixture(scope="module")
async def up(folder, class_archive) -> AsyncIterator[Running]:
    await asyncio.to_thread(share_class_archive, class_archive, folder / ".recollect" / "neo4j")
    running = await start("up", folder=folder, port=free_port(), **SMALL)
    try:
        await running.until_healthy()
        yield running
    finally:
        await running.stop()


def share_class_archive(archive: Path, folder: Path) -> None:
    """Copy the class archive, so that the server starts as fast as the tests' other servers."""
    folder.mkdir(parents=True)
    if archive.exists():
        shutil.copy(archive, folder / "classes.jsa")


@pytest.fixture
def new_folder(tmp_path, class_archive) -> Path:
    """Return the folder for a deployment that the test itself starts and stops."""
    share_class_archive(class_archive, tmp_path / ".recollect" / "neo4j")
    return tmp_path


@pytest.fixture(scope="module")
def address(up, folder) -> Neo4jAddress:
    return read_address(folder / ".recollect" / "neo4j")


@pytest.fixture(scope="module")
def servers(address, folder) -> dict[str, str]:
    """Return settings with the servers that ``up`` started."""
    return {
        "RECOLLECT_NEO4J_URI": address.uri,
        "RECOLLECT_NEO4J_PASSWORD": address.password,
        "RECOLLECT_REDIS_URL": read_url(folder / ".recollect" / "redis"),
        "RECOLLECT_EMBEDDING_SOURCE": "none",
    }


async def test_up_prints_every_address_but_not_the_password(up, address, folder) -> None:
    await up.until_printed("Ctrl-C")

    assert f"{up.url}/graphql" in up.output
    assert address.browser_url in up.output
    assert str(folder / ".recollect" / "neo4j" / "password") in up.output
    assert address.password not in up.output
    assert "settings set enabled true" in up.output, "memory is off, and what turns it on is said"


async def test_the_first_key_is_printed_and_works(up) -> None:
    await up.until_printed("Ctrl-C")
    (key,) = KEY.findall(up.output)

    async with httpx.AsyncClient(base_url=up.url, timeout=scaled_timeout(60)) as client:
        query = {"query": "{ __typename }"}
        with_key = await client.post("/graphql", json=query, headers={"Authorization": f"Bearer {key}"})
        without = await client.post("/graphql", json=query)

    assert with_key.json() == {"data": {"__typename": "Query"}}
    assert without.status_code == httpx.codes.UNAUTHORIZED


async def test_neo4j_browser_is_served(address) -> None:
    page = await fetch(address.browser_url)

    assert page.status_code == httpx.codes.OK
    assert "neo4j" in page.text.lower()


@retry(retry=retry_if_exception_type(httpx.TransportError), wait=wait_fixed(0.1), stop=stop_after_delay(60))
async def fetch(url: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as client:
        return await client.get(url)


async def test_a_second_start_on_a_folder_names_its_holder(up, folder) -> None:
    second = await run_to_end("up", folder=folder, RECOLLECT_PORT=str(free_port()))

    assert second.code == 1
    assert second.output == ""
    assert second.errors.count("\n") == 1
    assert f"held by process {up.process.pid}, which serves on port {httpx.URL(up.url).port}" in second.errors


@pytest.mark.parametrize("command", ["up", "serve"])
async def test_a_taken_api_port_is_one_clear_line(up, servers, tmp_path, command) -> None:
    ended = await run_to_end(command, folder=tmp_path, RECOLLECT_PORT=str(httpx.URL(up.url).port), **servers)

    assert ended.code == 1
    assert ended.errors.count("\n") == 1
    assert "choose another with RECOLLECT_PORT" in ended.errors


async def test_doctor_finds_everything_of_a_running_service(up, folder) -> None:
    async with httpx.AsyncClient(base_url=up.url, timeout=scaled_timeout(30)) as client:

        async def is_ready() -> bool:
            return (await client.get("/ready")).is_success

        await until(is_ready, seconds=120)

    ended = await run_to_end(
        "doctor", "--json", folder=folder, RECOLLECT_PORT=str(httpx.URL(up.url).port), **SMALL
    )
    findings = {finding["check"]: finding for finding in json.loads(ended.output)}

    assert ended.code == 0
    assert {name for name, finding in findings.items() if finding["state"] != "found"} == set()
    assert set(findings) >= {
        "Python",
        "Packages",
        "Java",
        "Neo4j jars",
        "Neo4j",
        "Schema",
        "Indexes",
        "Redis",
        "Service",
    }
    assert findings["Neo4j"]["found"].startswith("2026.08.1 community")
    assert str(up.process.pid) in findings["Data folder"]["found"]


async def test_up_starts_no_server_that_is_configured_elsewhere(up, servers, tmp_path) -> None:
    other = await start(
        "up", folder=tmp_path, port=free_port(), RECOLLECT_ADMIN_KEY="rk_chosen_by_automation", **servers
    )
    try:
        await other.until_printed("Ctrl-C")

        assert other.children() == []
        assert servers["RECOLLECT_NEO4J_URI"] in other.output
        assert "the one in RECOLLECT_ADMIN_KEY" in other.output
        assert KEY.findall(other.output) == []
    finally:
        assert await other.stop() == 0


async def test_serve_uses_the_configured_servers(up, servers, tmp_path) -> None:
    serving = await start("serve", folder=tmp_path, port=free_port(), **servers)
    try:
        await serving.until_healthy()

        assert serving.children() == []
    finally:
        assert await serving.stop(signal.SIGINT) == 0


@pytest.fixture
async def no_keys(address) -> AsyncIterator[None]:
    """Hide all API keys during the block, as in a new store."""
    auth = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.uri, auth=auth) as driver:
        await driver.execute_query("CYPHER 25 MATCH (key:ApiKey) REMOVE key:ApiKey SET key:SetAside")
        yield
        await driver.execute_query("CYPHER 25 MATCH (key:ApiKey) DETACH DELETE key")
        await driver.execute_query("CYPHER 25 MATCH (key:SetAside) REMOVE key:SetAside SET key:ApiKey")


async def test_serve_prints_the_first_key_and_a_worker_does_not_create_it(
    up, servers, no_keys, tmp_path
) -> None:
    """Only the process that creates the key can show it."""
    worker = await start("worker", folder=tmp_path, port=0, **servers)
    await worker.until_printed("working off background jobs")
    assert await worker.stop() == 0
    serving = await start("serve", folder=tmp_path, port=free_port(), **servers)
    try:
        await serving.until_healthy()
        await serving.until_printed("serving on")
        (key,) = KEY.findall(serving.output)
        async with httpx.AsyncClient(base_url=serving.url, timeout=scaled_timeout(60)) as client:
            answer = await client.post(
                "/graphql", json={"query": "{ __typename }"}, headers={"Authorization": f"Bearer {key}"}
            )

        assert answer.json() == {"data": {"__typename": "Query"}}
        assert KEY.findall(worker.output) == []
    finally:
        await serving.stop()


async def test_the_first_key_is_printed_even_if_the_start_fails_later(up, servers, no_keys, tmp_path) -> None:
    """The key exists by then, and no later start creates another."""
    proxied = {"RECOLLECT_PROXY_URL": "http://upstream.test", "HTTP_PROXY": "ftp://nowhere"}

    ended = await run_to_end("serve", folder=tmp_path, RECOLLECT_PORT=str(free_port()), **servers, **proxied)

    assert "ftp://nowhere" in ended.errors
    assert ended.code != 0
    assert len(KEY.findall(ended.output)) == 1


async def test_a_worker_runs_until_it_is_stopped(up, servers, tmp_path) -> None:
    worker = await start("worker", folder=tmp_path, port=0, **servers)

    await worker.until_printed("working off background jobs")

    assert await worker.stop() == 0


async def test_a_killed_neo4j_comes_back_at_the_same_address(up, address, folder) -> None:
    (killed,) = [child for child in up.children() if child.name() == "java"]

    killed.kill()
    await up.until_printed("embedded.is_back")
    await up.until_healthy()

    (java,) = [child for child in up.children() if child.name() == "java"]
    assert java.pid != killed.pid
    assert read_address(folder / ".recollect" / "neo4j") == address


async def test_sigint_stops_every_started_process(new_folder) -> None:
    running = await start("up", folder=new_folder, port=free_port(), **SMALL)
    try:
        await running.until_healthy()
        children = running.children()
        assert {child.name() for child in children} == {"java", "redis-server"}
    finally:
        code = await running.stop(signal.SIGINT)

    assert code == 0
    assert [child for child in children if child.is_running()] == []
    assert find_holder(new_folder / ".recollect") is None


async def test_after_a_kill_the_next_start_shows_no_key_and_has_the_old_ones(new_folder) -> None:
    """Kill -9 while it runs: the next start has the same store and the same keys."""
    killed = await start("up", folder=new_folder, port=free_port(), **SMALL)
    try:
        await killed.until_printed("Ctrl-C")
        (key,) = KEY.findall(killed.output)
        children = killed.children()
    finally:
        killed.process.kill()
        await killed.process.wait()

    again = await start("up", folder=new_folder, port=free_port(), **SMALL)
    try:
        await again.until_printed("Ctrl-C")
        async with httpx.AsyncClient(base_url=again.url, timeout=scaled_timeout(60)) as client:
            answer = await client.post(
                "/graphql", json={"query": "{ __typename }"}, headers={"Authorization": f"Bearer {key}"}
            )

        assert psutil.wait_procs(children, timeout=60)[1] == []
        assert KEY.findall(again.output) == []
        assert "shown at the first start" in again.output
        assert answer.json() == {"data": {"__typename": "Query"}}
    finally:
        assert await again.stop() == 0
