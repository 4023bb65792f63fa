"""Loaded store for measuring speed and memory, reusable in later runs if it has a folder."""

import json
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from app.settings import Settings
from graph.operations.services import Services
from tests.bench.engine import engine, servers, settle_all
from tests.bench.progress import Progress, say
from tests.bench.world import Size, World

_BATCH = 500  # whole sessions of 20 turns, so that no turn waits for a vector of the next batch
_DESCRIPTION = "store.json"


@dataclass(frozen=True)
class Tenant:
    """One workspace of the store, with the ids of its memories in the order in which they were saved."""

    workspace_id: str
    memory_ids: Sequence[str]


@dataclass(frozen=True)
class Store:
    """A loaded store: its workspaces, largest first, and its write rate."""

    size: Size
    tenants: Sequence[Tenant]
    rows_per_second: float

    def samples(self) -> dict[str, int]:
        """Return the indexes of the largest, the median and the smallest workspace, or of the only one."""
        last = len(self.tenants) - 1
        return {"only": 0} if last == 0 else {"largest": 0, "median": last // 2, "smallest": last}


@asynccontextmanager
async def loaded(
    folder: Path | None, size: Size, *, heap_mb: int = 2048, pagecache_mb: int = 512
) -> AsyncIterator[tuple[Settings, Store]]:
    """Start the servers over the store; fill it first unless the folder already contains it."""
    async with AsyncExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-bench-")))
        say("starting Neo4j")
        settings = await stack.enter_async_context(servers(place, heap_mb=heap_mb, pagecache_mb=pagecache_mb))
        description = place / _DESCRIPTION
        store = _read(description, size)
        if store is None:
            async with engine(settings) as runtime:
                store = await _fill(runtime.services, size)
            description.write_text(json.dumps(asdict(store)), encoding="utf-8")
        yield settings, store


def _read(file: Path, size: Size) -> Store | None:
    if not file.exists():
        return None
    held = json.loads(file.read_text(encoding="utf-8"))
    if held["size"] != asdict(size):
        raise ValueError(f"{file.parent} holds another store: {held['size']}; name another folder")
    return Store(size, [Tenant(**tenant) for tenant in held["tenants"]], held["rows_per_second"])


async def _fill(services: Services, size: Size) -> Store:
    world = await World.embedded_by(services.vectors.embeddings)
    tenants = []
    progress = Progress("filling the store", size.memories)
    started = time.perf_counter()
    for number, count in enumerate(size.of_workspaces()):
        workspace = await services.tenancy.workspaces.create(f"tenant {number}")
        ids: list[str] = []
        turns = world.memories(number, count)
        while drafts := list(islice(turns, _BATCH)):
            receipts = await services.memories.store.save_all(workspace.id, drafts)
            ids += [receipt.memory.id for receipt in receipts]
            progress.step(count=len(receipts))
        tenants.append(Tenant(workspace.id, ids))
    seconds = time.perf_counter() - started
    say("working off the jobs of the store")
    await settle_all(services)
    return Store(size, tenants, size.memories / seconds)
