"""Opens the engine: connects, builds its services, and starts the background tasks."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from app.adapters.clock import SystemClock
from app.adapters.prometheus_metrics import PrometheusMetrics
from app.adapters.webjars import Webjars
from app.bootstrap.background import begin, cancelled
from app.bootstrap.chat_proxy import open_chat_proxy
from app.bootstrap.dependencies import REFRESH_SECONDS, START_SECONDS, open_dependencies
from app.bootstrap.services import build_services
from app.bootstrap.tracing import open_tracing
from app.bootstrap.vector_tier import open_tier
from app.bootstrap.vectors import build_vectors
from app.bootstrap.worker import run_everything
from app.observability.metrics import Metrics
from app.observability.requests import Watch
from app.observability.tracing import Spans, TracedMeasurements, traced_services
from app.settings import Settings, TracingSettings
from app.surfaces.proxy.service import ChatProxy
from graph.core.background import in_background
from graph.core.jobs.models import JobRules
from graph.core.ports import Clock, Embedder, EmbedderCatalogue, LanguageModel
from graph.operations.services import Services
from graph.tenancy.workspaces.models import Workspace
from graph.vectors.external.connection import TierOpener


@dataclass(frozen=True)
class Runtime:
    """The running engine.

    Attributes:
        services: The use cases.
        chat_proxy: Sends chats on to an upstream, where one is configured.
        watch: Observers of its work.
        default_workspace: As it was at the start.
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
        """Do the work of the background until cancelled."""
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
    """Connect, bring the store up to date and yield the engine; close everything afterwards.

    Args:
        settings: With ``neo4j.uri`` and ``redis.url`` set.
        embedder: Takes the place of the configured one.
        catalogue: Takes the place of the models that settings can reach, when stored vectors are another embedder's.
        clock: Takes the place of the system's.
        language_model: Takes the place of the configured one; none is needed.
        tier_opener: Opens another store instead of Qdrant, if it is enabled.
        spans: Overrides OpenTelemetry's variables.
        makes_keys: Create the keys of a start: the first administrator's, and those in settings.
        start_seconds: Maximum silence of the graph until the engine is open.
        job_rules: Batch size, lease and intervals of jobs; None takes the defaults.
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
    """Run the workers beside the block."""
    task = in_background(runtime.run_workers(), name="workers")
    try:
        yield
    finally:
        await cancelled(task)
