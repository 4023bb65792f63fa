"""The checker that proves workspace isolation, on queries that satisfy it and on queries that break it.

Every node of a scoped query names its workspace, traversal hops included.
"""
# ruff: noqa: E501 - one query to a line reads as a table

import pytest

from cypher.header import parse
from tests.contract.scoping import leaks_in, leaks_of

WS = "{workspace_id: $workspace_id}"

GOOD = {
    "property map": f"MATCH (m:Memory {WS}) RETURN m.id AS id",
    "property map among others": "MATCH (m:Memory {id: $id, workspace_id: $workspace_id}) RETURN m.id AS id",
    "where": "MATCH (m:Memory) WHERE m.workspace_id = $workspace_id AND m.x > 1 RETURN m.id AS id",
    "where, reversed and in brackets": "MATCH (m:Memory) WHERE m.x = 1 AND ($workspace_id = m.workspace_id) RETURN 1",
    "where inside the node": "MATCH (m:Memory WHERE m.workspace_id = $workspace_id) RETURN m.id AS id",
    "or inside brackets": "MATCH (m:Memory) WHERE m.workspace_id = $workspace_id AND (m.a OR m.b) RETURN 1",
    "search": """
        MATCH (m:Memory|Chunk)
        SEARCH m IN (VECTOR INDEX i FOR $v WHERE m.workspace_id = $workspace_id AND m.active = true LIMIT $k)
        SCORE AS score
        RETURN m.id AS id, score""",
    "back reference": f"MATCH (m:Memory {WS}) MATCH (m)-[:MENTIONS]->(e:Entity {WS}) RETURN e.id AS id",
    "back reference within one clause": f"MATCH (m:Memory {WS})-[:A]->(e:Entity {WS}), (m)-[:B]->(e) RETURN 1",
    "renamed by with": f"MATCH (m:Memory {WS}) WITH m AS n OPTIONAL MATCH (n)-[:A]->(e:Entity {WS}) RETURN e",
    "with star": f"MATCH (m:Memory {WS}) WITH *, 1 AS one CREATE (m)-[:A]->(n:Memory {WS}) RETURN n",
    "unwound": f"MATCH (m:Memory {WS}) WITH collect(m) AS ms UNWIND ms AS x CREATE (x)-[:A]->(:Job {WS})",
    "merge": "MERGE (j:Job {workspace_id: $workspace_id, kind: $k}) ON CREATE SET j.x = 1 ON MATCH SET j.x = 2",
    "foreach": f"MATCH (m:Memory {WS}) FOREACH (x IN [m] | CREATE (x)-[:A]->(:Job {WS}))",
    "call with imports": f"MATCH (m:Memory {WS}) CALL (m) {{ CREATE (m)-[:A]->(j:Job {WS}) }} RETURN 1 AS one",
    "imports outlive with": f"MATCH (m:Memory {WS}) CALL (m) {{ WITH 1 AS x CREATE (m)-[:A]->(:Job {WS}) }}",
    "call with star": f"MATCH (m:Memory {WS}) CALL (*) {{ CREATE (m)-[:A]->(:Job {WS}) }}",
    "call returns": f"CALL () {{ MATCH (m:Memory {WS}) RETURN m }} CREATE (m)-[:A]->(:Job {WS})",
    "old call": f"MATCH (m:Memory {WS}) CALL {{ WITH m CREATE (m)-[:A]->(:Job {WS}) }}",
    "union": f"MATCH (m:Memory {WS}) RETURN m UNION MATCH (m:Memory {WS}) RETURN m",
    "exists": f"MATCH (m:Memory {WS}) WHERE EXISTS {{ (m)-[:A]->(:Entity {WS}) }} RETURN 1",
    "exists with where": f"""
        MATCH (m:Memory {WS})
        WHERE EXISTS {{ (m)-[:A]->(e:Entity) WHERE e.workspace_id = $workspace_id }} RETURN 1""",
    "count of a query": f"MATCH (m:Memory {WS}) RETURN COUNT {{ MATCH (m)-[:A]->(x:Memory {WS}) RETURN x }} AS n",
    "pattern comprehension": f"MATCH (m:Memory {WS}) RETURN [(m)-[:A]->(x:Memory {WS}) | x.id] AS ids",
    "pattern comprehension with where": f"""
        MATCH (m:Memory {WS})
        RETURN [p = (m)-[:A]->(x:Memory) WHERE x.workspace_id = $workspace_id | length(p)] AS ids""",
    "pattern predicate": f"MATCH (m:Memory {WS}) WHERE NOT (m)-[:A]->(:Memory {WS}) RETURN 1",
    "quantified path": f"MATCH (m:Memory {WS}) ((:Memory {WS})-[:N]->(:Memory {WS})){{1,3}} (x:Memory {WS}) RETURN x",
    "quantified path with where": f"""
        MATCH (m:Memory {WS}) ((a:Memory)-[:N]->(b)
          WHERE a.workspace_id = $workspace_id AND b.workspace_id = $workspace_id){{1,3}} (x:Memory {WS})
        RETURN x""",
    "the workspace itself": "MATCH (w:Workspace {id: $workspace_id}) RETURN w.name AS name",
    "the workspace itself, where": "MATCH (w:Workspace) WHERE w.id = $workspace_id RETURN w.name AS name",
    "a label of the deployment": f"MATCH (meta:VectorIndexMeta {{name: 'x'}}), (m:Memory {WS}) RETURN 1",
    "full text": """
        CALL db.index.fulltext.queryNodes('i', $q, {limit: 9}) YIELD node, score
        WHERE node.workspace_id = $workspace_id
        RETURN node.id AS id, score""",
    "full text, renamed": """
        CALL db.index.fulltext.queryNodes('i', $q) YIELD node AS hit, score
        WITH hit AS m, score WHERE m.workspace_id = $workspace_id AND m.active
        RETURN m.id AS id""",
    "vector property": f"MATCH (m:Memory {WS}) CALL db.create.setNodeVectorProperty(m, 'e', $v) RETURN m.id AS id",
    "arithmetic is no path": f"MATCH (m:Memory {WS}) RETURN (m.a) - (m.b) AS x, [1, 2][0] - (m.a) AS y, {{a: (1)}} AS z",
    "starts with": f"MATCH (m:Memory {WS}) WHERE m.id STARTS WITH $p AND m.id ENDS WITH $q RETURN m.id AS id",
    "names like clauses": f"MATCH (m:Memory {WS}) RETURN m.limit AS limit, m.match AS next, {{set: 1}} AS s",
    "sets the workspace": f"MATCH (m:Memory {WS}) SET m.workspace_id = $workspace_id",
    "commented": f"// MATCH (m:Memory)\nMATCH (m:Memory {WS}) /* (x:Memory) */ RETURN '(m:Memory)' AS text",
    "nested list comprehension": f"MATCH (m:Memory {WS}) RETURN [x IN m.tags WHERE any(y IN $t WHERE y = x) | x] AS t",
    "nodes in a list": f"""
        MATCH (m:Memory {WS}) WITH collect(m) AS ms
        RETURN [x IN ms WHERE EXISTS {{ (x)-[:A]->(:Entity {WS}) }} | x.id] AS ids""",
}

