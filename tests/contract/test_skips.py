"""A test that does not run says why (M17)."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
SKIPPING = {"skip", "skipif", "xfail", "importorskip"}


def skips() -> list[tuple[str, int, ast.Call | None]]:
    """Return where a test is skipped, and the call that does it; None where a mark stands without one."""
    found = []
    for module in sorted(TESTS.rglob("*.py")):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
        found += [
            (str(module.relative_to(TESTS)), node.lineno, called.get(id(node)))
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in SKIPPING and _is_pytest(node.value)
        ]
    return found


def _is_pytest(owner: ast.expr) -> bool:
    return ast.unparse(owner) in {"pytest", "pytest.mark"}


def test_whatever_is_skipped_has_its_reason() -> None:
    silent = [
        (module, line)
        for module, line, call in skips()
        if call is None
        or not (
            any(keyword.arg == "reason" for keyword in call.keywords)
            or (ast.unparse(call.func) == "pytest.skip" and call.args)
        )
    ]

    assert silent == []
