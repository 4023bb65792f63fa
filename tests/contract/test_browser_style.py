"""The style for Neo4j Browser: readable to it, and complete for every kind of node (E16, E17)."""

import re

import pytest

from cypher import browser_style, catalogue
from cypher.masking import mask
from graph.core.text.stemming import LANGUAGES

RULE = re.compile(r"(?P<selector>[\w.]+) \{\n(?P<body>(?:  [a-z-]+: [^;:{}]+(?:\{\w+\}'|);\n)+)\}\n")
PROPERTY = re.compile(r"  (?P<name>[a-z-]+): (?P<value>.+);\n")
LABEL = re.compile(r"\bFOR\s*\(\w+:(?P<labels>[\w|]+)\)")
# Labels for the service only, or beside a node's main label.
NOT_DRAWN = {
    "AuditEntry",
    "AutomaticChange",
    "Distillation",
    "EntityMerge",
    "SchemaVersion",
    "Searchable",
    "Setting",
    "Tombstone",
    "VectorIndexMeta",
    "VectorTierMeta",
    "EventWebhook",
    "EventWebhookDelivery",
    *(language.label for language in LANGUAGES.values()),
}
NEEDED = {"diameter", "color", "border-color", "text-color-internal", "caption"}

RULES = {
    rule["selector"]: {found["name"]: found["value"] for found in PROPERTY.finditer(rule["body"])}
    for rule in RULE.finditer(browser_style())
}


def test_the_style_contains_only_rules() -> None:
    """Browser reads everything outside of braces as a selector and fails on an empty one."""
    assert RULE.sub("", browser_style()) == ""


@pytest.mark.parametrize("selector", [selector for selector in RULES if selector.startswith("node")])
def test_a_kind_of_node_has_a_size_colours_and_a_caption(selector: str) -> None:
    rule = RULES[selector]

    assert rule.keys() >= NEEDED
    assert re.fullmatch(r"'\{\w+\}'", rule["caption"])
    assert all(re.fullmatch(r"#[0-9A-F]{6}", rule[name]) for name in rule if "color" in name)


def test_every_label_of_the_schema_has_a_rule() -> None:
    schema = (mask(query.text) for query in catalogue().values() if query.mode == "schema")
    labels = {
        label for text in schema for found in LABEL.finditer(text) for label in found["labels"].split("|")
    }

    assert "Memory" in labels
    assert labels - NOT_DRAWN - {selector.removeprefix("node.") for selector in RULES} == set()
