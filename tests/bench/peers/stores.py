"""The compared stores: four peers, each a process in its own environment, and the service."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import psutil

from graph.operations.services import Services
from tests.bench.engine import engine, servers, settle
from tests.bench.peers.environment import installed, version_of
from tests.bench.peers.processes.answering import Row
from tests.bench.peers.workload import Group, Workload
from tests.bench.script import Save
from tests.bench.service import ROOT, Service, service, stop, timed

_BATCH = 100
_LONGEST_LINE = 1024 * 1024


@dataclass(frozen=True)
class Answer:
    """Ids of the hits of a search, best first, and its duration in seconds."""

    ids: Sequence[str]
    seconds: float


class Store(Protocol):
    """Measured operations of a store."""

    async def fill(self, group: Group) -> None:
        """Save a chat."""
        ...

    async def save(self, group: str, rows: Sequence[Row]) -> float:
        """Save rows by the store's bulk operation and return the seconds."""
        ...

    async def search(self, group: str, text: str, limit: int) -> Answer: ...

    def megabytes(self) -> float:
        """Return the memory of the process, in 10^6 bytes."""
        ...


@dataclass(frozen=True)
class Contender:
    """One store, and the function that opens it.

    Attributes:
        way: Description of the measured operation.
        opened: Opens the store over its own servers; the folder contains its environment.
    """

    name: str
    way: str
    opened: Callable[[Path, Workload], AbstractAsyncContextManager[tuple[Store, str]]]


class PeerFailed(Exception):
    """Raised if a peer's process exits; the text is the last line of its output."""


@dataclass
class PeerStore:
    """Client of a peer's process."""

    process: asyncio.subprocess.Process
    said: Path
    vectors: Mapping[str, Sequence[float]]

    async def fill(self, group: Group) -> None:
        await self.save(group.name, group.rows)

    async def save(self, group: str, rows: Sequence[Row]) -> float:
        seconds = 0.0
        for first in range(0, len(rows), _BATCH):
            given = [
                {"id": row.id, "text": row.text, "vector": self.vectors[row.text]}
                for row in rows[first : first + _BATCH]
            ]
            seconds += (await self._asked({"group": group, "save": given}))["seconds"]
        return seconds

    async def search(self, group: str, text: str, limit: int) -> Answer:
        asked = {"group": group, "search": text, "vector": self.vectors[text], "limit": limit}
        answer = await self._asked(asked)
        return Answer(answer["ids"], answer["seconds"])

    def megabytes(self) -> float:
        return float(psutil.Process(self.process.pid).memory_info().rss) / 1e6

    async def _asked(self, request: Mapping[str, Any]) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(ConnectionError):  # the response of an exited process is empty
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            await self.process.stdin.drain()
        answer = await self.process.stdout.readline()
        if not answer:
            last = self.said.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise PeerFailed(" ".join(last) or "its process ended")
        return json.loads(answer)


@asynccontextmanager
async def open_peer(
    module: str, package: str, beside: Sequence[str], folder: Path, work: Workload
) -> AsyncIterator[tuple[PeerStore, str]]:
    """Install a peer, start its process over its own servers, and yield it and its version.

    Args:
        module: Module of its process.
        package: Package to install.
        beside: Further packages to install.
        folder: Folder of the environments.
        work: Workload with the vectors.

    Raises:
        NotInstalled: A package could not be installed.
    """
    python = await installed(folder / package, package, *beside)
    async with servers() as settings:
        assert settings.neo4j.password is not None
        said = settings.data_dir / "said.txt"
        with said.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                python,
                "-m",
                f"tests.bench.peers.processes.{module}",
                cwd=ROOT,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                limit=_LONGEST_LINE,
            )
        try:
            assert process.stdin is not None
            store = {
                "uri": settings.neo4j.uri,
                "user": settings.neo4j.user,
                "password": settings.neo4j.password.get_secret_value(),
                "folder": str(settings.data_dir),
                "dimension": work.dimension,
            }
            process.stdin.write(json.dumps(store).encode() + b"\n")
            opened = PeerStore(process, said, work.vectors)
            yield opened, await version_of(python, package)
        finally:
            await stop(process)


@dataclass
class OurStore:
    """The service over HTTP; ``fill`` saves in process, as turns with speaker, time and conversation."""

    services: Services
    served: Service
    workspaces: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    async def fill(self, group: Group) -> None:
        workspace_id = await self._workspace(group.name)
        for step in group.script.steps:
            if isinstance(step, Save):
                receipts = await self.services.memories.store.save_all(workspace_id, step.drafts)
                ids = [receipt.memory.id for receipt in receipts]
                self.labels |= dict(zip(ids, step.labels, strict=True))
        await settle(self.services, workspace_id)

    async def save(self, group: str, rows: Sequence[Row]) -> float:
        workspace_id = await self._workspace(group)
        seconds = 0.0
        for first in range(0, len(rows), _BATCH):
            batch = rows[first : first + _BATCH]
            took, ids = await timed(self.served.client.save(workspace_id, [row.text for row in batch]))
            seconds += took
            self.labels |= {id_: row.id for id_, row in zip(ids, batch, strict=True)}
        if len(rows) > 1:
            seconds += (await timed(self.served.client.until_idle(workspace_id)))[0]
        return seconds

    async def search(self, group: str, text: str, limit: int) -> Answer:
        """Search twice and time the second request: its vector is cached, as peers receive theirs."""
        workspace_id = self.workspaces[group]
        await self.served.client.recall(workspace_id, text, limit=limit)
        seconds, found = await timed(self.served.client.recall(workspace_id, text, limit=limit))
        return Answer([self.labels[hit["memory"]["id"]] for hit in found["hits"]], seconds)

    def megabytes(self) -> float:
        return float(self.served.process.memory_info().rss) / 1e6

    async def _workspace(self, group: str) -> str:
        if group not in self.workspaces:
            self.workspaces[group] = (await self.services.tenancy.workspaces.create(group)).id
        return self.workspaces[group]


@asynccontextmanager
async def open_ours(_: Path, __: Workload) -> AsyncIterator[tuple[OurStore, str]]:
    """Start the service over its own servers."""
    async with servers() as settings, engine(settings) as runtime, service(settings) as served:
        yield OurStore(runtime.services, served), version("recollect")


CONTENDERS = (
    Contender("recollect", "recall over HTTP, as it is installed", open_ours),
    *(
        Contender(package, way, partial(open_peer, module, package, beside))
        for package, module, way, beside in (
            (
                "neo4j-graphrag",
                "graphrag",
                "HybridCypherRetriever, the group filtered behind its indexes",
                (),
            ),
            ("neo4j-agent-memory", "agent_memory", "search_messages with a metadata filter, threshold 0", ()),
            # graphiti-core 0.31 imports httpx but does not declare it.
            ("graphiti-core", "graphiti", "search: facts by words and vector, RRF", ("httpx",)),
            ("mem0ai", "mem0", "infer=False, its default store", ()),
        )
    ),
)
