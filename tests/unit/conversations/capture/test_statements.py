"""First-person statements in the third person: pronouns change, names and similar nouns do not."""

import pytest

from graph.conversations.capture.statements import without_guessed_pronouns
from graph.conversations.extraction.phrasing import speaks_of_itself, third_person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("they gave us a car", "they gave them a car"),
        ("Us and them", "them and them"),
        ("Me and my wife", "them and their wife"),
        ("my boss told me I'm late", "their boss told them they are late"),
        ("a friend of mine lives here", "a friend of theirs lives here"),
        ("the red one is mine", "the red one is theirs"),
        ("Mine is blue", "theirs is blue"),
        ("i think so, and i know", "they think so, and they know"),
        ("the type I like best", "the type they like best"),
        ("after the war I moved", "after the war they moved"),
    ],
)
def test_first_person_pronouns_become_third_person(said: str, told: str) -> None:
    assert third_person(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "lives in the US",
        "lives in the us",
        "works for a US company",
        "US politics",
        "fought in World War I",
        "Elizabeth I was a queen",
        "has type I diabetes",
        "Type I errors",
        "works in a coal mine",
        "the mine is closed",
        "the safety of mine workers",
        "Portland, ME",
        "ME/CFS",
        "errors of I/O",
        "tea, i.e. sencha",
    ],
)
def test_names_and_nouns_that_look_like_pronouns_stay(said: str) -> None:
    assert third_person(said) == said
    assert not speaks_of_itself(said)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Alice lives in Oslo and loves his cat.", "Alice lives in Oslo and loves their cat."),
        ("She's a nurse, and he often watches TV.", "They are a nurse, and they often watch TV."),
        ("The user thanked her for it.", "The user thanked them for it."),
        ("He has a boat. It is his.", "They have a boat. It is theirs."),
    ],
)
def test_an_unstated_gender_becomes_they(written, told) -> None:
    """Issue 35.24: the rules never guess a person's pronoun."""
    assert without_guessed_pronouns(written, "I live in Oslo.") == told


@pytest.mark.parametrize(
    "said", ["My brother is called Sam.", "She lives there.", "Mi hermana, ella canta.", "我妈妈喜欢茶"]
)
def test_a_stated_gender_stays(said) -> None:
    """Issue 35.24."""
    assert without_guessed_pronouns("Sam sold his boat.", said) == "Sam sold his boat."


@pytest.mark.parametrize("written", ["Kullanıcı her gün çay içiyor.", "Brukeren bor her nå."])
def test_words_of_other_languages_that_look_like_pronouns_stay(written: str) -> None:
    """Issue 35.24."""
    assert without_guessed_pronouns(written, "Günde üç bardak çay içiyorum") == written
