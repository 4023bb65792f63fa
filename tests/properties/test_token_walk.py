"""The rows that the token walk takes from a ranking."""

from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.budget import token_walk

ROWS = st.lists(st.tuples(st.integers(), st.integers(min_value=0, max_value=500)), max_size=50)
BUDGETS = st.integers(min_value=1, max_value=8000)


@given(ROWS, BUDGETS)
def test_the_walk_keeps_a_prefix_within_the_budget_and_at_least_one_row(rows, budget):
    """C8."""
    accepted = token_walk(rows, budget)

    assert accepted == [row for row, _ in rows[: len(accepted)]]
    assert bool(accepted) == bool(rows)
    spent = sum(tokens for _, tokens in rows[: len(accepted)])
    assert spent <= budget or len(accepted) == 1
    assert len(accepted) == len(rows) or spent + rows[len(accepted)][1] > budget


@given(ROWS, BUDGETS, BUDGETS)
def test_a_larger_budget_never_takes_a_row_away(rows, one, other):
    """C8."""
    smaller, larger = sorted((one, other))

    accepted = token_walk(rows, smaller)

    assert token_walk(rows, larger)[: len(accepted)] == accepted


@given(ROWS, BUDGETS)
def test_applying_a_budget_twice_changes_nothing(rows, budget):
    """C8."""
    tokens = dict(enumerate(tokens for _, tokens in rows))
    accepted = token_walk(((place, tokens[place]) for place in tokens), budget)

    assert token_walk([(place, tokens[place]) for place in accepted], budget) == accepted
