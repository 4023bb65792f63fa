"""The service is killed while it works: it keeps every acknowledged save and finishes each once."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from app.embedded.ports import free_port
from tests.fixtures.app import ADMIN_KEY, GraphQLClient
from tests.fixtures.waiting import until

ROOT = Path(__file__).parents[2]
SAVES = 1000
PROGRAM = """
from app.cli import main
from app.cli.servers import api_server
from tests.faults.conftest import open_mortal_runtime
api_server.open_runtime = open_mortal_runtime
main()
"""
SAVE = """
mutation($ws: ID, $input: SaveMemoryInput!) {
  saveMemory(input: $input, workspaceId: $ws) { outcome memory { id } }
}
"""
PAGE = """
query($ws: ID, $after: String) {
  memories(workspaceId: $ws, first: 200, after: $after) {
    totalCount edges { node { id key state content } } pageInfo { hasNextPage endCursor }
  }
}
"""
WORK = "query($ws: ID!) { engine(workspaceIds: [$ws]) { workspaces { embedded pendingJobs failedJobs } } }"


class Service:
    """A ``recollect serve`` process whose jobs other workers take soon after it was killed."""

    def __init__(self, environment: Mapping[str, str], port: int, log: Path) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._log = log.open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "serve"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._log.close()

    async def answers(self) -> bool:
        assert self._process.poll() is None, "the service ended by itself"
        try:
            async with httpx.AsyncClient() as client:
                return (await client.get(f"{self.url}/health")).status_code == 200
        except httpx.TransportError:
            return False


@pytest.fixture
def services_started(mortal_settings, tmp_path) -> Iterator["Starter"]:
    starter = Starter(mortal_settings, tmp_path)
    yield starter
    starter.kill_all()


class Starter:
    """Starts services with the same settings, one after the other."""

    def __init__(self, settings, folder: Path) -> None:
        self._port = free_port()
        self._log = folder / "service.log"
        self._running: list[Service] = []
        self._environment = {
            "PATH": os.defpath,
            "PYTHONUNBUFFERED": "1",
            "RECOLLECT_PORT": str(self._port),
            "RECOLLECT_ADMIN_KEY": ADMIN_KEY,
            "RECOLLECT_NEO4J_URI": settings.neo4j.uri,
            "RECOLLECT_NEO4J_PASSWORD": settings.neo4j.password.get_secret_value(),
            "RECOLLECT_REDIS_URL": settings.redis.url,
        }

    async def start(self) -> Service:
        service = Service(self._environment, self._port, self._log)
        self._running.append(service)
        try:
            await until(service.answers, seconds=240)
        except BaseException:
            print(self._log.read_text())
            raise
        return service

    def kill_all(self) -> None:
        for service in self._running:
            service.kill()


async def save_all(client: GraphQLClient, workspace_id: str, kill=None) -> dict[str, str]:
    """Save 1,000 memories concurrently; return key and id of the acknowledged ones.

    Args:
        client: Client of the service.
        workspace_id: The workspace of the memories.
        kill: Called once half of them are acknowledged; if None, every save must succeed.
    """
    acknowledged: dict[str, str] = {}
    connections = asyncio.Semaphore(32)

    async def save(number: int) -> None:
        key = f"crash {number}"
        async with connections:
            try:
                data = await client.ok(
                    SAVE, ws=workspace_id, input={"content": f"fact number {number} of many", "key": key}
                )
            except httpx.TransportError:
                if kill is None:
                    raise
                return
        acknowledged[key] = data["saveMemory"]["memory"]["id"]
        if kill is not None and len(acknowledged) == SAVES // 2:
            kill()

    await asyncio.gather(*(save(number) for number in range(SAVES)))
    return acknowledged


async def stored(client: GraphQLClient, workspace_id: str) -> list[dict]:
    found, after = [], None
    while True:
        page = (await client.ok(PAGE, ws=workspace_id, after=after))["memories"]
        found += [edge["node"] for edge in page["edges"]]
        if not page["pageInfo"]["hasNextPage"]:
            assert len(found) == page["totalCount"]
            return found
        after = page["pageInfo"]["endCursor"]


@pytest.mark.timeout(900)
async def test_every_acknowledged_save_survives_and_is_embedded_once(services_started) -> None:
    """Kill -9 in the middle of 1,000 saves; the client then sends all of them again."""
    service = await services_started.start()
    limits = httpx.Limits(max_connections=32)
    async with httpx.AsyncClient(base_url=service.url, timeout=60, limits=limits) as http:
        client = GraphQLClient(http, ADMIN_KEY)
        made = await client.ok('mutation { createWorkspace(input: {name: "crash"}) { id } }')
        workspace_id = made["createWorkspace"]["id"]

        acknowledged = await save_all(client, workspace_id, service.kill)
        await services_started.start()
        survived = await stored(client, workspace_id)
        again = await save_all(client, workspace_id)

        async def done() -> bool:
            (work,) = (await client.ok(WORK, ws=workspace_id))["engine"]["workspaces"]
            return work == {"embedded": SAVES, "pendingJobs": 0, "failedJobs": 0}

        await until(done, seconds=240)
        finished = await stored(client, workspace_id)

    assert SAVES // 2 <= len(acknowledged) < SAVES
    ids = {memory["key"]: memory["id"] for memory in survived}
    assert acknowledged.items() <= ids.items()
    assert max(Counter(memory["key"] for memory in survived).values()) == 1
    assert ids.items() <= again.items()
    assert {memory["key"]: memory["id"] for memory in finished} == again
    assert len(finished) == SAVES
    assert {memory["state"] for memory in finished} == {"LINKED"}
