"""Precision and recall of the names that linking recognises in hand-labelled texts."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graph.knowledge.linking.models import Recognised
from graph.knowledge.linking.recognition import recognise
from graph.knowledge.ontology.names import normalized
from tests.bench.results import Table, against

_FILE = Path(__file__).with_name("sets") / "entities" / "entities.jsonl"
_LEAST = 0.9


def measure_entities(half: str) -> list[Table]:
    """Return precision and recall of names, with and without their types, and of acronyms, by half.

    Args:
        half: ``a``, ``b`` or ``all``; the rules were written with half a only.
    """
    texts = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]
    shares = Table("names in texts", ("half", "texts", "of", "names", "precision", "recall", "target"))
    wrong = Table("wrong", ("id", "text", "missed", "made up"), is_detail=True)
    for each in "ab" if half == "all" else half:
        cases = [(text, _recognised(text)) for text in texts if text["half"] == each]
        for kind, is_right in (("name", _is_named), ("name and type", _is_typed), ("acronym", _has_aliases)):
            shares.rows.append([each, str(len(cases)), kind, *_figures(cases, is_right, kind)])
        wrong.rows.extend(row for text, found in cases if (row := _row(text, found)))
    return [shares, wrong]


def _recognised(text: Mapping[str, Any]) -> list[Recognised]:
    return [each for each in recognise(text["text"]) if each.type is not None]


def _figures(
    cases: Sequence[tuple[Mapping[str, Any], Sequence[Recognised]]], is_right: Any, kind: str
) -> list[str]:
    is_acronym = kind == "acronym"
    wanted = [
        (entity, found)
        for text, found in cases
        for entity in text["entities"]
        if entity.get("aliases") or not is_acronym
    ]
    made = [(each, text) for text, found in cases for each in found if each.aliases or not is_acronym]
    met = sum(any(is_right(each, entity) for each in found) for entity, found in wanted)
    right = sum(any(is_right(each, entity) for entity in text["entities"]) for each, text in made)
    precision, recall = right / max(1, len(made)), met / max(1, len(wanted))
    target = against(min(precision, recall), _LEAST if kind == "name" else None)
    return [str(len(wanted)), f"{precision:.3f}", f"{recall:.3f}", target]


def _is_named(found: Recognised, entity: Mapping[str, Any]) -> bool:
    names = {normalized(name) for name in (entity["name"], entity.get("surface", entity["name"]))}
    return normalized(found.name) in names


def _is_typed(found: Recognised, entity: Mapping[str, Any]) -> bool:
    return _is_named(found, entity) and found.type in {entity["type"], *entity.get("also_type", ())}


def _has_aliases(found: Recognised, entity: Mapping[str, Any]) -> bool:
    return _is_named(found, entity) and set(entity.get("aliases", ())) == set(found.aliases)


def _row(text: Mapping[str, Any], found: Sequence[Recognised]) -> list[str] | None:
    missed = [
        entity["name"] for entity in text["entities"] if not any(_is_named(each, entity) for each in found)
    ]
    made_up = [each.name for each in found if not any(_is_named(each, entity) for entity in text["entities"])]
    return [text["id"], text["text"], ", ".join(missed), ", ".join(made_up)] if missed or made_up else None
