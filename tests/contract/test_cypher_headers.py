"""Query files, which do what their headers declare, and stay in their workspace (CONTRIBUTING)."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

from cypher import Statement, catalogue
from cypher.masking import mask
from tests.contract.each import for_each
from tests.contract.scoping import leaks_of

ROOT = Path(__file__).parents[2]
STATEMENTS = list(catalogue().values())
# An archive contains all properties; vectors are a separate column.
RETURN_WHOLE_NODES = {"get_archive_nodes", "list_archive_edges"}


def test_every_file_is_in_the_catalogue() -> None:
    files = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "cypher").rglob("*.cypher")
        if file.parent.name != "fragments"
    }

    assert files == {statement.path for statement in STATEMENTS}


def test_every_fragment_is_included_by_several_files() -> None:
    """Text for a single file belongs in that file, be it a query or a fragment."""
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "cypher").rglob("*.cypher")]
    counts = {
        fragment.stem: sum(
            re.search(rf"// include: {fragment.stem}( of \w+)?\n", text) is not None for text in texts
        )
        for fragment in (ROOT / "cypher" / "fragments").glob("*.cypher")
    }

    assert [name for name, count in counts.items() if count < 2] == []


def test_a_lock_leaves_no_property_behind() -> None:
    """The same statement removes the property that takes a node's lock, so that nobody sees it."""
    left = [
        statement.path
        for statement in STATEMENTS
        if re.search(r"SET (\w+)\.locked_at = true\n(?! *REMOVE \1\.locked_at\n)", statement.text)
        or len(re.findall(r"\.locked_at\b", statement.text))
        != 2 * statement.text.count(".locked_at = true\n")
    ]

    assert left == []


def test_each_room_has_one_schema_file() -> None:
    rooms = {folder.name for folder in (ROOT / "graph").iterdir() if (folder / "__init__.py").exists()}

    assert {statement.name for statement in STATEMENTS if statement.folder == "schema"} == rooms


def test_recall_is_planned_once_for_every_set_of_arguments() -> None:
    """The server plans a statement again for each combination of parameter types; an empty list differs.

    Only values in a map may be null or vary in length; a vector is a full list of numbers.
    """
    varying = [
        f"{statement.name}: {param.name}"
        for statement in STATEMENTS
        if statement.name.startswith("gather_candidates")
        for param in statement.params
        if param.name != "vector" and (param.optional or param.type.startswith("list"))
    ]

    assert varying == []


@for_each(STATEMENTS, lambda statement: statement.path)
def test_every_node_of_a_scoped_query_names_its_workspace(statement: Statement) -> None:
    leaks = [f"{statement.path}:{leak.line}: {leak.message}" for leak in leaks_of(statement)]

    assert leaks == []


def indexed() -> set[tuple[str, tuple[str, ...]]]:
    """Return the properties that the schema indexes, in order, with their label."""
    schema = "\n".join(statement.text for statement in STATEMENTS if statement.folder == "schema")
    return {
        (label, tuple(column.strip().removeprefix("n.") for column in columns.split(",")))
        for label, columns in re.findall(r"FOR \(n:(\w+)\) (?:REQUIRE|ON) \(?([^()]*)\)?", schema)
    }


INDEXED = indexed()
LOOK_UP = re.compile(
    r"^ *MATCH \(\w+:(?P<label>\w+) \{workspace_id: [\w$.]+, (?P<key>\w+): [\w$.]+\}\)\n(?P<next>.*)$",
    re.MULTILINE,
)


@for_each(STATEMENTS, lambda statement: statement.path)
def test_lists_of_ids_use_an_index_hint(statement: Statement) -> None:
    """In an empty store the server would plan to read the whole workspace for every row."""
    if "UNWIND $" not in statement.text:
        return
    found = [
        (look_up["label"], look_up["key"])
        for look_up in LOOK_UP.finditer(statement.text)
        if "USING INDEX" not in look_up["next"]
        and {(look_up["label"], columns) for columns in (("workspace_id", look_up["key"]), (look_up["key"],))}
        & INDEXED
    ]

    assert found == []


@for_each(STATEMENTS, lambda statement: statement.path)
def test_no_workspace_parameter_means_all_workspaces(statement: Statement) -> None:
    workspaces = [(param.type, param.optional) for param in statement.params if param.name == "workspace_id"]

    assert workspaces in ([], [("string", False)])


@for_each(STATEMENTS, lambda statement: statement.path)
def test_nothing_returns_a_whole_node(statement: Statement) -> None:
    """Returning all properties would transfer embeddings."""
    text = re.sub(r"SET \w+ = properties\(\w+\)", "", mask(statement.text))  # a copy is not returned
    whole = re.search(r"\{[^{}]*\.\*|\bproperties\s*\(", text) is not None
    assert whole == (statement.name in RETURN_WHOLE_NODES)


def test_the_catalogue_loads_from_an_installed_copy(tmp_path: Path) -> None:
    archive = tmp_path / "installed.zip"
    with zipfile.ZipFile(archive, "w") as copy:
        for file in (ROOT / "cypher").rglob("*"):
            if file.suffix in (".py", ".cypher"):
                copy.write(file, file.relative_to(ROOT))

    printed = subprocess.run(
        [sys.executable, "-S", "-c", "from cypher import catalogue; print(*catalogue())"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(archive)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert printed.split() == list(catalogue())
