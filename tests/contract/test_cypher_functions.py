"""The typed function of each query file, which agrees with its header (CONTRIBUTING, A query file)."""

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from cypher import Param, Statement, catalogue
from cypher.header import FOR_PEOPLE
from cypher.masking import mask
from graph.core.ports import TierPoint
from graph.core.rows import Row
from tests.contract.annotations import fits
from tests.contract.each import for_each

ROOT = Path(__file__).parents[2]
RUN_BY_THE_APP = {"set_password": "the embedded server's first start, on the system database"}
STATEMENTS = [
    s for s in catalogue().values() if s.folder not in {"schema", FOR_PEOPLE} and s.name not in RUN_BY_THE_APP
]
CYPHER = re.compile(
    r"""
      \bCYPHER\s+\d | \bMATCH\s*\( | \bMERGE\s*\( | \bCREATE\s*\( | \bDETACH\s+DELETE\b
    | \bUNWIND\s+\S+\s+AS\b | \bCALL\s+(?:db|dbms|apoc|tx)\. | \bRETURN\s+[\w$]+(?:\.\w+)?(?:\s+AS\b|\s*$)
    | \b(?:CREATE|DROP|SHOW)\s+(?:\w+\s+){0,2}(?:INDEX|CONSTRAINT|DATABASE|USER)(?:E?S)?\b
    | \bALTER\s+(?:CURRENT\s+USER|DATABASE)\b | \(\s*\w*\s*:\s*[A-Z]\w+\s*(?:\{[^}]*\}\s*)?\)\s*<?-
    """,
    re.VERBOSE,
)


def query_modules() -> dict[str, ModuleType]:
    folders = [
        file.parent.relative_to(ROOT / "graph") for file in sorted((ROOT / "graph").rglob("queries.py"))
    ]
    return {
        folder.as_posix(): importlib.import_module(".".join(("graph", *folder.parts, "queries")))
        for folder in folders
    }


MODULES = query_modules()
DEFINITIONS = {
    (folder, definition.name): definition
    for folder, module in MODULES.items()
    for definition in ast.parse(inspect.getsource(module)).body
    if isinstance(definition, ast.AsyncFunctionDef)
}


def functions_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    }


def function_of(statement: Statement) -> Callable[..., Any]:
    return functions_of(MODULES[statement.folder])[statement.name]


def name_of(statement: Statement) -> str:
    return statement.path


def test_files_and_functions_pair_up() -> None:
    """Each file has a function of its name in its folder, and each function has a file."""
    files = {(statement.folder, statement.name) for statement in STATEMENTS}
    functions = {(folder, name) for folder, module in MODULES.items() for name in functions_of(module)}

    assert functions == files


def test_functions_that_may_return_none_are_named_find() -> None:
    """``get_`` raises if there is no result, ``find_`` returns None."""
    missing = [s.path for s in STATEMENTS if s.returns == "optional" and s.name.startswith("get_")]
    always = [s.path for s in STATEMENTS if s.returns == "one" and s.name.startswith("find_")]

    assert (missing, always) == ([], [])


def test_the_guide_shows_an_existing_query() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    file = ROOT / "cypher" / "memories" / "find_version.cypher"
    declaration = (
        inspect.getsource(MODULES["memories"]).partition("async def find_version")[2].partition("\n\n")[0]
    )

    assert file.read_text(encoding="utf-8") in guide
    assert f"@query\nasync def find_version{declaration}\n" in guide


