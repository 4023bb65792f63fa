"""The filters of lists, counts and recalls."""

import pytest

from graph.core.errors import InvalidInput
from graph.memories.filtering import having_any
from graph.memories.models import MemoryFilter


def test_one_matching_tag_suffices() -> None:
    assert having_any(["slack", "mail"]) == MemoryFilter(any_tags=("slack", "mail"))


def test_an_empty_tag_filter_is_refused() -> None:
    """C20."""
    with pytest.raises(InvalidInput, match="tags must name at least one tag") as refusal:
        having_any([])

    assert refusal.value.field == "tags"
