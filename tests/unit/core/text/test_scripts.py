"""Chinese in either script, read by the same rules (D26)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.normal_forms import simplified


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我對蝦過敏", "我对虾过敏"),
        ("我們計劃明年搬到臺北", "我们计划明年搬到台北"),
        ("妳的著作裡，牠叫乾隆", "你的著作里，它叫乾隆"),
        ("我喜欢喝茶", "我喜欢喝茶"),
        ("I use Python", "I use Python"),
        ("", ""),
    ],
)
def test_traditional_characters_become_simplified_ones_each_in_its_place(text: str, expected: str) -> None:
    assert simplified(text) == expected
    assert len(simplified(text)) == len(text)


@given(
    st.text(
        st.characters(min_codepoint=0x2E80, max_codepoint=0x9FFF) | st.characters(exclude_categories=("Cs",))
    )
)
def test_folding_keeps_the_length_of_a_text(text: str) -> None:
    """A match in the folded text therefore has the same place in the original."""
    assert len(simplified(text)) == len(text)
