"""Facts that are held back after somebody deleted them (I17)."""

import pytest

from graph.memories.deletion_marks import marks_of

SAM = {"polarity": "positive", "requestedValue": "Sam"}


@pytest.mark.parametrize(
    ("content", "metadata", "is_held_back"),
    [
        ("The user wants to be addressed by the name Sam", {**SAM, "requestedValue": "sam"}, True),
        ("The user asked to call them Alex", {**SAM, "requestedValue": "Alex"}, False),
        ("The user asked not to call them Sam", {**SAM, "polarity": "negative"}, False),
    ],
)
def test_after_deleting_one_name_another_can_be_saved(content, metadata, *, is_held_back) -> None:
    """I17: a request for another value has the same key."""
    deleted = set(marks_of("The user asked to call them Sam", "preference:call_me", SAM))

    assert deleted.isdisjoint(marks_of(content, "preference:call_me", metadata)) is not is_held_back
