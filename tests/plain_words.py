"""Counts the wordings of ``plain_words.toml`` in docstrings, pages, schema descriptions and queries' reasons.

A match is a place to reread, not an error: the count never fails a check. ``--list`` prints the places.
"""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
SCHEMA: Final = ROOT / "app/surfaces/graphql/schema.graphql"
_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_NOT_PROSE: Final = re.compile(r"```.*?```|^[|#].*?$", re.DOTALL | re.MULTILINE)
_WORDINGS: Final = [
    re.compile(each["pattern"], re.IGNORECASE if each["pattern"].startswith(r"\b") else 0)
    for each in tomllib.loads((ROOT / "tests/plain_words.toml").read_text(encoding="utf-8"))["wording"]
]


class Text(NamedTuple):
    """A sentence or paragraph for human readers."""

    kind: str
    place: str
    words: str

    @property
    def is_plain(self) -> bool:
        """True if no wording of the list is in it."""
        return not any(wording.search(self.words) for wording in _WORDINGS)


def texts() -> Iterator[Text]:
    """Yield the first paragraph of each docstring, and each sentence, description and reason."""
    for folder in ("app", "graph"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not {"generated", "node_modules"} & set(path.parts):
                yield from _docstrings(path)
    for path in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))):
        if path.parent.name != "reference":
            prose = _NOT_PROSE.sub("", path.read_text(encoding="utf-8"))
            for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z*`-])", prose):
                yield Text("pages", _named(path), sentence.strip())
    for found in re.finditer(
        r'"""\n(.*?)\n\s*"""|"""(.*?)"""', SCHEMA.read_text(encoding="utf-8"), re.DOTALL
    ):
        yield Text("descriptions", _named(SCHEMA), (found[1] or found[2] or "").strip())
    for path in sorted((ROOT / "cypher").rglob("*.cypher")):
        for found in re.finditer(r"^// why: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            yield Text("queries' why", _named(path), found[1])


def _docstrings(path: Path) -> Iterator[Text]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, _DOCUMENTED) and (docstring := ast.get_docstring(node)):
            line = 1 if isinstance(node, ast.Module) else node.lineno
            yield Text("docstrings", f"{_named(path)}:{line}", docstring.split("\n\n")[0])


def _named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main() -> None:
    """Print the number of matches of each kind, and their places with ``--list``."""
    total: Counter[str] = Counter()
    matches: Counter[str] = Counter()
    for text in texts():
        total[text.kind] += 1
        if not text.is_plain:
            matches[text.kind] += 1
            if "--list" in sys.argv:
                print(f"{text.place}: {' '.join(text.words.split())[:120]}")
    counts = (f"{kind} {matches[kind]} of {total[kind]}" for kind in total)
    print(f"wordings to reread (tests/plain_words.toml): {', '.join(counts)}")


if __name__ == "__main__":
    main()
