"""Listeners at Redis: the first cancellation ends them, even if closing the connection fails."""

import asyncio
from typing import Any, Self

import pytest
from redis.asyncio import Redis
from redis.exceptions import TimeoutError as RedisTimeoutError

from app.adapters.redis_signals import RedisEvents, RedisWakeUp
from tests.fixtures.timeouts import scaled_timeout


class NeverClosed(Redis):
    """Redis whose listening connections do not close in time, as on uvloop when the server is silent."""

    opened = 0

    def pubsub(self, **_: Any) -> "NeverClosed":  # type: ignore[override]
        self.opened += 1
        return self

    async def subscribe(self, *_: str) -> None:
        pass

    async def get_message(self, **_: float) -> None:
        await asyncio.Event().wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        raise RedisTimeoutError("Timeout connecting to server")


@pytest.mark.parametrize("listener", [RedisEvents, RedisWakeUp])
async def test_a_cancellation_ends_a_listener_whose_connection_does_not_close(listener) -> None:
    """Formerly ``end`` cancelled it each second until one cancellation fell between two connections."""
    redis = NeverClosed()
    listening = asyncio.create_task(listener(redis)._listen_for_ever())
    await asyncio.sleep(0)

    listening.cancel()
    await asyncio.wait([listening], timeout=scaled_timeout(30))

    assert listening.cancelled()
    assert redis.opened == 1
