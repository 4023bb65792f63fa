from hypothesis import given
from hypothesis import strategies as st

from graph.retrieval.recall.ranking import Ranked, diversified

RANKED = [Ranked("a", 0.9), Ranked("b", 0.85), Ranked("c", 0.5)]
ALIKE = {frozenset("ab"): 0.95, frozenset("ac"): 0.1, frozenset("bc"): 0.1}


def test_a_repetition_of_the_best_ranks_below_new_content():
    assert [ranked.id for ranked in diversified(RANKED, ALIKE, 0.5)] == ["a", "c", "b"]


def test_without_diversity_the_order_stays():
    assert diversified(RANKED, ALIKE, 0.0) == RANKED


@given(st.lists(st.floats(0, 1), max_size=15), st.floats(0, 1))
def test_nothing_is_lost_and_the_best_stays_first(scores, diversity):
    ranked = [Ranked(f"m{n}", score) for n, score in enumerate(sorted(scores, reverse=True))]

    result = diversified(ranked, {}, diversity)

    assert sorted(r.id for r in result) == sorted(r.id for r in ranked)
    assert not ranked or diversity == 1 or result[0].score == ranked[0].score
