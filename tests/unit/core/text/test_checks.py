"""Checks on text from outside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.errors import InvalidInput
from graph.core.text.checks import note_of_cut, query_text

TEXTS = st.text(st.sampled_from("ab \n\u3000界é"), max_size=30)


@given(TEXTS, st.integers(1, 20))
def test_a_query_is_truncated_to_its_end_and_says_so(text, most) -> None:
    """C1, issue 35: surrounding blanks do not count."""
    read = query_text("query", text, most=most)

    assert len(read) <= most
    assert read == read.strip()
    assert text.strip().endswith(read)
    assert bool(read) is bool(text.strip())
    assert note_of_cut("query", text, most=most) == (
        [] if len(text.strip()) <= most else [f"query: only its last {most} characters were read"]
    )


@pytest.mark.parametrize("text", ["\x00" + "x" * 9000, "\ud800" + "x" * 9000])
def test_unstorable_characters_are_refused_anywhere(text) -> None:
    with pytest.raises(InvalidInput):
        query_text("query", text)
