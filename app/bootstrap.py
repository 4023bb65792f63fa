"""The composition root: the only module that names adapters and turns settings into services."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

import structlog
from neo4j import AsyncGraphDatabase
from redis.asyncio import Redis

from app.adapters.clock import SystemClock
from app.adapters.embedding_cache import CachedEmbedder, EmbeddingCache
from app.adapters.lazy_embedder import LazyEmbedder
from app.adapters.minilm import MiniLmEmbedder
from app.adapters.redis_wake_up import RedisWakeUp
from app.adapters.transformers_embedder import TransformersEmbedder
from app.settings import EmbeddingSettings, Neo4jSettings, Settings
from app.workers.loop import run_worker
from graph.access.service import Access
from graph.core.database import Database
from graph.core.schema import apply_migrations
from graph.embeddings.service import Embeddings
from graph.jobs.models import JobKind
from graph.jobs.queries import ClaimJobsRow
from graph.jobs.service import JobFailed, JobRules, JobRunner, Jobs
from graph.memories.policy import ContentLimits, MemoryPolicy
from graph.memories.service import Memories
from graph.ports import Clock, Embedder, EmbeddingFailed
from graph.recall.service import Recall, RecallRules
from graph.services import Services
from graph.status.service import Status
from graph.workspaces.service import Workspaces

_log = structlog.get_logger("recollect.start")

_CONNECT_SECONDS = 3.0
_RETRY_SECONDS = 4.0  # a request waits this long for the graph to come back before it is told to try again
_ACQUIRE_SECONDS = 5.0


@dataclass(frozen=True)
class Runtime:
    """The running engine.

    Attributes:
        services: The use cases.
        first_key: The secret of the first administrator's key if it was made just now, to be shown once.
    """

    services: Services
    first_key: str | None
    poll_seconds: float

    async def run_workers(self) -> None:
        """Work off jobs until cancelled."""
        services = self.services
        await run_worker(services.jobs, services.wake_up, poll_seconds=self.poll_seconds)


@asynccontextmanager
async def open_runtime(
    settings: Settings, *, embedder: Embedder | None = None, clock: Clock | None = None
) -> AsyncIterator[Runtime]:
    """Connect, bring the store up to date and yield the engine; close everything afterwards.

    Args:
        settings: With ``neo4j.uri`` and ``redis.url`` set.
        embedder: Takes the place of the configured one.
        clock: Takes the place of the system's.

    Raises:
        Unavailable: The graph does not answer.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        database = _database(settings.neo4j)
        stack.push_async_callback(database.close)
        await apply_migrations(database)
        wake_up = RedisWakeUp(_redis(settings))
        wake_up.start()
        stack.push_async_callback(wake_up.close)
        chosen = embedder or await _local_embedder(settings.embedding, stack)
        services = _services(settings, database, wake_up, chosen, clock)
        await services.embeddings.refresh()
        default = await services.workspaces.ensure_default()
        first_key = await services.access.ensure_admin_key(
            default.id, settings.admin_key.get_secret_value() if settings.admin_key else None
        )
        yield Runtime(services, first_key, settings.worker.poll_seconds)


@asynccontextmanager
async def working(runtime: Runtime) -> AsyncIterator[None]:
    """Run the workers beside the block."""
    task = asyncio.create_task(runtime.run_workers())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _services(
    settings: Settings, database: Database, wake_up: RedisWakeUp, embedder: Embedder | None, clock: Clock
) -> Services:
    embeddings = Embeddings(database, embedder, clock, quantization=settings.embedding.quantization)
    limits = ContentLimits(statement=settings.memory.max_chars, turn=settings.memory.max_turn_chars)
    memories = Memories(database, embeddings, wake_up, clock, MemoryPolicy(limits=limits))
    workspaces = Workspaces(database, clock)
    return Services(
        database=database,
        wake_up=wake_up,
        access=Access(database, workspaces, clock),
        embeddings=embeddings,
        jobs=_jobs(settings, database, wake_up, clock, embeddings),
        memories=memories,
        recall=Recall(database, embeddings, memories, clock, RecallRules()),
        status=Status(database, embeddings, wake_up),
        workspaces=workspaces,
    )


def _jobs(
    settings: Settings, database: Database, wake_up: RedisWakeUp, clock: Clock, embeddings: Embeddings
) -> Jobs:
    async def embed(jobs: Sequence[ClaimJobsRow]) -> None:
        try:
            await embeddings.embed_memories(jobs)
        except EmbeddingFailed as error:
            raise JobFailed(str(error)) from error

    rules = JobRules(
        batch_size=settings.worker.batch_size,
        lease_seconds=settings.worker.lease_seconds,
        max_attempts=settings.worker.max_attempts,
    )
    runners = {JobKind.EMBED: JobRunner(embed, is_ready=lambda: embeddings.state.ready)}
    return Jobs(database, wake_up, clock, rules, runners, on_parked=embeddings.mark_failed)


def _database(settings: Neo4jSettings) -> Database:
    assert settings.uri is not None  # noqa: S101 - callers start or name a server first
    auth = (settings.user, settings.password.get_secret_value()) if settings.password else None
    driver = AsyncGraphDatabase.driver(
        settings.uri,
        auth=auth,
        connection_timeout=_CONNECT_SECONDS,
        connection_acquisition_timeout=_ACQUIRE_SECONDS,
        max_transaction_retry_time=_RETRY_SECONDS,
        notifications_min_severity="OFF",
        user_agent="recollect",
    )
    return Database(driver, name=settings.database, timeout_seconds=settings.timeout_seconds)


def _redis(settings: Settings) -> Redis:
    assert settings.redis.url is not None  # noqa: S101 - callers start or name a server first
    return Redis.from_url(settings.redis.url, socket_connect_timeout=1.0, decode_responses=True)


async def _local_embedder(settings: EmbeddingSettings, stack: AsyncExitStack) -> Embedder | None:
    """Return the configured embedder, whose model loads in the background."""
    if settings.source == "none":
        return None
    if settings.source == "minilm":
        lazy = LazyEmbedder(MiniLmEmbedder, name="all-MiniLM-L6-v2")
    else:
        model = settings.model or "sentence-transformers/all-MiniLM-L6-v2"
        lazy = LazyEmbedder(lambda: TransformersEmbedder(model), name=model)
    lazy.start()
    stack.push_async_callback(lazy.close)
    cache = EmbeddingCache(max_entries=settings.cache_max, ttl_seconds=settings.cache_ttl_seconds)
    return CachedEmbedder(lazy, cache)
