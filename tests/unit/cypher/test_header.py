"""The headers of query files, and the errors of broken ones."""

import pytest

from cypher.header import Column, HeaderError, Param, Statement, parse

GOOD = """\
// name: get_memory
// mode: read
// returns: optional
// param: workspace_id string — every query is scoped
// param: id string?
// param: vector list<float>
// column: id string
// column: tags list<string>? — as they were given
// why: a sentence
//   that goes on
// allow: NodeByLabelScan — ten nodes at most
CYPHER 25
MATCH (memory:Memory {workspace_id: $workspace_id, id: $id})
WHERE memory.url <> 'http://$not_a_parameter' // nor is $this
RETURN memory.id AS id, $vector /* nor $that */ AS tags
"""


def parsed(text: str, *, folder: str = "memories", stem: str = "get_memory") -> Statement:
    return parse(text, folder=folder, stem=stem, path=f"cypher/{folder}/{stem}.cypher")


def test_a_header_is_parsed_completely() -> None:
    statement = parsed(GOOD)

    assert (statement.name, statement.folder, statement.mode) == ("get_memory", "memories", "read")
    assert statement.returns == "optional"
    assert statement.params == (
        Param("workspace_id", "string", why="every query is scoped"),
        Param("id", "string", optional=True),
        Param("vector", "list<float>"),
    )
    assert statement.columns == (
        Column("id", "string"),
        Column("tags", "list<string>", optional=True, why="as they were given"),
    )
    assert statement.why == "a sentence that goes on"
    assert dict(statement.allow) == {"NodeByLabelScan": "ten nodes at most"}
    assert statement.unscoped is None
    assert statement.path == "cypher/memories/get_memory.cypher"
    assert statement.text == GOOD
    assert statement.parts == (GOOD,)


def test_dynamic_labels_are_not_parameters_of_a_header() -> None:
    text = GOOD.replace("memory:Memory {", "memory:$any($vector) {")

    assert [param.name for param in parsed(text).params] == ["workspace_id", "id", "vector"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("name: get_memory", "name: find_memory", 1, "is not the file's stem 'get_memory'"),
        ("mode: read", "mode: implicit", 2, "'mode' is one of read, write, schema, not 'implicit'"),
        ("returns: optional", "returns: some", 3, "'returns' is one of one, optional, many, none"),
        ("returns: optional", "returns: none", 12, "columns are declared exactly where"),
        ("// returns: optional\n", "", 11, "'// returns: …' is missing"),
        ("// param: id", "// params: id", 5, "unknown key 'params'"),
        ("// param: id", "//param: id", 5, "expected '// key: value' or 'CYPHER 25'"),
        ("id string?", "id", 5, "expected 'param: name type[ — why]'"),
        ("id string?", "id text", 5, "unknown type 'text' of param 'id'"),
        ("list<float>", "list<float", 6, "unknown type 'list<float'"),
        ("param: vector", "param: id", 6, "param 'id' is declared twice"),
        ("column: tags", "column: Tags", 8, "column 'Tags' is not snake_case"),
        ("// why: a sentence", "// name: get_memory", 9, "'name' is declared twice"),
        ("Scan — ten nodes at most", "Scan", 11, "expected 'allow: Operator — reason'"),
        ("CYPHER 25\n", "", 12, "expected '// key: value' or 'CYPHER 25'"),
        ("$vector", "$vektor", 15, "$vektor is used but not declared"),
        ("$id}", "'$id'}", 5, "param 'id' is declared but not used"),
        ("\nWHERE", "\n;\nWHERE", 14, "only schema files hold several statements"),
    ],
)
def test_a_broken_file_is_named_with_its_line(old: str, new: str, line: int, message: str) -> None:
    with pytest.raises(HeaderError) as raised:
        parsed(GOOD.replace(old, new, 1))

    assert message in str(raised.value)
    assert str(raised.value).startswith(f"cypher/memories/get_memory.cypher:{line}: ")


def test_browser_queries_only_read_and_may_return_nodes() -> None:
    """E17: only columns in ``cypher/browser`` may be nodes and paths, and those queries write nothing."""
    drawn = GOOD.replace("column: id string", "column: id node").replace("list<string>?", "list<path>?")
    assert [column.type for column in parsed(drawn, folder="browser").columns] == ["node", "list<path>"]
    for folder, text, message in [
        ("memories", drawn, ":7: only columns in cypher/browser are a node, not 'id'"),
        ("browser", GOOD.replace("param: vector list<float>", "param: vector node"), ":6: only columns"),
        ("browser", GOOD.replace("mode: read", "mode: write"), ":2: cypher/browser holds mode read only"),
    ]:
        with pytest.raises(HeaderError, match=message):
            parsed(text, folder=folder)


