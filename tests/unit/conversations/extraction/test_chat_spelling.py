"""Extraction from messages typed without apostrophes (D21)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import Fact
from graph.conversations.extraction.reading import facts_in_message


def read(text: str) -> list[Fact]:
    return facts_in_message(text, role=MessageRole.USER, speaker=None)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("im not vegan", "I'm not vegan"),
        (
            "im allergic to shellfish and also cant do dairy",
            "I'm allergic to shellfish and also can't do dairy",
        ),
        ("ive never smoked", "I've never smoked"),
        ("ive got two dogs", "I've got two dogs"),
        ("id rather take the train", "I'd rather take the train"),
        ("ill use tabs", "I'll use tabs"),
        ("i dont like Python", "I don't like Python"),
        ("i wont use Postgres", "I won't use Postgres"),
        ("i cant eat gluten", "I can't eat gluten"),
        ("my wife isnt vegan", "My wife isn't vegan"),
    ],
)
def test_apostrophes_are_optional(typed: str, written: str) -> None:
    """D18, D21: the fact has the same key and polarity."""
    assert [(fact.key, fact.content, fact.polarity) for fact in read(typed)] == [
        (fact.key, fact.content, fact.polarity) for fact in read(written)
    ]
    assert read(typed)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("my id is 5512", "The user's id is 5512"),
        ("I like Jony Ive designs", "The user likes Jony Ive designs"),
        ("my mother is ill often", "The user's mother is ill often"),
        ("I like im@example.com", "The user likes im@example.com"),
    ],
)
def test_words_that_resemble_contractions_stay(text: str, content: str) -> None:
    assert [fact.content for fact in read(text)] == [content]


@pytest.mark.parametrize(
    "text",
    [
        "Make a table with these customers:\nName: Anna Schmidt\nDiet: vegan\nAllergies: nuts",
        "Here is the patient:\nName: Anna Schmidt\nAllergies: penicillin",
        "Make a meal plan.\nDiet: vegan",
        "Patient: Anna\nAllergies: penicillin",
        "Name: Order Form",
        "Allergies: see below",
        "Diet: keto vs paleo",
    ],
)
def test_a_form_about_somebody_else_gives_no_facts(text: str) -> None:
    """D22: a false fact is worse than a missed one."""
    assert read(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Name: Anna Schmidt\nAge: 34\nDiet: vegan\nAllergies: nuts",
        "Plan my week.\nMy details:\nName: Anna Schmidt\nDiet: vegan\nAllergies: nuts",
        "Plan my week.\nMy name: Anna Schmidt\nMy diet: vegan\nMy allergies: nuts",
    ],
)
def test_a_form_about_the_author_is_read(text: str) -> None:
    """D21: it begins the message, or names the author as its owner."""
    assert [fact.content for fact in read(text) if fact.confidence >= 0.6] == [
        "The user's name is Anna Schmidt",
        "The user's diet is vegan",
        "The user's allergies are nuts",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Vegan, gluten-free chili recipe for 4",
        "Vegetarian, 4 servings",
        "Diabetic, vegan and kosher options",
        "Lactose intolerant recipes",
        "Vegan for 4 people",
        "vegan",
        "Vegan, please.",
    ],
)
def test_a_possible_name_of_a_dish_is_not_read_as_a_person(text: str) -> None:
    """D22."""
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Vegan here, 34, what should I cook", "The user is vegan, 34"),
        ("Vegan, 34, based in Nairobi", "The user is vegan, 34, based in Nairobi"),
        ("Vegetarian since 2010.", "The user is vegetarian since 2010"),
        ("Diabetic for ten years.", "The user is diabetic for ten years"),
        ("Lactose intolerant here.", "The user is lactose intolerant"),
        ("Allergic to cats, sadly", "The user is allergic to cats, sadly"),
    ],
)
def test_a_missing_subject_means_the_speaker(text: str, content: str) -> None:
    """D21."""
    assert [fact.content for fact in read(text)] == [content]
