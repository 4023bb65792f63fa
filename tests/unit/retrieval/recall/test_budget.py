from graph.core.text.budget import effective_budget, estimate_tokens, token_walk


def test_tokens_are_a_quarter_of_the_length_rounded_up():
    """C8."""
    assert [estimate_tokens("x" * n) for n in (0, 1, 4, 5, 400)] == [0, 1, 1, 2, 100]


def test_a_budget_is_clamped_to_the_maximum():
    """C9."""
    assert [effective_budget(n) for n in (-5, 0, 1, 8000, 16_000)] == [0, 0, 1, 8000, 8000]


def test_the_walk_stops_at_the_first_row_that_does_not_fit():
    """C8: rows are accepted in rank order, so a small later one does not jump the queue."""
    assert token_walk([("a", 5), ("b", 6), ("c", 1)], 10) == ["a"]
