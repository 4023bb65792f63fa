"""Relations between memories with common mentions (E1)."""

from math import log2

from graph.knowledge.linking.models import MemoryRelation, SharedEntity
from graph.knowledge.linking.naming import relations_of


def shared(entity_id: str, *others: str, mentioning: int | None = None) -> SharedEntity:
    count = len(others) + 1 if mentioning is None else mentioning
    return SharedEntity(memory_id="one", entity_id=entity_id, mentioning=count, other_ids=others)


def test_memories_with_equal_mentions_are_related_most_strongly() -> None:
    """E1: the strength is the shared part of a memory's mentions; rare entities count more."""
    found = relations_of([shared("a", "all", "part"), shared("b", "all")])

    rare, frequent = 1 / log2(3), 1 / log2(4)
    part = round(frequent / (rare + frequent), 3)
    assert found == [MemoryRelation("one", "all", 1.0), MemoryRelation("one", "part", part)]


def test_an_entity_that_everything_mentions_relates_nothing() -> None:
    assert relations_of([shared("hub", "other", mentioning=51)]) == []
    assert relations_of([shared("almost", "other", mentioning=50)]) == [MemoryRelation("one", "other", 1.0)]


def test_memories_with_little_in_common_are_not_related() -> None:
    """E1: five entities of its own to one in common."""
    own = [shared(f"own-{number}") for number in range(5)]

    assert relations_of([*own, shared("common", "other")]) == []


def test_a_memory_has_its_five_strongest_relations() -> None:
    """E1, C27: strongest first, then by id, so that the result is stable."""
    others = [f"other-{number}" for number in range(8)]

    found = relations_of([shared("a", *others), shared("b", "other-7")])

    assert [relation.other_id for relation in found] == [
        "other-7",
        "other-0",
        "other-1",
        "other-2",
        "other-3",
    ]


def test_each_memory_of_a_batch_is_checked_separately() -> None:
    one = SharedEntity(memory_id="one", entity_id="a", mentioning=2, other_ids=("two",))
    two = SharedEntity(memory_id="two", entity_id="a", mentioning=2, other_ids=("one",))

    assert relations_of([one, two]) == [MemoryRelation("one", "two", 1.0), MemoryRelation("two", "one", 1.0)]
