"""The composition root: the only module that names adapters and turns settings into services."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta

import structlog
from neo4j import AsyncGraphDatabase
from redis.asyncio import Redis

from app.adapters.clock import SystemClock
from app.adapters.embedding_cache import EmbeddingCache
from app.adapters.redis_wake_up import RedisWakeUp
from app.adapters.rerankers import CrossEncoderReranker, RemoteReranker
from app.adapters.secret_patterns import SecretPatterns
from app.adapters.word_specificity import word_specificity
from app.embedders import Shelf, choose, providers, splitter
from app.memory_policy import memory_policy
from app.settings import Neo4jSettings, RecallSettings, Settings
from app.workers.loop import run_worker
from graph.access.service import Access
from graph.admin.service import apply_missing_migrations
from graph.associations.service import Associations
from graph.core.database import Database
from graph.core.errors import RecollectError
from graph.embeddings.reembedding import Reembedding
from graph.embeddings.service import Embeddings
from graph.forgetting.sweeping import sweep_regularly
from graph.jobs.models import JobKind
from graph.jobs.queries import ClaimJobsRow
from graph.jobs.service import JobFailed, JobRules, JobRunner, Jobs
from graph.memories.policy import SecretPolicy
from graph.memories.service import Memories
from graph.ports import Clock, Embedder, EmbedderShelf, EmbeddingFailed, LanguageModel, Reranker
from graph.recall.gathering import RecallLimits
from graph.recall.service import Recall, RecallRules
from graph.services import Services
from graph.status.service import Status
from graph.usage.service import Usage
from graph.workspaces.service import Workspaces

_log = structlog.get_logger("recollect.start")

_CONNECT_SECONDS = 3.0
_RETRY_SECONDS = 4.0  # a request waits this long for the graph to come back before it is told to try again
_ACQUIRE_SECONDS = 5.0
_GRACE_ROUNDS = 5  # an index that was replaced is kept until every process has surely read of it


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
    sweep_seconds: float

    async def run_workers(self) -> None:
        """Work off jobs and sweep up what has expired until cancelled."""
        services = self.services
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(run_worker(services.jobs, services.wake_up, poll_seconds=self.poll_seconds))
            tasks.create_task(
                sweep_regularly(services.memories.sweep_expired, every_seconds=self.sweep_seconds)
            )


@asynccontextmanager
async def open_runtime(
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    shelf: EmbedderShelf | None = None,
    clock: Clock | None = None,
    language_model: LanguageModel | None = None,
) -> AsyncIterator[Runtime]:
    """Connect, bring the store up to date and yield the engine; close everything afterwards.

    Args:
        settings: With ``neo4j.uri`` and ``redis.url`` set.
        embedder: Takes the place of the configured one.
        shelf: Takes the place of the models that settings can reach, when stored vectors are another embedder's.
        clock: Takes the place of the system's.
        language_model: Shortens long memories; none is needed.

    Raises:
        Unavailable: The graph does not answer.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        database = _database(settings.neo4j)
        stack.push_async_callback(database.close)
        await apply_missing_migrations(database)
        wake_up = RedisWakeUp(_redis(settings))
        wake_up.start()
        stack.push_async_callback(wake_up.close)
        embeddings = _embeddings(settings, database, clock, stack, embedder, shelf)
        reembedding = Reembedding(
            database,
            embeddings,
            clock,
            batch_size=settings.worker.batch_size,
            grace=timedelta(seconds=_GRACE_ROUNDS * settings.embedding.refresh_seconds),
        )
        reranker = _reranker(settings.recall)
        if reranker is not None:
            stack.push_async_callback(reranker.close)
        memories = await _memories(settings, database, embeddings, wake_up, clock, language_model)
        services = _services(settings, database, wake_up, embeddings, reembedding, clock, reranker, memories)
        await reembedding.refresh()
        fresh = asyncio.create_task(_keep_fresh(reembedding, settings.embedding.refresh_seconds))
        stack.push_async_callback(_cancelled, fresh)
        stack.push_async_callback(_cancelled, asyncio.create_task(services.usage.run()))
        default = await services.workspaces.ensure_default()
        first_key = await services.access.ensure_admin_key(
            default.id, settings.admin_key.get_secret_value() if settings.admin_key else None
        )
        warming = asyncio.create_task(_warm_up(services, default.id))
        stack.push_async_callback(_cancelled, warming)
        yield Runtime(services, first_key, settings.worker.poll_seconds, settings.memory.sweep_seconds)


@asynccontextmanager
async def working(runtime: Runtime) -> AsyncIterator[None]:
    """Run the workers beside the block."""
    task = asyncio.create_task(runtime.run_workers())
    try:
        yield
    finally:
        await _cancelled(task)


