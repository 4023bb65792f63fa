"""Merging the hits of several queries into one list."""

from datetime import UTC, datetime

import pytest

from graph.core.models import RecallTier
from graph.memories.models import Memory
from graph.retrieval.recall.models import RecallHit
from graph.retrieval.recall.service import SortOrder, merged, ordered

DAY = [datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 5)]


def hit(id_: str, score: float, *, happened: int = 0, changed: int = 0) -> RecallHit:
    memory = Memory(
        id=id_, workspace_id="ws_1", content=id_, type="Context", kind="factual", facet="context",
        importance=0.5, confidence=0.9, source_type="api", timestamp=DAY[happened], created_at=DAY[0],
        updated_at=DAY[changed], state="EMBEDDED",
    )  # fmt: skip
    return RecallHit(
        memory=memory,
        score=score,
        vector_score=None,
        text_score=None,
        tier=RecallTier.VECTOR,
        tokens=1,
        why=[],
    )


def test_a_memory_that_several_queries_found_has_its_best_score() -> None:
    """C19."""
    found = merged([[hit("a", 0.9), hit("b", 0.2)], [hit("b", 0.7), hit("c", 0.5)], []])

    assert [(each.memory.id, each.score) for each in found] == [("a", 0.9), ("b", 0.7), ("c", 0.5)]


def test_among_equal_hits_the_first_found_comes_first() -> None:
    found = merged([[hit("a", 0.5)], [hit("b", 0.5), hit("a", 0.5)]])

    assert [each.memory.id for each in found] == ["a", "b"]


def test_longer_lists_continue_shorter_ones() -> None:
    """C19: equal scores are ordered by their rank in a query's hits."""
    lists = [
        [hit("a", 0.9), hit("b", 0.5), hit("c", 0.5), hit("d", 0.5)],
        [hit("d", 0.5), hit("c", 0.5), hit("e", 0.5), hit("a", 0.4)],
    ]
    whole = [each.memory.id for each in merged(lists)]

    assert whole == ["a", "d", "b", "c", "e"]
    for end in range(1, 5):
        assert [each.memory.id for each in merged(found[:end] for found in lists)][:end] == whole[:end]


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        (SortOrder.SCORE, "abc"),
        (SortOrder.TIME_ASC, "bca"),
        (SortOrder.TIME_DESC, "acb"),
        (SortOrder.UPDATED_ASC, "abc"),
        (SortOrder.UPDATED_DESC, "bca"),
    ],
)
def test_hits_are_sorted_stably_by_score_or_time(order, ids) -> None:
    """C19."""
    hits = [
        hit("a", 0.9, happened=3, changed=0),
        hit("b", 0.8, changed=1),
        hit("c", 0.7, happened=1, changed=1),
    ]

    assert "".join(each.memory.id for each in ordered(hits, order)) == ids
