"""Every query of the catalogue, run in one workspace with the ids of another.

The tests cover every new query file automatically. Each test ends with a control: it runs the same parameters
in their own workspace, and fails if they match nothing there.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from neo4j import AsyncDriver, AsyncTransaction
from neo4j.exceptions import ConstraintError

from cypher import Statement, catalogue, load
from cypher.header import parse
from graph.core.database import Database
from tests.fixtures.graphs import (
    OneOfEach,
    fingerprint,
    fingerprint_in,
    one_of_each,
    plan_workspace,
    run,
    texts_in,
    write_workspace,
)
from tests.tenancy.parameters import VectorSlot, as_run, parameters_for

MAKES_A_WORKSPACE = {"create_workspace"}
# Element ids are unknown until nodes exist: test_no_archive_crosses_workspaces tests these queries.
BY_ELEMENT_ID = {
    "get_archive_nodes",
    "get_archive_identities",
    "list_archive_edges",
    "create_archive_edges",
    "recount_runs",
}


def names_a_workspace(statement: Statement) -> bool:
    """Return whether a query is scoped, as a whole or by the workspace id in each of its rows."""
    by_row = any("workspace_id" in f"{param.name} {param.why}" for param in statement.params)
    return statement.mode != "schema" and by_row


SCOPED = [
    statement
    for statement in catalogue().values()
    if names_a_workspace(statement) and statement.name not in BY_ELEMENT_ID
]
READS = [statement for statement in SCOPED if statement.mode == "read"]
WRITES = [statement for statement in SCOPED if statement.mode == "write"]


@dataclass(frozen=True)
class Store:
    """The database under test, with two workspaces that no test changes.

    Attributes:
        ours: The workspace in which queries run.
        theirs: The workspace of the ids in the parameters.
        before: The result of each read before ``theirs`` was written.
        untouched: The fingerprint of ``theirs``.
    """

    database: Database
    driver: AsyncDriver
    index: VectorSlot
    ours: OneOfEach
    theirs: OneOfEach
    before: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    untouched: list[str] = field(default_factory=list)

    async def answer(
        self, statement: Statement, *, names: OneOfEach, workspace_id: str
    ) -> list[dict[str, Any]]:
        """Run a statement in a workspace with the names of another one."""
        parameters = parameters_for(statement, names, workspace_id, index=self.index)
        return [
            record.data() for record in await self.database.run(as_run(statement, parameters), parameters)
        ]

    async def answer_in(
        self, transaction: AsyncTransaction, statement: Statement, *, names: OneOfEach, workspace_id: str
    ) -> list[dict[str, Any]]:
        """Run a statement as ``answer`` does, in a transaction."""
        parameters = parameters_for(statement, names, workspace_id, index=self.index)
        result = await transaction.run(as_run(statement, parameters).text, parameters)
        return [record.data() async for record in result]

    async def sets_properties_in(
        self, transaction: AsyncTransaction, statement: Statement, *, names: OneOfEach, workspace_id: str
    ) -> bool:
        """Run a statement in a transaction; return whether it set a property, even if it removed it again."""
        parameters = parameters_for(statement, names, workspace_id, index=self.index)
        result = await transaction.run(as_run(statement, parameters).text, parameters)
        return (await result.consume()).counters.properties_set > 0

    @asynccontextmanager
    async def rolled_back(self) -> AsyncIterator[AsyncTransaction]:
        """Yield a transaction that always rolls back."""
        async with self.driver.session(database="neo4j") as session:
            transaction = await session.begin_transaction()
            try:
                yield transaction
            finally:
                await transaction.close()


@pytest.fixture(scope="module")
async def store(graph_driver: AsyncDriver) -> AsyncIterator[Store]:
    """Yield a store with an active vector index; metadata made only for these tests is deleted afterwards."""
    made_up = "seed:tenancy:384"
    result = await run(
        graph_driver,
        "CYPHER 25 MERGE (meta:VectorIndexMeta {name: 'memory'}) "
        "ON CREATE SET meta.active_slot = 'a', meta.active_signature = $made_up "
        "RETURN meta.active_slot AS slot, meta.active_signature AS signature",
        made_up=made_up,
    )
    index = VectorSlot(**result.records[0].data())
    database = Database(graph_driver, name="neo4j", timeout_seconds=30)
    ours, theirs = await one_of_each(graph_driver), plan_workspace()
    made = Store(database, graph_driver, index, ours, theirs)
    for statement in READS:
        made.before[statement.name] = await made.answer(
            statement, names=theirs, workspace_id=ours.workspace_id
        )
    await write_workspace(graph_driver, theirs)
    made.untouched.extend(await fingerprint(graph_driver, theirs.workspace_id))
    yield made
    await run(
        graph_driver,
        "CYPHER 25 MATCH (meta:VectorIndexMeta {name: 'memory', active_signature: $made_up}) DELETE meta",
        made_up=made_up,
    )


@pytest.mark.parametrize("statement", READS, ids=lambda statement: statement.name)
async def test_a_read_returns_no_data_of_another_workspace(statement: Statement, store: Store) -> None:
    await check_read(statement, store, store.theirs, store.before[statement.name])


@pytest.mark.parametrize("statement", WRITES, ids=lambda statement: statement.name)
async def test_a_write_changes_nothing_of_another_workspace(statement: Statement, store: Store) -> None:
    await check_write(statement, store)


async def check_read(
    statement: Statement, store: Store, theirs: OneOfEach, before: list[dict[str, Any]]
) -> None:
    after = await store.answer(statement, names=theirs, workspace_id=store.ours.workspace_id)

    assert [text for text in texts_in(after) if theirs.mark in text] == []
    assert without_scores(after) == without_scores(before), "their data changed our answer"
    nowhere = plan_workspace().workspace_id
    at_home = await store.answer(statement, names=theirs, workspace_id=theirs.workspace_id)
    in_the_void = await store.answer(statement, names=theirs, workspace_id=nowhere)
    assert at_home != in_the_void, "the parameters find nothing even at home"


async def check_write(statement: Statement, store: Store) -> None:
    ours, theirs = store.ours, store.theirs
    said = set(texts_in(parameters_for(statement, theirs, "", index=store.index)))

    with suppress(ConstraintError):  # refused, so it wrote nothing
        async with store.rolled_back() as tx:
            returned = await store.answer_in(tx, statement, names=theirs, workspace_id=ours.workspace_id)
            assert leaked_by(returned, theirs, said) == []
            unchanged = await fingerprint_in(tx, theirs.workspace_id) == store.untouched
            assert unchanged, "their data were changed"

    makes_it = statement.name in MAKES_A_WORKSPACE
    home = plan_workspace().workspace_id if makes_it else theirs.workspace_id
    async with store.rolled_back() as tx:
        sets_properties = await store.sets_properties_in(tx, statement, names=theirs, workspace_id=home)
        finds_something = await fingerprint_in(tx, home) != ([] if makes_it else store.untouched)
    finds_something = finds_something or (takes_a_lock(statement) and sets_properties)
    assert finds_something, "the parameters change nothing even at home"


def takes_a_lock(statement: Statement) -> bool:
    """Return whether a statement may lock the nodes that it matches, which leaves no trace."""
    return ".locked_at = true" in statement.text


async def test_removing_a_workspace_removes_all_its_data(store: Store) -> None:
    ours = await one_of_each(store.driver)
    theirs = await one_of_each(store.driver)
    before = await fingerprint(store.driver, theirs.workspace_id)

    await store.answer(load("delete_workspace_nodes"), names=ours, workspace_id=ours.workspace_id)
    await store.answer(load("delete_workspace"), names=ours, workspace_id=ours.workspace_id)

    assert await fingerprint(store.driver, ours.workspace_id) == []
    assert await fingerprint(store.driver, theirs.workspace_id) == before


def leaked_by(returned: list[dict[str, Any]], theirs: OneOfEach, said: set[str]) -> list[str]:
    """Return foreign texts in a write's result, except those that the caller passed in."""
    return [text for text in texts_in(returned) if theirs.mark in text and text not in said]


