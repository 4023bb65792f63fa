"""The composition root: the only module that names adapters and turns settings into services."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

import structlog

from app.adapters.clock import SystemClock
from app.adapters.prometheus_metrics import PrometheusMetrics
from app.adapters.text.workers import TextWorkers
from app.bootstrap.agent_contexts import build_agent_contexts
from app.bootstrap.chat_proxy import open_chat_proxy
from app.bootstrap.connections import open_database
from app.bootstrap.conversations import Conversing, build_conversing
from app.bootstrap.documents import open_documents
from app.bootstrap.embedders import Shelf, build_embeddings
from app.bootstrap.jobs import job_rules, memory_runners
from app.bootstrap.knowledge import Finding, build_finding
from app.bootstrap.language_models import open_language_model
from app.bootstrap.memories import build_memories, refusing_detector, secret_detector
from app.bootstrap.recall import build_recall, reranker_of
from app.bootstrap.running_adapters import running_settings
from app.bootstrap.signals import Signals, open_signals
from app.bootstrap.telemetry import Learning, build_learning
from app.bootstrap.tenancy import build_entering, ensure_chosen_keys
from app.bootstrap.tracing import open_tracing
from app.bootstrap.vector_tier import Tier, build_tier, open_tier
from app.bootstrap.worker import run_everything
from app.observability.metrics import Metrics
from app.observability.tracing import (
    Spans,
    TracedMeasurements,
    TracingSettings,
    traced_services,
)
from app.observability.watching import Watch
from app.settings import Settings
from app.surfaces.proxy.service import ChatProxy
from graph.conversations.extraction.earlier_facts import tell_facts_whole
from graph.core.credentials import CredentialGuard
from graph.core.database import Database
from graph.core.errors import RecollectError
from graph.core.jobs.service import Jobs
from graph.core.measuring import Measurements
from graph.core.ports import Clock, Embedder, EmbedderShelf, LanguageModel, Reranker, SecretDetector
from graph.core.silence import long_work
from graph.core.text.work import TextWork
from graph.knowledge.artifacts.service import Artifacts
from graph.knowledge.connections.service import Connections
from graph.knowledge.linking.service import Linking
from graph.knowledge.merging.service import Merging
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal.service import Traversal
from graph.memories.associations.service import Associations
from graph.memories.models import Memory
from graph.memories.service import Memories
from graph.memories.subscriptions import Events
from graph.operations.admin.service import apply_missing_migrations
from graph.operations.services import Services
from graph.operations.status.round_trip import RoundTrip
from graph.operations.status.service import Status
from graph.retrieval.pages.service import Listing
from graph.retrieval.recall.service import Recall
from graph.telemetry.usage.service import Usage
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.external.connection import TierOpener
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.reembedding import Reembedding
from graph.vectors.index.service import Embeddings

_log = structlog.get_logger("recollect.start")

_GRACE_ROUNDS = 5  # an index that was replaced is kept until every process has surely read of it


@dataclass(frozen=True)
class Runtime:
    """The running engine.

    Attributes:
        services: The use cases.
        chat_proxy: Sends chats on to an upstream, where one is configured.
        watch: Who is told how its work goes.
        first_key: The secret of the first administrator's key if it was made just now, to be shown once.
    """

    services: Services
    chat_proxy: ChatProxy | None
    watch: Watch
    first_key: str | None
    settings: Settings

    async def run_workers(self) -> None:
        """Do the work of the background until cancelled."""
        await run_everything(self.services, self.settings)


@asynccontextmanager
async def open_runtime(
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    shelf: EmbedderShelf | None = None,
    clock: Clock | None = None,
    language_model: LanguageModel | None = None,
    tier_opener: TierOpener = open_tier,
    spans: Spans | None = None,
) -> AsyncIterator[Runtime]:
    """Connect, bring the store up to date and yield the engine; close everything afterwards.

    Args:
        settings: With ``neo4j.uri`` and ``redis.url`` set.
        embedder: Takes the place of the configured one.
        shelf: Takes the place of the models that settings can reach, when stored vectors are another embedder's.
        clock: Takes the place of the system's.
        language_model: Takes the place of the configured one; none is needed.
        tier_opener: Opens another store in the place of Qdrant, where that is enabled.
        spans: Takes the place of what the variables of OpenTelemetry name.

    Raises:
        Unavailable: The graph does not answer.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        recorder = PrometheusMetrics()
        spans = spans or open_tracing(TracingSettings(), stack)
        measurements = TracedMeasurements(recorder, spans) if spans else recorder
        database = open_database(settings.neo4j, measurements)
        stack.push_async_callback(database.close)
        with long_work():
            await apply_missing_migrations(database)
        body_work = TextWorkers()
        stack.push_async_callback(body_work.close)
        text_work = TextWorkers()
        stack.push_async_callback(text_work.close)
        signals = open_signals(settings, clock, stack)
        embeddings, models = build_embeddings(
            settings.embedding, database, clock, stack, embedder, shelf, measurements, text_work
        )
        reembedding = _reembedding(settings, database, embeddings, clock)
        tier = build_tier(settings, database, embeddings, clock, tier_opener, stack)
        reranker = _reranker(settings, stack)
        language_model = language_model or await open_language_model(settings.llm, stack)
        secrets = await secret_detector(settings.memory)
        memories = build_memories(
            settings, database, embeddings, signals, clock, language_model, secrets, tier.mirroring, measurements,
            text_work,
        )  # fmt: skip
        ground = _Ground(
            settings, database, signals, embeddings, models, reembedding, clock, reranker, memories, secrets, tier,
            language_model, stack, measurements, body_work, text_work,
        )  # fmt: skip
        services = traced_services(_services(ground), spans)
        first_key = await _begin(ground, services)
        proxy = open_chat_proxy(settings, services, stack, measurements)
        yield Runtime(services, proxy, Watch(Metrics(recorder, services), spans), first_key, settings)


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
        with long_work():
            await services.recall.warm_up(workspace_id)
            await services.agent_contexts.warm_up(workspace_id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong will show, and be answered, in a real request
        _log.warning("recall.not_warmed_up", reason=type(error).__name__)
    # What is there by now stays: a full collection that went through it would stop everybody for 0.2 s each time.
    gc.collect()
    gc.freeze()


def _in_background(work: Coroutine[Any, Any, None], stack: AsyncExitStack) -> None:
    """Run beside everything else what ends with the stack."""
    stack.push_async_callback(_cancelled, asyncio.create_task(work))


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _keep_fresh(refresh: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Read every few seconds which vectors are in use and where: another process may have changed it."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await refresh()
        except RecollectError as error:
            _log.warning("vectors.not_refreshed", reason=error.message)


def _reembedding(settings: Settings, database: Database, embeddings: Embeddings, clock: Clock) -> Reembedding:
    grace = timedelta(seconds=_GRACE_ROUNDS * settings.embedding.refresh_seconds)
    return Reembedding(database, embeddings, clock, batch_size=settings.worker.batch_size, grace=grace)


def _reranker(settings: Settings, stack: AsyncExitStack) -> Reranker | None:
    reranker = reranker_of(settings.recall)
    if reranker is not None:
        stack.push_async_callback(reranker.close)
    return reranker


@dataclass(frozen=True)
class _Ground:
    """What every use case is built on."""

    settings: Settings
    database: Database
    signals: Signals
    embeddings: Embeddings
    models: Shelf
    reembedding: Reembedding
    clock: Clock
    reranker: Reranker | None
    memories: Memories
    secrets: SecretDetector | None
    tier: Tier
    model: LanguageModel | None
    stack: AsyncExitStack
    measurements: Measurements
    body_work: TextWork
    text_work: TextWork


async def _begin(on: _Ground, services: Services) -> str | None:
    """Bring up what goes on by itself; return the secret of the first administrator's key if it was made just now."""
    on.stack.push_async_callback(on.embeddings.close)
    on.stack.push_async_callback(services.agent_contexts.close)
    on.stack.push_async_callback(services.round_trip.close)
    on.stack.push_async_callback(services.action_notes.close)
    with long_work():  # a server that has just started plans everything anew
        for refresh in (services.settings.refresh, on.reembedding.refresh, on.tier.keeper.refresh):
            await refresh()
        await tell_facts_whole(on.database, on.memories, on.clock)
        default = await services.workspaces.ensure_default()
        first_key = await ensure_chosen_keys(on.settings, services.access, default.id)
    for refresh in (
        services.settings.refresh, on.reembedding.refresh, on.tier.keeper.refresh, on.tier.keeper.watch,
    ):  # fmt: skip
        _in_background(_keep_fresh(refresh, on.settings.embedding.refresh_seconds), on.stack)
    for run in (services.usage.run, services.access.use.run, services.action_notes.run):
        _in_background(run(), on.stack)
    on.stack.callback(gc.unfreeze)
    _in_background(_warm_up(services, default.id), on.stack)
    return first_key


class _UseCases(NamedTuple):
    """Those that others are built on."""

    workspaces: Workspaces
    learning: Learning
    usage: Usage
    conversing: Conversing
    external: ExternalTier[Memory]
    ontology: Ontology
    links: Linking
    jobs: Jobs
    recall: Recall
    finding: Finding
    listing: Listing
    status: Status


def _use_cases(on: _Ground) -> _UseCases:
    settings, database, signals, embeddings = on.settings, on.database, on.signals, on.embeddings
    clock, memories, secrets, tier, model = on.clock, on.memories, on.secrets, on.tier, on.model
    workspaces = Workspaces(database, clock, signals.working_set, on_removed=tier.mirroring.enqueue_workspace,
        new_memory_enabled=settings.memory.new_workspaces)  # fmt: skip
    learning = build_learning(database, embeddings, workspaces, memories, signals.wake_up, clock,
        on.measurements, most_notes=settings.memory.noted_actions)  # fmt: skip
    usage = _usage(settings, database, clock, learning)
    conversing = build_conversing(settings, database, signals, clock, memories, secrets, model, on.text_work)
    external = ExternalTier(
        database, embeddings, memories.find_all, tier.keeper, clock, retention_days=memories.retention.days
    )
    ontology, links = _ontology(settings, database, workspaces, signals, clock, secrets, on.text_work)
    runners = {
        **memory_runners(database, clock, embeddings, on.reembedding, memories, tier, links),
        **learning.runners,
        **conversing.runners,
        **tier.runners,
    }
    jobs = Jobs(database, signals.wake_up, signals.announcer, clock, job_rules(settings.worker), runners,
        measurements=on.measurements)  # fmt: skip
    recall = build_recall(
        settings,
        database,
        embeddings,
        memories,
        usage,
        workspaces,
        clock,
        on.reranker,
        external,
        on.measurements,
    )
    finding = build_finding(
        settings, database, embeddings, recall, memories, ontology, clock, model, on.text_work
    )
    listing = Listing(database, recall, clock)
    return _UseCases(
        workspaces, learning, usage, conversing, external, ontology, links, jobs, recall, finding, listing,
        Status(database, embeddings, signals.wake_up, external),
    )  # fmt: skip


def _services(on: _Ground) -> Services:
    settings, database, signals, embeddings = on.settings, on.database, on.signals, on.embeddings
    clock, memories, wake_up, used = on.clock, on.memories, signals.wake_up, _use_cases(on)
    workspaces, learning, usage, conversing, external, ontology, links, jobs, recall, finding, *_ = used
    contexts = build_agent_contexts(settings, workspaces, conversing.episodes, ontology,
        finding.entity_search, learning.telemetry, recall, on.measurements)  # fmt: skip
    running = running_settings(settings, database, on.models, embeddings, workspaces, external,
        recall, memories.retention, clock, on.stack)  # fmt: skip
    entering = build_entering(settings, database, workspaces, signals, clock)
    guard = CredentialGuard(refusing_detector(settings.memory, on.secrets))
    return Services(
        database=database,
        wake_up=signals.wake_up,
        access=entering.access,
        action_notes=learning.notes,
        agent_contexts=contexts,
        announcer=signals.announcer,
        artifacts=Artifacts(database, signals.wake_up, clock, guard=guard),
        asking=finding.asking,
        associations=Associations(database, clock),
        audit=entering.audit,
        benchmarks=learning.benchmarks,
        body_work=on.body_work,
        conversations=conversing.conversations,
        connections=Connections(database, clock),
        distilling=conversing.distilling,
        documents=open_documents(
            settings, database, embeddings, wake_up, clock, workspaces, guard, on.text_work
        ),
        embeddings=embeddings,
        entity_search=finding.entity_search,
        episodes=conversing.episodes,
        events=Events(signals.event_bus, memories, jobs),
        extraction=conversing.extraction,
        handoffs=conversing.handoffs,
        jobs=jobs,
        linking=links,
        listing=used.listing,
        memories=memories,
        merging=Merging(database, clock),
        ontology=ontology,
        ontology_exchange=finding.ontology_exchange,
        outcomes=learning.outcomes,
        recall=recall,
        remembering=conversing.remembering,
        request_limits=entering.request_limits,
        reruns=conversing.reruns,
        round_trip=RoundTrip(database, memories, used.listing, recall, used.status, clock),
        search=finding.search,
        sessions=entering.sessions,
        settings=running,
        status=used.status,
        telemetry=learning.telemetry,
        text_work=on.text_work,
        traversal=Traversal(database, clock),
        usage=usage,
        vector_tier=external,
        working_set=signals.working_set,
        workspaces=workspaces,
    )


def _ontology(
    settings: Settings,
    database: Database,
    workspaces: Workspaces,
    signals: Signals,
    clock: Clock,
    secrets: SecretDetector | None,
    text_work: TextWork,
) -> tuple[Ontology, Linking]:
    refusing = refusing_detector(settings.memory, secrets)
    ontology = Ontology(database, workspaces, signals.wake_up, clock, secrets=refusing)
    return ontology, Linking(database, ontology.types, clock, text_work, secrets=secrets)


def _usage(settings: Settings, database: Database, clock: Clock, learning: Learning) -> Usage:
    flush_seconds = settings.memory.usage_flush_ms / 1000
    return Usage(database, clock, link=learning.outcomes.link, flush_seconds=flush_seconds)
