"""Reciprocal rank fusion of any lists."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graph.core.fusion import reciprocal_rank_fusion

IDS = st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=1), unique=True, max_size=8)
KS = st.sampled_from([0, 20, 60, 120])


@given(IDS, IDS, KS)
def test_the_order_of_the_lists_does_not_matter_and_every_id_has_a_score(one, two, k):
    """C5: equal weights."""
    fused = reciprocal_rank_fusion([one, two], k)

    assert fused == pytest.approx(reciprocal_rank_fusion([two, one], k))
    assert fused.keys() == set(one) | set(two)
    in_both = set(one) & set(two)
    for id_ in in_both:
        assert fused[id_] > max(1 / (k + ranked.index(id_) + 1) for ranked in (one, two)) * 0.999


@given(st.lists(IDS, max_size=4), KS)
def test_the_score_is_the_sum_over_all_lists(lists, k):
    """C5: for any number of lists."""
    fused = reciprocal_rank_fusion(lists, k)

    for id_, score in fused.items():
        assert score == pytest.approx(
            sum(1 / (k + ranked.index(id_) + 1) for ranked in lists if id_ in ranked)
        )
        assert 0 < score <= len(lists) / (k + 1)


@given(IDS, IDS, KS, st.data())
def test_a_better_rank_never_lowers_a_score(one, other, k, data):
    """C5."""
    assume(len(one) > 1)
    place = data.draw(st.integers(1, len(one) - 1))
    raised = [*one[: place - 1], one[place], one[place - 1], *one[place + 1 :]]

    before, after = (reciprocal_rank_fusion([ranked, other], k)[one[place]] for ranked in (one, raised))

    assert after > before


@given(IDS, KS)
def test_one_list_keeps_its_order(ranked, k):
    """C5."""
    fused = reciprocal_rank_fusion([ranked, []], k)

    assert sorted(fused, key=lambda id_: -fused[id_]) == ranked
