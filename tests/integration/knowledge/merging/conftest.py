"""Companies for the tests of merging."""

from collections.abc import Awaitable, Callable

import pytest

from graph.knowledge.ontology.models import Entity, EntityDraft


@pytest.fixture
def companies(services, workspace_id) -> Callable[..., Awaitable[list[Entity]]]:
    """Return a function that creates companies by name, each from a connection or by hand."""

    async def companies(**connections: str | None) -> list[Entity]:
        drafts = [
            EntityDraft(type="Company", name=name, connection_id=connection)
            for name, connection in connections.items()
        ]
        return await services.knowledge.ontology.upsert_entities(workspace_id, drafts)

    return companies
