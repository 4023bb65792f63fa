"""Ends the wait for a server that no longer responds, because it is stopped, frozen or disconnected.

A connection to such a server stays open without data, so this module measures the silence. Work may continue up to its
own limit while the server answers any request: a busy server does not count as silent. After one wait has ended because
of silence, other callers fail immediately until the server has answered again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import structlog

from graph.core.errors import Unavailable

_log = structlog.get_logger("recollect.neo4j")

_RESERVED = 0.1
"""Share of a deadline reserved for work after an ended wait: the response, and another request to the server."""
_MOST_RESERVED_SECONDS = 1.0
_PAUSE_SECONDS = 0.5
_LONGEST_PROBE_SECONDS = 5.0


class ResponsivenessMonitor:
    """Watches one server; lives as long as the process, on one event loop.

    Args:
        probe: Sends a minimal request to the server; returns after the response and raises its error.
        deadline_seconds: Total silence after which the server counts as unavailable.
    """

    def __init__(self, probe: Callable[[], Awaitable[object]], *, deadline_seconds: float) -> None:
        self._probe = probe
        self._reserved = min(_MOST_RESERVED_SECONDS, _RESERVED * deadline_seconds)
        self._most_silent_seconds = deadline_seconds - self._reserved
        self._probing: asyncio.Task[None] | None = None
        self._is_confirmed = False
        self._answered_at = 0.0

    @contextmanager
    def patient(self, seconds: float) -> Iterator[None]:
        """Within the block, wait up to ``seconds`` for a silent server, because it is starting."""
        usual, self._most_silent_seconds = self._most_silent_seconds, seconds
        try:
            yield
        finally:
            self._most_silent_seconds = usual

    def note_answer(self) -> None:
        """Note that the server has answered a request."""
        self._answered_at = asyncio.get_running_loop().time()

    @asynccontextmanager
    async def bounded(self, *, seconds: float, writes: bool) -> AsyncIterator[None]:
        """Limit the time that the block waits for the server; when cancelled, it must release its resources.

        Raises:
            Unavailable: The server is silent for too long, has been silent since an earlier wait, or took ``seconds``.
        """
        await self._wait_for_recovery()
        limit = asyncio.timeout(min(seconds, self._most_silent_seconds))
        try:
            async with limit:
                extending = asyncio.create_task(self._extend(limit, seconds))
                try:
                    yield
                finally:
                    extending.cancel()
        except TimeoutError:
            if not limit.expired():
                raise
            self._begin_probing()
            raise _unresponsive(writes=writes) from None

    async def answers_within(self, seconds: float) -> bool:
        """Tell whether the server answers in time; never raises."""
        if self._probing is not None:
            return False
        try:
            async with asyncio.timeout(seconds):
                await self._probe()
        except Exception:  # noqa: BLE001 - whatever it is, this was no answer
            return False
        return True

    async def close(self) -> None:
        """Stop probing."""
        if self._probing is not None:
            self._probing.cancel()
            with suppress(asyncio.CancelledError):
                await self._probing

    async def _extend(self, limit: asyncio.Timeout, seconds: float) -> None:
        """Extend a limit while the server answers, up to ``seconds`` from now."""
        loop = asyncio.get_running_loop()
        looked_at = loop.time()
        latest = looked_at + seconds
        while True:
            await asyncio.sleep(self._most_silent_seconds / 4)
            answered_at, probed_at = self._answered_at, loop.time()
            if answered_at <= looked_at:
                answered_at = probed_at if await self.answers_within(self._most_silent_seconds / 2) else 0.0
            looked_at = probed_at
            if answered_at:
                limit.reschedule(min(answered_at + self._most_silent_seconds, latest))

    def _begin_probing(self) -> None:
        if self._probing is None:
            self._probing = asyncio.create_task(self._probe_until_answered())
            self._probing.add_done_callback(self._end_probing)

    def _end_probing(self, _: asyncio.Task[None]) -> None:
        self._probing = None

    async def _wait_for_recovery(self) -> None:
        """Return immediately, or, after a silence, when the server has answered again.

        Raises:
            Unavailable: The server does not answer.
        """
        if self._probing is None:
            return
        if not self._is_confirmed:
            await asyncio.wait({self._probing}, timeout=self._reserved)
        if self._probing is not None:
            raise _unresponsive(writes=False)

    async def _probe_until_answered(self) -> None:
        """Return when the server answers; a probe stays open for a while, because a thawed server answers it first."""
        seconds = min(_LONGEST_PROBE_SECONDS, self._most_silent_seconds)
        self._is_confirmed = False
        while True:
            try:
                async with asyncio.timeout(seconds if self._is_confirmed else self._reserved):
                    await self._probe()
            except Exception as error:  # noqa: BLE001 - whatever it is, this was no answer
                if not self._is_confirmed:
                    _log.warning("graph.silent", reason=type(error).__name__)
                self._is_confirmed = True
            else:
                if self._is_confirmed:
                    _log.info("graph.answers_again")
                return
            await asyncio.sleep(_PAUSE_SECONDS)


def _unresponsive(*, writes: bool) -> Unavailable:
    outcome = "; whether the change was made is not known" if writes else ""
    return Unavailable("neo4j", f"the graph database does not answer{outcome}; try again shortly")
