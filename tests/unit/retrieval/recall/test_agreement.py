"""Repeated hits, which are omitted, and contradicting hits, which are marked."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.models import RecallTier
from graph.memories.models import Memory
from graph.retrieval.recall.agreement import (
    BLOCK,
    merged,
    newer_first,
    newer_first_in_blocks,
    with_disagreements,
)
from graph.retrieval.recall.explanation import quoted
from graph.retrieval.recall.models import RecallHit

NOW = datetime(2026, 3, 9, tzinfo=UTC)
LATER = NOW + timedelta(days=30)
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


@pytest.mark.parametrize(("ends", "disagree"), [(0, False), (-1, False), (1, True), (None, True)])
async def test_consecutive_states_do_not_contradict(ends, disagree) -> None:
    """B11: each is right at its time; ``ends`` counts days after the other's beginning."""
    earlier = hit("a", "Ada has 3 cats", t_invalid=ends if ends is None else NOW + timedelta(days=ends))
    later = hit("b", "Ada has 4 cats", t_valid=NOW)

    for hits in ([earlier, later], [later, earlier]):
        told = await with_disagreements(hits)
        assert [bool(each.disagrees_with) for each in told] == [disagree, disagree]


async def test_a_superseded_memory_does_not_contradict_its_successor() -> None:
    """B11, C30: the successor is the current one; both still contradict other memories."""
    old = hit("a", "Ada has 3 cats").model_copy(update={"superseded_by": ("b",)})
    hits = [hit("b", "Ada has 4 cats"), old, hit("c", "Ada has 5 cats")]

    told = await with_disagreements(hits)

    assert [tuple(each.disagrees_with) for each in told] == [("c",), ("c",), ("b", "a")]


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        ([{"days": -8}, {"days": -1}], "ab"),
        ([{"days": -1}, {"days": -1}], "a"),
        ([{"days": 0}, {"days": -1}], "a"),
        ([{"speaker": "Ann"}, {"speaker": "Bob"}], "ab"),
    ],
)
def test_two_events_and_two_speakers_are_listed_separately(fields, left) -> None:
    """C14: as in saving; a day counts if it is given."""
    hits = [hit(id_, "Ran 5 km", **each) for id_, each in zip("ab", fields, strict=True)]

    assert ids(merged(hits, {"b": {"a"}}).hits) == left


def test_a_repeated_state_is_listed_once() -> None:
    """C8, C14: on any days."""
    hits = [hit("a", "Ada likes tea", days=-8), hit("b", "Ada likes tea", days=-1)]

    assert ids(merged(hits, {"b": {"a"}}).hits) == "a"


def test_capitals_of_code_are_significant() -> None:
    """C14: saving distinguishes them as well."""
    hits = [
        hit("a", "Delete merged branches with git branch -d"),
        hit("b", "Delete merged branches with git branch -D"),
    ]

    assert ids(merged(hits, {"b": {"a"}}).hits) == "ab"


def test_only_close_equal_statements_are_merged() -> None:
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
def test_statements_of_another_speaker_or_time_are_not_merged(fields) -> None:
    hits = [hit("a", "Ada likes tea"), hit("b", "Ada likes tea", **fields)]

    assert ids(merged(hits, {"b": {"a"}}).hits) == "ab"


@pytest.mark.parametrize(
    ("newer_score", "between", "order"),
    [(0.76, [], "ba"), (0.74, [], "ab"), (0.91, [0.95], "bxa"), (0.89, [0.95], "axb")],
)
async def test_the_newer_of_two_similarly_ranked_hits_comes_first(newer_score, between, order) -> None:
    """Scores within a quarter count as similar if no hit lies between them, else within a tenth."""
    hits = [
        hit("a", "Ada likes tea", score=1.0),
        *(hit("x", "Bob runs", score=score) for score in between),
        hit("b", "Ada dislikes tea", score=newer_score, days=1),
    ]

    ordered = newer_first(await with_disagreements(hits), LATER)

    assert ids(ordered) == order
    assert [each.score for each in ordered] == [each.score for each in hits]


async def test_the_later_start_of_validity_is_newer() -> None:
    hits = [hit("a", "Ada likes tea", days=9), hit("b", "Ada dislikes tea", t_valid=NOW + timedelta(days=10))]

    assert ids(newer_first(await with_disagreements(hits), LATER)) == "ba"


@pytest.mark.parametrize(
    ("start", "end", "order"), [(-9, -8, "ab"), (40, None, "ab"), (-9, 40, "ba"), (-9, None, "ba")]
)
async def test_a_statement_that_is_not_valid_now_never_replaces_a_valid_one(start, end, order) -> None:
    """A34, C8: whether it has ended, in days from the other's saving, or has not yet begun."""
    later = {"t_valid": NOW + timedelta(days=start), "t_invalid": NOW + timedelta(days=end) if end else None}
    hits = [hit("a", "Ada likes tea", score=0.9, days=-20), hit("b", "Ada dislikes tea", score=0.8, **later)]

    told = await with_disagreements(hits)
    swapped = await with_disagreements(hits[::-1])

    assert ids(newer_first(told, LATER)) == order
    assert ids(newer_first(swapped, LATER)) == order


@pytest.mark.parametrize(("places", "order"), [((8, 9), "ba"), ((9, 10), "ab")])
async def test_hits_are_reordered_only_within_a_block(places, order) -> None:
    hits = [hit("a", "Ada likes tea"), hit("b", "Ada dislikes tea", days=1)]

    assert ids(newer_first_in_blocks(await with_disagreements(hits), places, LATER)) == order


@given(
    st.lists(st.tuples(st.sampled_from(TEXTS), st.integers(0, 9), st.booleans()), max_size=35),
    st.integers(1, 4),
)
async def test_the_order_does_not_depend_on_the_number_of_blocks(rows, blocks) -> None:
    """C8: a page must not depend on where it ends; omitted repetitions leave gaps between the hits."""
    there = [(place, text, days) for place, (text, days, is_kept) in enumerate(rows) if is_kept]
    hits = [hit(f"{place:02},", text, days=days) for place, text, days in there]
    places = [place for place, *_ in there]
    count = sum(place < blocks * BLOCK for place in places)

    whole = newer_first_in_blocks(await with_disagreements(hits), places, LATER)
    part = newer_first_in_blocks(await with_disagreements(hits[:count]), places[:count], LATER)

    assert ids(part) == ids(whole[:count])


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

    ordered = newer_first(await with_disagreements(hits), LATER)

    assert sorted(ids(ordered)) == sorted(ids(hits))
    assert [each.score for each in ordered] == [each.score for each in hits]
    against = {each.memory.id: set(each.disagrees_with) for each in ordered}
    assert all(one in against[other] for one, others in against.items() for other in others)
    for place, each in enumerate(ordered):
        texts = [hits[int(other)].memory.content for other in each.disagrees_with]
        assert all(f"disagrees with {quoted(text)}" in each.why for text in texts), place
