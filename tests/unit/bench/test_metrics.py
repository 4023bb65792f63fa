"""The metrics of the benches."""

import pytest

from tests.bench.metrics import Score, bootstrap, distinct, recall_at, reciprocal_rank, summarise


@pytest.mark.parametrize(("cutoff", "expected"), [(1, 0.0), (2, 1 / 3), (3, 1 / 3), (5, 2 / 3), (20, 2 / 3)])
def test_recall_is_the_share_of_gold_among_the_first(cutoff: int, expected: float) -> None:
    ranking = ["x", "a", "y", "z", "b"]

    assert recall_at(ranking, {"a", "b", "c"}, cutoff) == expected


@pytest.mark.parametrize(
    ("ranking", "expected"), [(["a"], 1.0), (["x", "b", "a"], 0.5), (["x", "y"], 0.0), ([], 0.0)]
)
def test_the_reciprocal_rank_is_that_of_the_first_gold_label(ranking: list[str], expected: float) -> None:
    assert reciprocal_rank(ranking, {"a", "b"}) == expected


def test_a_session_has_the_rank_of_its_best_turn() -> None:
    assert distinct(["s2", "s1", "s2", "s3", "s1"]) == ["s2", "s1", "s3"]


def test_a_score_looks_at_twenty_labels_after_repeats_are_dropped() -> None:
    repeats = ["s0"] * 30 + [f"s{number}" for number in range(1, 25)]

    near, far = Score.of(repeats, {"s19"}), Score.of(repeats, {"s20"})

    assert (near.recall, near.reciprocal_rank) == ((0.0, 0.0, 1.0), 1 / 20)
    assert (far.recall, far.reciprocal_rank) == ((0.0, 0.0, 0.0), 0.0)


def test_the_bootstrap_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few, many = bootstrap([0.0, 1.0] * 10), bootstrap([0.0, 1.0] * 1000)

    assert few.mean == many.mean == 0.5
    assert few.low < many.low < 0.5 < many.high < few.high
    # The standard error of one half among 2,000 is .0112; the interval extends 1.96 times that each way.
    assert many.low == pytest.approx(0.478, abs=0.004)
    assert many.high == pytest.approx(0.522, abs=0.004)


def test_equal_values_have_no_spread() -> None:
    interval = bootstrap([0.25] * 40)

    assert (interval.low, interval.mean, interval.high) == (0.25, 0.25, 0.25)


def test_a_summary_averages_over_questions() -> None:
    scores = [Score.of(["a"], {"a"}), Score.of(["x", "a"], {"a", "b"})]

    means = {name: interval.mean for name, interval in summarise(scores).items()}

    assert means == {"recall@5": 0.75, "recall@10": 0.75, "recall@20": 0.75, "MRR": 0.75}
