"""Short-lived data in Redis: sessions, counters, and the working set of agents."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import quote

import structlog
from litestar.stores.redis import RedisStore
from redis.asyncio import Redis

from app.adapters.redis_signals import LOSS
from graph.core.errors import Unavailable
from graph.core.ports import Counted

_SESSIONS = "recollect:session"
_COUNTS = "recollect:count"
ResultT = TypeVar("ResultT")

_PATIENCE_SECONDS = 2.0  # timeout of Redis for a session


class RedisSessions:
    """Implements ``graph.core.ports.SessionStore`` over Litestar's store; lives from its first use to ``close``."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._store = RedisStore(redis, namespace=_SESSIONS)

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def get(self, id_: str, *, renew_seconds: int) -> str | None:
        """Read a session; see ``SessionStore.get``."""
        found: bytes | str | None = await _answer(
            self._store.get(id_, renew_for=renew_seconds), _PATIENCE_SECONDS
        )
        return found.decode() if isinstance(found, bytes) else found

    async def set(self, id_: str, value: str, *, ttl_seconds: int) -> None:
        """Write a session; see ``SessionStore.set``."""
        await _answer(self._store.set(id_, value, expires_in=ttl_seconds), _PATIENCE_SECONDS)

    async def delete(self, id_: str) -> None:
        """Remove a session; see ``SessionStore.delete``."""
        await _answer(self._store.delete(id_), _PATIENCE_SECONDS)


class RedisCounters:
    """Implements ``graph.core.ports.Counters``; lives from its first use to ``close``.

    A count is the number under ``recollect:count:<name>:<window>``. Counting is one atomic command of Redis, so
    processes do not overwrite each other's counts.
    """

    def __init__(self, redis: Redis, *, patience_seconds: float = 0.5) -> None:
        self._redis = redis
        self._patience = patience_seconds

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def count(self, name: str, *, window_seconds: int) -> Counted:
        """Count one event; see ``Counters.count``."""
        now = time.time()

        async def counted() -> int:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.incr(_count_key(name, now, window_seconds))
                pipe.expire(_count_key(name, now, window_seconds), window_seconds)
                return int((await pipe.execute())[0])

        seconds_left = window_seconds - int(now) % window_seconds
        return Counted(await _answer(counted(), self._patience), seconds_left)

    async def uncount(self, name: str, *, window_seconds: int) -> None:
        """Take back one event; see ``Counters.uncount``."""
        key = _count_key(name, time.time(), window_seconds)

        async def taken_back() -> None:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.decr(key)
                pipe.expire(key, window_seconds)
                await pipe.execute()

        await _answer(taken_back(), self._patience)


def _count_key(name: str, now: float, window_seconds: int) -> str:
    return f"{_COUNTS}:{quote(name, safe=':')}:{int(now) // window_seconds}"


async def _answer(command: Awaitable[ResultT], patience: float) -> ResultT:
    try:
        async with asyncio.timeout(patience):
            return await command
    except LOSS as error:
        _log.warning("redis.no_answer", reason=type(error).__name__)
        raise Unavailable("redis", "Redis does not answer; try again shortly") from error


_PREFIX = "oxa:ws"
_CONVERSATION = 3  # index of the conversation in a key, after two parts of the prefix and the workspace
_TTL_SUFFIX = ":#ttl"
"""Suffix of the key with a slot's own lifetime, if it is not the default; names of slots have these signs escaped."""
_SCANNED_TOGETHER = 500
_DEFAULT_TTL_SECONDS = 3600  # default lifetime of an unread slot
_PATIENCE_FOR_CLEARING = 3  # multiple of a slot's timeout, because clearing scans all keys

_log = structlog.get_logger("recollect.redis")


