"""Entities that may be the same by their names."""

from datetime import UTC, datetime

import pytest

from graph.knowledge.ontology.models import Entity
from graph.memories.models import MemoryState
from graph.retrieval.entities import likeness

AT = datetime(2026, 3, 1, tzinfo=UTC)


def entity_named(name: str, *, type_: str = "Company", by_hand: bool = True) -> Entity:
    return Entity(
        id=f"ent_{name}",
        workspace_id="ws",
        key=name,
        type=type_,
        name=name,
        by_hand=by_hand,
        state=MemoryState.STORED,
        created_at=AT,
        updated_at=AT,
    )


@pytest.mark.parametrize(
    ("name", "other", "rank"),
    [
        ("Checkout service", "checkout SERVICE", 0),
        ("Checkout service", "checkout-service", 1),
        ("International Business Machines", "IBM", 2),
        ("I.B.M.", "International Business Machines", 2),
        ("Acme", "Acme Corp.", 3),
        ("Python 3.1", "Python 31", None),
        ("York", "New York", None),
        ("Berlin", "Berlin Wall", None),
        ("Payments", "Payroll", None),
    ],
)
def test_names_are_alike_by_rules(name, other, rank) -> None:
    """Issue 36, point 6: in either order."""
    one, two = (entity_named(each) for each in (name, other))

    assert (likeness(one, two), likeness(two, one)) == (rank, rank)


@pytest.mark.parametrize(
    ("type_", "by_hand", "rank"),
    [("Team", True, None), ("Team", False, 0), ("Thing", True, 0)],
)
def test_different_types_prevent_a_match_unless_guessed(type_, by_hand, rank) -> None:
    """Issue 36, point 6."""
    one, other = entity_named("Acme"), entity_named("acme", type_=type_, by_hand=by_hand)

    assert likeness(one, other) == rank


def test_people_match_by_one_of_their_names() -> None:
    """Issue 36, point 6: other types do not match by a part of a name."""
    whole, part = (entity_named(name, type_="Person") for name in ("Maya Chen", "Chen"))

    assert likeness(whole, part) == 3
    assert likeness(entity_named("Maya Chen"), entity_named("Chen")) is None
