"""Document services with a test's own rules, and documents as the graph stores them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncDriver

from app.adapters.documents.isolation import IsolatedParser
from app.adapters.documents.reading import ReadingLimits
from graph.core.credentials import CredentialGuard
from graph.knowledge.documents.rules import DocumentPolicy
from graph.knowledge.documents.service import Documents
from tests.fixtures.graphs import run
from tests.fixtures.local_models import count_tokens
from tests.fixtures.memories import MovingClock

_LIMITS = ReadingLimits(seconds=20, memory_mb=512, pages=10, chars=100_000)
_GRAPH = (Path(__file__).parent / "document_graph.cypher").read_text(encoding="utf-8")


@pytest.fixture
def documents_under(services, secret_patterns) -> Callable[..., Documents]:
    """Return a function that builds the document service with a given clock, embeddings or policy."""

    def under(*, clock: MovingClock | None = None, embeddings: Any = None, **policy: Any) -> Documents:
        return Documents(
            services.core.database,
            embeddings or services.vectors.embeddings,
            services.core.wake_up,
            clock or MovingClock(),
            services.tenancy.workspaces,
            parser=IsolatedParser(_LIMITS),
            measure=count_tokens,
            policy=DocumentPolicy(**policy),
            guard=CredentialGuard(secret_patterns),
            text_work=services.core.text_work,
            specificity=lambda _: 1.0,
        )

    return under


@dataclass(frozen=True)
class StoredDocuments:
    """Documents as the graph stores them, beyond what the engine returns."""

    driver: AsyncDriver

    async def rows(self, workspace_id: str) -> list[dict[str, Any]]:
        """Return ``{document, chunk, labels, following, job}`` of every chunk, with vectors and edges."""
        return [record.data() for record in (await run(self.driver, _GRAPH, ws=workspace_id)).records]

    async def chunks(self, workspace_id: str) -> list[dict[str, Any]]:
        """Return the internal properties of every chunk."""
        return [row["chunk"] for row in await self.rows(workspace_id)]


@pytest.fixture
def stored_documents(stored_memories) -> StoredDocuments:
    return StoredDocuments(stored_memories.driver)
