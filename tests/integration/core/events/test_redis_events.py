"""Events between processes through a real Redis: in order, losses reported, writers never blocked."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

from app.adapters import redis_signals as redis_events
from app.adapters.redis_signals import RedisEvents
from app.embedded.redis import EmbeddedRedis
from graph.core.errors import LimitExceeded, Unavailable
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until


@pytest.fixture(scope="module")
async def server(tmp_path_factory) -> AsyncIterator[EmbeddedRedis]:
    """Yield this module's own Redis, which tests kill and which restarts automatically."""
    redis = EmbeddedRedis(tmp_path_factory.mktemp("events-redis"))
    await redis.start()
    yield redis
    await redis.stop()


@pytest.fixture
async def bus(server) -> AsyncIterator[Callable[..., RedisEvents]]:
    """Yield a function that opens the events of one process."""
    made = []

    def make(**options) -> RedisEvents:
        client = Redis.from_url(server.url, decode_responses=True)
        client.set_retry(Retry(NoBackoff(), 0))
        made.append(RedisEvents(client, **options))
        made[-1].start()
        return made[-1]

    yield make
    for events in made:
        await events.close()


async def answers(server: EmbeddedRedis) -> bool:
    async with Redis.from_url(server.url) as client:
        try:
            return await client.ping()
        except OSError:
            return False
        except Exception:  # noqa: BLE001 - whatever it says while it comes back
            return False


async def test_a_subscription_cancelled_before_its_start_leaves_nothing(bus, server) -> None:
    """Otherwise its messages would be collected permanently, as for a slow reader."""
    reader = bus()

    async def listen() -> None:
        async with reader.subscribe("ws_x:memories"):
            raise AssertionError("Redis does not answer")

    async with reader.subscribe("ws_y:memories"):
        os.kill(server.pid, signal.SIGSTOP)
        try:
            listening = asyncio.create_task(listen())

            async def has_joined() -> bool:
                return any("ws_x:memories" in name for name in reader._inboxes)

            await until(has_joined)
            listening.cancel()
            await asyncio.wait([listening])
            assert listening.cancelled()
        finally:
            os.kill(server.pid, signal.SIGCONT)

    assert not any(reader._inboxes.values())


async def test_a_subscription_that_loses_redis_while_it_begins_is_refused(bus, monkeypatch) -> None:
    """It is no internal error, although all subscriptions end before Redis refuses this one."""
    reader = bus()

    async def lose(*_names: str) -> None:
        reader._end_all()
        raise RedisConnectionError

    async with reader.subscribe("ws_x:memories"):
        monkeypatch.setattr(reader._listener(), "subscribe", lose)
        with pytest.raises(Unavailable, match="subscribe again"):
            async with reader.subscribe("ws_y:memories"):
                raise AssertionError("Redis has gone")

    assert not any(reader._inboxes.values())


async def test_messages_come_in_order_to_everybody_on_the_channel_and_nobody_else(bus) -> None:
    writer, reader = bus(), bus()
    async with (
        reader.subscribe("ws_a:memories") as first,
        reader.subscribe("ws_a:memories") as second,
        writer.subscribe("ws_a:memories") as own,
        reader.subscribe("ws_b:memories") as other,
        reader.subscribe("ws_a:jobs") as jobs,
    ):
        for number in range(200):
            writer.publish("ws_a:memories", f"m{number}")
        writer.publish("ws_b:memories", "theirs")
        writer.publish("ws_a:jobs", "job")
        for inbox in (first, second, own):
            assert [await anext(inbox) for _ in range(200)] == [f"m{number}" for number in range(200)]

        assert (await anext(other), await anext(jobs)) == ("theirs", "job")


async def test_an_unused_channel_is_unsubscribed_and_subscribed_again(bus, server) -> None:
    events = bus()
    async with Redis.from_url(server.url, decode_responses=True) as client:

        async def listeners() -> int:
            return (await client.pubsub_numsub("recollect:events:ws_c:memories"))[0][1]

        async with events.subscribe("ws_c:memories"), events.subscribe("ws_c:memories"):
            assert await listeners() == 1
        events.publish("ws_c:memories", "to nobody")

        async def nobody_listens() -> bool:
            return await listeners() == 0

        await until(nobody_listens)
        async with events.subscribe("ws_c:memories") as inbox:
            events.publish("ws_c:memories", "to somebody")
            assert await anext(inbox) == "to somebody"


