"""Wakes workers through Redis, so that they need not poll; without Redis they poll."""

import asyncio
import contextlib
import secrets
from typing import Any
from weakref import WeakKeyDictionary

import structlog
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from tenacity import AsyncRetrying, retry_if_exception_type, wait_exponential

from app.adapters.redis.loss import LOSS, keeping_cancellation
from graph.core.background import end, in_background

_CHANNEL = "recollect:jobs"
_SILENCE_SECONDS = 10.0  # after which Redis is asked whether it is still there

_log = structlog.get_logger("recollect.redis")


class RedisWakeUp:
    """Fulfils ``graph.core.ports.WakeUp``; lives from ``start`` to ``close`` on one event loop.

    Args:
        redis: A client that decodes responses.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._sender = secrets.token_hex(8)
        self._signals = 0
        self._next_signal = asyncio.Event()
        self._heard: WeakKeyDictionary[asyncio.Task[Any], int] = WeakKeyDictionary()
        self._listening: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._is_skipping = False

    def start(self) -> None:
        """Begin to listen for signals of other processes."""
        self._listening = in_background(self._listen_for_ever(), name="wake_up")

    async def close(self) -> None:
        """Stop listening and close the connections."""
        if self._listening is not None:
            await end(self._listening)
        await self._redis.aclose()

    async def ping(self) -> bool:
        """Tell whether Redis answers."""
        try:
            return bool(await self._redis.ping())
        except LOSS:
            return False

    async def signal(self) -> None:
        """Wake the workers of this process now and those of others through Redis."""
        self._wake()
        sending = asyncio.create_task(self._publish())
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def wait(self, timeout_seconds: float) -> None:
        """Return after a signal, also one that came since the same task waited last, or after the timeout."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - nothing else awaits
        if self._heard.get(task, 0) == self._signals:
            # Not wait_for: before Python 3.12 it forgets a cancellation that comes together with the signal.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout_seconds):
                    await self._next_signal.wait()
        self._heard[task] = self._signals

    def _hear(self, sender: str) -> None:
        if sender != self._sender:  # its own signals woke this process when they were sent
            self._wake()

    def _wake(self) -> None:
        self._signals += 1
        self._next_signal.set()
        self._next_signal = asyncio.Event()

    async def _publish(self) -> None:
        try:
            await self._redis.publish(_CHANNEL, self._sender)
        except LOSS as error:
            if not self._is_skipping:
                _log.warning("redis.signals_skipped", reason=type(error).__name__)
            self._is_skipping = True
        else:
            if self._is_skipping:
                _log.info("redis.signals_sent_again")
            self._is_skipping = False

    async def _listen_for_ever(self) -> None:
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(LOSS), wait=wait_exponential(multiplier=0.5, max=10)
        )
        async for attempt in retrying:
            with attempt, keeping_cancellation():
                await self._listen()

    async def _listen(self) -> None:
        async with self._redis.pubsub() as pubsub:
            await pubsub.subscribe(_CHANNEL)
            is_silent = False
            while True:
                message = await pubsub.get_message(timeout=_SILENCE_SECONDS)
                if message is not None and message["type"] == "message":
                    self._hear(message["data"])
                elif message is None:
                    if is_silent:
                        raise RedisConnectionError("no answer to a ping")
                    await pubsub.ping()
                is_silent = message is None
