"""Engines over separate stores, whose deployment settings the tests change."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from app.bootstrap.runtime import working
from app.settings import EmbeddingSettings, RecallSettings, Settings
from graph.operations.models import SettingsChange
from graph.operations.services import Services
from graph.tenancy.models import Principal, Scope
from tests.fixtures.embedding_server import EmbeddingServer
from tests.fixtures.graphs import run
from tests.fixtures.listeners import listening
from tests.fixtures.own_store import make_empty
from tests.fixtures.quick_runtime import open_quick_runtime
from tests.fixtures.tiers import SwitchableTier
from tests.fixtures.waiting import until

PATIENCE = 100
NOWHERE = "http://127.0.0.1:9/rerank"
STORED = "MATCH (s:Setting {workspace_id: 'deployment'}) RETURN s.key AS key, s.value AS value ORDER BY key"


@pytest.fixture(scope="module")
def server():
    with listening(EmbeddingServer()) as opened:
        yield opened


@pytest.fixture(scope="module")
def remote_settings(own_settings, server: EmbeddingServer) -> Settings:
    """Return settings with the remote model ``old``; the server offers every other model as well."""
    embedding = EmbeddingSettings(source="remote", custom_url=f"{server.url}/v1", provider_model="custom/old")
    recall = RecallSettings(rerank_url=NOWHERE)
    return own_settings.model_copy(update={"embedding": embedding, "recall": recall})


@asynccontextmanager
async def running(settings: Settings, tier: SwitchableTier) -> AsyncIterator[Services]:
    async with open_quick_runtime(settings, tier_opener=tier.open) as runtime, working(runtime):
        yield runtime.services


@pytest.fixture
async def tier() -> SwitchableTier:
    return SwitchableTier()


@pytest.fixture
async def own_services(own_driver, remote_settings, tier) -> AsyncIterator[Services]:
    """Yield the services of an engine over an empty store."""
    await make_empty(own_driver)
    async with running(remote_settings, tier) as services:
        await uses(services, "remote:custom/old:32")
        yield services


@pytest.fixture
async def keeper(own_services) -> Principal:
    """Return an administrator of the default workspace."""
    return await keeper_of_default(own_services)


@pytest.fixture
def keeper_of() -> Callable[[Services], Awaitable[Principal]]:
    return keeper_of_default


async def keeper_of_default(services: Services) -> Principal:
    default = await services.tenancy.workspaces.ensure_default()
    key, secret = await services.tenancy.keys.create(default.id, name="keeper", scopes=[Scope.ADMIN])
    assert key.workspace_id == default.id
    return await services.tenancy.access.authenticate(secret)


async def uses(services: Services, signature: str) -> None:
    """Wait until the active vectors are those of an embedder."""

    async def is_so() -> bool:
        active = services.vectors.embeddings.active
        return (
            active is not None and active.signature == signature and services.vectors.embeddings.state.ready
        )

    await until(is_so, seconds=PATIENCE)


async def change(services: Services, by: Principal, **values):
    return await services.operations.settings.change(by, by.workspace_id, SettingsChange.read(values))


async def stored(driver) -> dict[str, str]:
    return {record["key"]: record["value"] for record in (await run(driver, STORED)).records}
