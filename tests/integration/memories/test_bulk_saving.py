"""The cost of a batch: as many statements as for one memory, and work that does not depend on the store."""

from collections import Counter
from contextvars import ContextVar
from datetime import UTC, datetime

import pytest

from graph.core import database as core
from graph.core.scope import EVERYTHING
from graph.memories.filtering import filter_parameters
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.memories.queries import claim_contents
from tests.fixtures.graphs import db_hits, run

# The run's workers execute statements, too.
_IS_THE_TESTS = ContextVar("_IS_THE_TESTS", default=False)
FILLED = """
CYPHER 25
UNWIND range(1, $count) AS number
CREATE (:Memory:Searchable {
  workspace_id: $ws, id: $ws + number, content: 'note ' + number, content_hash: 'hash' + number, revision: 1,
  active: true, created_at: datetime()})
"""


@pytest.fixture
def statements(monkeypatch) -> Counter[str]:
    """Return the number of executions of each statement, by name, in this test's saves."""
    counted: Counter[str] = Counter()
    run_one = core._Transaction.run

    async def counting(self, statement, parameters):
        counted[statement.name] += _IS_THE_TESTS.get()
        return await run_one(self, statement, parameters)

    monkeypatch.setattr(core._Transaction, "run", counting)
    return counted


@pytest.mark.parametrize("fields", [{}, {"source_conversation_id": "c", "source_message_id": "m"}])
async def test_a_batch_runs_the_statements_of_one_memory(services, workspace_id, statements, fields) -> None:
    def drafts(name: str, count: int) -> list[MemoryDraft]:
        return [
            MemoryDraft(content=f"{name} memory number {number}", key=f"{name}{number}", **fields)
            for number in range(count)
        ]

    _IS_THE_TESTS.set(True)
    await services.memories.store.save_all(workspace_id, drafts("first", 1))
    statements.clear()
    await services.memories.store.save_all(workspace_id, drafts("one", 1))
    single = dict(+statements)
    statements.clear()
    await services.memories.store.save_all(workspace_id, drafts("many", 150))

    assert +statements == single
    assert single["create_memories"] == 1


async def test_finding_duplicates_costs_the_same_in_a_large_workspace(
    services, workspace_id, other_workspace_id, graph_driver
) -> None:
    """A21: one index lookup per text; reading the workspace for each would be quadratic."""
    now = (await services.memories.store.save(workspace_id, MemoryDraft(content="now"))).memory.created_at

    async def hits_in(workspace: str) -> int:
        parameters = {
            "workspace_id": workspace,
            "hashes": [f"new{number}" for number in range(100)],
            "dedup_keys": [f"new{number}" for number in range(100)],
            "ids": [],
            "now": now,
        }
        assert await claim_contents(services.core.database, **parameters) == []
        return await db_hits(graph_driver, "claim_contents", **parameters)

    await run(graph_driver, FILLED, ws=workspace_id, count=2000)

    assert await hits_in(workspace_id) <= await hits_in(other_workspace_id) + 100


async def test_selecting_by_id_does_not_read_the_whole_workspace(
    workspace_id, other_workspace_id, graph_driver
) -> None:
    """A30: one index lookup per id."""

    async def hits_in(workspace: str) -> int:
        parameters = {
            "workspace_id": workspace,
            "scope": EVERYTHING.parameters,
            "filter": filter_parameters(MemoryFilter()),
            "ids": [f"mem_none{number}" for number in range(100)],
            "now": datetime(2026, 3, 1, tzinfo=UTC),
        }
        return await db_hits(graph_driver, "list_memories_selected_by_id", **parameters)

    await run(graph_driver, FILLED, ws=workspace_id, count=2000)

    assert await hits_in(workspace_id) <= await hits_in(other_workspace_id) + 100
