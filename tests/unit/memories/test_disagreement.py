"""Which statements contradict each other; a pair that does is never taken for a repetition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.memories.deduplication.disagreement import disagree
from graph.memories.deduplication.sameness import say_the_same
from tests.fixtures.disagreements import DISAGREE, DO_NOT_DISAGREE

NOUNS = ("deadline", "budget", "server", "meeting", "invoice", "printer")
VERBS = ("sings", "works", "cooks", "runs", "paints")
text = st.text(max_size=80)
statement = st.sampled_from([side for pair in (*DISAGREE, *DO_NOT_DISAGREE) for side in pair])


@pytest.mark.parametrize(("one", "other"), DISAGREE)
def test_what_contradicts_each_other_disagrees_and_is_not_the_same(one, other) -> None:
    assert disagree(one, other)
    assert disagree(other, one)
    assert not say_the_same(one, other)


@pytest.mark.parametrize(("one", "other"), DO_NOT_DISAGREE)
def test_what_does_not_contradict_each_other_does_not_disagree(one, other) -> None:
    assert not disagree(one, other)
    assert not disagree(other, one)


@given(text | statement, text | statement)
def test_it_is_symmetric_and_nothing_disagrees_with_itself_or_with_what_says_the_same(one, other) -> None:
    assert disagree(one, other) == disagree(other, one)
    assert not disagree(one, one)
    assert not (disagree(one, other) and say_the_same(one, other))


@given(st.sampled_from(NOUNS), st.integers(0, 10**6), st.integers(0, 10**6))
def test_two_numbers_of_one_thing_disagree_where_they_differ(noun, one, other) -> None:
    first, second = f"The {noun} is {one} in all", f"The {noun} is {other} in all"

    assert disagree(first, second) == (one != other)


@given(st.sampled_from(NOUNS), st.sampled_from(NOUNS), st.integers(0, 99), st.integers(0, 99))
def test_numbers_of_two_things_never_disagree(one, other, first, second) -> None:
    if one != other:
        assert not disagree(f"The {one} is {first} in all", f"The {other} is {second} in all")


@given(st.sampled_from(VERBS), st.sampled_from(VERBS), st.booleans(), st.booleans())
def test_what_is_denied_disagrees_with_the_same_said_alone(one, other, first, second) -> None:
    said = [
        f"Ada {'never ' if denied else ''}{verb} at home" for verb, denied in ((one, first), (other, second))
    ]

    assert disagree(*said) == (one == other and first != second)


@given(statement, statement)
def test_statements_of_different_pairs_do_not_disagree_across_languages(one, other) -> None:
    if one.isascii() != other.isascii():
        assert not disagree(one, other)


def test_what_is_long_or_has_many_sentences_is_no_statement() -> None:
    padding = " It is so." * 5

    assert not disagree(f"Ada likes tea.{padding}", f"Ada dislikes tea.{padding}")
    assert not disagree(f"Ada likes tea{' so' * 200}", f"Ada dislikes tea{' so' * 200}")
    assert disagree("Ada likes tea. She is kind.", "It rains. Ada dislikes tea.")
