"""Signals between processes through Redis: events for subscribers, and wake-ups for workers."""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from tenacity import AsyncRetrying, retry_if_exception_type, wait_exponential

from graph.core.background import end, in_background
from graph.core.errors import LimitExceeded, RecollectError, Unavailable

LOSS: Final = (RedisError, OSError, RuntimeError)
"""Errors of a lost connection; uvloop raises ``RuntimeError`` for a write to a concurrently closed one."""


@contextlib.contextmanager
def keeping_cancellation() -> Iterator[None]:
    """Raise a cancellation that an error hides: closing the connection of a cancelled task may fail as well.

    Raises:
        CancelledError: The current task is being cancelled, and the connection was lost.
    """
    try:
        yield
    except LOSS as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError from error
        raise


_PREFIX = "recollect:events:"
_KEEPS_LISTENING = f"{_PREFIX}-"
"""Unused channel: a connection stays in subscriber mode only while it has a channel."""
_LOSS_MARK = ""
"""Message that marks a loss of other messages."""
_MOST_UNSENT = 10_000
_PATIENCE_SECONDS = 2.0
_SILENCE_SECONDS = 10.0
_RETRY_SECONDS = 0.5
_FLUSH_SECONDS = 1.0

_log = structlog.get_logger("recollect.redis")


