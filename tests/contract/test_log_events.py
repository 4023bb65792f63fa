"""The names of log events, which people can search for and programs can count (M15)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.contract.each import for_each

ROOT = Path(__file__).parents[2]
LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}
NAME = re.compile(r"[a-z_]+(\.[a-z_]+)+")
TEXTS = {"content", "text", "query", "message", "question", "answer", "prompt", "body", "value", "error"}
"""Names of values that would contain users' text (N7)."""


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    for folder in ("app", "graph"):
        for module in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr in LEVELS
                    and isinstance(node.func.value, ast.Name)
                    and node.func.value.id == "_log"
                ):
                    yield f"{module.relative_to(ROOT)}:{node.lineno}", node


CALLS = dict(log_calls())


def test_there_are_events() -> None:
    assert len(CALLS) > 40


@for_each(CALLS)
def test_an_event_has_a_unique_name_and_no_text_of_users(place: str) -> None:
    call = CALLS[place]
    (name,) = call.args
    assert isinstance(name, ast.Constant), "the name is a literal"
    assert NAME.fullmatch(name.value)
    assert not TEXTS & {keyword.arg for keyword in call.keywords}
