"""The examples in docstrings."""

import doctest
import importlib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_examples_of_docstrings_run(capsys) -> None:
    modules = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for package in ("app", "graph", "cypher")
        for file in sorted((ROOT / package).rglob("*.py"))
        if ">>> " in file.read_text(encoding="utf-8")
    ]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in modules}

    assert sum(result.attempted for result in results.values()) > 0
    assert [name for name, result in results.items() if result.failed] == [], capsys.readouterr().out