async def test_a_killed_redis_ends_subscriptions_and_delays_events(bus, server) -> None:
    """Publishing raises no error; events published while Redis is down are delivered later."""
    writer, reader = bus(), bus()
    async with reader.subscribe("ws_d:memories") as inbox:
        writer.publish("ws_d:memories", "before")
        assert await anext(inbox) == "before"
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(Unavailable, match="subscribe again") as ended:
            await anext(inbox)
        assert ended.value.dependency == "redis"
    writer.publish("ws_d:memories", "meanwhile")

    await until(lambda: answers(server))
    async with reader.subscribe("ws_d:memories") as inbox:
        writer.publish("ws_d:memories", "afterwards")
        told = await anext(inbox)
        assert (told if told == "afterwards" else await anext(inbox)) == "afterwards"


async def test_a_subscriber_gets_an_error_while_redis_is_unavailable(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(redis_events, "_PATIENCE_SECONDS", 0.1)
    client = Redis.from_url(f"unix://{tmp_path}/nobody.sock", decode_responses=True)
    client.set_retry(Retry(NoBackoff(), 0))
    events = RedisEvents(client)
    events.start()
    events.publish("ws_e:memories", "said to nobody")

    with pytest.raises(Unavailable, match="does not answer"):
        async with events.subscribe("ws_e:memories"):
            pass

    monkeypatch.setattr(redis_events, "_FLUSH_SECONDS", 0.05)
    await events.close()


@pytest.mark.proof("stops a real Redis for longer than a deadline")
async def test_an_unresponsive_redis_is_detected(bus, server, monkeypatch) -> None:
    """A cut cable or a frozen server closes no connection; only an unanswered ping reveals it."""
    monkeypatch.setattr(redis_events, "_SILENCE_SECONDS", 2.0)
    events = bus()
    async with events.subscribe("ws_f:memories") as inbox:
        await asyncio.sleep(5)  # a silent connection alone ends nothing
        events.publish("ws_f:memories", "still there")
        assert await anext(inbox) == "still there"
        assert server.pid is not None
        os.kill(server.pid, signal.SIGSTOP)
        try:
            with pytest.raises(Unavailable):
                await asyncio.wait_for(anext(inbox), scaled_timeout(60))
        finally:
            os.kill(server.pid, signal.SIGCONT)


async def test_a_slow_reader_is_disconnected_without_delaying_others(bus) -> None:
    """The reader still gets the messages that waited, and then an error that explains it."""
    writer, reader = bus(), bus(most_waiting=3)
    async with reader.subscribe("ws_g:memories") as slow, reader.subscribe("ws_g:memories") as fast:
        for number in range(10):
            writer.publish("ws_g:memories", str(number))
            assert await anext(fast) == str(number)

        assert [await anext(slow) for _ in range(3)] == ["0", "1", "2"]
        with pytest.raises(LimitExceeded, match="more than 3 messages waited"):
            await anext(slow)
        with pytest.raises(LimitExceeded):
            await anext(slow)


async def test_messages_beyond_the_queue_are_reported_as_lost(bus, server, monkeypatch) -> None:
    monkeypatch.setattr(redis_events, "_MOST_UNSENT", 2)
    writer, reader = bus(), bus()
    async with (
        Redis.from_url(server.url) as client,
        reader.subscribe("ws_h:memories") as inbox,
        reader.subscribe("ws_i:memories") as other,
    ):
        await client.client_pause(600_000, all=False)
        writer.publish("ws_h:memories", "0")

        async def first_is_on_its_way() -> bool:
            return writer._outgoing.empty()

        await until(first_is_on_its_way)
        for number in range(1, 6):
            writer.publish("ws_h:memories", str(number))
        await client.client_unpause()
        told = [await anext(inbox) for _ in range(3)]
        with pytest.raises(Unavailable, match="may have been missed"):
            await anext(inbox)
        writer.publish("ws_i:memories", "not concerned")

        assert told == ["0", "1", "2"]
        assert await anext(other) == "not concerned"


async def test_closing_sends_waiting_messages_and_ends_subscriptions(bus) -> None:
    writer, reader = bus(), bus()
    async with reader.subscribe("ws_j:memories") as inbox:
        writer.publish("ws_j:memories", "last words")
        await writer.close()
        assert await anext(inbox) == "last words"
        await reader.close()
        with pytest.raises(Unavailable):
            await anext(inbox)
