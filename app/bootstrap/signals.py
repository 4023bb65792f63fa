"""Signals and state that processes exchange through Redis."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

from app.adapters.redis.events import RedisEvents
from app.adapters.redis.sessions import RedisCounters, RedisSessions
from app.adapters.redis.wake_up import RedisWakeUp
from app.adapters.redis.working_set import RedisWorkingSet
from app.bootstrap.connections import open_redis
from app.settings import Settings
from graph.core.events.announcing import Announcer
from graph.core.ports import Clock
from graph.core.working_set.service import WorkingSet

_SIGN_IN_SECONDS = 2.0  # somebody who signs in rather waits that long for Redis than is refused


@dataclass(frozen=True)
class Signals:
    """The means of it.

    Attributes:
        counters: Of requests, which do not wait for a slow Redis.
        attempts: Of attempts to sign in.
    """

    wake_up: RedisWakeUp
    event_bus: RedisEvents
    announcer: Announcer
    working_set: WorkingSet
    sessions: RedisSessions
    counters: RedisCounters
    attempts: RedisCounters


def open_signals(settings: Settings, clock: Clock, stack: AsyncExitStack) -> Signals:
    """Begin to send and to listen; the stack closes the connections."""
    wake_up = RedisWakeUp(open_redis(settings.redis))
    event_bus = RedisEvents(open_redis(settings.redis, reconnects=False))
    for adapter in (wake_up, event_bus):
        adapter.start()
        stack.push_async_callback(adapter.close)
    shared = RedisWorkingSet(open_redis(settings.redis, reconnects=False))
    sessions = RedisSessions(open_redis(settings.redis, reconnects=False))
    counters = RedisCounters(open_redis(settings.redis, reconnects=False))
    attempts = RedisCounters(open_redis(settings.redis, reconnects=False), patience_seconds=_SIGN_IN_SECONDS)
    for holder in (shared, sessions, counters, attempts):
        stack.push_async_callback(holder.close)
    announcer = Announcer(event_bus, clock)
    return Signals(wake_up, event_bus, announcer, WorkingSet(shared), sessions, counters, attempts)