class RedisWorkingSet:
    """Implements ``graph.core.ports.WorkingSetStore``; lives from its first use to ``close`` on one event loop.

    The value of a slot is the JSON under ``oxa:ws:<workspace_id>:<conversation_id>:<slot>``. Characters of an id or
    slot other than letters, digits and ``_.-~`` are percent-encoded, so that no id can match another's keys or change a
    search pattern.

    Args:
        redis: The client.
        patience_seconds: Timeout of a call to Redis.
    """

    def __init__(self, redis: Redis, *, patience_seconds: float = 2.0) -> None:
        self._redis = redis
        self._patience = patience_seconds

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def get(self, workspace_id: str, conversation_id: str, slot: str) -> str | None:
        """Read a slot; see ``WorkingSetStore.get``."""
        key = _key(workspace_id, conversation_id, slot)

        async def read() -> str | None:
            own_ttl = await self._redis.get(key + _TTL_SUFFIX)
            seconds = int(own_ttl or _DEFAULT_TTL_SECONDS)
            value = await self._redis.getex(key, ex=seconds)
            if own_ttl is not None:
                await self._redis.expire(key + _TTL_SUFFIX, seconds)
            return None if value is None else str(value)

        return await self._answer("read", read, otherwise=None)

    async def set(
        self, workspace_id: str, conversation_id: str, slot: str, value: str, ttl_seconds: int
    ) -> bool:
        """Write a slot; see ``WorkingSetStore.set``."""
        key = _key(workspace_id, conversation_id, slot)

        async def write() -> bool:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.set(key, value, ex=ttl_seconds)
                if ttl_seconds == _DEFAULT_TTL_SECONDS:
                    pipe.delete(key + _TTL_SUFFIX)
                else:
                    pipe.set(key + _TTL_SUFFIX, ttl_seconds, ex=ttl_seconds)
                await pipe.execute()
            return True

        return await self._answer("write", write, otherwise=False)

    async def clear(self, workspace_id: str, conversation_id: str | None) -> int:
        """Remove slots; see ``WorkingSetStore.clear``."""
        return await self._clear(
            _key(workspace_id, *([] if conversation_id is None else [conversation_id])) + ":*"
        )

    async def clear_named(self, workspace_id: str, *, beginning: str = "", end: str = "") -> int:
        """Remove slots; see ``WorkingSetStore.clear_named``."""
        return await self._clear(f"{_key(workspace_id, beginning)}*{_quoted(end)}:*", end=_quoted(end))

    async def _clear(self, pattern: str, *, end: str = "") -> int:
        """Remove matching keys whose conversation has this end; checked here, because ``*`` also matches colons."""

        async def remove() -> int:
            removed = 0
            found: list[str] = []
            async for key in self._redis.scan_iter(match=pattern, count=_SCANNED_TOGETHER):
                if key.split(":")[_CONVERSATION].endswith(end):
                    found.append(key)
                if len(found) == _SCANNED_TOGETHER:
                    removed += await self._remove(found)
                    found = []
            return removed + await self._remove(found)

        return await self._answer(
            "clear", remove, otherwise=0, patience=_PATIENCE_FOR_CLEARING * self._patience
        )

    async def _remove(self, keys: list[str]) -> int:
        """Remove keys; return the number of slots among them."""
        slots = [key for key in keys if not key.endswith(_TTL_SUFFIX)]
        others = [key for key in keys if key.endswith(_TTL_SUFFIX)]
        removed = int(await self._redis.unlink(*slots)) if slots else 0
        if others:
            await self._redis.unlink(*others)
        return removed

    async def _answer(
        self,
        operation: str,
        ask: Callable[[], Awaitable[ResultT]],
        *,
        otherwise: ResultT,
        patience: float | None = None,
    ) -> ResultT:
        try:
            async with asyncio.timeout(patience or self._patience):
                return await ask()
        except LOSS as error:
            _log.warning("redis.working_set_skipped", operation=operation, reason=type(error).__name__)
            return otherwise


def _key(*parts: str) -> str:
    return ":".join([_PREFIX, *map(_quoted, parts)])


def _quoted(part: str) -> str:
    return quote(part, safe="")
