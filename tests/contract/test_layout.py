"""The shape of the repository: few top-level entries, modules and functions of readable size (CONTRIBUTING)."""

import ast
import subprocess
from pathlib import Path

from tests.contract.each import for_each

ROOT = Path(__file__).parents[2]
FOLDERS = {"app", "graph", "cypher", "tests", "docker", "docs"}
FILES = {
    "pyproject.toml",
    "README.md",
    "Makefile",
    "mkdocs.yml",
    "requirements.lock",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
}
MOST_LINES = 600
MOST_LINES_OF_A_FUNCTION = 60  # a query function is a single call, as long as its header
LEAST_LINES = 80  # for a module with one importer; a smaller one belongs in that importer
SMALL_FOR_A_REASON = {
    "app/adapters/documents/isolation.py": "the service's side of the reader's process; imports no reader",
    "app/adapters/documents/pdf.py": "the reader of one format, as its siblings are",
    "app/adapters/text_worker.py": "a program: Python runs it in a process of its own",
    "app/client/repeating.py": "a rule of the client, which a distribution of its own ships",
    "app/client/subscriptions.py": "the client's websocket, which a distribution of its own ships",
    "graph/conversations/extraction/found_facts.py": "what text workers import, free of the driver",
}
"""Modules below the floor, beside ``queries.py``, which a contract ties to a folder of ``cypher``."""
SAME_NAME_FOR_A_REASON = {"RecollectRetriever": "the retriever of two frameworks, of which one is installed"}
FORBIDDEN_STEMS = {"utils", "helpers", "common", "manager", "managers", "base", "misc"}


def tracked() -> list[Path]:
    """Return the files in the repository and the new ones that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).exists()]


GENERATED = Path("app/client/generated")  # nobody edits it: test_generated_client.py holds it to its sources
MODULES = sorted(path for path in tracked() if path.suffix == ".py" and not path.is_relative_to(GENERATED))


def test_the_top_level_holds_the_wanted_entries_and_no_others() -> None:
    top = {path.parts[0] for path in tracked()}

    assert {name for name in top if not name.startswith(".")} == FOLDERS | FILES
    assert ".env.example" in top


@for_each(MODULES)
def test_a_module_can_be_read_in_one_sitting(module: Path) -> None:
    lines = (ROOT / module).read_text(encoding="utf-8").count("\n")

    assert lines <= MOST_LINES


@for_each([path for path in MODULES if path.name != "queries.py"])
def test_a_function_fits_a_screen(module: Path) -> None:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    long = {
        node.name: lines_of(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and lines_of(node) > MOST_LINES_OF_A_FUNCTION
    }

    assert long == {}


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


@for_each(MODULES)
def test_a_module_is_named_by_its_content(module: Path) -> None:
    assert module.stem not in FORBIDDEN_STEMS
    assert module.stem == module.stem.lower()


def test_a_small_module_serves_several_others() -> None:
    """A module below the limit with one importer belongs in that importer."""
    small = {
        str(module)
        for module, users in importers().items()
        if len(users) == 1
        and module.name != "queries.py"
        and (ROOT / module).read_text(encoding="utf-8").count("\n") < LEAST_LINES
    }

    assert small == SMALL_FOR_A_REASON.keys()


def test_classes_of_a_layer_have_different_names() -> None:
    """Readers confuse two classes of the same name."""
    modules: dict[tuple[str, str], list[str]] = {}
    for path in MODULES:
        if path.parts[0] in {"app", "graph", "cypher"}:
            for name in public_classes_of(path):
                modules.setdefault((layer_of(path), name), []).append(str(path))
    shared = {name: found for (_, name), found in modules.items() if len(found) > 1}

    assert {name: found for name, found in shared.items() if name not in SAME_NAME_FOR_A_REASON} == {}


def public_classes_of(path: Path) -> list[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return [
        each.name for each in tree.body if isinstance(each, ast.ClassDef) and not each.name.startswith("_")
    ]


def layer_of(path: Path) -> str:
    """Return the layer of a module in the import contracts; the surfaces share one layer."""
    if path.parts[0] != "app":
        return path.parts[0]
    if path.parts[1] == "surfaces" and path.parts[2] in {"graphql", "rest", "mcp", "proxy"}:
        return "app/surfaces"
    return "/".join(path.parts[: 3 if path.parts[1] == "surfaces" else 2])


def importers() -> dict[Path, set[Path]]:
    """Return the modules of ``app`` and ``graph``, each with its importers."""
    own = [path for path in MODULES if path.parts[0] in {"app", "graph"}]
    by_name = {".".join(path.with_suffix("").parts): path for path in own if path.name != "__init__.py"}
    users: dict[Path, set[Path]] = {path: set() for path in by_name.values()}
    for path in own:
        for name in imported_by(path):
            if name in by_name and by_name[name] != path:
                users[by_name[name]].add(path)
    return users


def imported_by(path: Path) -> set[str]:
    """Return the dotted names that a module imports, including possible submodules."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            within = path.parts[: len(path.parts) - node.level] if node.level else ()
            base = ".".join([*within, *([node.module] if node.module else [])])
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return names
