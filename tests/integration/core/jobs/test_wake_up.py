"""Signals through Redis that wake workers."""

import asyncio

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from app.adapters.redis_signals import RedisWakeUp
from app.embedded.redis import EmbeddedRedis
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until


async def test_a_worker_woken_and_stopped_simultaneously_stops(redis_url):
    """Otherwise a stop that coincides with a signal is lost, and the process hangs at its end."""
    wake_up = RedisWakeUp(Redis.from_url(redis_url, decode_responses=True))
    waiting = asyncio.create_task(wake_up.wait(60))
    await asyncio.sleep(0)

    await wake_up.signal()
    waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    await wake_up.close()


async def test_a_signal_also_wakes_busy_loops(redis_url):
    """The first loop to wake must not take the signal from loops that wait later."""
    wake_up = RedisWakeUp(Redis.from_url(redis_url, decode_responses=True))
    is_at_work = asyncio.Event()
    rounds = [0, 0]

    async def idle() -> None:
        while True:
            await wake_up.wait(60)
            rounds[0] += 1

    async def busy() -> None:
        await is_at_work.wait()
        await wake_up.wait(60)
        rounds[1] += 1

    loops = [asyncio.create_task(idle()), asyncio.create_task(busy())]
    await asyncio.sleep(0)
    await wake_up.signal()

    async def idle_is_woken() -> bool:
        return rounds == [1, 0]

    await until(idle_is_woken)

    is_at_work.set()
    async with asyncio.timeout(scaled_timeout(60)):
        await loops[1]

    assert rounds == [1, 1]
    loops[0].cancel()
    await asyncio.wait(loops)
    await wake_up.close()


async def test_a_process_is_woken_once_by_its_own_signal(redis_url):
    """Redis returns the signal to its sender, which must not make each lane query twice."""
    one, other = (RedisWakeUp(Redis.from_url(redis_url, decode_responses=True)) for _ in range(2))
    async with Redis.from_url(redis_url, decode_responses=True) as redis, redis.pubsub() as heard:
        await heard.subscribe("recollect:jobs")
        await heard.get_message(timeout=None)
        await one.signal()
        while (message := await heard.get_message(timeout=None)) is None or message["data"] != one._sender:
            pass  # another test's signal

    for each in (one, other):
        each._hear(message["data"])

    assert (one._signals, other._signals) == (1, 1)
    await one.close()
    await other.close()


async def test_an_unavailable_redis_is_logged_once(tmp_path):
    """M15: without Redis, each save would write a log line."""
    server = EmbeddedRedis(tmp_path)
    wake_up = RedisWakeUp(Redis.from_url(server.url, decode_responses=True))

    async def signalled() -> None:
        await wake_up.signal()
        await asyncio.gather(*wake_up._sending)

    with capture_logs() as logs:
        for _ in range(3):
            await signalled()
        await server.start()
        for _ in range(2):
            await signalled()
        await server.stop()
        await signalled()
    await wake_up.close()

    assert [entry["event"] for entry in logs if entry["event"].startswith("redis.")] == [
        "redis.signals_skipped",
        "redis.signals_sent_again",
        "redis.signals_skipped",
    ]