class RedisEvents:
    """Implements ``graph.core.ports.EventBus``; lives from ``start`` to ``close`` on one event loop.

    Args:
        redis: Client that does not reconnect automatically, because redis-py would subscribe again without notice.
        most_waiting: Maximum number of messages queued for one subscriber. A slower subscriber is disconnected with an
            error, because its queue would fill the memory.
    """

    def __init__(self, redis: Redis, *, most_waiting: int = 1000) -> None:
        self._redis = redis
        self._most_waiting = most_waiting
        self._outgoing: asyncio.Queue[tuple[str, str]] = asyncio.Queue(_MOST_UNSENT)
        self._lossy: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._connected = asyncio.Event()
        self._pubsub: PubSub | None = None
        self._inboxes: dict[str, set[_Inbox]] = {}
        self._confirmed: dict[str, asyncio.Event] = {}
        self._commanding = asyncio.Lock()

    def start(self) -> None:
        """Start sending and listening."""
        self._tasks = [
            in_background(self._send_for_ever(), name="send_events"),
            in_background(self._listen_for_ever(), name="listen_for_events"),
        ]

    async def close(self) -> None:
        """Send remaining messages if this is quick, end all subscriptions and close the connections."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FLUSH_SECONDS):
                await self._outgoing.join()
        for task in self._tasks:
            await end(task)
        self._end_all()
        await self._redis.aclose()

    # ----- sending -----

    def publish(self, channel: str, message: str) -> None:
        """Enqueue a message; see ``EventBus.publish``."""
        try:
            self._outgoing.put_nowait((_PREFIX + channel, message))
        except asyncio.QueueFull:
            if not self._lossy:
                _log.error("redis.events_lost", unsent=_MOST_UNSENT)
            self._lossy.add(_PREFIX + channel)

    async def _send_for_ever(self) -> None:
        while True:
            channel, message = await self._outgoing.get()
            await self._send(channel, message)
            self._outgoing.task_done()
            if self._outgoing.empty():
                while self._lossy:
                    await self._send(self._lossy.pop(), _LOSS_MARK)

    async def _send(self, channel: str, message: str) -> None:
        """Send a message; retries for as long as Redis is unavailable."""
        is_delayed = False
        while True:
            try:
                await self._redis.publish(channel, message)
            except LOSS as error:
                if not is_delayed:
                    _log.warning("redis.events_delayed", reason=type(error).__name__)
                is_delayed = True
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    # ----- listening -----

    @asynccontextmanager
    async def subscribe(self, channel: str) -> AsyncIterator[AsyncIterator[str]]:
        """Subscribe to a channel within the block; see ``EventBus.subscribe``."""
        name, inbox = _PREFIX + channel, _Inbox(self._most_waiting)
        try:
            try:
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    await self._join(name, inbox)
            except LOSS:
                raise _no_redis() from None
            yield inbox
        finally:
            self._leave(name, inbox)

    async def _join(self, name: str, inbox: "_Inbox") -> None:
        """Return after Redis has confirmed the subscription of this process to a channel."""
        await self._connected.wait()
        async with self._commanding:
            self._inboxes.setdefault(name, set()).add(inbox)
            confirmed = self._confirmed.get(name)
            if confirmed is None:
                confirmed = self._confirmed[name] = asyncio.Event()
                try:
                    await self._listener().subscribe(name)
                except BaseException:
                    self._confirmed.pop(name, None)  # the listener may have ended all subscriptions meanwhile
                    raise
        await confirmed.wait()

    def _listener(self) -> PubSub:
        if self._pubsub is None:
            raise _no_redis()
        return self._pubsub

    def _leave(self, name: str, inbox: "_Inbox") -> None:
        """Remove an inbox; the listener unsubscribes from channels without inboxes."""
        inboxes = self._inboxes.get(name, set())
        inboxes.discard(inbox)
        if not inboxes and name not in self._confirmed:  # the subscription was never sent, or was refused
            self._inboxes.pop(name, None)

    async def _listen_for_ever(self) -> None:
        while True:
            try:
                with keeping_cancellation():
                    await self._listen()
            except LOSS as error:
                if self._connected.is_set():
                    _log.warning("redis.subscriptions_ended", reason=type(error).__name__)
                self._connected.clear()
                self._end_all()
            await asyncio.sleep(_RETRY_SECONDS)

    async def _listen(self) -> None:
        async with self._redis.pubsub() as pubsub:
            await pubsub.subscribe(_KEEPS_LISTENING)
            self._pubsub = pubsub
            self._connected.set()
            is_silent = False
            while True:
                message = await pubsub.get_message(timeout=_SILENCE_SECONDS)
                if message is not None:
                    self._take(message["type"], message["channel"], message["data"])
                elif is_silent:
                    raise RedisConnectionError("no answer to a ping")
                else:
                    await pubsub.ping()
                is_silent = message is None
                await self._give_up_deserted(pubsub)

    def _take(self, type_: str, name: str, data: str) -> None:
        if type_ == "subscribe" and name in self._confirmed:
            self._confirmed[name].set()
        elif type_ == "message":
            for inbox in self._inboxes.get(name, ()):
                if data == _LOSS_MARK:
                    inbox.end(_lost())
                else:
                    inbox.put(data)

    async def _give_up_deserted(self, pubsub: PubSub) -> None:
        if all(self._inboxes.values()):
            return
        async with self._commanding:
            deserted = [
                name for name, event in self._confirmed.items() if event.is_set() and not self._inboxes[name]
            ]
            for name in deserted:
                del self._confirmed[name], self._inboxes[name]
            if deserted:
                await pubsub.unsubscribe(*deserted)

    def _end_all(self) -> None:
        self._pubsub = None
        for inboxes in self._inboxes.values():
            for inbox in inboxes:
                inbox.end(_lost())
        for event in self._confirmed.values():
            event.set()
        self._inboxes.clear()
        self._confirmed.clear()


class _Inbox:
    """Messages waiting for one subscriber; it still receives messages from before its end."""

    def __init__(self, most_waiting: int) -> None:
        self._most_waiting = most_waiting
        self._messages: deque[str] = deque()
        self._stirred = asyncio.Event()
        self._reason: RecollectError | None = None

    def put(self, message: str) -> None:
        if len(self._messages) >= self._most_waiting:
            self.end(_too_slow(self._most_waiting))
        if self._reason is None:
            self._messages.append(message)
            self._stirred.set()

    def end(self, reason: RecollectError) -> None:
        self._reason = self._reason or reason
        self._stirred.set()

    def __aiter__(self) -> "_Inbox":
        return self

    async def __anext__(self) -> str:
        while not self._messages:
            if self._reason is not None:
                raise self._reason
            self._stirred.clear()
            await self._stirred.wait()
        return self._messages.popleft()


def _no_redis() -> Unavailable:
    return Unavailable("redis", "Redis, which carries events, does not answer; subscribe again shortly")


def _lost() -> Unavailable:
    return Unavailable("redis", "events may have been missed; subscribe again, then reload what you show")


def _too_slow(most_waiting: int) -> LimitExceeded:
    return LimitExceeded(
        f"this subscriber read too slowly: more than {most_waiting} messages waited for it; subscribe again, "
        "then reload what you show"
    )


_CHANNEL = "recollect:jobs"


class RedisWakeUp:
    """Implements ``graph.core.ports.WakeUp``; lives from ``start`` to ``close`` on one event loop.

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
        """Start listening for signals of other processes."""
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
        """Return after a signal, including one since the last wait of the same task, or after the timeout."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - nothing else awaits
        if self._heard.get(task, 0) == self._signals:
            # Not wait_for, which before Python 3.12 loses a cancellation that arrives together with the signal.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout_seconds):
                    await self._next_signal.wait()
        self._heard[task] = self._signals

    def _hear(self, sender: str) -> None:
        if sender != self._sender:  # signals of this process have already woken it when sent
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
