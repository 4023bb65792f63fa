"""Opens the engine: connects, builds the services and starts the background tasks."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import structlog

from app.adapters.pinned_packages import Webjars
from app.adapters.prometheus_metrics import PrometheusMetrics
from app.bootstrap.dependencies import REFRESH_SECONDS, START_SECONDS, Dependencies, open_dependencies
from app.bootstrap.services import build_services
from app.bootstrap.tenancy import ensure_chosen_keys
from app.bootstrap.vectors import VectorParts, build_vectors, open_tier
from app.observability.metrics import Metrics
from app.observability.requests import Watch
from app.observability.tracing import Spans, TracedMeasurements, traced_services
from app.settings import Settings, TracingSettings
from app.surfaces.proxy.capturing import MOST_WAITING, OwedResults, SavedMeanwhile, TurnCapture
from app.surfaces.proxy.composing import Composer, ComposingRules
from app.surfaces.proxy.output_feed import OUTPUT_CHARS, OutputFeed
from app.surfaces.proxy.service import MOST_ROUNDS, ChatProxy
from app.surfaces.proxy.tools import Tools
from app.surfaces.proxy.upstream import SILENT_SECONDS, Upstream, UpstreamEndpoint
from app.surfaces.rest.memories import MemoryObject
from graph.core.background import end, every, in_background
from graph.core.deadlines import long_work
from graph.core.jobs import run_worker
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.models import JobRules, Lane
from graph.core.ports import Clock, Embedder, EmbedderCatalogue, LanguageModel
from graph.core.text import detection
from graph.operations.services import Services
from graph.retrieval.context.models import InjectionFormat
from graph.tenancy.models import Workspace
from graph.vectors.external.connection import TierOpener


class SystemClock:
    """Implements ``graph.core.ports.Clock``."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)


_USAGE_SECONDS = 1.5
_KEY_USE_SECONDS = 2.0
_NOTES_SECONDS = 1.0
_WEBHOOKS_SECONDS = 5.0
_EVENTS_SECONDS = 0.25


async def begin(
    on: Dependencies,
    vectors: VectorParts,
    services: Services,
    stack: AsyncExitStack,
    *,
    makes_keys: bool,
    on_first_key: Callable[[str], None],
) -> tuple[Workspace, str | None]:
    """Start the background work; return the default workspace and, if it is new, the first key's secret.

    See ``open_runtime`` for the arguments.
    """
    for closed in (
        vectors.embeddings,
        services.retrieval.context,
        services.operations.readiness,
        services.telemetry.notes,
    ):
        stack.push_async_callback(closed.close)
    refreshes = (services.operations.settings.refresh, vectors.reembedding.refresh)
    await asyncio.to_thread(detection.load)  # otherwise the first text would block the event loop for 0.5 s
    with long_work():  # a newly started server has no cached plans
        for refresh in (*refreshes, vectors.mirror.refresh):
            await refresh()
        default = await services.tenancy.workspaces.ensure_default()
        first_key = None
        if makes_keys:
            first_key = await ensure_chosen_keys(on, services.tenancy.keys, default.id, on_first_key)
    # Another process may have changed the vectors in use or their store.
    seconds = on.refresh_seconds
    for refresh in (*refreshes, vectors.mirror.watch):
        _until_closed(every(seconds, refresh, name="refresh"), "refresh", stack)
    telemetry, outbox = services.telemetry, services.operations.webhooks.outbox
    stack.push_async_callback(outbox.close)
    stack.push_async_callback(telemetry.usage.close)
    for seconds, flush, name in (
        (_USAGE_SECONDS, telemetry.usage.flush, "flush_usage"),
        (_KEY_USE_SECONDS, services.tenancy.access.use.flush, "flush_key_use"),
        (_NOTES_SECONDS, telemetry.notes.flush, "flush_notes"),
        (_WEBHOOKS_SECONDS, outbox.refresh, "refresh_webhooks"),
        (_EVENTS_SECONDS, outbox.flush, "flush_events"),
    ):
        _until_closed(every(seconds, flush, name=name), name, stack)
    return default, first_key


def _until_closed(work: Coroutine[Any, Any, None], name: str, stack: AsyncExitStack) -> None:
    """Run work as a background task that ends with the stack."""
    stack.push_async_callback(cancelled, in_background(work, name=name))


