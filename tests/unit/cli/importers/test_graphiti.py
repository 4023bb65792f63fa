"""The reader of Graphiti's and Zep's graphs."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.importers.graphiti import read_graphiti
from app.cli.importers.models import (
    EntityItem,
    ImportItem,
    LinkItem,
    RelationItem,
    Remark,
    UnreadableFileError,
)
from tests.fixtures.exports import ADA, EPISODE, LIVED, LIVES, OSLO


def read(tmp_path: Path, graph: Any, **options: Any) -> list[Any]:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph))
    contents = read_graphiti(path, 32_000, **options)
    return list(contents.records)


def test_a_graph_becomes_entities_facts_with_validity_turns_relations_and_provenance(tmp_path: Path) -> None:
    graph = {"nodes": [ADA, OSLO], "edges": [LIVES, LIVED], "episodes": [EPISODE]}

    ada, oslo, lives, lived, turn, relation, ended, *derived = read(tmp_path, graph)

    assert ada == EntityItem(
        "entity n1",
        {
            "type": "Person",
            "name": "Ada",
            "key": "graphiti/n1",
            "summary": "Writes.",
            "properties": {"age": 36},
            "connectionId": "graphiti",
        },
    )
    assert (oslo.fields["type"], oslo.fields["name"]) == ("Thing", "Oslo")
    assert lives.memory.to_input() == {
        "content": "Ada lives in Oslo",
        "key": "graphiti/e1",
        "timestamp": "2026-01-01T00:00:00Z",
        "tValid": "2025-05-01T00:00:00Z",
        "metadata": {"graphiti": {"relation": "LIVES_IN", "from": "Ada", "to": "Oslo", "group_id": "g"}},
        "sourceType": "imported",
        "dedup": False,
    }
    assert lived.memory.to_input()["tInvalid"] == "2025-05-01T00:00:00Z"
    assert turn.memory.to_input() == {
        "content": "ada: I moved to Oslo",
        "key": "graphiti/p1",
        "timestamp": "2025-05-01T00:00:00Z",
        "sourceConversationId": "graphiti/g",
        "sourceMessageId": "p1",
        "metadata": {"graphiti": {"name": "chat", "source": "message", "described": "chat"}},
        "sourceType": "imported",
        "dedup": False,
    }
    assert relation == RelationItem(
        "fact e1",
        {
            "from": "graphiti/n1",
            "to": "graphiti/n2",
            "type": "LIVES_IN",
            "properties": {"fact": "Ada lives in Oslo"},
            "connectionId": "graphiti",
        },
    )
    assert ended == Remark(
        "fact e2", "holds no longer: a memory with its validity, and no relation", "changed"
    )
    assert derived == [
        LinkItem("fact e1 ← p1", "graphiti/e1", "graphiti/p1", "DERIVED_FROM"),
        LinkItem("fact e2 ← p1", "graphiti/e2", "graphiti/p1", "DERIVED_FROM"),
    ]


def test_a_group_may_be_a_user(tmp_path: Path) -> None:
    records = read(tmp_path, {"edges": [LIVES], "episodes": [EPISODE]}, group_is_user=True)

    assert {each.memory.user_id for each in records if isinstance(each, ImportItem)} == {"g"}


def test_incomplete_parts_are_reported(tmp_path: Path) -> None:
    records = read(tmp_path, {"entities": [{**ADA, "name": None}], "edges": [{**LIVES, "fact": None}, LIVES]})

    assert [(each.where, each.effect) for each in records if isinstance(each, Remark)] == [
        ("entity n1", "skipped"),
        ("edge e1", "skipped"),
        ("fact e1", "changed"),
    ]


def test_attributes_are_kept_and_omitted_parts_counted_by_kind(tmp_path: Path) -> None:
    """Issue 35.5."""
    attributes = {
        "fact": "Ada lives in Oslo",
        "fact_embedding": [0.1],
        "since_year": 2025,
        "rents": True,
        "rooms": ["kitchen", "bath"],
        "floor": None,
        "contract": {"number": 7},
        "areas": [12, 9],
        "notes": "x" * 501,
        "parts": ["y" * 501],
    }
    graph = {
        "nodes": [{**ADA, "attributes": {"age": 36, "address": {"street": "x"}}}, OSLO],
        "edges": [{**LIVES, "attributes": attributes}],
        "communities": [{"uuid": "c1"}, {"uuid": "c2"}],
    }

    records = read(tmp_path, graph)

    (fact,) = (each for each in records if isinstance(each, ImportItem))
    (relation,) = (each for each in records if isinstance(each, RelationItem))
    kept = {"since_year": 2025, "rents": True, "rooms": ["kitchen", "bath"]}
    assert fact.memory.metadata["graphiti"]["attributes"] == kept
    assert relation.fields["properties"] == {**kept, "fact": "Ada lives in Oslo"}
    assert [(each.where, each.reason, each.effect) for each in records if isinstance(each, Remark)] == [
        ("communities #1", "communities left out", "skipped"),
        ("communities #2", "communities left out", "skipped"),
        ("entity n1 address", "attribute that is no text, number or list of texts left out", "changed"),
        ("fact e1 contract", "attribute that is no text, number or list of texts left out", "changed"),
        ("fact e1 areas", "attribute that is no text, number or list of texts left out", "changed"),
        ("fact e1 notes", "attribute of more than 500 characters left out", "changed"),
        ("fact e1 parts", "attribute of more than 500 characters left out", "changed"),
    ]


@pytest.mark.parametrize(
    "value", [[], {}, {"results": [{"id": "1", "memory": "x"}]}, {"edges": [{"a": 1}]}, 3]
)
def test_an_invalid_graph_is_refused_with_the_expected_form(tmp_path: Path, value: Any) -> None:
    with pytest.raises(UnreadableFileError, match="no graph found; a Graphiti graph in JSON is"):
        read(tmp_path, value)


def test_a_neo4j_that_does_not_answer_is_an_error() -> None:
    with pytest.raises(UnreadableFileError, match="the database cannot be read"):
        read_graphiti("bolt://127.0.0.1:1", 32_000)
