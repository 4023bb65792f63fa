"""Measurements as Prometheus' time series; labels are a few names from the code."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from app.observability.metrics import EngineState
from graph.core.models import JobBacklog
from graph.core.ports import CacheStats

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_STATEMENT_SECONDS = (0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0)  # few: there are 150 statements


class PrometheusMetrics:
    """Implements ``graph.core.measuring.Measurements``; one for each process, safe to use from threads."""

    media_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._requests = Counter(
            "recollect_requests", "Requests answered.", ["surface", "status"], registry=self.registry
        )
        self._request_seconds = Histogram(
            "recollect_request_seconds",
            "Time from a request's first byte to its response's last.",
            ["surface"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._stage_seconds = Histogram(
            "recollect_stage_seconds",
            "Duration of stages of recall, search, save, embedding, and of memory in a chat turn.",
            ["stage"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._statement_seconds = Histogram(
            "recollect_statement_seconds",
            "Duration of statements by name.",
            ["query"],
            buckets=_STATEMENT_SECONDS,
            registry=self.registry,
        )
        self._statement_failures = Counter(
            "recollect_statement_failures", "Statements that failed.", ["query"], registry=self.registry
        )
        self._fallbacks = Counter(
            "recollect_fallbacks",
            "Responses without one of their parts, by operation and reason.",
            ["operation", "reason"],
            registry=self.registry,
        )
        self._jobs = Counter(
            "recollect_jobs",
            "Ended jobs: done, failed (will be retried) or parked.",
            ["kind", "outcome"],
            registry=self.registry,
        )

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        except BaseException:
            self._statement_failures.labels(name).inc()
            raise
        finally:
            self._statement_seconds.labels(name).observe(time.perf_counter() - start)

    def statement(self, name: str) -> AbstractContextManager[None]:
        """Time a statement, and count a failure."""
        return self._timed(name)

    def stage(self, name: str, seconds: float) -> None:
        """Add the duration of a stage."""
        self._stage_seconds.labels(name).observe(seconds)

    def fallback(self, operation: str, reason: str) -> None:
        """Count a response without one of its parts."""
        self._fallbacks.labels(operation, reason).inc()

    def jobs(self, kind: str, outcome: str, count: int) -> None:
        """Count ended jobs."""
        if count:
            self._jobs.labels(kind, outcome).inc(count)

    def request(self, surface: str, status: str, seconds: float) -> None:
        """Count a request and add its duration."""
        self._requests.labels(surface, status).inc()
        self._request_seconds.labels(surface).observe(seconds)

    def exposition(self, state: EngineState) -> bytes:
        """Return all metrics in Prometheus' text format, including the current state of the engine."""
        now = CollectorRegistry(auto_describe=False)
        now.register(_StateCollector(state))
        return generate_latest(self.registry) + generate_latest(now)


class _StateCollector(Collector):
    def __init__(self, state: EngineState) -> None:
        self._state = state

    def collect(self) -> Iterable[Metric]:
        """Yield the families of metrics."""
        health = self._state.health
        up = GaugeMetricFamily("recollect_server_up", "Whether a server answers.", labels=["server"])
        up.add_metric(["neo4j"], health.neo4j)
        up.add_metric(["redis"], health.redis)
        yield up
        yield GaugeMetricFamily(
            "recollect_embedder_ready", "Whether texts can be embedded.", value=health.embedder.ready
        )
        if self._state.backlog is not None:
            yield from _backlog(self._state.backlog)
        if self._state.cache is not None:
            yield from _cache(self._state.cache)


def _backlog(backlog: Sequence[JobBacklog]) -> Iterator[Metric]:
    depth = GaugeMetricFamily(
        "recollect_queue_jobs", "Unfinished jobs of the deployment.", labels=["kind", "state"]
    )
    age = GaugeMetricFamily(
        "recollect_queue_age_seconds", "Age of the oldest unfinished job.", labels=["kind", "state"]
    )
    for row in backlog:
        depth.add_metric([row.kind, row.state], row.jobs)
        age.add_metric([row.kind, row.state], row.age_seconds)
    yield depth
    yield age


def _cache(stats: CacheStats) -> Iterator[Metric]:
    requests = CounterMetricFamily(
        "recollect_embedding_cache",
        "Texts to embed: cached (hit), already being computed (joined), or neither (miss).",
        labels=["result"],
    )
    requests.add_metric(["hit"], stats.hits)
    requests.add_metric(["joined"], stats.joined)
    requests.add_metric(["miss"], stats.misses)
    yield requests
    yield GaugeMetricFamily("recollect_embedding_cache_entries", "Vectors in the cache.", value=stats.entries)
