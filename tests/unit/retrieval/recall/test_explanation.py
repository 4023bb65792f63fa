"""The words in which a hit says why it was found."""

import pytest

from graph.retrieval.recall.explanation import place_in_words, quoted
from graph.retrieval.recall.models import RecallLeg


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (1, "closest in meaning"),
        (2, "2nd closest in meaning"),
        (3, "3rd closest in meaning"),
        (4, "4th closest in meaning"),
        (11, "11th closest in meaning"),
        (12, "12th closest in meaning"),
        (21, "21st closest in meaning"),
        (113, "113th closest in meaning"),
    ],
)
def test_a_place_is_said_as_people_say_it(place: int, said: str) -> None:
    """Issue 35 point 20."""
    assert place_in_words(RecallLeg.VECTOR, place) == said


def test_words_have_places_of_their_own() -> None:
    assert place_in_words(RecallLeg.WORDS, 22) == "22nd best match in words"


def test_another_memory_is_quoted_on_one_short_line() -> None:
    """Issue 35 point 20."""
    assert quoted("The kettle\n is red") == "“The kettle is red”"
    assert quoted("x" * 60) == f"“{'x' * 60}”"
    assert quoted("x" * 61) == f"“{'x' * 59}…”"
