"""Engines with an external tier, over a separate store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.bootstrap.runtime import Runtime, working
from app.settings import EmbeddingSettings, QdrantSettings, Settings
from graph.operations.services import Services
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.own_store import make_empty
from tests.fixtures.quick_runtime import open_quick_runtime
from tests.fixtures.reembedding import FixedCatalogue
from tests.fixtures.tiers import SwitchableTier
from tests.fixtures.waiting import until

PATIENCE = 120
"""Maximum seconds of several consecutive jobs on a busy machine."""


def with_tier(settings: Settings, **changes) -> Settings:
    """Return the settings with the tier enabled."""
    qdrant = QdrantSettings(**({"enabled": True} | changes))
    embedding = EmbeddingSettings(quantization="NONE")
    return settings.model_copy(update={"qdrant": qdrant, "embedding": embedding})


def without_tier(settings: Settings) -> Settings:
    """Return the same settings with the tier disabled."""
    return with_tier(settings, enabled=False)


@asynccontextmanager
async def tiered_engine(
    settings: Settings,
    tier: SwitchableTier,
    embedder: HashingEmbedder | None = None,
    catalogue: FixedCatalogue | None = None,
) -> AsyncIterator[Runtime]:
    """Run an engine and its workers over a tier."""
    embedder = embedder or HashingEmbedder()
    async with (
        open_quick_runtime(
            settings, embedder=embedder, catalogue=catalogue, tier_opener=tier.open
        ) as runtime,
        working(runtime),
    ):
        yield runtime


async def serves(services: Services) -> None:
    """Wait until recall searches the tier."""

    async def is_so() -> bool:
        return (await services.vectors.external.status([])).serves

    await until(is_so, seconds=PATIENCE)


async def settled(services: Services, workspace_id: str) -> None:
    """Wait until a workspace is embedded and mirrored."""

    async def is_so() -> bool:
        status = await services.operations.status.engine([workspace_id])
        return status.workspaces[0].pending_jobs == 0 and status.vector_tier.pending == 0

    await until(is_so, seconds=PATIENCE)


@pytest.fixture(scope="module")
async def module_tier() -> SwitchableTier:
    return SwitchableTier()


@pytest.fixture(scope="module")
async def own_services(own_settings, own_driver, module_tier) -> AsyncIterator[Services]:
    """Yield the services of an engine that uses the tier, one per test module."""
    await make_empty(own_driver)
    async with tiered_engine(with_tier(own_settings), module_tier) as runtime:
        await serves(runtime.services)
        yield runtime.services


@pytest.fixture
async def tier(module_tier, own_services) -> AsyncIterator[SwitchableTier]:
    """Yield the tier; repair it after each test."""
    module_tier.searches.clear()
    yield module_tier
    module_tier.failure, module_tier.hangs, module_tier.lies = None, False, []
    module_tier.refused.clear()
    await serves(own_services)


@pytest.fixture
async def own_workspace_id(own_services) -> str:
    """Return a new workspace in the store with the tier."""
    return (await own_services.tenancy.workspaces.create("a test's own")).id
