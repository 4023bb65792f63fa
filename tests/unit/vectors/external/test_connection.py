"""The connection to the external tier: its failures, and the times of its probes."""

from collections.abc import Awaitable, Callable

import pytest

from graph.core.ports import TierFailed, TierRefused
from graph.vectors.external.connection import StoreConnection
from graph.vectors.external.models import TierSettings
from tests.fixtures.memories import MovingClock
from tests.fixtures.tiers import SwitchableTier

SETTINGS = TierSettings(enabled=True)


@pytest.fixture
def clock() -> MovingClock:
    return MovingClock()


@pytest.fixture
async def connection(clock) -> StoreConnection:
    connection = StoreConnection(SETTINGS, SwitchableTier().open, clock)
    await connection.use(SETTINGS, "here")
    return connection


def raising(error: TierFailed) -> Callable[[object], Awaitable[None]]:
    async def work(_: object) -> None:
        raise error

    return work


async def working(_: object) -> None:
    """Succeed."""


async def test_a_refused_request_does_not_block_others(connection):
    """B21, C2: the request is at fault, not the store."""
    with pytest.raises(TierRefused, match="too long"):
        await connection.ask(raising(TierRefused("too long")))
    assert connection.reason is None


async def test_a_failing_tier_is_unavailable_until_a_probe(connection, clock):
    """C2: it is probed after a second."""
    with pytest.raises(TierFailed, match="away"):
        await connection.ask(raising(TierFailed("away")))
    connection.probed()
    assert (connection.reason, connection.is_worth_a_probe) == ("away", False)

    clock.move(seconds=1)
    assert (connection.reason, connection.is_worth_a_probe) == ("away", True)
    connection.probed()
    assert (connection.reason, connection.is_worth_a_probe) == (None, False)


async def test_a_store_that_only_claims_to_be_ready_is_called_less_and_less_often(connection, clock):
    """C2: a successful probe proves nothing, but successful work makes the pauses short again."""
    pauses = []

    async def fail() -> None:
        with pytest.raises(TierFailed):
            await connection.ask(raising(TierFailed("full")))
        pauses.append(0)
        while not connection.is_worth_a_probe:
            clock.move(seconds=1)
            pauses[-1] += 1

    for _ in range(9):
        await fail()
        assert await connection.is_ready()
        connection.probed()
    await connection.ask(working)
    await fail()

    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 1]


async def test_a_closed_connection_says_that_it_is_off(connection):
    await connection.close()
    with pytest.raises(TierFailed, match="the external tier is off"):
        await connection.ask(working)
