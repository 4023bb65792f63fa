"""Blending candidates of several kinds into one list."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.retrieval.search.models import SearchKind
from graph.retrieval.search.service import BlendCandidate, BlendQuery, blend

MEMORY, ENTITY, CHUNK = SearchKind.MEMORY, SearchKind.ENTITY, SearchKind.CHUNK
STEMS = ("deploi", "checkout", "fail")


def candidate(kind: SearchKind, id_: str, cosine: float | None = None, *stems: str) -> BlendCandidate:
    return BlendCandidate(kind, id_, cosine, frozenset(stems))


def ids(candidates, asked=BlendQuery(STEMS)) -> list[str]:  # noqa: B008 - frozen
    return [blended.candidate.id for blended in blend(candidates, asked)]


def test_all_kinds_are_scored_half_by_meaning_half_by_words() -> None:
    """C23: the docstring of the module has the formula."""
    found = blend(
        [
            candidate(ENTITY, "both", 0.4, *STEMS),
            candidate(CHUNK, "near", 0.8),
            candidate(MEMORY, "words", None, *STEMS),
        ],
        BlendQuery(STEMS, {MEMORY: ["words"]}),
    )

    assert [(b.candidate.id, b.score, b.coverage) for b in found] == [
        ("both", pytest.approx(0.75), pytest.approx(1.0)),
        ("words", pytest.approx(0.5), pytest.approx(1.0)),
        ("near", pytest.approx(0.5), 0.0),
    ]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    """C23."""
    crowd = [candidate(CHUNK, f"c{number}", None, "deploi") for number in range(20)]

    assert ids([*crowd, candidate(ENTITY, "rare", None, "checkout")])[0] == "rare"


def test_one_kind_does_not_displace_the_best_of_another() -> None:
    """C23: many slightly better hits do not push out another kind."""
    crowd = [candidate(CHUNK, f"c{number:02}", 0.60, "deploi") for number in range(40)]
    lone = candidate(ENTITY, "lone", 0.52, "deploi")

    assert ids([*crowd, lone]).index("lone") <= 3


def test_a_weak_candidate_does_not_outrank_a_good_one() -> None:
    """C23: the rank within a kind changes the relevance by at most a fifth."""
    good = [candidate(CHUNK, f"c{number:02}", 0.8, *STEMS) for number in range(40)]

    assert ids([*good, candidate(ENTITY, "poor", 0.3)])[-1] == "poor"


def test_memories_keep_the_order_recall_gave_them() -> None:
    """C23: recall's ranking knows more than the two measures."""
    memories = [
        candidate(MEMORY, "far", 0.1),
        candidate(MEMORY, "near", 0.9, *STEMS),
        candidate(MEMORY, "middle", 0.5),
    ]

    assert ids(memories, BlendQuery(STEMS, {MEMORY: ["middle", "far", "near"]})) == ["middle", "far", "near"]


@pytest.mark.parametrize(
    ("candidates", "asked", "first"),
    [
        ([candidate(ENTITY, "a", None, "fail"), candidate(CHUNK, "b")], BlendQuery(STEMS), "a"),
        ([candidate(ENTITY, "a", 0.1), candidate(CHUNK, "b", 0.2)], BlendQuery(()), "b"),
        ([candidate(ENTITY, "a", -0.5, "fail"), candidate(CHUNK, "b", -0.1)], BlendQuery(STEMS), "a"),
    ],
    ids=["no vectors", "no words", "nothing near"],
)
def test_missing_legs_are_ignored(candidates, asked, first) -> None:
    assert ids(candidates, asked)[0] == first


def test_nothing_found_is_an_empty_list() -> None:
    assert blend([], BlendQuery(STEMS)) == []


CANDIDATES = st.lists(
    st.builds(
        BlendCandidate,
        st.sampled_from(SearchKind),
        st.text("abcdef", min_size=1, max_size=3),
        st.none() | st.floats(-1, 1),
        st.frozensets(st.sampled_from(STEMS)),
    ),
    max_size=40,
    unique_by=lambda c: (c.kind, c.id),
)


@given(CANDIDATES, st.randoms(use_true_random=False))
def test_all_hits_are_ranked_once_by_finite_scores(candidates, random) -> None:
    """C23: the pages of one search therefore continue each other."""
    shuffled = random.sample(candidates, len(candidates))
    order = {MEMORY: sorted(c.id for c in candidates if c.kind is MEMORY)}

    found = blend(candidates, BlendQuery(STEMS, order))

    assert found == blend(shuffled, BlendQuery(STEMS, order))
    assert {b.candidate for b in found} == set(candidates)
    assert len(found) == len(candidates)
    scores = [b.score for b in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= b.score <= 1 and 0 <= b.coverage <= 1 for b in found)
    by_kind = defaultdict(list)
    for blended in found:
        by_kind[blended.candidate.kind].append(blended.candidate.id)
    assert by_kind[MEMORY] == order[MEMORY]
