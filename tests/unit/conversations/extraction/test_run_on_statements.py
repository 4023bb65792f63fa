"""What a comma runs together, and what is named again by "it" or "them" (D22, D25)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.reading import facts_in_message


def kept(text: str) -> list[str]:
    facts = facts_in_message(text, role=MessageRole.USER, speaker=None)
    return [fact.content for fact in facts if fact.confidence >= 0.6]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("At work I use Java, at home I use Rust",
         ["The user uses Java, at work", "The user uses Rust, at home"]),
        ("At work I use Java and at home I use Rust",
         ["The user uses Java, at work", "The user uses Rust, at home"]),
        ("I use Java at work, at home I use Rust", ["The user uses Java at work", "The user uses Rust, at home"]),
        ("In the morning I drink coffee, in the evening I drink tea",
         ["The user drinks coffee, in the morning", "The user drinks tea, in the evening"]),
        ("With my kids I speak Dutch, with my wife I speak English",
         ["The user speaks Dutch, with their kids", "The user speaks English, with their wife"]),
        ("I grew up in Texas, now I live in Ohio", ["The user grew up in Texas and lives in Ohio"]),
        ("I live in Portland, Oregon", ["The user lives in Portland, Oregon"]),
        ("I play chess, in my novel I live on Mars", ["The user plays chess"]),
        ("I work nights, at a bar I own", ["The user works nights, at a bar they own"]),
        ("I have a cat, a dog, and a parrot", ["The user has a cat, a dog, and a parrot"]),
    ],
)  # fmt: skip
def test_statements_that_a_comma_runs_together_are_apart(text: str, contents: list[str]) -> None:
    """D22, D25."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("I love dogs, but I'm allergic to them", ["The user loves dogs", "The user is allergic to dogs"]),
        ("I love dogs. I'm allergic to them though.", ["The user loves dogs", "The user is allergic to dogs"]),
        ("I have a cat, but I'm allergic to it", ["The user has a cat", "The user is allergic to their cat"]),
        ("My girlfriend loves dogs, but I'm allergic to them",
         ["The user's girlfriend loves dogs", "The user is allergic to dogs"]),
        ("I love Python. I use it every day.", ["The user loves Python", "The user uses Python every day"]),
        # what is meant is not plain
        ("I have two cats and I hate dogs, but I love them.", ["The user has two cats", "The user hates dogs"]),
        ("I love dogs, but I can't tolerate it", ["The user loves dogs"]),
        ("I love running with dogs, but I'm allergic to them", ["The user loves running with dogs"]),
        ("My wife has a cat. I'm allergic to it.", ["The user's wife has a cat"]),
        ("I like coffee more, but I can't drink it", ["The user likes coffee more"]),
    ],
)  # fmt: skip
def test_what_was_just_named_is_meant_by_it_where_that_is_plain(text: str, contents: list[str]) -> None:
    """D22."""
    assert kept(text) == contents
