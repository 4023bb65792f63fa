"""Names of ontology types, which are also labels and relationship types: no system name is allowed."""

import re

from cypher import catalogue
from cypher.masking import mask
from graph.knowledge.ontology.names import SYSTEM_LABELS, SYSTEM_RELATIONSHIPS

_NODE = re.compile(r"\(\s*\w*\s*:([A-Za-z_|&:\s]+)")
_EDGE = re.compile(r"\[\s*\w*\s*:([A-Z_|]+)")


def texts() -> str:
    return "\n".join(mask(statement.text) for statement in catalogue().values())


def test_no_entity_can_have_a_system_label() -> None:
    """E6: lists of memories, keys or jobs by label therefore never contain an entity."""
    found = {name for names in _NODE.findall(texts()) for name in re.findall(r"[A-Z]\w+", names)}

    assert {"Memory", "Entity", "Workspace"} <= found
    assert found <= SYSTEM_LABELS


def test_no_relation_can_have_a_system_type() -> None:
    found = {name for names in _EDGE.findall(texts()) for name in names.split("|")}

    assert {"MERGED_INTO", "INVALIDATED_BY"} <= found
    assert found <= SYSTEM_RELATIONSHIPS
