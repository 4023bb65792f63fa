"""Skipped tests, which are forbidden: a machine that lacks something fails (M17)."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
SKIPPING = {"skip", "skipif", "xfail", "importorskip"}


def test_no_test_is_skipped() -> None:
    skips = [
        f"{module.relative_to(TESTS)}:{node.lineno}"
        for module in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in SKIPPING
        and ast.unparse(node.value) in {"pytest", "pytest.mark"}
    ]

    assert skips == []
