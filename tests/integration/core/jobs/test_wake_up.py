"""Waking workers through Redis."""

import asyncio

import pytest
from redis.asyncio import Redis

from app.adapters.redis.wake_up import RedisWakeUp


async def test_a_worker_that_is_woken_and_stopped_at_once_stops(redis_url):
    """A stop that came together with a signal was forgotten, and the process hung at its end."""
    wake_up = RedisWakeUp(Redis.from_url(redis_url))
    waiting = asyncio.create_task(wake_up.wait(60))
    await asyncio.sleep(0)

    await wake_up.signal()
    waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    await wake_up.close()
