import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.recall.fusion import reciprocal_rank_fusion

IDS = st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=1), unique=True, max_size=8)


@pytest.mark.parametrize(
    ("k", "first", "tenth", "best"),
    [(60, 1 / 61, 1 / 70, 2 / 61), (20, 1 / 21, 1 / 30, 2 / 21), (0, 1, 1 / 10, 2)],
)
def test_rrf_gives_the_values_its_formula_promises(k, first, tenth, best):
    """C5, C6, F§15."""
    ranked = [f"m{n}" for n in range(1, 11)]

    one_list = reciprocal_rank_fusion([ranked, []], k)
    two_lists = reciprocal_rank_fusion([ranked, ranked], k)

    assert one_list["m1"] == pytest.approx(first)
    assert one_list["m10"] == pytest.approx(tenth)
    assert two_lists["m1"] == pytest.approx(best)


def test_a_memory_absent_from_a_list_gets_nothing_from_it():
    """C5."""
    assert reciprocal_rank_fusion([["a", "b"], ["b"]], 60) == {"a": 1 / 61, "b": 1 / 62 + 1 / 61}


@given(IDS, IDS, st.sampled_from([0, 20, 60, 120]))
def test_the_order_of_the_lists_does_not_matter_and_every_id_has_a_score(one, two, k):
    """C5: equal weights."""
    fused = reciprocal_rank_fusion([one, two], k)

    assert fused == pytest.approx(reciprocal_rank_fusion([two, one], k))
    assert fused.keys() == set(one) | set(two)
    in_both = set(one) & set(two)
    for id_ in in_both:
        assert fused[id_] > max(1 / (k + ranked.index(id_) + 1) for ranked in (one, two)) * 0.999
