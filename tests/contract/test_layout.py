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
MOST_LINES_OF_A_FUNCTION = 60  # a query function, which is one call, is as long as its header
FORBIDDEN_STEMS = {"utils", "helpers", "common", "manager", "managers", "base", "misc"}


def tracked() -> list[Path]:
    """Return what is in the repository or about to be, without what git ignores."""
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
