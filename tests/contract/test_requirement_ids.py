"""Requirement ids, which appear only in tests: they mean nothing to other readers."""

import re

from tests.contract.test_layout import ROOT, tracked

ID = re.compile(r"\([A-N]\d{1,2}\b[^()]{0,40}\)|\bF§\d|\bformats F|\bRequirement [A-N]\d")
FOLDERS = {"app", "graph", "cypher", "docs", "README.md", "CONTRIBUTING.md"}


def test_only_tests_name_requirements() -> None:
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in tracked()
        if path.parts[0] in FOLDERS and path.suffix in {".py", ".cypher", ".graphql", ".md", ".toml"}
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), start=1)
        if ID.search(line)
    ]

    assert found == []
