"""Keeps sessions and counts in Redis, where every process finds them."""

import asyncio
import time
from collections.abc import Awaitable
from typing import TypeVar
from urllib.parse import quote

import structlog
from litestar.stores.redis import RedisStore
from redis.asyncio import Redis

from app.adapters.redis.loss import LOSS
from graph.core.errors import Unavailable
from graph.core.ports import Counted

ResultT = TypeVar("ResultT")

_SESSIONS = "recollect:session"
_COUNTS = "recollect:count"
_PATIENCE_SECONDS = 2.0  # that a call for a session waits for Redis

_log = structlog.get_logger("recollect.redis")


class RedisSessions:
    """Fulfils ``graph.core.ports.SessionStore`` over Litestar's store; lives from its first use to ``close``."""

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
    """Fulfils ``graph.core.ports.Counters``; lives from its first use to ``close``.

    A count is the number under ``recollect:count:<name>:<window>``, so that counting is one command of Redis: no two
    processes lose each other's.
    """

    def __init__(self, redis: Redis, *, patience_seconds: float = 0.5) -> None:
        self._redis = redis
        self._patience = patience_seconds

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def count(self, name: str, *, window_seconds: int) -> Counted:
        """Count one more; see ``Counters.count``."""
        now = time.time()

        async def counted() -> int:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.incr(_key(name, now, window_seconds))
                pipe.expire(_key(name, now, window_seconds), window_seconds)
                return int((await pipe.execute())[0])

        seconds_left = window_seconds - int(now) % window_seconds
        return Counted(await _answer(counted(), self._patience), seconds_left)

    async def uncount(self, name: str, *, window_seconds: int) -> None:
        """Take one back; see ``Counters.uncount``."""
        key = _key(name, time.time(), window_seconds)

        async def taken_back() -> None:
            async with self._redis.pipeline(transaction=True) as pipe:
                pipe.decr(key)
                pipe.expire(key, window_seconds)
                await pipe.execute()

        await _answer(taken_back(), self._patience)


def _key(name: str, now: float, window_seconds: int) -> str:
    return f"{_COUNTS}:{quote(name, safe=':')}:{int(now) // window_seconds}"


async def _answer(asked: Awaitable[ResultT], patience: float) -> ResultT:
    try:
        async with asyncio.timeout(patience):
            return await asked
    except LOSS as error:
        _log.warning("redis.no_answer", reason=type(error).__name__)
        raise Unavailable("redis", "Redis does not answer; try again shortly") from error
