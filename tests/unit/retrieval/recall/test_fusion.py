import pytest

from graph.core.fusion import reciprocal_rank_fusion


@pytest.mark.parametrize(
    ("k", "first", "tenth", "best"),
    [(60, 1 / 61, 1 / 70, 2 / 61), (20, 1 / 21, 1 / 30, 2 / 21), (0, 1, 1 / 10, 2)],
)
def test_rrf_follows_its_formula(k, first, tenth, best):
    """C5, C6, F§15."""
    ranked = [f"m{n}" for n in range(1, 11)]

    one_list = reciprocal_rank_fusion([ranked, []], k)
    two_lists = reciprocal_rank_fusion([ranked, ranked], k)

    assert one_list["m1"] == pytest.approx(first)
    assert one_list["m10"] == pytest.approx(tenth)
    assert two_lists["m1"] == pytest.approx(best)


def test_a_list_adds_nothing_to_absent_memories():
    """C5."""
    assert reciprocal_rank_fusion([["a", "b"], ["b"]], 60) == {"a": 1 / 61, "b": 1 / 62 + 1 / 61}
