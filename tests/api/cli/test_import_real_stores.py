"""``recollect import`` of stores made with mem0 and Graphiti themselves.

Both are installed beside the service in ``.venv/other-stores``; ``tests/other_stores`` has the scripts.
"""

import subprocess
from pathlib import Path

import pytest
from neo4j import AsyncGraphDatabase

from graph.memories.models import Memory, MemoryFilter
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.neo4j import small_neo4j

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".venv" / "other-stores" / "bin" / "python"


def make(script: str, *arguments: str) -> None:
    """Run a script; fail with its output if it fails."""
    made = subprocess.run(
        [str(PYTHON), "-W", "ignore", str(ROOT / "tests" / "other_stores" / script), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr


async def owned(services, workspace_id: str) -> dict[str, Memory]:
    page = await services.memories.store.page(workspace_id, MemoryFilter(), first=100)
    return {memory.content: memory for memory in page.items}


async def recalled(services, workspace_id: str, query: str) -> list[str]:
    found = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=query, limit=3))
    return [hit.memory.content for hit in found.hits]


async def test_a_store_that_mem0_made_is_imported_and_recalled(
    cli, services, workspace_id: str, embedding_server, tmp_path
) -> None:
    """15.9: owners stay, an updated memory has its last text, and deleted ones are not imported."""
    make("mem0_store.py", str(tmp_path), embedding_server.url)

    for user in ("alice", "bob"):
        await cli.ok("import", str(tmp_path / f"{user}.json"), "-f", "mem0")

    found = await owned(services, workspace_id)
    assert {content: memory.user_id for content, memory in found.items()} == {
        "I like Python": "alice",
        "I work in Trondheim": "alice",
        "I dislike Python": "bob",
    }
    assert (found["I like Python"].agent_id, found["I like Python"].session_id) == ("helper", "run-1")
    assert "I work in Trondheim" in await recalled(services, workspace_id, "where do I work, Trondheim?")


async def test_the_history_of_mem0_after_its_export_only_adds_better_values(
    cli, services, workspace_id: str, embedding_server, tmp_path
) -> None:
    """15.9: both have the same ids, so one copy of each memory stays."""
    make("mem0_store.py", str(tmp_path), embedding_server.url)
    await cli.ok("import", str(tmp_path / "alice.json"), "-f", "mem0")
    before = await owned(services, workspace_id)

    shown = await cli.ok("import", str(tmp_path / "history.db"), "-f", "mem0", "--user", "alice")

    after = await owned(services, workspace_id)
    assert "skipped 1: deleted in mem0" in shown
    assert set(after) == {*before, "I dislike Python"}
    assert {content: after[content].id for content in before} == {
        content: memory.id for content, memory in before.items()
    }


@pytest.fixture
async def graphiti(embedding_server, tmp_path):
    server = await small_neo4j(tmp_path / "graphiti")
    address = server.address
    try:
        make("graphiti_graph.py", address.uri, address.user, address.password, embedding_server.url)
        yield address
    finally:
        await server.stop()


async def test_a_graph_that_graphiti_made_is_imported_and_recalled(
    cli, services, workspace_id: str, graphiti
) -> None:
    """15.9: facts with their validity, their episode, and entities with their relations."""
    login = ("--neo4j-user", graphiti.user, "--neo4j-password", graphiti.password)

    shown = await cli.ok("import", graphiti.uri, "-f", "graphiti", "--group-is-user", *login)

    found = await owned(services, workspace_id)
    assert "saved 3 memories, 3 entities, 1 relations, 2 associations, skipped 0" in shown
    assert {content: memory.t_invalid is None for content, memory in found.items()} == {
        "Ada lives in Oslo": False,
        "Ada lives in Bergen": True,
        "Ada: I moved from Oslo to Bergen": True,
    }
    assert {memory.user_id for memory in found.values()} == {"alice"}
    assert "Ada lives in Bergen" in await recalled(services, workspace_id, "Where does Ada live?")


async def test_importing_does_not_change_graphitis_graph(cli, workspace_id: str, graphiti) -> None:
    login = ("--neo4j-user", graphiti.user, "--neo4j-password", graphiti.password)
    count = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS edges"
    async with AsyncGraphDatabase.driver(graphiti.uri, auth=(graphiti.user, graphiti.password)) as driver:
        before = (await driver.execute_query(count)).records

        await cli.ok("import", graphiti.uri, "-f", "graphiti", "--no-wait", *login)

        assert (await driver.execute_query(count)).records == before