BAD = {
    "no workspace": "MATCH (m:Memory {id: $id}) RETURN m.id AS id",
    "no workspace, though named elsewhere": "MATCH (m:Memory {id: $id}) RETURN $workspace_id AS id",
    "a literal": "MATCH (m:Memory {workspace_id: 'x'}) RETURN m.id AS id",
    "another parameter": "MATCH (m:Memory {workspace_id: $workspace}) RETURN m.id AS id",
    "a longer value": "MATCH (m:Memory {workspace_id: $workspace_id + $x}) RETURN m.id AS id",
    "properties from a parameter": "MATCH (m:Memory $properties) RETURN m.id AS id",
    "a commented condition": "MATCH (m:Memory) // WHERE m.workspace_id = $workspace_id\nRETURN m.id AS id",
    "a condition in a string": "MATCH (m:Memory) WHERE m.x = 'm.workspace_id = $workspace_id' RETURN m.id AS id",
    "or": "MATCH (m:Memory) WHERE m.workspace_id = $workspace_id OR m.shared RETURN m.id AS id",
    "or null": "MATCH (m:Memory) WHERE ($workspace_id IS NULL OR m.workspace_id = $workspace_id) RETURN m.id AS id",
    "not": "MATCH (m:Memory) WHERE NOT m.workspace_id = $workspace_id RETURN m.id AS id",
    "unequal": "MATCH (m:Memory) WHERE m.workspace_id <> $workspace_id RETURN m.id AS id",
    "in": "MATCH (m:Memory) WHERE m.workspace_id IN [$workspace_id, $other] RETURN m.id AS id",
    "case": """
        MATCH (m:Memory)
        WHERE CASE WHEN m.x AND m.workspace_id = $workspace_id AND m.y THEN true ELSE true END RETURN 1""",
    "condition on another": f"MATCH (m:Memory), (n:Memory {WS}) WHERE n.workspace_id = $workspace_id RETURN m",
    "condition too late": "MATCH (m:Memory) WITH m WHERE m.workspace_id = $workspace_id RETURN m.id AS id",
    "first of two hops": f"MATCH (m:Memory)-[:A]->(e:Entity {WS}) RETURN e.id AS id",
    "last hop": f"MATCH (m:Memory {WS})-[:A]->(e:Entity) RETURN e.id AS id",
    "middle hop": f"MATCH (m:Memory {WS})-[:A]->()-[:B]->(e:Entity {WS}) RETURN e.id AS id",
    "nameless label": f"MATCH (m:Memory {WS})-[:A]->(:Entity) RETURN m.id AS id",
    "optional": f"MATCH (m:Memory {WS}) OPTIONAL MATCH (m)-[:A]->(e:Entity) RETURN e.id AS id",
    "second pattern": f"MATCH (m:Memory {WS}), (e:Entity {{id: $id}}) RETURN e.id AS id",
    "create": "CREATE (m:Memory {id: $id}) RETURN m.id AS id",
    "insert": f"MATCH (n:Memory {WS}) INSERT (m:Memory {{id: $id}}) RETURN m.id AS id",
    "merge": "MERGE (m:Memory {id: $id}) ON CREATE SET m.workspace_id = $workspace_id RETURN m.id AS id",
    "lower case": "match (m:Memory {id: $id}) return m.id AS id",
    "forgotten by with": f"MATCH (m:Memory {WS}) WITH count(m) AS n MATCH (m:Memory {{id: $id}}) RETURN m.id AS id",
    "forgotten by union": f"MATCH (m:Memory {WS}) RETURN m UNION MATCH (m:Memory) RETURN m",
    "not imported": f"MATCH (m:Memory {WS}) CALL () {{ MATCH (m:Memory {{id: $id}}) RETURN m.x AS x }} RETURN x",
    "inside a subquery": f"MATCH (m:Memory {WS}) CALL (m) {{ MATCH (m)-[:A]->(e:Entity) RETURN e }} RETURN e",
    "not returned": f"CALL () {{ MATCH (m:Memory {WS}) RETURN 1 AS x }} MATCH (m:Memory {{id: $id}}) RETURN m",
    "unit subquery binds nothing": f"""
        CALL () {{ MATCH (a:Memory {WS}) WITH a AS m SET m.x = 1 }} MATCH (m:Memory {{id: $id}}) RETURN m""",
    "foreach": "FOREACH (x IN $xs | CREATE (:Job {id: x}))",
    "foreach variable stays inside": f"FOREACH (m IN [1] | CREATE (:Job {WS})) MERGE (m:Memory {{id: $id}})",
    "exists": f"MATCH (m:Memory {WS}) WHERE EXISTS {{ (m)-[:A]->(:Entity) }} RETURN 1",
    "exists of a query": f"MATCH (m:Memory {WS}) WHERE EXISTS {{ MATCH (m)-[:A]->(e:Entity) }} RETURN 1",
    "count": f"MATCH (m:Memory {WS}) RETURN COUNT {{ (m)--() }} AS n",
    "collect": f"MATCH (m:Memory {WS}) RETURN COLLECT {{ MATCH (m)-->(e:Entity) RETURN e.id }} AS ids",
    "pattern comprehension": f"MATCH (m:Memory {WS}) RETURN [(m)-[:A]->(x:Memory) | x.id] AS ids",
    "pattern comprehension, named": f"MATCH (m:Memory {WS}) RETURN [p = (m)-->(x:Memory) | nodes(p)] AS ids",
    "pattern comprehension with a weak where": f"""
        MATCH (m:Memory {WS}) RETURN [(m)-[:A]->(x:Memory) WHERE x.y = $workspace_id | x.id] AS ids""",
    "pattern predicate": f"MATCH (m:Memory {WS}) WHERE (m)-[:A]->(:Memory {{id: $id}}) RETURN 1",
    "pattern predicate in brackets": f"MATCH (m:Memory {WS}) WHERE (m.x OR (NOT (m)--(:Memory))) RETURN 1",
    "pattern in a function": f"MATCH (m:Memory {WS}) RETURN exists((m)-[:A]->(:Memory)) AS x",
    "hidden in a map": f"MATCH (m:Memory {WS}) RETURN m {{.id, more: [(m)-->(x) | x.id]}} AS m",
    "hidden in a property value": "MATCH (m:Memory {workspace_id: $workspace_id, n: COUNT { (:Memory) }}) RETURN m",
    "hidden in set": f"MATCH (m:Memory {WS}) SET m.n = size([(m)-->(x:Memory) | x])",
    "hidden in order by": f"MATCH (m:Memory {WS}) RETURN m.id AS id ORDER BY COUNT {{ (m)-->(:Memory) }}",
    "hidden in unwind": f"MATCH (m:Memory {WS}) UNWIND [(m)-->(x:Memory) | x] AS y RETURN y",
    "variable length": f"MATCH (m:Memory {WS})-[:NEXT*1..3]->(x:Memory {WS}) RETURN x",
    "quantified relationship": f"MATCH (m:Memory {WS})-[:NEXT]->{{1,3}}(x:Memory {WS}) RETURN x",
    "quantified with plus": f"MATCH (m:Memory {WS})-[:NEXT]->+(x:Memory {WS}) RETURN x",
    "quantified path": f"MATCH (m:Memory {WS}) ((:Memory)-[:N]->(:Memory {WS})){{1,3}} (x:Memory {WS}) RETURN x",
    "shortest path": f"MATCH p = shortestPath((m:Memory {WS})-[:N*..9]-(x:Memory)) RETURN p",
    "search without the workspace": """
        MATCH (m:Memory) SEARCH m IN (VECTOR INDEX i FOR $v WHERE m.active = true LIMIT 9) SCORE AS s RETURN m""",
    "search that cuts afterwards": """
        MATCH (m:Memory) SEARCH m IN (VECTOR INDEX i FOR $v LIMIT 9) SCORE AS s
        WITH m, s WHERE m.workspace_id = $workspace_id RETURN m""",
    "full text": "CALL db.index.fulltext.queryNodes('i', $q) YIELD node RETURN node.id AS id",
    "full text, cut too late": """
        CALL db.index.fulltext.queryNodes('i', $q) YIELD node
        WITH node ORDER BY node.x LIMIT 9
        WITH node WHERE node.workspace_id = $workspace_id RETURN node""",
    "full text, another cut": """
        CALL db.index.fulltext.queryNodes('i', $q) YIELD node, score
        WITH node AS m, score AS node WHERE node.workspace_id = $workspace_id RETURN m""",
    "full text, everything": "CALL db.index.fulltext.queryNodes('i', $q) YIELD * RETURN node",
    "a procedure": "CALL apoc.cypher.run($q, {}) YIELD value RETURN value",
    "any workspace": "MATCH (w:Workspace {name: $name}) RETURN w.id AS id",
    "the workspace by a property it has not": f"MATCH (w:Workspace {WS}) RETURN w.id AS id",
    "two labels": "MATCH (w:Workspace|Memory {id: $workspace_id}) RETURN w.id AS id",
    "a negated label": "MATCH (w:!VectorIndexMeta {id: $id}) RETURN w.id AS id",
    "a quoted label": "MATCH (w:`Memory` {id: $id}) RETURN w.id AS id",
    "a dynamic label": "MATCH (w:$($label) {id: $id}) RETURN w.id AS id",
    "no label": "MATCH (n {id: $id}) RETURN n.id AS id",
    "is": "MATCH (m IS Memory {id: $id}) RETURN m.id AS id",
    "moves to another workspace": f"MATCH (m:Memory {WS}) SET m.x = 1, m.workspace_id = $other",
    "moves on creation": f"MERGE (m:Memory {WS}) ON CREATE SET m.workspace_id = row.workspace_id",
    "a clause nobody taught it": f"MATCH (m:Memory {WS}) LET x = 1 RETURN x",
    "a beginning nobody taught it": "WHEN true THEN MATCH (m:Memory) RETURN m",
}


