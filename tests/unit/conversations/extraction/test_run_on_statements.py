"""Run-on sentences, and pronouns for things already named (D22, D25)."""

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
def test_statements_joined_by_a_comma_are_separated(text: str, contents: list[str]) -> None:
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
        # the referent is ambiguous
        ("I have two cats and I hate dogs, but I love them.", ["The user has two cats", "The user hates dogs"]),
        ("I love dogs, but I can't tolerate it", ["The user loves dogs"]),
        ("I love running with dogs, but I'm allergic to them", ["The user loves running with dogs"]),
        ("My wife has a cat. I'm allergic to it.", ["The user's wife has a cat"]),
        ("I like coffee more, but I can't drink it", ["The user likes coffee more"]),
    ],
)  # fmt: skip
def test_a_pronoun_refers_to_the_thing_just_named_if_that_is_unambiguous(
    text: str, contents: list[str]
) -> None:
    """D22."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("My name is Alice and I live in Oslo.", ["The user's name is Alice", "The user lives in Oslo"]),
        ("My name is Alice and live in Oslo.", ["The user's name is Alice", "The user lives in Oslo"]),
        (
            "My name is Alice Berg and lives in Oslo.",
            ["The user's name is Alice Berg", "The user lives in Oslo"],
        ),
        ("My dog is called Rex and loves walks.", ["The user's dog is called Rex and loves walks"]),
    ],
)
def test_it_is_not_a_name_that_lives_somewhere(text, contents) -> None:
    """Issue 35.24: the statement after the name is about the name's owner."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("我是小王", "用户是小王"),
        ("大家好，我是张伟。", "用户是张伟"),
        ("我是王小明，请多关照", "用户是王小明"),
        ("我是老王", "用户是老王"),
        ("我是欧阳锋", "用户是欧阳锋"),
        ("我是高手", None),
        ("我是王子", None),
        ("我是马上到", None),
        ("我是李明的朋友", None),
        ("我是小王吗？", None),
    ],
)
def test_chinese_introductions_are_recognised(text, content) -> None:
    """Issue 35.25: a surname distinguishes a name from other nouns."""
    assert kept(text) == ([content] if content else [])
