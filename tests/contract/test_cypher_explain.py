"""Neo4j's explanation of every query: names exist, parameters match, plans use indexes (CONTRIBUTING)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from neo4j import AsyncDriver
from neo4j.exceptions import Neo4jError

from cypher import Statement, catalogue
from cypher.masking import mask
from tests.contract.each import for_each
from tests.contract.tokens import Span, Tokens
from tests.fixtures.graphs import db_hits, run

STATEMENTS = list(catalogue().values())
DATABASES = {"set_password": "system"}
QUERY_TYPES = {"read": {"r"}, "write": {"w", "rw"}, "schema": {"s"}}
MISSPELT = {"01N50", "01N51", "01N52"}
DEPRECATED = "01N01"
CARTESIAN_PRODUCT = "03N90"
PARAMETERS_MISSING = "01N60"
NEVER = re.compile(r"(Partitioned)?AllNodesScan|(Und|D)irectedAllRelationshipsScan|CartesianProduct")
KEEPS_ONE_ROW = {"CacheProperties", "Eager", "Filter", "Limit", "Optional", "Projection", "Sort", "Top"}
AGGREGATION = re.compile(r"\s*(?:avg|collect|count|max|min|sum)\(", re.IGNORECASE)
ONLY_WHERE_ALLOWED = re.compile(r"\w*NodeByLabels?Scan|\w*RelationshipTypes?Scan|\w*IndexScan")
PASSES_ROWS_ON = {"CacheProperties", "Distinct", "Eager", "Filter", "Optional", "Projection"}
SORTED_BY = re.compile(r"`?(?:\w+\.)?(\w+)`? (?:ASC|DESC)")
CACHED = re.compile(r"cache\[(\w+\.\w+)\]")
READ_AGAIN = re.compile(r"\b(\w+)\['(\w+)'\]")
INDEX_COLUMNS = re.compile(r"(?:RANGE INDEX|UNIQUE) \w+:\w+\(([^)]*)\)")
WHOLE_WORKSPACE = re.compile(r"RANGE INDEX \w+:(\w+)\(workspace_id\) ")
UNBOUNDED = re.compile(r"\*\s*(?:\d+\s*\.\.\s*)?\]|(?:\)|->?)\s*(?:\+|\*|\{\s*\d*\s*,\s*\})\s*(?:\(|$)")

MENTIONS = 500
MENTIONED = """
CYPHER 25
CREATE (entity:Entity {ballast: true, workspace_id: $ws, id: 'ent_mentioned', active: true})
WITH entity
UNWIND range(1, $mentions) AS number
CREATE (:Memory {ballast: true, workspace_id: $ws, id: 'mem_mentioning' + number})-[:MENTIONS]->(entity)
"""


@dataclass(frozen=True)
class Explained:
    """The server's explanation of one statement, without running it."""

    columns: list[str]
    query_type: str
    notices: dict[str, list[str]]
    operators: dict[str, str]
    sorted_again: list[str]
    read_before_lock: list[str]


AllExplained = dict[str, list[Explained] | Neo4jError]


@pytest.fixture(scope="module")
async def all_explained(weighed_store: AsyncDriver) -> AllExplained:
    return {statement.name: await explain_parts(weighed_store, statement) for statement in STATEMENTS}


def parts_of(statement: Statement, all_explained: AllExplained) -> list[Explained]:
    found = all_explained[statement.name]
    assert not isinstance(found, Neo4jError), found
    return found


async def explain_parts(driver: AsyncDriver, statement: Statement) -> list[Explained] | Neo4jError:
    """Explain each statement of a file; return an error for the tests of that file."""
    database = DATABASES.get(statement.name, "neo4j")
    try:
        return [await explain(driver, part, database=database) for part in statement.parts]
    except Neo4jError as error:
        return error


async def explain(driver: AsyncDriver, text: str, *, database: str = "neo4j") -> Explained:
    async with driver.session(database=database, notifications_min_severity="INFORMATION") as session:
        result = await session.run(f"EXPLAIN {text}")
        columns = list(result.keys())
        summary = await result.consume()
    notices: dict[str, list[str]] = {}
    for notice in summary.gql_status_objects:
        notices.setdefault(notice.gql_status, []).append(notice.status_description)
    return Explained(
        columns=columns,
        query_type=summary.query_type,
        notices=notices,
        operators=dict(operators_of(summary.plan)),
        sorted_again=list(sorted_again(summary.plan)),
        read_before_lock=list(read_before_lock(summary.plan)),
    )


