"""Keys that spell out a content, and their changes with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.extraction.facts import Category, fact_key
from graph.memories.derived_keys import following_key, spells_out

LONG = "the boiler in the cellar has a pressure of two bar in winter"


@pytest.mark.parametrize(
    ("key", "content", "expected"),
    [
        ("preference:typescript", "TypeScript", True),
        ("preference:i_prefer_python", "I prefer Python.", True),
        ("decision:the_boiler_in_the_cellar_has_a_pressure_of", LONG, True),
        ("decision:the_boiler", LONG, False),
        ("preference:editor", "Vim", False),
        ("vim", "Vim", False),
        ("preference:", "...", False),
    ],
)
def test_a_key_that_spells_out_the_content_is_derived(key: str, content: str, expected: bool) -> None:
    """Issue 35 (14): OmniRoute's clients derive such keys; a key that somebody chose is not derived."""
    assert spells_out(key, content) is expected


@pytest.mark.parametrize(
    ("key", "before", "after", "expected"),
    [
        (
            "preference:typescript",
            "The user prefers TypeScript",
            "The user prefers Rust",
            "preference:rust",
        ),
        (
            "personal:lives_in_oslo",
            "The user lives in Oslo",
            "The user lives in Osaka",
            "personal:lives_in_osaka",
        ),
        (
            "assistant:preference:python",
            "The assistant likes Python",
            "The assistant likes Pytest",
            "assistant:preference:pytest",
        ),
        ("preference:python", "The user likes Python", "The user loathes Go", "preference:loathes_go"),
        (
            "preference:\u7eff\u8336",
            "\u7528\u6237\u559d\u7eff\u8336",
            "\u7528\u6237\u559d\u7ea2\u8336",
            "preference:\u7ea2\u8336",
        ),
        (
            "decision:the_boiler_in_the_cellar_has_a_pressure_of",
            LONG,
            LONG.replace("boiler", "pump"),
            "decision:the_pump_in_the_cellar_has_a_pressure_of_t",
        ),
        ("decision:the_boiler_in_the_cellar_has_a_pressure_of", LONG, "No boiler", "decision:no_boiler"),
        (
            "decision:the_boiler_in_the_cellar_has_a_pressure_of",
            LONG,
            "...",
            "decision:the_boiler_in_the_cellar_has_a_pressure_of",
        ),
        ("decision:the_boiler", LONG, "No boiler", "decision:the_boiler"),
        ("personal:name", "The user is called Ada", "The user is called Eve", "personal:name"),
        ("preference:tea", "The user likes tea", "...", "preference:tea"),
    ],
)
def test_a_derived_key_follows_the_text(key: str, before: str, after: str, expected: str) -> None:
    """Issue 35 (14): the key of an exclusive attribute stays."""
    assert following_key(key, before, after) == expected


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_derived_key_keeps_its_category(before: str, after: str) -> None:
    """Issue 35 (14): for any texts; an unchanged text keeps the whole key."""
    key = fact_key(Category.PREFERENCE, before)

    assert following_key(key, before, before) == key
    assert following_key(key, before, after).startswith("preference:")
