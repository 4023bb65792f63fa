"""Corrections and retractions of the previous sentence (D22, D24)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.reading import facts_in_message


def kept(text: str) -> list[str]:
    facts = facts_in_message(text, role=MessageRole.USER, speaker=None)
    return [fact.content for fact in facts if fact.confidence >= 0.6]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("I have three cats. No, four.", ["The user has four cats"]),
        ("I have two kids. Wait, three.", ["The user has three kids"]),
        ("I'm 34. Sorry, 35.", ["The user is 35"]),
        ("My birthday is 4 May. Oops, 5 May.", ["The user's birthday is 5 May"]),
        ("I live in Oslo. No, Bergen.", ["The user lives in Bergen"]),
        ("I live in Oslo. Actually Bergen.", ["The user lives in Bergen"]),
        ("I have three cats, no, four.", ["The user has four cats"]),
        ("I live in Oslo, oh no, wait, Bergen.", ["The user lives in Bergen"]),
        ("My birthday is 4 May. Oops, 5 June.", ["The user's birthday is 5 June"]),
        # it is unclear which of the two is corrected
        ("My wife Anna and I live in Oslo. No, Bergen.", []),
        ("I have two cats and three dogs. No, four.", []),
    ],
)
def test_a_value_after_a_full_stop_corrects_the_previous_one(text: str, contents: list[str]) -> None:
    """D22, D24: the corrected value is dropped."""
    assert kept(text) == contents


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("My flight is on Tuesday. Sorry, Wednesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday, sorry, Wednesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday (sorry, Wednesday).", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday. Sorry, on Wednesday, not Tuesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday. Wednesday, sorry.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday, I meant Wednesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday. Oops, I mean Wednesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday, or rather Wednesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday. Correction: Wednesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday. Scratch that, it's Wednesday.", "The user's flight is on Wednesday"),
        ("My flight is on Tuesday. No, it's on Wednesday.", "The user's flight is on Wednesday"),
        ("My flight to Rome is on Tuesday. Sorry, to Paris.", "The user's flight to Paris is on Tuesday"),
        ("My flight is on Tuesday at 3pm. No, 4pm.", "The user's flight is on Tuesday at 4pm"),
        ("My phone number is 555-1234. Sorry, 555-1235.", "The user's phone number is 555-1235"),
        ("My birthday is May 3rd. Oops, May 4th.", "The user's birthday is May 4th"),
        ("I live in Boston. Sorry, I live in Cambridge.", "The user lives in Cambridge"),
        ("I'm 34. I'm sorry, I'm 35.", "The user is 35"),
        ("I'm 34, uh, 35.", "The user is 35"),
        ("My birthday is on the 4th. Sorry, the 5th.", "The user's birthday is on the 5th"),
        ("My exam is on Tuesday, May 5. Sorry, May 7.", "The user's exam is on May 7"),
        ("I live in Boston. My bad, Cambridge.", "The user lives in Cambridge"),
    ],
)
def test_any_wording_of_a_correction_keeps_only_the_right_value(text: str, content: str) -> None:
    """D22, D24."""
    assert kept(text) == [content]


@pytest.mark.parametrize(
    "text",
    [
        "My sister's name is Anna. Sorry, Hannah.",
        "I live in Boston, sorry, Cambridge.",
        "I live in Boston. No, Claude.",
        "My flight is tomorrow. Sorry, Wednesday.",
        "My wife is a nurse. I'm sorry, a midwife.",
        "My wife is a nurse, sorry, a midwife.",
        "I prefer tea. Sorry, coffee.",
        "I prefer tea, sorry, coffee.",
        "I prefer tea. No, coffee.",
        "I prefer tea. Wait, no, coffee.",
        "I prefer tea. Actually, coffee.",
        "I prefer tea, no, coffee.",
        "I'm vegan, I mean vegetarian.",
    ],
)
def test_a_correction_to_an_unclear_word_is_not_kept(text: str) -> None:
    """D22: a name after "sorry" may be the person addressed."""
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo. Not anymore, Bergen since May.",
        "I live in Oslo. Well, I used to.",
        "I work at Google. Well, I did until last month.",
        "I work at Google, well, I did until last month.",
        "I live in Oslo. Until last year.",
        "I work at Google. In my dreams.",
        "I'm vegan. April fools!",
        "I love Mondays. Said no one ever.",
    ],
)
def test_statements_retracted_by_the_next_sentence_are_dropped(text: str) -> None:
    """D22, D24."""
    assert kept(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I have three cats. No, I don't want to sell them.", "The user has three cats"),
        ("I live in Oslo. Well, the weather is nice.", "The user lives in Oslo"),
        ("I live in Oslo. No pets.", "The user lives in Oslo"),
        ("I live in Oslo. Actually, yes.", "The user lives in Oslo"),
        ("I live in Oslo. Until June.", "The user lives in Oslo"),
        ("I have two cats. Wait, one second.", "The user has two cats"),
        ("I work at Google. Sorry, Claude.", "The user works at Google"),
        ("I lost my job at Google. Oh, God.", "The user lost their job at Google"),
        ("I'm vegan. No, Claude.", "The user is vegan"),
        ("I'm vegan. I wish I knew how to cook.", "The user is vegan"),
        ("I told you I'm vegan. I did!", "The user is vegan"),
        ("I'm vegan. No, I'm serious.", "The user is vegan"),
        ("I have two cats. Actually, I have two dogs too.", "The user has two cats"),
        ("I live in Oslo. Sorry, typo.", "The user lives in Oslo"),
        ("I'm vegan. No, thanks.", "The user is vegan"),
        ("I'm vegan, no, really.", "The user is vegan, no, really"),
        ("I live in Oslo. Sorry, Anna, I was late.", "The user lives in Oslo"),
        ("I live in Oslo, sorry.", "The user lives in Oslo"),
        ("I like tea, actually.", "The user likes tea"),
    ],
)
def test_sentences_that_begin_like_corrections_retract_nothing(text: str, content: str) -> None:
    """D24."""
    assert kept(text)[:1] == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I am allergic to penicillin. Sorry, dude.", "The user is allergic to penicillin"),
        ("I'm married. Sorry, ladies.", "The user is married"),
        ("I have a nut allergy. No, correct.", "The user has a nut allergy"),
        ("I live in Oslo, actually downtown.", "The user lives in Oslo, actually downtown"),
        ("My flight is at 6 pm on May 5. No, 7 pm.", "The user's flight is at 7 pm on May 5"),
        ("I have 2 kids. Sorry 5 minutes.", "The user has 2 kids"),
        ("My flight is on Tuesday. Sorry, Anna.", "The user's flight is on Tuesday"),
        ("I like Bach. Um, Mozart?", "The user likes Bach"),
    ],
)
def test_addressing_somebody_is_not_a_correction(text: str, content: str) -> None:
    """D22."""
    assert kept(text) == [content]
