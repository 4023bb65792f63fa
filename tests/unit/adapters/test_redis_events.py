"""Closing the events of Redis, also if the driver swallows a cancellation."""

import asyncio

from redis.asyncio import Redis

from app.adapters import redis_signals
from app.adapters.redis_signals import RedisEvents
from tests.fixtures.timeouts import scaled_timeout


class Swallowing(RedisEvents):
    """A listener that swallows its first cancellation, as if a timeout of its own had ended."""

    swallowed = 0

    async def _listen_for_ever(self) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.swallowed += 1
        await asyncio.Event().wait()


async def test_closing_ends_although_a_cancellation_was_swallowed(monkeypatch) -> None:
    monkeypatch.setattr(redis_signals, "_FLUSH_SECONDS", 0.01)
    bus = Swallowing(Redis())
    bus.start()
    await asyncio.sleep(0)  # the listener waits

    await asyncio.wait_for(bus.close(), scaled_timeout(30))

    assert bus.swallowed == 1
