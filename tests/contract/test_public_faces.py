"""Imports between the rooms of ``graph``, which use only published names (docs/contributing/where-is.md)."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[2]

FACES = frozenset({"models", "policy", "ports", "service", "settings"})
"""Names of modules that are public in every room and its parts."""

PUBLISHED: Final[Mapping[str, frozenset[str]]] = {
    "tenancy": frozenset({"access", "keys", "language_models", "sessions", "workspaces"}),
    "vectors": frozenset({"external.mirroring", "index.precomputing", "index.vectors"}),
    "memories": frozenset(
        {
            "associations",
            "bulk",
            "changes.english_dates",
            "changes.questions",
            "changes.relative_times",
            "changes.slots",
            "changes.statements",
            "changes.time_spans",
            "changes.timeline",
            "changes.voices",
            "contradictions",
            "deduplication.claims",
            "deduplication.disagreement",
            "deduplication.sameness",
            "deduplication.statements",
            "deletion",
            "deletion_marks",
            "derived_keys",
            "filtering",
            "rules",
            "saving.classification",
            "saving.indexing",
            "saving.neighbourhood",
            "subscriptions",
            "tags",
            "users",
        }
    ),
    "knowledge": frozenset(
        {
            "artifacts",
            "connections",
            "exchange",
            "linking.kinds",
            "linking.occurrences",
            "merging",
            "ontology.names",
            "ontology.rules",
            "traversal",
        }
    ),
    "conversations": frozenset({"message_memories", "moving"}),
    "telemetry": frozenset(
        {"action_notes", "benchmarks", "outcomes", "promoting", "reading", "recording", "usage"}
    ),
    "retrieval": frozenset({"entities", "pages", "recall.injection"}),
}
"""Rules that other rooms apply, and services outside a ``service.py``."""


@cache
def imports_of_other_rooms() -> frozenset[tuple[str, str]]:
    """Return each module with its imports from other rooms."""
    return frozenset(found_imports())


def found_imports() -> Iterator[tuple[str, str]]:
    """Yield each module and its imports from other rooms, except ``core``, which is open to all."""
    for file in sorted((ROOT / "graph").rglob("*.py")):
        room = file.relative_to(ROOT / "graph").parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("graph."):
                continue
            for name in node.names:
                module = f"{node.module}.{name.name}"
                if not (ROOT / module.replace(".", "/")).with_suffix(".py").exists():
                    module = str(node.module)
                if module.split(".")[1] not in {room, "core"}:
                    yield str(file.relative_to(ROOT)), module


def is_public(module: str) -> bool:
    room, _, inside = module.removeprefix("graph.").partition(".")
    return inside.rpartition(".")[2] in FACES or inside in PUBLISHED.get(room, ())


def test_rooms_use_only_what_lower_rooms_publish() -> None:
    assert [found for found in sorted(imports_of_other_rooms()) if not is_public(found[1])] == []


def test_every_public_name_is_used_by_another_room() -> None:
    used = {module.removeprefix("graph.") for _, module in imports_of_other_rooms()}
    published = {f"{room}.{inside}" for room, modules in PUBLISHED.items() for inside in modules}

    assert published - used == set()
