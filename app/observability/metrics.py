"""Metrics of a process: counters of its work, and the current state of the engine."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graph.core.errors import Unavailable
from graph.core.models import JobBacklog
from graph.core.ports import CacheStats
from graph.operations.services import Services
from graph.operations.status import Health

_SHARED_SECONDS = 5.0


@dataclass(frozen=True)
class EngineState:
    """State that is read at each request, not counted.

    Attributes:
        backlog: Waiting jobs; None while the graph does not answer.
        cache: Counters of the cache; None without a cache.
    """

    health: Health
    backlog: Sequence[JobBacklog] | None
    cache: CacheStats | None


class MetricRecorder(Protocol):
    """Stores measurements, and writes them in a collector's format."""

    media_type: str

    def request(self, surface: str, status: str, seconds: float) -> None:
        """Record a request with its status and duration."""
        ...

    def exposition(self, state: EngineState) -> bytes:
        """Return all measurements, and the state."""
        ...


class Metrics:
    """The measurements of one process; lives as long as the process.

    It queries the graph at most every five seconds, however often collectors read.
    """

    def __init__(
        self, recorder: MetricRecorder, services: Services, *, shared_seconds: float = _SHARED_SECONDS
    ) -> None:
        self._recorder = recorder
        self._services = services
        self._shared_seconds = shared_seconds
        self._known: tuple[float, EngineState] | None = None
        self._refreshing = asyncio.Lock()

    @property
    def media_type(self) -> str:
        """Media type of the text."""
        return self._recorder.media_type

    def request(self, surface: str, status: str, seconds: float) -> None:
        """Record a request with its status and duration."""
        self._recorder.request(surface, status, seconds)

    async def text(self) -> bytes:
        """Return all metrics in the collector's format; never raises if a server is unavailable."""
        return self._recorder.exposition(await self._state())

    async def _state(self) -> EngineState:
        async with self._refreshing:
            if self._known is None or time.monotonic() - self._known[0] >= self._shared_seconds:
                self._known = (time.monotonic(), await self._looked_up())
            return self._known[1]

    async def _looked_up(self) -> EngineState:
        health = await self._services.operations.status.health()
        backlog = None
        if health.neo4j:
            try:
                backlog = await self._services.core.jobs.backlog()
            except Unavailable:
                backlog = None  # the graph has just stopped answering; recollect_server_up shows it next time
        return EngineState(health, backlog, self._services.vectors.embeddings.cache_stats)