def without_scores(value: Any) -> Any:
    """Remove floats and order: Lucene's word statistics cover the whole index, so any text changes scores."""
    if isinstance(value, dict):
        return {key: without_scores(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((without_scores(item) for item in value), key=repr)
    return None if isinstance(value, float) else value


BY_ID = "MATCH (memory:Memory {id: $id}) WHERE $workspace_id <> '' "


@pytest.mark.parametrize(
    ("mode", "body", "complaint"),
    [
        ("read", BY_ID + "RETURN memory.content AS x", "quokka said"),
        ("read", BY_ID + "RETURN count(memory) AS x", "their data changed our answer"),
        ("read", "RETURN $workspace_id AS x, $id AS y", "quokka|mem_"),
        (
            "read",
            "MATCH (m:Memory {workspace_id: $workspace_id, id: $id + 'x'}) RETURN m.id AS x",
            "even at home",
        ),
        ("write", BY_ID + "SET memory.content = 'x' RETURN 1 AS x", "their data were changed"),
        (
            "write",
            BY_ID + "CREATE (memory)<-[:FROM]-(:Job {workspace_id: $workspace_id}) RETURN 1 AS x",
            "changed",
        ),
        (
            "write",
            BY_ID + "CREATE (:Job {workspace_id: $workspace_id}) RETURN memory.content AS x",
            "quokka said",
        ),
        ("write", BY_ID + "AND memory.x = 1 SET memory.x = 2 RETURN 1 AS x", "change nothing even at home"),
    ],
)
async def test_the_checks_catch_a_query_that_crosses_workspaces(
    store: Store, mode: str, body: str, complaint: str
) -> None:
    columns = "".join(f"// column: {name} string\n" for name in re.findall(r" AS (\w)", body))
    text = (
        f"// name: crossing\n// mode: {mode}\n// returns: many\n// param: workspace_id string\n"
        f"// param: id string\n{columns}CYPHER 25\n{body}\n"
    )
    statement = parse(text, folder="memories", stem="crossing", path="crossing.cypher")
    with pytest.raises(AssertionError, match=complaint):
        await (check_write(statement, store) if mode == "write" else check_read_alone(statement, store))


async def check_read_alone(statement: Statement, store: Store) -> None:
    """Check a read that is not in the catalogue."""
    theirs = plan_workspace()
    before = await store.answer(statement, names=theirs, workspace_id=store.ours.workspace_id)
    await write_workspace(store.driver, theirs)
    await check_read(statement, store, theirs, before)