@for_each(STATEMENTS, name_of)
def test_parameters_are_those_of_the_header(statement: Statement) -> None:
    function = function_of(statement)
    runner, *rest = inspect.signature(function).parameters.values()

    assert inspect.iscoroutinefunction(function)
    assert (runner.name, runner.kind) == ("runner", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    assert all(parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in rest)
    assert all(parameter.default is inspect.Parameter.empty for parameter in rest)
    assert {parameter.name for parameter in rest} == {*names_of(statement)}


def names_of(statement: Statement) -> list[str]:
    """Return a function's parameters: the declared ones, and the vector index if it searches one.

    The scope comes from the task, so that no caller can omit it.
    """
    chosen = ["vector_index"] if statement.index else []
    return [*(param.name for param in taken_by(statement)), *chosen]


def taken_by(statement: Statement) -> list[Param]:
    return [param for param in statement.params if param.name != "scope"]


@for_each(STATEMENTS, name_of)
def test_parameters_have_the_types_of_the_header(statement: Statement) -> None:
    function = function_of(statement)
    hints = get_type_hints(function)
    wrong = [p for p in taken_by(statement) if not fits(hints[p.name], p.type, optional=p.optional)]

    assert wrong == []


CHECKED_BEFORE = {
    # graph.operations.archive.checking compares them with the labels of an archive
    "create_archive_nodes": {"row.labels"},
    "create_archive_edges": {"row.type"},
}


@for_each(STATEMENTS, name_of)
def test_a_label_or_type_from_outside_is_one_of_a_closed_set(statement: Statement) -> None:
    """``$($name)`` is as dangerous as a concatenated query, unless its type lists the allowed values.

    Names of the registry and types of edges were checked when they were written.
    """
    function = function_of(statement)
    hints = get_type_hints(function)
    text = mask(statement.text)
    registered = {f"{name}.name" for name in re.findall(r"\((\w+):(?:Entity|Relation)Type\b", text)}
    drawn = {f"type({name})" for name in re.findall(r"\[(\w+)[\]:]", text)}
    for dynamic in re.finditer(r"\$(?:any|all)?\s*\(((?:[^()]|\(\w+\))*)\)?", text):
        name = dynamic[1].strip()
        if name not in registered | drawn | CHECKED_BEFORE.get(statement.name, set()):
            annotation = hints[name.removeprefix("$")]
            assert get_origin(annotation) is Literal or issubclass(annotation, Enum)


@for_each(STATEMENTS, name_of)
def test_rows_have_the_columns_of_the_header(statement: Statement) -> None:
    """Several columns make a row model; a single column is returned as plain values."""
    row = row_of(get_type_hints(function_of(statement))["return"], statement)
    columns = {column.name: column for column in statement.columns}

    if row is None:
        assert columns == {}
        return
    if not (isinstance(row, type) and issubclass(row, Row)):
        (column,) = columns.values()
        assert fits(row, column.type, optional=column.optional)
        return
    hints = get_type_hints(row)
    assert row.model_config["frozen"]
    assert row.model_config["extra"] == "forbid"
    assert set(row.model_fields) == set(columns)
    assert all(field.is_required() for field in row.model_fields.values())
    wrong = [c for c in columns.values() if not fits(hints[c.name], c.type, optional=c.optional)]
    assert wrong == []


def row_of(returned: Any, statement: Statement) -> Any:
    """Return the row type in a function's return annotation, which must match the cardinality.

    A nullable single column of an optional row needs a row model: None would mean both.
    """
    if statement.returns == "none":
        assert returned is type(None)
        return None
    if statement.returns == "many":
        assert get_origin(returned) is list
        return get_args(returned)[0]
    if statement.returns == "optional":
        row, nothing = get_args(returned)
        assert nothing is type(None)
        return row
    return returned


@for_each(STATEMENTS, name_of)
def test_query_functions_have_no_body(statement: Statement) -> None:
    definition = DEFINITIONS[statement.folder, statement.name]
    body = definition.body[1:] if ast.get_docstring(definition) else definition.body

    assert [ast.unparse(decorator) for decorator in definition.decorator_list] == ["query"]
    assert [ast.unparse(line) for line in body] in ([], ["..."])


@pytest.mark.parametrize("package", ["app", "graph"])
def test_no_cypher_is_written_in_python(package: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text}"
        for file in sorted((ROOT / package).rglob("*.py"))
        for line, text in strings_of(file.read_text(encoding="utf-8"))
        if CYPHER.search(text)
    ]

    assert found == []


def strings_of(source: str) -> list[tuple[int, str]]:
    """Return every string of a module except docstrings and other bare strings."""
    tree = ast.parse(source)
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare
    ]


@pytest.mark.parametrize(
    "text",
    [
        "CYPHER 25 RETURN 1",
        "MATCH (n) RETURN n",
        "  MERGE (n:Memory {id: $id})",
        "CREATE (n)",
        "CREATE VECTOR INDEX x IF NOT EXISTS",
        "DROP INDEX x",
        "SHOW INDEXES",
        "SHOW CONSTRAINTS",
        "UNWIND $rows AS row",
        "CALL db.labels()",
        "RETURN 1",
        "RETURN n.id AS id",
        "(n:Memory)-[:NEXT]->(m)",
        "WITH x DETACH DELETE x",
        "ALTER CURRENT USER SET PASSWORD",
    ],
)
def test_cypher_is_recognised(text: str) -> None:
    assert CYPHER.search(text)


@pytest.mark.parametrize(
    "text",
    ["match (case-insensitive)", "MATCH", "RETURN", "Create an index", "CREATED", "call db again", "(a: B)"],
)
def test_prose_is_not_mistaken_for_cypher(text: str) -> None:
    assert CYPHER.search(text) is None


@pytest.mark.parametrize(
    ("annotation", "declared", "optional", "expected"),
    [
        (str, "string", False, True),
        (str | None, "string", True, True),
        (str | None, "string", False, False),
        (str, "string", True, False),
        (int, "float", False, False),
        (bool, "integer", False, False),
        (datetime, "datetime", False, True),
        (Literal["a", "b"], "string", False, True),
        (Literal[1], "string", False, False),
        (Sequence[str], "list<string>", False, True),
        (tuple[str, ...], "list<string>", False, True),
        (tuple[str, str], "list<string>", False, False),
        (Sequence[float], "list<string>", False, False),
        (list[list[float]], "list<list<float>>", False, True),
        (str, "list<string>", False, False),
        (Mapping[str, Any], "map", False, True),
        (Row, "map", False, True),
        (TierPoint, "map", False, True),
        (Sequence[Mapping[str, Any]] | None, "list<map>", True, True),
        (Any, "string", False, False),
    ],
)
def test_annotations_are_compared_exactly(
    annotation: Any, declared: str, *, optional: bool, expected: bool
) -> None:
    assert fits(annotation, declared, optional=optional) is expected
