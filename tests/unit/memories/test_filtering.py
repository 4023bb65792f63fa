"""Filters of lists, counts and recalls."""

import pytest

from graph.core.errors import InvalidInput
from graph.memories.filtering import having_any
from graph.memories.models import MemoryFilter


def test_any_of_the_tags_will_do() -> None:
    assert having_any(["slack", "mail"]) == MemoryFilter(any_tags=("slack", "mail"))


def test_no_tags_are_refused_where_they_would_admit_everything() -> None:
    """C20."""
    with pytest.raises(InvalidInput, match="tags must name at least one tag") as refusal:
        having_any([])

    assert refusal.value.field == "tags"
