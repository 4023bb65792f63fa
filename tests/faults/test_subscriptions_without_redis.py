"""Subscriptions while Redis is down."""

from app.main import create_app
from tests.faults.conftest import hold_relaunch, kill
from tests.fixtures.websockets import connected, serving

SAVE = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input) { memory { id } } }"
EVENTS = "subscription { memoryEvents { type memory { content } } }"


async def test_without_redis_subscriptions_end_with_an_error_and_writes_succeed(
    mortal, mortal_runtime, mortal_redis, monkeypatch
) -> None:
    """K1: the error asks the client to subscribe again, saves succeed, and Redis need only come back."""
    server, _ = mortal_redis
    events = mortal_runtime.services.memories.subscriptions
    await mortal.ok(SAVE, input={"content": "The first save is slow: the server plans it"})
    relaunched = hold_relaunch(server, monkeypatch)
    async with (
        serving(create_app(mortal_runtime.services)) as url,
        connected(url, key=mortal.key) as subscriber,
    ):
        id_ = await subscriber.subscribe(EVENTS)
        while not events._bus._inboxes:
            await subscriber.is_silent()
        kill(server)
        ended = await subscriber.error(id_)
        await mortal.ok(SAVE, input={"content": "Nobody hears of this"})
        again = await subscriber.error(await subscriber.subscribe(EVENTS))
        relaunched.set()

        for error in (ended, again):
            assert (error["code"], error["field"]) == ("UNAVAILABLE", None)
            assert "subscribe again" in error["message"]
            assert "redis.sock" not in error["message"]
        while True:
            id_ = await subscriber.subscribe(EVENTS)
            if await listens(subscriber, events, id_):
                break
        await mortal.ok(SAVE, input={"content": "Redis is back"})
        told = [(await subscriber.next(id_))["memoryEvents"]["memory"]["content"]]
        if told == ["Nobody hears of this"]:  # an event that waited for Redis may arrive as well
            told = [(await subscriber.next(id_))["memoryEvents"]["memory"]["content"]]
        assert told == ["Redis is back"]


async def listens(subscriber, events, id_: str) -> bool:
    """Return True once the subscription is active, or False if it was refused."""
    while not any(event.is_set() for event in events._bus._confirmed.values()):
        await subscriber.is_silent()
        if any(message.get("id") == id_ for message in subscriber.received):
            await subscriber.error(id_)
            return False
    return True
