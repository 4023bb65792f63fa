"""The service on a port, for OpenAI's own clients."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from app.main import create_app
from graph.tenancy.models import Scope
from tests.fixtures.upstream import listening


@dataclass(frozen=True)
class Served:
    """The address of the service, and a key that may read."""

    base_url: str
    key: str


@pytest.fixture
async def served(services, workspace_id) -> AsyncIterator[Served]:
    """Serve an application with an embedder and without an upstream."""
    _, key = await services.tenancy.keys.create(workspace_id, name="reader", scopes=[Scope.READ])
    async with listening(create_app(services)) as url:
        yield Served(f"{url}/v1", key)