def operators_of(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each operator's name, without database and variant, and its details.

    Omit a product with a single row: it joins two look-ups by id, or two collected lists.
    """
    name, details = operator(plan)
    children = plan.get("children", [])
    if name != "CartesianProduct" or not any(is_one_row(child) for child in children):
        yield name, details
    for child in children:
        yield from operators_of(child)


def sorted_again(plan: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sort keys of limits that read an index to its end although it has their order."""
    name, details = operator(plan)
    if name == "Top":
        below = plan["children"][0]
        while operator(below)[0] in PASSES_ROWS_ON:
            below = below["children"][0]
        columns = INDEX_COLUMNS.search(operator(below)[1]) if "IndexSeek" in operator(below)[0] else None
        key = SORTED_BY.match(details)
        if columns and key and key[1] in columns[1].split(", "):
            yield details
    for child in plan.get("children", []):
        yield from sorted_again(child)


def read_before_lock(plan: Mapping[str, Any], *, is_locked: bool = False) -> Iterator[str]:
    """Yield properties cached by operators below a lock, which later operators would read."""
    name, details = operator(plan)
    if is_locked and "Seek" not in name:
        yield from CACHED.findall(details)
    is_locked = is_locked or (name.startswith("SetPropert") and "locked_at" in details)
    for child in plan.get("children", []):
        yield from read_before_lock(child, is_locked=is_locked)


def operator(plan: Mapping[str, Any]) -> tuple[str, str]:
    return re.split(r"[@(]", plan["operatorType"])[0], str(plan["args"].get("Details"))


def is_one_row(plan: Mapping[str, Any]) -> bool:
    """Tell whether an operator yields at most one row."""
    name, details = operator(plan)
    children = plan.get("children", [])
    if name == "NodeUniqueIndexSeek":
        return " IN " not in details
    if name == "EagerAggregation":
        tokens = Tokens.of(details)
        items = tokens.split(Span(0, len(tokens)), ",")
        return all(AGGREGATION.match("".join(tokens[index] for index in item)) for item in items)
    return name == "Argument" or (name in KEEPS_ONE_ROW and all(is_one_row(child) for child in children))


@for_each(STATEMENTS, lambda statement: statement.path)
def test_the_server_agrees_with_the_header(statement: Statement, all_explained: AllExplained) -> None:
    query_types = QUERY_TYPES[statement.mode] | ({"s"} if "CALL dbms." in mask(statement.text) else set())

    for part in parts_of(statement, all_explained):
        assert part.columns == [column.name for column in statement.columns]
        assert part.query_type in query_types


@for_each(STATEMENTS, lambda statement: statement.path)
def test_the_server_misses_the_declared_parameters(statement: Statement, all_explained: AllExplained) -> None:
    missed = {
        name
        for part in parts_of(statement, all_explained)
        for notice in part.notices.get(PARAMETERS_MISSING, [])
        for name in re.findall(r"\$`([^`]+)`", notice)
    }

    assert missed == {param.name for param in statement.params}


@for_each(STATEMENTS, lambda statement: statement.path)
def test_the_server_reports_no_warning(statement: Statement, all_explained: AllExplained) -> None:
    """No unknown label, type or property, no deprecation, no Cartesian product."""
    objections = {
        code: notices
        for part in parts_of(statement, all_explained)
        for code, notices in part.notices.items()
        if code in {*MISSPELT, DEPRECATED, CARTESIAN_PRODUCT}
    }

    assert objections == {}


@for_each(STATEMENTS, lambda statement: statement.path)
def test_the_plan_goes_through_indexes(statement: Statement, all_explained: AllExplained) -> None:
    operators = {name for part in parts_of(statement, all_explained) for name in part.operators}

    assert {name for name in operators if NEVER.fullmatch(name)} == set()
    assert {name for name in operators if ONLY_WHERE_ALLOWED.fullmatch(name)} == set(statement.allow)


@for_each(STATEMENTS, lambda statement: statement.path)
def test_a_page_is_read_in_the_order_of_its_index(statement: Statement, all_explained: AllExplained) -> None:
    """ORDER BY must also name the columns before the sort key, or each page reads all remaining rows."""
    assert [keys for part in parts_of(statement, all_explained) for keys in part.sorted_again] == []


@for_each(STATEMENTS, lambda statement: statement.path)
def test_what_is_checked_under_a_lock_was_not_cached_before(
    statement: Statement, all_explained: AllExplained
) -> None:
    """A node that was deleted during the wait for its lock would otherwise still look alive."""
    checked = {".".join(found) for found in READ_AGAIN.findall(statement.text)}

    assert [
        read
        for part in parts_of(statement, all_explained)
        for read in part.read_before_lock
        if read in checked
    ] == []


def test_a_page_of_jobs_is_read_out_of_the_index_on_their_creation(all_explained: AllExplained) -> None:
    """K1: a restore or an unavailable model leaves a job for each memory."""
    (part,) = parts_of(catalogue()["list_jobs"], all_explained)

    assert "PartialTop" in part.operators
    assert {"Sort", "Top"} & part.operators.keys() == set()


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("count_of_user", {"ApiKey"}),
        ("delete_rest_of_user", set()),
        ("delete_conversation", set()),
        ("delete_messages", set()),
        ("count_what_moves", set()),
        ("move_conversation", set()),
        ("lock_sequences", set()),
    ],
)
async def test_queries_of_one_owner_do_not_read_the_whole_workspace(
    weighed_store: AsyncDriver, name: str, labels: set[str]
) -> None:
    """Issue 15, point 7, and K1: an index applies only if the query names all its columns; keys are few."""
    async with weighed_store.session() as session:
        result = await session.run(f"EXPLAIN {catalogue()[name].text}")
        plan = (await result.consume()).plan or {}
    details = [text for _, text in operators_of(plan)]

    assert {match[1] for text in details if (match := WHOLE_WORKSPACE.match(text))} == labels


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("list_relations", {"entity_ids": ["ent_mentioned"], "limit": 20}),
        ("list_relation_ends", {"entity_ids": ["ent_mentioned"]}),
        ("list_relation_kinds", {"id": "ent_mentioned", "other_id": "ent_other"}),
    ],
)
async def test_relations_of_an_entity_do_not_read_the_memories_that_mention_it(
    weighed_store: AsyncDriver, name: str, asked: dict[str, Any]
) -> None:
    """E7: there may be any number of memories; each costs one read of its edge and one of the edge's type."""
    workspace_id = f"ws_{name}"
    await run(weighed_store, MENTIONED, ws=workspace_id, mentions=MENTIONS)

    assert await db_hits(weighed_store, name, workspace_id=workspace_id, **asked) < 2 * MENTIONS + 50