@pytest.mark.parametrize("query", GOOD.values(), ids=GOOD.keys())
def test_a_query_that_stays_in_its_workspace_passes(query: str) -> None:
    assert leaks_in(f"CYPHER 25\n{query}") == []


@pytest.mark.parametrize("query", BAD.values(), ids=BAD.keys())
def test_a_query_that_could_leave_its_workspace_is_caught(query: str) -> None:
    assert leaks_in(f"CYPHER 25\n{query}") != []


def test_a_leak_names_its_line_and_the_remedy() -> None:
    text = f"CYPHER 25\nMATCH (m:Memory {WS})\nMATCH (m)-[:A]->(e:Entity)\nMATCH (w:Workspace)\nRETURN e, w"

    assert [(leak.line, leak.message) for leak in leaks_in(text)] == [
        (3, "(e:Entity) does not name its workspace: workspace_id = $workspace_id"),
        (4, "(w:Workspace) does not name its workspace: id = $workspace_id"),
    ]


def test_unscoped_queries_are_not_checked() -> None:
    text = (
        "// name: claim\n// mode: write\n// returns: none\n// unscoped: workers serve every workspace\n"
        "CYPHER 25\nMATCH (job:Job) SET job.x = 1\n"
    )
    scoped = text.replace(
        "// unscoped: workers serve every workspace", "// param: workspace_id string"
    ).replace("job.x = 1", "job.x = $workspace_id")

    assert leaks_of(parse(text, folder="jobs", stem="claim", path="p")) == []
    assert len(leaks_of(parse(scoped, folder="jobs", stem="claim", path="p"))) == 1


def test_unmatched_brackets_are_an_error() -> None:
    with pytest.raises(ValueError, match="unmatched"):
        leaks_in("CYPHER 25\nMATCH (m:Memory RETURN m]")
