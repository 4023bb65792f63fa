"""Engine to measure: its own Neo4j and Redis servers, the default embedder and the real services."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from pydantic import SecretStr

from app.bootstrap.runtime import Runtime, open_runtime
from app.embedded.neo4j import EmbeddedNeo4j
from app.embedded.ports import free_port
from app.embedded.redis import EmbeddedRedis
from app.settings import Neo4jSettings, RedisSettings, Settings
from graph.core.models import JobState
from graph.core.ports import Embedder
from graph.operations.services import Services
from tests.bench.progress import Progress

ADMIN_KEY = "rk_bench_administrator_0001"
_WORKER = "bench"
_POLL_SECONDS = 0.05
_LOAD_SECONDS = 60.0


@asynccontextmanager
async def servers(
    folder: Path | None = None, *, heap_mb: int = 1024, pagecache_mb: int = 256
) -> AsyncIterator[Settings]:
    """Start Neo4j and Redis in ``folder``, or in a temporary one, and yield settings for them."""
    async with AsyncExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-bench-")))
        redis = EmbeddedRedis(place / "redis")
        stack.push_async_callback(redis.stop)
        neo4j = EmbeddedNeo4j(
            place / "neo4j",
            bolt_port=free_port(),
            http_port=free_port(),
            heap_mb=heap_mb,
            pagecache_mb=pagecache_mb,
            class_archive=place
            / "classes.jsa",  # as in `recollect up`: speeds up the first recall after a start
        )
        stack.push_async_callback(neo4j.stop)
        url, address = await redis.start(), await neo4j.start()
        yield Settings(
            _env_file=None,
            data_dir=place,
            admin_key=SecretStr(ADMIN_KEY),
            neo4j=Neo4jSettings(uri=address.uri, user=address.user, password=SecretStr(address.password)),
            redis=RedisSettings(url=url),
        )


@asynccontextmanager
async def engine(settings: Settings, embedder: Embedder | None = None) -> AsyncIterator[Runtime]:
    """Open the engine without a worker and wait until its embedder is ready."""
    async with open_runtime(settings, embedder=embedder) as runtime:
        await _until_ready(runtime.services)
        yield runtime


async def settle(services: Services, workspace_id: str) -> None:
    """Run the jobs of a workspace until none is left.

    Raises:
        RuntimeError: A job failed permanently.
    """
    while True:
        claimed = await services.core.jobs.run_due(_WORKER)
        waiting = await services.core.jobs.page(workspace_id, first=1)
        if not waiting.items:
            return
        job = waiting.items[0]
        if job.state is JobState.FAILED:
            raise RuntimeError(f"{job.kind} job failed: {job.error}")
        if not claimed:
            await asyncio.sleep(_POLL_SECONDS)


async def settle_all(services: Services) -> None:
    """Run the due jobs of all workspaces, so that none runs during a measurement."""
    progress = Progress("jobs of the store")
    while count := await services.core.jobs.run_due(_WORKER):
        progress.step(count=count)


async def _until_ready(services: Services) -> None:
    async with asyncio.timeout(_LOAD_SECONDS):
        while not services.vectors.embeddings.state.ready:
            await asyncio.sleep(_POLL_SECONDS)
    await services.vectors.embeddings.refresh()