@pytest.mark.parametrize("text", ["", "// name: get_memory\n", "//   goes on\nCYPHER 25\n"])
def test_a_file_without_a_whole_header_is_refused(text: str) -> None:
    with pytest.raises(HeaderError):
        parsed(text)


def test_a_query_needs_a_workspace_or_a_reason_to_have_none() -> None:
    text = "// name: ping\n// mode: read\n// returns: one\n// column: ok integer\nCYPHER 25\nRETURN 1 AS ok\n"

    with pytest.raises(HeaderError, match=r":5: neither \$workspace_id nor"):
        parsed(text, stem="ping")

    unscoped = parsed(text.replace("CYPHER", "// unscoped: it reads nothing\nCYPHER"), stem="ping")
    assert unscoped.unscoped == "it reads nothing"


SCHEMA = """\
// name: memories
// mode: schema
CYPHER 25
CREATE CONSTRAINT a IF NOT EXISTS FOR (n:A) REQUIRE n.id IS UNIQUE
;
CYPHER 25
// the second
CREATE INDEX b IF NOT EXISTS FOR (n:B) ON (n.x)
"""


def test_a_schema_file_holds_statements_that_can_be_run_one_by_one() -> None:
    statement = parsed(SCHEMA, folder="schema", stem="memories")

    first, _, second = SCHEMA.partition(";\n")
    assert statement.parts == (first, second)
    assert (statement.returns, statement.columns) == ("none", ())


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        (";\n", ":10: a statement does not begin with 'CYPHER 25'"),
        (";\nCREATE INDEX c FOR (n:C) ON (n.x)\n", ":10: a statement does not begin with 'CYPHER 25'"),
        (";\nCYPHER 25\n// only a comment\n", ":10: a statement is empty"),
    ],
)
def test_a_statement_of_a_schema_file_is_whole(tail: str, message: str) -> None:
    with pytest.raises(HeaderError, match=message):
        parsed(SCHEMA + tail, folder="schema", stem="memories")


def test_the_schema_folder_holds_nothing_else() -> None:
    with pytest.raises(HeaderError, match="cypher/schema holds mode schema only"):
        parsed(GOOD, folder="schema")


def test_a_schema_statement_may_stand_outside_that_folder() -> None:
    text = SCHEMA.replace("memories", "create_index")

    assert parsed(text, folder="embeddings", stem="create_index").mode == "schema"


SEARCH = """\
// name: nearest
// mode: read
// returns: many
// index: vectors_a
// unscoped: a test's own
// param: vector list<float>
// column: id string
CYPHER 25
MATCH (found:Memory) // vectors_a is named here
SEARCH found IN (VECTOR INDEX vectors_a FOR $vector LIMIT 3)
RETURN found.id AS id, 'vectors_a' AS text
"""


def nearest(text: str = SEARCH) -> Statement:
    return parse(text, folder="recall", stem="nearest", path="cypher/retrieval/recall/nearest.cypher")


def test_a_search_is_redirected_to_the_other_index() -> None:
    """B10: the index in use changes, and Cypher accepts no parameter for its name."""
    statement = nearest()

    moved = statement.on_index("vectors_b")

    assert statement.index == "vectors_a"
    assert statement.on_index("vectors_a") is statement
    assert moved is statement.on_index("vectors_b")
    assert moved.text == SEARCH.replace("VECTOR INDEX vectors_a", "VECTOR INDEX vectors_b")
    assert moved.parts == (moved.text,)
    assert moved.index == "vectors_b"


def test_only_the_two_indexes_can_be_searched() -> None:
    with pytest.raises(ValueError, match="not one of vectors_a, vectors_b"):
        nearest().on_index("vectors_a FOR $v LIMIT 1) //")


def test_a_statement_without_a_search_cannot_be_moved() -> None:
    plain = SEARCH.replace("// index: vectors_a\n", "").replace(
        "SEARCH found IN (VECTOR INDEX vectors_a FOR $vector LIMIT 3)", "WHERE found.x = $vector"
    )

    with pytest.raises(ValueError, match="declares no '// index"):
        nearest(plain).on_index("vectors_b")


@pytest.mark.parametrize("vector", ["$vector", "probe.vector"])
def test_a_search_is_declared(vector: str) -> None:
    """Otherwise it would keep using the old index, and fail when that is dropped."""
    undeclared = SEARCH.replace("// index: vectors_a\n", "").replace("FOR $vector", f"FOR {vector}")

    with pytest.raises(HeaderError, match="the text searches vectors_a: declare '// index"):
        nearest(undeclared)


@pytest.mark.parametrize("searched", ["vectors_b", "other"])
def test_the_declared_index_is_the_one_searched(searched: str) -> None:
    with pytest.raises(HeaderError, match="is declared, the text searches"):
        nearest(SEARCH.replace("VECTOR INDEX vectors_a", f"VECTOR INDEX {searched}"))
