"""Ends the wait for a server that has fallen silent: stopped, frozen, or cut off without a word.

A connection to such a server stays open, and nothing comes over it. So the time is taken here: work may go on up to a
limit of its own as long as the server answers anybody meanwhile. A server that is busy is not taken for a silent one.
Once a wait has ended for silence, nobody else waits until the server has answered again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import structlog

from graph.core.errors import Unavailable

P = ParamSpec("P")
ResultT = TypeVar("ResultT")

_log = structlog.get_logger("recollect.neo4j")

_IS_LONG: ContextVar[bool] = ContextVar("is_long_work", default=False)

_RESERVED = 0.1
"""Of a deadline, for what is done after a wait has ended: the answer, and whatever asks the server once more."""
_MOST_RESERVED_SECONDS = 1.0
_PAUSE_SECONDS = 0.5
_LONGEST_QUESTION_SECONDS = 5.0


@contextmanager
def long_work() -> Iterator[None]:
    """Let each transaction of the block take as long as background work may, while the server answers others."""
    token = _IS_LONG.set(True)
    try:
        yield
    finally:
        _IS_LONG.reset(token)


def takes_long(work: Callable[P, Coroutine[Any, Any, ResultT]]) -> Callable[P, Coroutine[Any, Any, ResultT]]:
    """Mark a use case that is ``long_work()`` whoever asks for it."""

    @wraps(work)
    async def taking_long(*args: P.args, **kwargs: P.kwargs) -> ResultT:
        with long_work():
            return await work(*args, **kwargs)

    return taking_long


def is_long_work() -> bool:
    """Tell whether the present task does work that rightly takes its time."""
    return _IS_LONG.get()


class Silence:
    """Watches one server; lives as long as the process, on one event loop.

    Args:
        ask: Asks the server for the least it can say; returns when it has answered and raises what it raises.
        deadline_seconds: After how long a silent server is given up, all told.
    """

    def __init__(self, ask: Callable[[], Awaitable[object]], *, deadline_seconds: float) -> None:
        self._ask = ask
        self._reserved = min(_MOST_RESERVED_SECONDS, _RESERVED * deadline_seconds)
        self._patience = deadline_seconds - self._reserved
        self._asking: asyncio.Task[None] | None = None
        self._is_known = False
        self._heard_at = 0.0

    def heard(self) -> None:
        """Take note that the server has answered somebody."""
        self._heard_at = asyncio.get_running_loop().time()

    @asynccontextmanager
    async def bounded(self, *, seconds: float, writes: bool) -> AsyncIterator[None]:
        """Bound how long the block waits for the server; it must release what it holds when it is cancelled.

        Args:
            seconds: How long it may take while the server answers others.
            writes: Whether it changes something.

        Raises:
            Unavailable: The server was silent for too long, has been silent before and still is, or took ``seconds``.
        """
        await self._wait_out_doubt()
        limit = asyncio.timeout(min(seconds, self._patience))
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
            self._doubt()
            raise _silent(writes=writes) from None

    async def answers_within(self, seconds: float) -> bool:
        """Tell whether the server answers in time; never raises."""
        if self._asking is not None:
            return False
        try:
            async with asyncio.timeout(seconds):
                await self._ask()
        except Exception:  # noqa: BLE001 - whatever it is, this was no answer
            return False
        return True

    async def close(self) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking

    async def _extend(self, limit: asyncio.Timeout, seconds: float) -> None:
        """Move a limit as long as the server answers, up to a number of seconds from now."""
        loop = asyncio.get_running_loop()
        looked_at = loop.time()
        latest = looked_at + seconds
        while True:
            await asyncio.sleep(self._patience / 4)
            answered_at, asked_at = self._heard_at, loop.time()
            if answered_at <= looked_at:
                answered_at = asked_at if await self.answers_within(self._patience / 2) else 0.0
            looked_at = asked_at
            if answered_at:
                limit.reschedule(min(answered_at + self._patience, latest))

    def _doubt(self) -> None:
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_until_answered())
            self._asking.add_done_callback(self._end_doubt)

    def _end_doubt(self, _: asyncio.Task[None]) -> None:
        self._asking = None

    async def _wait_out_doubt(self) -> None:
        """Return at once, unless a wait has ended for silence: then as soon as the server has answered.

        Raises:
            Unavailable: It does not.
        """
        if self._asking is None:
            return
        if not self._is_known:
            await asyncio.wait({self._asking}, timeout=self._reserved)
        if self._asking is not None:
            raise _silent(writes=False)

    async def _ask_until_answered(self) -> None:
        """Return once the server answers; a question is left open for a while, since a frozen one answers it first."""
        seconds = min(_LONGEST_QUESTION_SECONDS, self._patience)
        self._is_known = False
        while True:
            try:
                async with asyncio.timeout(seconds if self._is_known else self._reserved):
                    await self._ask()
            except Exception as error:  # noqa: BLE001 - whatever it is, this was no answer
                if not self._is_known:
                    _log.warning("graph.silent", reason=type(error).__name__)
                self._is_known = True
            else:
                if self._is_known:
                    _log.info("graph.answers_again")
                return
            await asyncio.sleep(_PAUSE_SECONDS)


def _silent(*, writes: bool) -> Unavailable:
    outcome = "; whether the change was made is not known" if writes else ""
    return Unavailable("neo4j", f"the graph database does not answer{outcome}; try again shortly")
