"""Words by which a fact is found beside its own (D22)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import Fact
from graph.conversations.extraction.reading import facts_in_message


def read(text: str) -> list[Fact]:
    return facts_in_message(text, role=MessageRole.USER, speaker=None)


@pytest.mark.parametrize(
    ("said", "keyword"),
    [
        ("I have two cats, Miso and Tofu.", "pet"),
        ("My sister Ana lives in Porto.", "sibling"),
        ("I play the trombone.", "instrument"),
        ("I'm asthmatic.", "health"),
        ("I use Neovim for everything.", "editor"),
    ],
)
def test_a_fact_is_found_by_the_broader_word_that_people_ask_by(said: str, keyword: str) -> None:
    """D22."""
    (fact,) = read(said)

    assert keyword in fact.keywords


def test_keywords_are_given_in_both_languages() -> None:
    """D23, C26."""
    (english,) = read("I love coffee in the morning.")
    (chinese,) = read("我喜欢喝咖啡。")

    assert {"coffee", "咖啡", "早上"} <= set(english.keywords)
    assert {"coffee", "咖啡"} <= set(chinese.keywords)
    assert len(english.keywords) <= 8
