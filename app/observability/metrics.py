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
    """State that is read on request rather than counted.

    Attributes:
        backlog: None while the graph does not answer.
        cache: None where there is no cache.
    """

    health: Health
    backlog: Sequence[JobBacklog] | None
    cache: CacheStats | None


class MetricRecorder(Protocol):
    """Stores measurements, and writes them in the format of collectors."""

    media_type: str

    def request(self, surface: str, status: str, seconds: float) -> None:
        """Take a request that was answered, or not."""
        ...

    def exposition(self, state: EngineState) -> bytes:
        """Return all that was measured, and the state."""
        ...


class Metrics:
    """The measurements of one process; lives as long as it.

    It queries the graph at most every five seconds, however often collectors read.
    """

    def __init__(
        self, recorder: MetricRecorder, services: Services, *, shared_seconds: float = _SHARED_SECONDS
    ) -> None:
        self._recorder = recorder
        self._services = services
        self._shared_seconds = shared_seconds
        self._known: tuple[float, EngineState] | None = None
        self._asking = asyncio.Lock()

    @property
    def media_type(self) -> str:
        """Of the text."""
        return self._recorder.media_type

    def request(self, surface: str, status: str, seconds: float) -> None:
        """Take a request that was answered, or not."""
        self._recorder.request(surface, status, seconds)

    async def text(self) -> bytes:
        """Return everything in the form that collectors read; never raises for a server that is away."""
        return self._recorder.exposition(await self._state())

    async def _state(self) -> EngineState:
        async with self._asking:
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
                backlog = None  # gone since it was asked; recollect_server_up says so the next time
        return EngineState(health, backlog, self._services.vectors.embeddings.cache_stats)
