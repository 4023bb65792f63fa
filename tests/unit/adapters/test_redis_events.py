"""The events of Redis end when they are closed, whatever the driver does with a cancellation."""

import asyncio

from redis.asyncio import Redis

from app.adapters import redis_signals
from app.adapters.redis_signals import RedisEvents
from tests.fixtures.timeouts import scaled_timeout


class Swallowing(RedisEvents):
    """Its listener takes the first cancellation for the end of a timeout of its own."""

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
