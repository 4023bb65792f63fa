import pytest

from graph.recall.language import content_words, spaced_stems, stems, words
from graph.recall.question import Question


def test_question_words_and_stop_words_are_not_searched_for():
    assert content_words("When did Caroline go to the LGBTQ support group?") == [
        "caroline", "go", "lgbtq", "support", "group",
    ]  # fmt: skip


def test_a_query_of_nothing_but_stop_words_is_searched_as_it_stands():
    assert content_words("who are you") == ["who", "are", "you"]


def test_possessives_and_typographic_apostrophes_are_folded():
    assert words("Ada\u2019s cat isn't Bob's") == ["ada", "cat", "isn't", "bob"]


def test_words_of_other_scripts_are_words():
    """C26."""
    assert words("Zürich, дом и 我喜欢Python") == ["zürich", "дом", "и", "python", "我喜", "喜欢"]


def test_stems_bring_forms_of_a_word_together():
    assert stems(["painting", "painted", "paints"]) == ["paint"]
    assert spaced_stems("Painted paintings") == " paint "


@pytest.mark.parametrize(
    ("text", "month", "year"),
    [
        ("What happened in May 2023?", 5, 2023),
        ("What did she do in JUNE?", 6, None),
        ("You may march on", None, None),
        ("In 2023, what changed?", None, None),
    ],
)
def test_the_month_asked_for_is_read(text, month, year):
    question = Question(text)

    assert (question.month, question.year) == (month, year)


@pytest.mark.parametrize(
    ("text", "asks"),
    [("When did it end?", True), ("What day is it?", True), ("How long was it?", True), ("Who?", False)],
)
def test_questions_for_a_time_are_told(text, asks):
    assert Question(text).asks_when is asks


def test_exactly_one_speaker_can_be_meant():
    people = ["Ann Lee", "Bob"]

    assert Question("What did Ann say?").speaker_named(people) == "Ann Lee"
    assert Question("What did Ann tell Bob?").speaker_named(people) is None
    assert Question("What was said?").speaker_named(people) is None