async def cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def open_chat_proxy(
    settings: Settings,
    services: Services,
    stack: AsyncExitStack,
    measurements: Measurements = UNMEASURED,
    *,
    silent_seconds: float = SILENT_SECONDS,
    most_rounds: int = MOST_ROUNDS,
) -> ChatProxy | None:
    """Return the proxy, which the stack closes; None if it has no upstream.

    Args:
        settings: Upstream and rules of the proxy.
        services: Use cases that it calls.
        stack: Closes the proxy.
        measurements: Counts fallbacks.
        silent_seconds: Read timeout of the upstream.
        most_rounds: Maximum number of tool rounds in one turn.
    """
    proxy = settings.proxy
    if proxy.url is None:
        return None
    key = proxy.key.get_secret_value() if proxy.key else None
    upstream = Upstream(UpstreamEndpoint(proxy.url, key, silent_seconds))
    stack.push_async_callback(upstream.close)
    capture = TurnCapture(services.conversations.capture)
    feed = OutputFeed(
        services.conversations.distillation,
        measurements,
        most_waiting=MOST_WAITING,
        most_chars=OUTPUT_CHARS,
    )
    for started in (capture, feed):
        started.start()
        stack.push_async_callback(started.close)
    rules = ComposingRules(
        provider=proxy.provider,
        format=InjectionFormat(proxy.injection_format),
        offers_tools=proxy.tools,
        deadline_seconds=proxy.deadline_ms / 1000,
    )
    return ChatProxy(
        upstream,
        Composer(services.retrieval.context, services.tenancy.workspaces, services.operations.status, rules),
        Tools(services, feed),
        OwedResults(services.core.working_set),
        capture,
        feed,
        services.core.body_work,
        SystemClock(),
        SavedMeanwhile(
            services.memories.subscriptions.of_memories,
            lambda saved: MemoryObject.of(saved).model_dump_json(),
        ),
        most_rounds=most_rounds,
        measurements=measurements,
    )


_SWEEP_SECONDS: Final = 60.0
"""Interval between two removals of expired memories from the vector index; queries skip them before that."""
_BENCHMARK_SECONDS: Final = 600.0
"""Interval between two searches for finished days of telemetry; their figures are not urgent."""
_HOUR_SECONDS = 3600.0
_DAY_SECONDS = 24 * _HOUR_SECONDS


async def run_everything(services: Services, rules: JobRules) -> None:
    """Run jobs, delete expired data and measure days, until cancelled."""
    with long_work():
        await _run_side_by_side(services, rules)


async def _run_side_by_side(services: Services, rules: JobRules) -> None:
    async with asyncio.TaskGroup() as tasks:
        for lane in Lane:
            tasks.create_task(
                run_worker(
                    services.core.jobs,
                    services.core.wake_up,
                    poll_seconds=rules.poll_seconds,
                    gather_seconds=rules.gather_seconds,
                    lane=lane,
                )
            )
        tasks.create_task(
            every(_SWEEP_SECONDS, services.memories.deletion.sweep_expired, name="sweep_expired")
        )
        tasks.create_task(
            every(_BENCHMARK_SECONDS, services.telemetry.benchmarks.enqueue_due, name="measure_days")
        )
        tasks.create_task(
            every(_HOUR_SECONDS, services.operations.webhooks.delete_parked, name="delete_parked_deliveries")
        )
        tasks.create_task(
            every(_HOUR_SECONDS, services.operations.changes.delete_old, name="delete_old_changes")
        )
        tasks.create_task(
            every(_DAY_SECONDS, services.operations.status.warn_of_unread, name="warn_of_unread_languages")
        )


_log = structlog.get_logger("recollect.tracing")


def open_tracing(settings: TracingSettings, stack: AsyncExitStack) -> Spans | None:
    """Return the source of spans, which the stack closes; None if tracing is off."""
    if not settings.is_on:
        return None
    try:
        from app.adapters.otel_spans import OpenTelemetrySpans  # noqa: PLC0415 - only where the extra is there
    except ImportError:
        _log.warning("tracing.extra_missing", extra="otel")
        return None
    spans = OpenTelemetrySpans.to_collector(settings.otel_service_name)
    stack.push_async_callback(asyncio.to_thread, spans.close)
    return spans


@dataclass(frozen=True)
class Runtime:
    """The running engine.

    Attributes:
        services: The use cases.
        chat_proxy: Chat proxy, if it has an upstream.
        watch: Observers of its work.
        default_workspace: Default workspace at the start.
        first_key: Secret of a newly created first administrator's key, to show once.
        job_rules: Batch size, lease and intervals of its jobs.
        page_packages: Packages for the pages.
    """

    services: Services
    chat_proxy: ChatProxy | None
    watch: Watch
    default_workspace: Workspace
    first_key: str | None
    job_rules: JobRules
    page_packages: Webjars = field(default_factory=Webjars)

    async def run_workers(self) -> None:
        """Run the background work until cancelled."""
        await run_everything(self.services, self.job_rules)


