"""What processes tell each other and share through Redis."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

from app.adapters.redis_events import RedisEvents
from app.adapters.redis_wake_up import RedisWakeUp
from app.adapters.redis_working_set import RedisWorkingSet
from app.connections import open_redis
from app.settings import Settings
from graph.events.announcing import Announcer
from graph.ports import Clock
from graph.working_set.service import WorkingSet


@dataclass(frozen=True)
class Signals:
    """The means of it."""

    wake_up: RedisWakeUp
    event_bus: RedisEvents
    announcer: Announcer
    working_set: WorkingSet


def open_signals(settings: Settings, clock: Clock, stack: AsyncExitStack) -> Signals:
    """Begin to send and to listen; the stack closes the connections."""
    wake_up = RedisWakeUp(open_redis(settings.redis))
    most_waiting = settings.redis.subscriber_messages
    event_bus = RedisEvents(open_redis(settings.redis, reconnects=False), most_waiting=most_waiting)
    for adapter in (wake_up, event_bus):
        adapter.start()
        stack.push_async_callback(adapter.close)
    shared = RedisWorkingSet(open_redis(settings.redis, reconnects=False))
    stack.push_async_callback(shared.close)
    return Signals(wake_up, event_bus, Announcer(event_bus, clock), WorkingSet(shared))
