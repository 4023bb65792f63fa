"""What metadata are found by."""

import pytest

from graph.conversations.checkpoints.metadata import beginning_of, pairs_of


@pytest.mark.parametrize(
    ("stored", "wanted"),
    [
        ({"source": "loop", "step": 3}, {"step": 3}),
        ({"step": 3}, {"step": 3.0}),
        ({"parents": {"b": 1, "a": [True, None]}}, {"parents": {"a": [True, None], "b": 1}}),
        ({"text": "x" * 5000}, {"text": "x" * 5000}),
        ({'a"],': "é"}, {'a"],': "é"}),
        ({"any": 1}, {}),
    ],
)
def test_equal_values_are_found(stored, wanted) -> None:
    assert set(pairs_of(wanted)) <= set(pairs_of(stored))


@pytest.mark.parametrize(
    ("stored", "wanted"),
    [
        ({"step": 3}, {"step": 4}),
        ({"step": 3}, {"step": "3"}),
        ({"step": 1}, {"step": True}),
        ({"step": 3}, {"steps": 3}),
        ({"text": "x" * 5000}, {"text": "x" * 5001}),
        ({}, {"step": 3}),
    ],
)
def test_others_are_not(stored, wanted) -> None:
    assert not set(pairs_of(wanted)) <= set(pairs_of(stored))


@pytest.mark.parametrize("name", ["a", 'a"', 'a",', "é", ""])
def test_the_beginning_tells_whether_there_is_a_value_of_that_name(name) -> None:
    (pair,) = pairs_of({name: 1})
    (other,) = pairs_of({f"{name}a": 1})

    assert pair.startswith(beginning_of(name))
    assert not other.startswith(beginning_of(name))
    assert pairs_of({name: None}) == []
