"""The connection to the external tier: what shuts its gate and what does not."""

import pytest

from graph.core.ports import TierFailed, TierRefused
from graph.vectors.external.connection import StoreConnection
from graph.vectors.external.models import TierSettings
from tests.fixtures.memories import MovingClock
from tests.fixtures.tiers import SwitchableTier

SETTINGS = TierSettings(enabled=True)


@pytest.fixture
async def connection() -> StoreConnection:
    connection = StoreConnection(SETTINGS, SwitchableTier().open, MovingClock())
    await connection.use(SETTINGS, "here")
    return connection


def raising(error: TierFailed):
    async def work(_):
        raise error

    return work


async def test_a_refused_request_does_not_block_others(connection):
    """B21, C2: the request is at fault, not the store."""
    with pytest.raises(TierRefused, match="too long"):
        await connection.ask(raising(TierRefused("too long")))
    assert connection.reason is None


async def test_a_failing_tier_gets_no_requests_until_a_probe(connection):
    """C2."""
    with pytest.raises(TierFailed, match="away"):
        await connection.ask(raising(TierFailed("away")))
    assert connection.reason == "away"
