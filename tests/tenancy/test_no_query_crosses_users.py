"""Every query that takes its scope from the task, run by a user who owns nothing (issue 15, point 1).

The test covers every new query file automatically.
"""

from typing import Any

import pytest
from neo4j import AsyncDriver

from cypher import Statement, catalogue
from graph.core.database import Database
from graph.core.scope import EVERYTHING, ReadScope
from tests.fixtures.graphs import OneOfEach, one_of_each, run, texts_in
from tests.tenancy.parameters import VectorSlot, as_run, parameters_for

INDEX = VectorSlot("a", "seed:tenancy:384")
READING = [s for s in catalogue().values() if s.is_by_user and s.mode == "read"]
_OWN = """CYPHER 25
MATCH (node {workspace_id: $ws})
WHERE any(label IN labels(node) WHERE label IN $labels)
SET node.user_id = 'user_' + $mark, node.agent_id = ''
RETURN properties(node) AS properties
"""
_OTHERS = """CYPHER 25
MATCH (node {workspace_id: $ws})
WHERE none(label IN labels(node) WHERE label IN $labels)
RETURN properties(node) AS properties
"""
LABELS = [
    "Memory", "MemoryVersion", "Passage", "Conversation", "Message", "Episode", "ConversationSummary", "Distillation",
    "AgentSequence", "AgentAction", "PromptRun", "AutomaticChange",
]  # fmt: skip


@pytest.fixture(scope="module")
async def database(graph_driver: AsyncDriver) -> Database:
    return Database(graph_driver, name="neo4j", timeout_seconds=30)


@pytest.fixture(scope="module")
async def owned(graph_driver: AsyncDriver) -> tuple[OneOfEach, set[str]]:
    """Return a workspace whose ownable records belong to one user, and the texts that only this user has."""
    names = await one_of_each(graph_driver)
    given = {"ws": names.workspace_id, "labels": LABELS}
    own = await run(graph_driver, _OWN, mark=names.mark, **given)
    others = await run(graph_driver, _OTHERS, **given)
    theirs = set(texts_in([record.data() for record in own.records]))
    shared = set(texts_in([record.data() for record in others.records]))
    return names, {text for text in theirs - shared if names.mark in text}


async def answer(database: Database, statement: Statement, names: OneOfEach, scope: ReadScope) -> list[Any]:
    known = parameters_for(statement, names, names.workspace_id, index=INDEX)
    named = {"user_id": f"user_{names.mark}"} if "user_id" in known else {}
    parameters = {**known, **named, "scope": scope.parameters}
    rows = await database.run(as_run(statement, parameters), parameters)
    return [row.data() for row in rows]


@pytest.mark.parametrize("statement", READING, ids=lambda statement: statement.name)
async def test_a_user_sees_no_data_of_another(
    statement: Statement, database: Database, owned: tuple[OneOfEach, set[str]]
) -> None:
    names, theirs = owned
    said = set(texts_in(parameters_for(statement, names, names.workspace_id, index=INDEX)))

    as_stranger = await answer(database, statement, names, ReadScope(user_id="a stranger"))

    assert [text for text in texts_in(as_stranger) if text in theirs - said] == []
    own = await answer(database, statement, names, ReadScope(user_id=f"user_{names.mark}"))
    everything = await answer(database, statement, names, EVERYTHING)
    assert len(own) == len(everything)
    assert own != as_stranger, "the parameters find nothing even for the user"