@asynccontextmanager
async def open_runtime(
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    catalogue: EmbedderCatalogue | None = None,
    clock: Clock | None = None,
    language_model: LanguageModel | None = None,
    tier_opener: TierOpener = open_tier,
    spans: Spans | None = None,
    makes_keys: bool = True,
    start_seconds: float = START_SECONDS,
    job_rules: JobRules | None = None,
    refresh_seconds: float = REFRESH_SECONDS,
    on_first_key: Callable[[str], None] = lambda _: None,
) -> AsyncIterator[Runtime]:
    """Connect, update the store's schema and yield the engine; close everything afterwards.

    Args:
        settings: Settings with ``neo4j.uri`` and ``redis.url``.
        embedder: Overrides the configured embedder.
        catalogue: Overrides the catalogue of embedders for stored vectors of another model.
        clock: Overrides the system's clock.
        language_model: Overrides the configured language model.
        tier_opener: Opens the external tier, if it is enabled; by default Qdrant.
        spans: Overrides OpenTelemetry's variables.
        makes_keys: Create the keys of a start: the first administrator's, and those in settings.
        start_seconds: Maximum silence of the graph until the engine is open.
        job_rules: Batch size, lease and intervals of jobs; None: the defaults.
        refresh_seconds: Interval between two reads of settings that another process may change.
        on_first_key: Receives the secret of a newly created first administrator's key. Nobody can see it again, so it
            is called before anything else may fail.
    """
    async with AsyncExitStack() as stack:
        rules = job_rules or JobRules()
        recorder = PrometheusMetrics()
        spans = spans or open_tracing(TracingSettings(), stack)
        measurements = TracedMeasurements(recorder, spans) if spans else recorder
        on = await open_dependencies(
            settings,
            stack,
            clock=clock or SystemClock(),
            measurements=measurements,
            language_model=language_model,
            start_seconds=start_seconds,
            job_rules=rules,
            refresh_seconds=refresh_seconds,
        )
        vectors = build_vectors(on, stack, embedder=embedder, catalogue=catalogue, tier_opener=tier_opener)
        services = traced_services(build_services(on, vectors, stack), spans)
        with on.database.patient(start_seconds):
            default, first_key = await begin(
                on, vectors, services, stack, makes_keys=makes_keys, on_first_key=on_first_key
            )
        proxy = open_chat_proxy(settings, services, stack, measurements)
        watch = Watch(Metrics(recorder, services), spans)
        yield Runtime(services, proxy, watch, default, first_key, rules)


@asynccontextmanager
async def working(runtime: Runtime) -> AsyncIterator[None]:
    """Run the workers during the block."""
    task = in_background(runtime.run_workers(), name="workers")
    try:
        yield
    finally:
        await cancelled(task)


_MOST_SECONDS = 15.0

_start_log = structlog.get_logger("recollect.start")


@asynccontextmanager
async def warmed_up(services: Services) -> AsyncIterator[None]:
    """Plan recall's statements before the block, which takes some seconds, and those of contexts during it.

    Without this, early requests would wait as long, and the server would plan the same statements several times.
    """
    with long_work():
        default = await services.tenancy.workspaces.ensure_default()
    await _warm_up_recall(services, default.id)
    with long_work():
        planning = services.retrieval.context.warm_up(default.id)
    task = in_background(_finish_warm_up(planning), name="finish_warm_up")
    try:
        yield
    finally:
        await cancelled(task)
        await end(planning)
        gc.unfreeze()


async def _warm_up_recall(services: Services, workspace_id: str) -> None:
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            with long_work():
                await services.retrieval.recall.warm_up(workspace_id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong will show, and be answered, in a real request
        _start_log.warning("recall.not_warmed_up", reason=type(error).__name__)


async def _finish_warm_up(planning: asyncio.Task[None]) -> None:
    try:
        await planning
    except Exception as error:  # noqa: BLE001 - whatever is wrong will show, and be answered, in a real request
        _start_log.warning("context.not_warmed_up", reason=type(error).__name__)
    # Objects from the start stay for ever. Excluded from collections, they no longer cost 0.2 s in each full one.
    gc.collect()
    gc.freeze()
