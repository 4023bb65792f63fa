"""The saved queries for Neo4j Browser: each returns data of a demo, so that no first try is empty (E16)."""

import pytest
from neo4j import AsyncDriver

from app.cli.demo import assistant, conversation, operations
from cypher import FOR_PEOPLE, Statement, catalogue
from tests.fixtures.graphs import run
from tests.fixtures.served import CommandLine

QUERIES = [query for query in catalogue().values() if query.folder == FOR_PEOPLE]
DEMOS = {conversation.WORKSPACE: None, operations.WORKSPACE: "ops", assistant.WORKSPACE: "assistant"}
# The label of the nodes whose ids a query takes, by the name in its header.
NAMED = {
    "a conversation": "Conversation",
    "a document": "Document",
    "an entity": "Entity",
    "a memory": "Memory",
    "a pattern": "AgentPattern",
    "a sequence": "AgentSequence",
}
WORKSPACES = "MATCH (workspace:Workspace {name: $name}) RETURN workspace.id AS id"
IDS = "CYPHER 25 MATCH (node:$($label) {workspace_id: $ws}) RETURN node.id AS id LIMIT 200"


async def ids_in(driver: AsyncDriver, workspace_id: str, query: Statement) -> list[str | None]:
    """Return the ids that a query can run with; None for a query without an id."""
    named = [NAMED[param.why or ""] for param in query.params if param.name == "id"]
    if not named:
        return [None]
    return [record["id"] for record in (await run(driver, IDS, ws=workspace_id, label=named[0])).records]


async def has_rows(driver: AsyncDriver, workspace_id: str, query: Statement) -> bool:
    for id_ in await ids_in(driver, workspace_id, query):
        given = {"workspace_id": workspace_id, "id": id_, "tag": ""}
        known = {param.name: given[param.name] for param in query.params}
        if (await run(driver, query.text, **known)).records:
            return True
    return False


@pytest.fixture
async def workspace_ids(admin_cli: CommandLine, graph_driver) -> list[str]:
    """Run all demos and return the ids of their workspaces."""
    for scenario in DEMOS.values():
        await admin_cli.ok("demo", *(("--scenario", scenario) if scenario else ()))
    found = [await run(graph_driver, WORKSPACES, name=name) for name in DEMOS]
    return [record["id"] for result in found for record in result.records]


async def test_every_saved_query_returns_rows_of_some_demo(workspace_ids, graph_driver) -> None:
    """E16, issue 16 point 4."""
    empty = {
        query.name
        for query in QUERIES
        if not any([await has_rows(graph_driver, id_, query) for id_ in workspace_ids])
    }

    assert len(QUERIES) > 5
    assert empty == set()