@for_each(STATEMENTS, lambda statement: statement.path)
def test_no_path_is_of_unlimited_length(statement: Statement, all_explained: AllExplained) -> None:
    details = [text for part in parts_of(statement, all_explained) for text in part.operators.values()]

    assert UNBOUNDED.search(mask(statement.text)) is None
    assert [text for text in details if re.search(r"\*(?:\d+\.\.)?\]", text)] == []


async def test_every_label_of_a_workspace_has_an_index_on_it(weighed_store: AsyncDriver) -> None:
    """Otherwise lists, counts and the removal of a workspace scan the whole label."""
    labels = await run(
        weighed_store,
        "MATCH (n {workspace_id: 'ws_ballast1'}) UNWIND labels(n) AS label RETURN DISTINCT label",
    )
    indexes = await run(
        weighed_store,
        "SHOW INDEXES YIELD labelsOrTypes, properties, type WHERE type = 'RANGE' AND properties = ['workspace_id'] "
        "RETURN labelsOrTypes[0] AS label",
    )

    indexed = {record["label"] for record in indexes.records}
    assert {record["label"] for record in labels.records} - indexed - {"Workspace"} == set()


@pytest.mark.parametrize(
    "path", ["-[:A*]->(m)", "-[r:A*2..]-(m)", "-[*]-(m)", "-[:A]->+(m)", "--*(m)", "((a)--(b)){2,}(m)"]
)
def test_unlimited_paths_are_recognised(path: str) -> None:
    assert UNBOUNDED.search(f"MATCH (n){path} RETURN m")


