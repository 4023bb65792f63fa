"""Clocks in the gate's tests, which are forbidden: a slow or busy machine must not fail a change."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.contract.each import for_each
from tests.lane_of import GATE, OUTSIDE, PROOF

TESTS = Path(__file__).parents[1]
CLOCKS: Final = {
    "least_seconds",
    "monotonic",
    "perf_counter",
    "process_time",
    "thread_time",
    "time",
    "monotonic_ns",
    "perf_counter_ns",
}
TIMED: Final = {
    "timeout",
    "wait",
    "wait_for",
    "run",
    "communicate",
    "AsyncClient",
    "Client",
    "join",
    "get",
    "until",
}
EXCEPTIONS: Final = {
    "fixtures/timeouts.py": "measures how slow the machine is",
    "fixtures/waiting.py": "asks again after a pause; only its deadline ends a failing test",
    "fixtures/neo4j.py": "Java takes no listening socket; a taken port is replaced, three times",
    "fixtures/cpu.py": "only tests of the proof lane use it",
    "fixtures/reembedding.py": "only tests of the proof lane use it",
    "unit/core/test_responsiveness.py": "time of its event loop is simulated",
    "contract/test_no_clock.py": "names what it refuses",
}
"""Files that may use a clock, and why."""


def gate_modules() -> list[Path]:
    """Return the modules of the gate: tests and fixtures."""
    proof = [TESTS / place for place in (*PROOF, *OUTSIDE)]
    allowed = [TESTS / place for place in EXCEPTIONS]
    folders = ("unit", "contract", "tenancy", "api", "integration", "properties", "fixtures")
    modules = [path for folder in folders for path in sorted((TESTS / folder).rglob("*.py"))]
    modules += [TESTS / place for place in GATE]
    return [
        path
        for path in modules
        if path not in allowed and not any(place in (path, *path.parents) for place in proof)
    ]


def uses_of_a_clock(tree: ast.Module) -> Iterator[str]:
    """Yield each use of a clock with its line, except in functions marked ``proof``."""
    for node in _without_proof(tree):
        if isinstance(node, ast.ImportFrom) and any(name.name == "free_port" for name in node.names):
            yield f"line {node.lineno}: a port that is chosen beforehand"
        if not isinstance(node, ast.Call):
            continue
        name, owner = _name(node.func)
        if name in CLOCKS and owner in ("time", None):
            yield f"line {node.lineno}: {ast.unparse(node.func)}()"
        elif name == "sleep" and not _is_zero(node.args):
            yield f"line {node.lineno}: {ast.unparse(node)}"
        elif (bound := _bound(node, name, owner)) is not None and not _is_scaled(bound, tree):
            yield f"line {node.lineno}: timeout {ast.unparse(bound)} without scaled_timeout()"


def _without_proof(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and any(
            ast.unparse(decorator).startswith("pytest.mark.proof") for decorator in child.decorator_list
        ):
            continue
        yield child
        yield from _without_proof(child)


def _name(function: ast.expr) -> tuple[str | None, str | None]:
    if isinstance(function, ast.Attribute):
        return function.attr, function.value.id if isinstance(function.value, ast.Name) else ""
    return (function.id, None) if isinstance(function, ast.Name) else (None, None)


def _is_zero(arguments: list[ast.expr]) -> bool:
    return not arguments or (isinstance(arguments[0], ast.Constant) and arguments[0].value == 0)


def _bound(call: ast.Call, name: str | None, owner: str | None) -> ast.expr | None:
    """Return the timeout that a call sets."""
    for keyword in call.keywords:
        if (
            keyword.arg == "timeout_seconds"
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value
        ):
            return keyword.value
    if name not in TIMED:
        return None
    for keyword in call.keywords:
        if keyword.arg == "timeout":
            return keyword.value
    if owner == "asyncio" and name == "timeout":
        return call.args[0]
    if owner == "asyncio" and name == "wait_for":
        return call.args[1]
    return call.args[0] if (owner, name) == ("mark", "timeout") else None


def _is_scaled(bound: ast.expr, tree: ast.Module) -> bool:
    if isinstance(bound, ast.Constant) and bound.value is None:
        return True
    if isinstance(bound, ast.Name):  # a constant of the module
        return any(
            isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == bound.id for target in node.targets)
            and _is_scaled(node.value, tree)
            for node in tree.body
        )
    return "scaled_timeout(" in ast.unparse(bound)


@for_each(gate_modules(), lambda path: str(path.relative_to(TESTS)))
def test_no_module_of_the_gate_uses_a_clock(module: Path) -> None:
    assert list(uses_of_a_clock(ast.parse(module.read_text(encoding="utf-8")))) == []
