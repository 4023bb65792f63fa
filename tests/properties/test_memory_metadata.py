"""Merging of metadata."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.errors import InvalidInput
from graph.memories.rules import as_json, merged_metadata

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["a", "b", "c", "ü", ""])
CHANGES = st.dictionaries(KEYS, VALUES, max_size=5)
STORED = st.dictionaries(KEYS, VALUES.filter(lambda value: value is not None), max_size=5)


@given(STORED, CHANGES)
def test_each_key_has_its_last_value(stored, change) -> None:
    """A19: a null removes its key; keys that the change does not name stay."""
    expected = dict(stored)
    for key, value in change.items():
        if value is None:
            expected.pop(key, None)
        else:
            expected[key] = value

    assert merged_metadata(stored, change) == expected


@given(STORED, CHANGES)
def test_repeating_a_change_has_no_effect(stored, change) -> None:
    """A19, A20."""
    once = merged_metadata(stored, change)

    assert merged_metadata(once, change) == once


@given(STORED, CHANGES)
def test_merging_leaves_its_arguments_unchanged(stored, change) -> None:
    """A19, A18."""
    before = as_json(stored), as_json(change)

    as_json(merged_metadata(stored, change))

    assert (as_json(stored), as_json(change)) == before


def test_metadata_cannot_grow_beyond_its_limit_by_small_changes() -> None:
    """A19: each change is within the limit, but their sum is not."""
    stored = merged_metadata({}, {"a": "x" * 60_000})

    with pytest.raises(InvalidInput, match="metadata must have at most 65536 characters"):
        merged_metadata(stored, {"b": "y" * 6_000})


def test_oversized_metadata_can_be_reduced() -> None:
    """A19: an earlier release may have stored it."""
    stored = {"a": "x" * 60_000, "b": "y" * 60_000}

    assert merged_metadata(stored, {"a": None}) == {"b": stored["b"]}
    assert merged_metadata(stored, {}) == stored