@pytest.mark.parametrize(
    "text", ["(n)-[:A*1..3]->(m)", "(n)-[:A]->{1,3}(m)", "RETURN count(*)", "[a * 2]", "[*..3]", "1 * (2)"]
)
def test_limited_paths_and_products_pass(text: str) -> None:
    assert UNBOUNDED.search(text) is None


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (n:Memmory {workspace_id: 'x'}) RETURN n.id AS id", "01N50"),
        ("MATCH (n:Memory {id: 'x'})-[:NEXXT]->(m:Memory) RETURN m.id AS id", "01N51"),
        ("MATCH (n:Memory {id: 'x'}) RETURN n.contents AS id", "01N52"),
        ("CALL db.index.vector.queryNodes('vectors_a', 1, $v) YIELD score RETURN score", DEPRECATED),
        ("MATCH (n:Memory {id: 'x'}), (m:Memory {id: 'y'}) RETURN n.id AS id", CARTESIAN_PRODUCT),
        ("MATCH (n:Memory {id: $id}) RETURN n.id AS id", PARAMETERS_MISSING),
    ],
)
async def test_the_server_objects_to_mistakes(weighed_store: AsyncDriver, query: str, code: str) -> None:
    """This shows that the checks above can fail: the server reports each mistake."""
    assert code in (await explain(weighed_store, f"CYPHER 25 {query}")).notices


@pytest.mark.parametrize(
    ("query", "operator"),
    [
        ("MATCH (n) WHERE n.workspace_id = $w RETURN n.id AS id", "AllNodesScan"),
        ("MATCH (n:Memory) WHERE n.content = $w RETURN n.id AS id", "NodeByLabelScan"),
        (
            "MATCH (n:Job {workspace_id: $a}), (m:Job {workspace_id: $b}) RETURN n.id AS id",
            "CartesianProduct",
        ),
        (
            """
            MATCH (n:Job {workspace_id: $a})
            CALL () { MATCH (m:Job {workspace_id: $b}) RETURN m.id AS x, count(*) AS y }
            RETURN n.id AS id, x
            """,
            "CartesianProduct",
        ),
        ("MATCH (n:Memory|Job) WHERE n.content = $w RETURN n.id AS id", "UnionNodeByLabelsScan"),
    ],
)
async def test_the_plan_shows_scans(weighed_store: AsyncDriver, query: str, operator: str) -> None:
    operators = (await explain(weighed_store, f"CYPHER 25 {query}")).operators

    assert operator in operators
    assert NEVER.fullmatch(operator) or ONLY_WHERE_ALLOWED.fullmatch(operator)


@pytest.mark.parametrize(
    ("before", "cached"), [("WHERE n.state = 'NEW'", ["n.state"]), ("WHERE n.kind = 'A'", [])]
)
async def test_the_plan_shows_what_is_cached_before_a_lock(
    weighed_store: AsyncDriver, before: str, cached: list[str]
) -> None:
    query = (
        f"CYPHER 25 MATCH (n:Job {{workspace_id: $w}}) {before} SET n.locked_at = true REMOVE n.locked_at "
        "WITH n WHERE n['state'] = 'NEW' RETURN n.id AS id"
    )

    read = (await explain(weighed_store, query)).read_before_lock

    assert sorted(set(read) - {"n.kind"}) == cached


@pytest.mark.parametrize(("order", "is_sorted_again"), [("n.due_at", True), ("n.kind, n.due_at", False)])
async def test_the_plan_shows_repeated_sorting(
    weighed_store: AsyncDriver, order: str, is_sorted_again: bool
) -> None:
    query = (
        f"CYPHER 25 MATCH (n:Job {{kind: $a}}) WHERE n.due_at < $b RETURN n.id AS id ORDER BY {order} LIMIT 5"
    )

    assert bool((await explain(weighed_store, query)).sorted_again) is is_sorted_again


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n:Job {workspace_id: $a}) MATCH (m:Workspace {id: $b}) RETURN n.id AS id, m.id AS other",
        """
        CALL () { MATCH (n:Job {workspace_id: $a}) RETURN collect(n) AS ns }
        CALL () { MATCH (m:Job {workspace_id: $b}) RETURN count(m) AS n, max(m.id) AS last }
        RETURN ns, n, last
        """,
    ],
)
async def test_a_product_with_one_row_is_allowed(weighed_store: AsyncDriver, query: str) -> None:
    assert "CartesianProduct" not in (await explain(weighed_store, f"CYPHER 25 {query}")).operators
