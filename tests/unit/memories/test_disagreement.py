"""Statements that contradict each other, which never count as repetitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.language import contains_cjk
from graph.memories.deduplication.disagreement import disagree
from graph.memories.deduplication.sameness import say_the_same
from tests.fixtures.disagreements import BOTH_MAY_BE_SO, CHANGES, DISAGREE, DO_NOT_DISAGREE
from tests.fixtures.scripts import traditional

NOUNS = ("deadline", "budget", "server", "meeting", "invoice", "printer")
VERBS = ("sings", "works", "cooks", "runs", "paints")
PAIRS = (*DISAGREE, *CHANGES, *DO_NOT_DISAGREE, *BOTH_MAY_BE_SO)
text = st.text(max_size=80)
statement = st.sampled_from([side for pair in PAIRS for side in pair])


@pytest.mark.parametrize(("one", "other"), [*DISAGREE, *CHANGES])
def test_contradictions_disagree_and_are_not_duplicates(one, other) -> None:
    assert disagree(one, other)
    assert disagree(other, one)
    assert not say_the_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user lives in Bergen", "The user moved to Oslo on 2026-03-10"),
        ("The user is single", "The user got married in 2026-02"),
    ],
)
def test_a_change_with_an_extracted_date_still_disagrees(one, other) -> None:
    """A5: unlike a year, which describes the past."""
    assert disagree(one, other)


@pytest.mark.parametrize(("one", "other"), [*DO_NOT_DISAGREE, *BOTH_MAY_BE_SO])
def test_compatible_statements_do_not_disagree(one, other) -> None:
    assert not disagree(one, other)
    assert not disagree(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user prefers tea to coffee", "The user prefers coffee to tea"),
        ("Ada prefers tabs over spaces in Python", "Ada prefers spaces over tabs in Python"),
        ("The team prefers Postgres to MySQL", "The team prefers MySQL over Postgres"),
        ("I like tea more than coffee", "I prefer coffee to tea"),
        ("用户在阿里工作", "用户任职于腾讯"),
        ("我在北京上班", "我在上海上班"),
    ],
)
def test_other_alternatives_and_employers_disagree(one, other) -> None:
    """A5: also if both sentences have the same words."""
    assert disagree(one, other)
    assert disagree(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user prefers tea to coffee", "The user prefers water to tea"),
        ("Ada prefers tabs over spaces in Python", "Ada prefers spaces over tabs in Go"),
        ("The user's flight to Rome is on Monday", "The user's flight from Rome is on Friday"),
        ("The train from Oslo is at 10", "The train to Oslo is at 12"),
        ("The user is from Kiel", "The user is in Oslo"),
        ("Ada works at Siemens", "Ada works in Berlin"),
        ("我在北京上班", "我在腾讯上班"),
        ("用户在武汉工作", "用户在腾讯工作"),
        ("我在美国工作", "我任职于谷歌"),
        ("我在家工作", "我在腾讯工作"),
    ],
)
def test_return_trips_and_a_firm_with_its_town_do_not_disagree(one, other) -> None:
    """A5."""
    assert not disagree(one, other)
    assert not disagree(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [pair for pair in PAIRS if all(contains_cjk(side) for side in pair)]
)
def test_traditional_characters_disagree_as_simplified_ones_do(one, other) -> None:
    """A5: also if only one of the two texts uses them."""
    expected = disagree(one, other)

    assert disagree(traditional(one), traditional(other)) is expected
    assert disagree(one, traditional(other)) is expected


@given(text | statement, text | statement)
def test_disagreement_is_symmetric_and_excludes_equal_statements(one, other) -> None:
    assert disagree(one, other) == disagree(other, one)
    assert not disagree(one, one)
    assert not (disagree(one, other) and say_the_same(one, other))


@given(st.sampled_from(NOUNS), st.integers(0, 10**6), st.integers(0, 10**6))
def test_different_numbers_of_one_thing_disagree(noun, one, other) -> None:
    first, second = f"The {noun} is {one} in all", f"The {noun} is {other} in all"

    assert disagree(first, second) == (one != other)


@given(st.sampled_from(NOUNS), st.sampled_from(NOUNS), st.integers(0, 99), st.integers(0, 99))
def test_numbers_of_two_things_never_disagree(one, other, first, second) -> None:
    if one != other:
        assert not disagree(f"The {one} is {first} in all", f"The {other} is {second} in all")


@given(st.sampled_from(VERBS), st.sampled_from(VERBS), st.booleans(), st.booleans())
def test_a_denial_disagrees_with_its_statement(one, other, first, second) -> None:
    said = [
        f"Ada {'never ' if denied else ''}{verb} at home" for verb, denied in ((one, first), (other, second))
    ]

    assert disagree(*said) == (one == other and first != second)


@given(statement, statement)
def test_statements_of_different_pairs_do_not_disagree_across_languages(one, other) -> None:
    if one.isascii() != other.isascii():
        assert not disagree(one, other)


def test_a_text_with_many_words_or_sentences_is_not_a_statement() -> None:
    padding = " It is so." * 5

    assert not disagree(f"Ada likes tea.{padding}", f"Ada dislikes tea.{padding}")
    assert not disagree(f"Ada likes tea{' so' * 200}", f"Ada dislikes tea{' so' * 200}")
    assert disagree("Ada likes tea. She is kind.", "It rains. Ada dislikes tea.")
