"""Hits that repeat a better one are left out, and those that disagree with one another say so."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.tiers import RecallTier
from graph.memories.models import Memory
from graph.retrieval.recall.agreement import merged, newer_first, with_disagreements
from graph.retrieval.recall.models import RecallHit

NOW = datetime(2026, 3, 9, tzinfo=UTC)
TEXTS = (
    "Ada likes tea",
    "Ada dislikes tea",
    "Ada does like tea",
    "Ada has 3 cats",
    "Ada has 4 cats",
    "Bob runs",
)


def hit(id_: str, content: str, *, score: float = 0.5, days: float = 0, **fields) -> RecallHit:
    memory = Memory(
        id=id_, workspace_id="ws_1", content=content, type="Context", kind="factual", facet="context",
        importance=0.5, confidence=0.9, source_type="api", timestamp=NOW + timedelta(days=days), created_at=NOW,
        updated_at=NOW, state="EMBEDDED", **fields,
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


def ids(hits) -> str:
    return "".join(each.memory.id for each in hits)


def test_only_what_is_near_and_says_the_same_is_merged() -> None:
    """C14."""
    hits = [
        hit("a", "Ada likes tea"),
        hit("b", "Ada dislikes tea"),
        hit("c", "Ada does like tea"),
        hit("d", "ada likes tea"),
    ]

    found = merged(hits, {"b": {"a"}, "c": {"a", "b"}, "d": {"b"}})

    assert ids(found.hits) == "abd"
    assert [found.count(shown) for shown in (1, 2, 3, 9)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "fields", [{"speaker": "Bob"}, {"t_valid": NOW}, {"t_invalid": NOW + timedelta(days=1)}]
)
def test_what_another_said_or_what_holds_at_another_time_is_not_merged(fields) -> None:
    hits = [hit("a", "Ada likes tea"), hit("b", "Ada likes tea", **fields)]

    assert ids(merged(hits, {"b": {"a"}}).hits) == "ab"


@pytest.mark.parametrize(
    ("newer_score", "between", "order"),
    [(0.76, [], "ba"), (0.74, [], "ab"), (0.91, [0.95], "bxa"), (0.89, [0.95], "axb")],
)
async def test_the_newer_comes_first_where_both_are_of_like_rank(newer_score, between, order) -> None:
    """A quarter less counts as alike with nothing between them, else a tenth."""
    hits = [
        hit("a", "Ada likes tea", score=1.0),
        *(hit("x", "Bob runs", score=score) for score in between),
        hit("b", "Ada dislikes tea", score=newer_score, days=1),
    ]

    ordered = newer_first(await with_disagreements(hits))

    assert ids(ordered) == order
    assert [each.score for each in ordered] == [each.score for each in hits]


async def test_what_holds_since_later_is_newer_whatever_was_saved_first() -> None:
    hits = [hit("a", "Ada likes tea", days=9), hit("b", "Ada dislikes tea", t_valid=NOW + timedelta(days=10))]

    assert ids(newer_first(await with_disagreements(hits))) == "ba"


async def test_speakers_do_not_contradict_each_other() -> None:
    hits = [hit("a", "I like tea", speaker="Ada"), hit("b", "I do not like tea", speaker="Bob")]

    assert await with_disagreements(hits) == hits


@given(
    st.lists(
        st.tuples(st.sampled_from(TEXTS), st.floats(0, 1), st.integers(0, 9)),
        max_size=8,
        unique_by=lambda row: row[1],
    )
)
async def test_no_hit_is_lost_scores_fall_and_disagreement_is_mutual(rows) -> None:
    best = sorted(rows, key=lambda row: -row[1])
    hits = [hit(str(place), text, score=score, days=days) for place, (text, score, days) in enumerate(best)]

    ordered = newer_first(await with_disagreements(hits))

    assert sorted(ids(ordered)) == sorted(ids(hits))
    assert [each.score for each in ordered] == [each.score for each in hits]
    against = {each.memory.id: set(each.disagrees_with) for each in ordered}
    assert all(one in against[other] for one, others in against.items() for other in others)
    for place, each in enumerate(ordered):
        assert all(f"disagrees with {other}" in each.why for other in each.disagrees_with), place
