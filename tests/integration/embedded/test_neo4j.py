"""The embedded Neo4j: a real Community server on loopback that restarts after a kill."""

import asyncio
import os
import signal
import stat
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator

import psutil
import pytest
from neo4j import AsyncGraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from app.embedded import neo4j
from app.embedded.errors import PortTaken, ServerFailed
from app.embedded.neo4j import EmbeddedNeo4j, Neo4jAddress
from app.embedded.ports import free_port

PARENT = """
import asyncio, sys
from pathlib import Path
from app.embedded.neo4j import EmbeddedNeo4j

async def main():
    server = EmbeddedNeo4j(Path(sys.argv[1]), heap_mb=512, pagecache_mb=64)
    await server.start()
    print(server.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def query(address: Neo4jAddress, text: str, *, password: str | None = None) -> list[dict]:
    auth = (address.user, password or address.password)
    async with AsyncGraphDatabase.driver(address.uri, auth=auth, connection_timeout=5) as driver:
        return [record.data() for record in (await driver.execute_query(text)).records]


until_answers = retry(
    retry=retry_if_exception_type((DriverError, Neo4jError)), wait=wait_fixed(0.2), stop=stop_after_delay(120)
)(query)


@pytest.fixture(scope="module")
async def server(tmp_path_factory, class_archive) -> AsyncIterator[EmbeddedNeo4j]:
    server = EmbeddedNeo4j(
        tmp_path_factory.mktemp("neo4j"), heap_mb=512, pagecache_mb=64, class_archive=class_archive
    )
    await server.start()
    yield server
    await server.stop()


async def test_the_embedded_server_is_a_complete_community_edition(server):
    components = await query(server.address, "CALL dbms.components() YIELD name, edition")

    assert {"name": "Neo4j Kernel", "edition": "community"} in components


async def test_the_password_is_generated_and_readable_for_its_owner_only(server):
    assert server.password_file.read_text() == server.address.password
    assert stat.S_IMODE(server.password_file.stat().st_mode) == 0o600
    with pytest.raises(AuthError):
        await query(server.address, "RETURN 1", password="neo4j")


async def test_wrong_passwords_of_others_do_not_lock_the_service_out(server):
    for _ in range(5):
        with pytest.raises(AuthError):
            await query(server.address, "RETURN 1", password="not the password")

    assert await query(server.address, "RETURN 1 AS one") == [{"one": 1}]


async def test_the_embedded_server_listens_on_loopback_only(server):
    listening = {
        connection.laddr.ip.removeprefix("::ffff:")
        for connection in psutil.Process(server.pid).net_connections()
        if connection.status == psutil.CONN_LISTEN
    }

    assert listening == {"127.0.0.1"}


async def test_browser_receives_the_chosen_bolt_port(server):
    (setting,) = await query(
        server.address, "SHOW SETTINGS 'server.bolt.advertised_address' YIELD value RETURN value"
    )

    assert f"bolt://{setting['value']}" == server.address.uri


async def test_a_second_server_takes_other_ports(server, tmp_path, class_archive):
    other = EmbeddedNeo4j(tmp_path, heap_mb=512, pagecache_mb=64, class_archive=class_archive)
    try:
        address = await other.start()

        assert {address.uri, address.browser_url}.isdisjoint({server.address.uri, server.address.browser_url})
        assert await query(address, "RETURN 1 AS one") == [{"one": 1}]
    finally:
        await other.stop()


async def test_another_server_on_the_port_is_never_logged_in_to(server, tmp_path, monkeypatch):
    """C19: the child finds its port taken and is started on another one."""
    seen: list[bytes] = []

    async def listen(reader, writer) -> None:
        seen.append(await reader.read(20))
        writer.close()

    squatter = await asyncio.start_server(listen, "127.0.0.1", 0)
    taken = squatter.sockets[0].getsockname()[1]
    ports = iter([taken])
    monkeypatch.setattr(neo4j, "choose_port", lambda wanted, *_: next(ports, None) or wanted or free_port())
    late = EmbeddedNeo4j(tmp_path, heap_mb=512, pagecache_mb=64)
    try:
        address = await late.start()
        assert address.uri != f"bolt://127.0.0.1:{taken}"
        assert await query(address, "RETURN 1 AS one") == [{"one": 1}]
    finally:
        await late.stop()
        squatter.close()
    assert seen == []
    assert await query(server.address, "RETURN 1 AS one") == [{"one": 1}]


async def test_a_failed_start_shows_the_servers_own_error(tmp_path):
    """C19: the message is the server's own error, not the JVM's last output."""
    with pytest.raises(ServerFailed, match="exceeds physical memory") as raised:
        await EmbeddedNeo4j(tmp_path, heap_mb=512, pagecache_mb=2**30).start()

    (line,) = str(raised.value).splitlines()
    assert line.endswith(f"its log is {tmp_path / 'logs' / 'neo4j.log'}")


async def test_a_taken_port_is_refused_by_its_setting(server, tmp_path):
    taken = int(server.address.uri.rpartition(":")[2])

    with pytest.raises(PortTaken, match=rf"port {taken} is in use.*RECOLLECT_NEO4J_BOLT_PORT"):
        await EmbeddedNeo4j(tmp_path, bolt_port=taken, http_port=free_port()).start()


async def test_a_killed_server_comes_back_with_its_data_at_the_same_address(server):
    await query(server.address, "CREATE (:Kept {n: 1})")
    killed = server.pid

    os.kill(killed, signal.SIGKILL)
    rows = await until_answers(server.address, "MATCH (kept:Kept) RETURN kept.n AS n")

    assert rows == [{"n": 1}]
    assert server.pid != killed


async def test_stopped_and_started_it_has_its_data_and_password(server):
    before = server.address
    pid = server.pid
    await query(before, "MERGE (:Stays {n: 2})")

    await server.stop()
    gone = not psutil.pid_exists(pid)
    after = await server.start()

    assert gone
    assert after.password == before.password
    assert await query(after, "MATCH (stays:Stays) RETURN stays.n AS n") == [{"n": 2}]


async def test_a_password_file_that_is_not_the_servers_is_named(server):
    """After a manual change or a loss of the file, the server still has the previous password."""
    password = server.password_file.read_text()
    await server.stop()
    server.password_file.write_text("another password")
    try:
        with pytest.raises(ServerFailed, match="is not the server's") as refused:
            await server.start()
        assert str(server.password_file) in str(refused.value)
        assert server.pid is None
    finally:
        server.password_file.write_text(password)
        await server.start()

    assert await query(server.address, "RETURN 1 AS one") == [{"one": 1}]


async def test_a_killed_parent_leaves_no_server_and_the_folder_can_be_used_again(tmp_path, class_archive):
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, tmp_path, stdout=PIPE)
    pid = int(await parent.stdout.readline())
    assert psutil.pid_exists(pid)

    parent.kill()
    await parent.wait()
    again = EmbeddedNeo4j(tmp_path, heap_mb=512, pagecache_mb=64, class_archive=class_archive)
    try:
        address = await again.start()

        assert not psutil.pid_exists(pid)
        assert await query(address, "RETURN 1 AS one") == [{"one": 1}]
    finally:
        await again.stop()


@pytest.mark.parametrize("ends_by_itself", [True, False])
async def test_an_incomplete_class_archive_is_removed(tmp_path, monkeypatch, ends_by_itself):
    archive = tmp_path / "classes.jsa"
    server = EmbeddedNeo4j(tmp_path / "neo4j", class_archive=archive)

    async def stop() -> bool:
        archive.write_bytes(b"classes")
        return ends_by_itself

    monkeypatch.setattr(server._process, "stop", stop)

    await server.stop()

    assert archive.exists() is ends_by_itself


async def test_an_aborted_start_leaves_no_class_archive(tmp_path):
    """Every later start would read the partial archive and load the other classes without it."""
    archive = tmp_path / "classes.jsa"
    server = EmbeddedNeo4j(tmp_path / "neo4j", heap_mb=512, pagecache_mb=64, class_archive=archive)
    start = asyncio.create_task(server.start())
    while server.pid is None:
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)

    start.cancel()

    with pytest.raises(asyncio.CancelledError):
        await start
    assert not archive.exists()
