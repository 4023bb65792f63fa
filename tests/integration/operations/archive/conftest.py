"""The archives of the run's engine."""

import pytest

from graph.operations.archive.service import Archives
from tests.fixtures.graphs import NOW
from tests.fixtures.memories import MovingClock


@pytest.fixture
def archives(services) -> Archives:
    return services.operations.archives


@pytest.fixture
def nothing_due(archives, monkeypatch) -> None:
    """Make the jobs of a restore fall due far in the future, so that no worker takes them."""
    monkeypatch.setattr(archives, "_clock", MovingClock(NOW))
