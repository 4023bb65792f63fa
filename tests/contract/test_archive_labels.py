"""The labels of a workspace: each is archived or excluded for a reason (issue 15, point 6)."""

import re

from cypher import catalogue, load
from graph.knowledge.ontology.names import SYSTEM_LABELS
from graph.operations.archive.format import ARCHIVED, BESIDE, LEFT_OUT

_MADE = re.compile(r"CONSTRAINT \w+ IF NOT EXISTS FOR \(n:(\w+)\) REQUIRE (\(.*?\)|n\.\w+) IS UNIQUE")
_SCHEMA = "\n".join(statement.text for statement in catalogue().values() if statement.folder == "schema")


def test_every_label_is_archived_or_excluded() -> None:
    named = {*ARCHIVED, *BESIDE, *LEFT_OUT}

    assert named - {"_mem"} == SYSTEM_LABELS
    assert len(named) == len(ARCHIVED) + len(BESIDE) + len(LEFT_OUT)


def test_every_label_of_the_schema_is_known() -> None:
    of_schema = set(re.findall(r"FOR \(n:([\w|]+)\)", _SCHEMA))

    assert {label for labels in of_schema for label in labels.split("|")} <= SYSTEM_LABELS


def test_every_archived_label_is_exported() -> None:
    """By its own name or as ``Searchable``; the export reads each label that a deletion removes."""
    read = set(re.findall(r"\w+", _labels_in("list_archive_nodes")))
    removed = set(re.findall(r"\w+", _labels_in("delete_workspace_nodes")))

    searchable = {"Entity", "Chunk", "Artifact", "Episode"}
    assert set(ARCHIVED) - searchable == read - {"Searchable"}
    assert removed - read == set(LEFT_OUT) & removed


def test_archive_identities_match_the_unique_constraints() -> None:
    unique = {
        (label, frozenset(re.findall(r"n\.(\w+)", properties)) - {"workspace_id"})
        for label, properties in _MADE.findall(_SCHEMA)
        if label in ARCHIVED
    }
    told = {(label, frozenset(names)) for label, rule in ARCHIVED.items() for names in rule.identities}

    assert unique - told == set()


def test_uniqueness_is_checked_for_labels_with_a_workspace() -> None:
    read = set(re.findall(r"\.(\w+)", load("get_archive_identities").text))
    told = {name for rule in ARCHIVED.values() for names in rule.identities for name in names}
    of_chains = {"position", "turn_scope", "conversation_id", "source_conversation_id"}

    assert read == told | of_chains | {"id"}


def test_nothing_archived_is_unique_across_workspaces() -> None:
    """Otherwise an archive could not be restored beside its original workspace."""
    assert [
        (label, properties)
        for label, properties in _MADE.findall(_SCHEMA)
        if label in ARCHIVED and "n.workspace_id" not in properties
    ] == []


def _labels_in(name: str) -> str:
    return re.search(r"MATCH \(node:([\w|\s]+)\{", load(name).text)[1]