async def _warm_up(services: Services, workspace_id: str) -> None:
    """Spare the first caller the server's planning."""
    try:
        await services.recall.warm_up(workspace_id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong will show, and be answered, in a real request
        _log.warning("recall.not_warmed_up", reason=type(error).__name__)


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _keep_fresh(reembedding: Reembedding, seconds: float) -> None:
    """Read every few seconds which vectors are in use: another process may have filled the other slot."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await reembedding.refresh()
        except RecollectError as error:
            _log.warning("embedding.not_refreshed", reason=error.message)


def _embeddings(
    settings: Settings,
    database: Database,
    clock: Clock,
    stack: AsyncExitStack,
    embedder: Embedder | None,
    shelf: EmbedderShelf | None,
) -> Embeddings:
    chosen = settings.embedding
    cache = EmbeddingCache(max_entries=chosen.cache_max, ttl_seconds=chosen.cache_ttl_seconds)
    models = Shelf(chosen, cache, stack)
    choice = choose(chosen)
    if embedder is None and choice is not None:
        embedder = models.take(choice)
    return Embeddings(
        database,
        embedder,
        clock,
        quantization=chosen.quantization,
        shelf=shelf or models,
        splitter=splitter(chosen),
        providers=providers(chosen),
        cache_stats=lambda: cache.stats,
        query_seconds=chosen.query_seconds,
    )


async def _memories(
    settings: Settings,
    database: Database,
    embeddings: Embeddings,
    wake_up: RedisWakeUp,
    clock: Clock,
    language_model: LanguageModel | None,
) -> Memories:
    policy = memory_policy(settings.memory)
    guards = policy.secret_policy is not SecretPolicy.OFF
    return Memories(
        database,
        embeddings,
        wake_up,
        clock,
        policy,
        secrets=await asyncio.to_thread(SecretPatterns) if guards else None,
        language_model=language_model,
    )


def _services(
    settings: Settings,
    database: Database,
    wake_up: RedisWakeUp,
    embeddings: Embeddings,
    reembedding: Reembedding,
    clock: Clock,
    reranker: Reranker | None,
    memories: Memories,
) -> Services:
    usage = Usage(database, clock, flush_seconds=settings.memory.usage_flush_ms / 1000)
    workspaces = Workspaces(database, clock)
    return Services(
        database=database,
        wake_up=wake_up,
        access=Access(database, workspaces, clock),
        associations=Associations(database, clock),
        embeddings=embeddings,
        jobs=_jobs(settings, database, wake_up, clock, embeddings, reembedding, memories),
        memories=memories,
        recall=Recall(
            database,
            embeddings,
            memories,
            usage,
            clock,
            _recall_rules(settings.recall),
            specificity=word_specificity,
            reranker=reranker,
        ),
        status=Status(database, embeddings, wake_up),
        usage=usage,
        workspaces=workspaces,
    )


def _jobs(
    settings: Settings,
    database: Database,
    wake_up: RedisWakeUp,
    clock: Clock,
    embeddings: Embeddings,
    reembedding: Reembedding,
    memories: Memories,
) -> Jobs:
    """Return the jobs and who does them.

    The queue of texts to embed flushes itself (B13): a worker takes at once whatever is due, so a lone memory is
    embedded when it is saved, and what comes in while a batch is with the model is the next batch. Waiting two
    seconds for twenty texts would make the batches no larger under load and every lone memory late.
    """

    async def embed(jobs: Sequence[ClaimJobsRow]) -> None:
        await embeddings.embed_memories(jobs)
        await memories.note_duplicates(jobs)

    rules = JobRules(
        batch_size=settings.worker.batch_size,
        lease_seconds=settings.worker.lease_seconds,
        max_attempts=settings.worker.max_attempts,
    )
    runners = {
        JobKind.EMBED: JobRunner(_failing_as_job(embed), is_ready=lambda: embeddings.can_embed_memories),
        JobKind.REEMBED: JobRunner(_failing_as_job(reembedding.run), is_ready=lambda: reembedding.is_ready),
    }
    return Jobs(database, wake_up, clock, rules, runners, on_parked=embeddings.mark_failed)


def _failing_as_job(
    run: Callable[[Sequence[ClaimJobsRow]], Awaitable[None]],
) -> Callable[[Sequence[ClaimJobsRow]], Awaitable[None]]:
    async def run_job(jobs: Sequence[ClaimJobsRow]) -> None:
        try:
            await run(jobs)
        except EmbeddingFailed as error:
            raise JobFailed(str(error)) from error

    return run_job


def _recall_rules(settings: RecallSettings) -> RecallRules:
    return RecallRules(
        limits=RecallLimits(pool=settings.pool, text_list=settings.text_list),
        rrf_k=settings.rrf_k,
        merge_above=settings.merge_above,
        rerank_depth=settings.rerank_depth,
    )


def _reranker(settings: RecallSettings) -> RemoteReranker | CrossEncoderReranker | None:
    if settings.rerank == "transformers" and settings.rerank_model:
        return CrossEncoderReranker(settings.rerank_model)
    if settings.rerank == "remote" and settings.rerank_url and settings.rerank_model:
        key = settings.rerank_key.get_secret_value() if settings.rerank_key else None
        return RemoteReranker(settings.rerank_url, model=settings.rerank_model, api_key=key)
    return None


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
