import pytest

from graph.core.text.language import content_words, sentences, spaced_stems, stem, word_count, words
from graph.retrieval.recall.parsed_query import ParsedQuery


def test_question_words_and_stop_words_are_not_searched_for():
    assert content_words("When did Caroline go to the LGBTQ support group?") == [
        "caroline", "go", "lgbtq", "support", "group",
    ]  # fmt: skip


def test_a_query_of_stop_words_is_searched_unchanged():
    assert content_words("who are you") == ["who", "are", "you"]


def test_possessives_and_typographic_apostrophes_are_folded():
    assert words("Ada\u2019s cat isn't Bob's") == ["ada", "cat", "isn't", "bob"]


def test_words_of_other_scripts_are_words():
    """C26."""
    assert words("Zürich, дом и 我喜欢Python") == ["zürich", "дом", "и", "我喜", "喜欢", "python"]


def test_forms_of_a_word_share_a_stem():
    assert {stem(word) for word in ["painting", "painted", "paints"]} == {"paint"}
    assert spaced_stems("Painted paintings") == " paint "


@pytest.mark.parametrize(
    ("text", "month", "year"),
    [
        ("What happened in May 2023?", 5, 2023),
        ("What happened in May 1987?", 5, 1987),
        ("What happened in May 1787?", 5, None),
        ("What did she do in JUNE?", 6, None),
        ("You may march on", None, None),
        ("May I iron with the collected water?", None, None),
        ("Good. May we use it?", None, None),
        ("March on!", None, None),
        ("May 2023: what happened?", 5, 2023),
        ("May 5, what was that?", 5, None),
        ("What is planned for May?", 5, None),
        ("In 2023, what changed?", None, None),
        ("What does June like to drink?", None, None),
        ("When did April move to Oslo?", None, None),
        ("What happened in april 2024?", 4, 2024),
        ("What is due on the 5th of August?", 8, None),
        ("Which 20 May deadline was that?", 5, None),
        ("What did she do last March?", 3, None),
    ],
)
def test_the_month_of_a_question_is_parsed(text, month, year):
    asked = ParsedQuery(text).date

    assert (asked and asked.month, asked and asked.year) == (month, year)


@pytest.mark.parametrize(
    ("text", "asks"),
    [("When did it end?", True), ("What day is it?", True), ("How long was it?", True), ("Who?", False)],
)
def test_questions_about_a_time_are_recognised(text, asks):
    assert ParsedQuery(text).asks_when is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("How should I set up the page?", True),
        ("Can you help me with my letter?", True),
        ("I\u2019m planning a trip. Any tips?", True),
        ("Book me a flight to Oslo", True),
        ("Where did Ann paint?", False),
        ("When was I born?", False),
    ],
)
def test_requests_for_help_are_distinguished_from_questions(text, asks):
    assert ParsedQuery(text).asks_for_help is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What did you recommend for the opening?", True),
        ("Which bread was in your suggestions?", True),
        ("What were the names you\u2019ve listed?", True),
        ("What would you recommend?", False),
        ("What did I tell you?", False),
    ],
)
def test_questions_about_an_earlier_answer_are_recognised(text, asks):
    assert ParsedQuery(text).asks_what_was_answered is asks


def test_a_query_names_one_person_at_most():
    people = ["Ann Lee", "Bob"]

    assert ParsedQuery("What did Ann say?").speaker_meant(people) == "Ann Lee"
    assert ParsedQuery("What did Ann tell Bob?").speaker_meant(people) is None
    assert ParsedQuery("What was said?").speaker_meant(people) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Where does Anna Berg work?", ["Anna Berg"]),
        ("What did Anna Berg tell Will?", ["Anna Berg", "Will"]),
        ("where does anna work?", ["Anna Kahn", "Anna Berg"]),
        ("When will we deploy?", []),
        ("Will we deploy?", []),
        ("Where is Will's sister?", ["Will"]),
        ("Where is Mr. Kahn's office?", ["Mr. Kahn"]),
        ("Where is Mr. Ito's office?", []),
    ],
)
def test_people_are_named_by_their_names_and_not_by_titles_or_words(text, named):
    """A5."""
    people = ["Anna Kahn", "Anna Berg", "Will", "Mr. Kahn", "Mr. Berg", " "]

    assert ParsedQuery(text).people_named(people) == named


def test_german_nouns_are_not_names():
    """B15."""
    assert ParsedQuery("Welches Auto fährt meine Frau?").named_stems == frozenset()
    assert ParsedQuery("Which car does Ada drive?").named_stems == {"ada"}


def test_without_named_speakers_i_means_the_user():
    assert ParsedQuery("Where did I park?").speaker_meant([]) == "user"
    assert ParsedQuery("Where is the park?").speaker_meant([]) is None


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("Where is it?", None),
        (" ".join(["word"] * 20) + ". One. Two! Three?", "One. Two! Three?"),
        ("Ann: Hi\nBob: Where were you?\nAnn: In Rome", "Where were you? In Rome"),
        ("A note: with a colon\nand three\nmore\nlines", None),
    ],
)
def test_the_focus_of_a_long_query_is_its_end(text, focus):
    assert ParsedQuery(text).focus == focus


def test_specific_words_and_those_of_the_focus_weigh_more():
    question = ParsedQuery(
        " ".join(["filler"] * 20) + ". One here. Two there. Rare words.",
        lambda word: 0.5 if word == "filler" else 1.0,
    )

    weights = dict(question.weighted_words)

    assert weights["filler"] == 0.25
    assert weights["rare"] == 2.0


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What happened on 7 May 2023?", (2023, 5, 7)),
        ("What happened on June 3rd?", (None, 6, 3)),
        ("In June, what happened on May 5?", (None, 5, 5)),
        ("What did we do in May 2023 and on 7 June?", (2023, 6, 7)),
        ("March 2024 vs 12 April 2023", (2023, 4, 12)),
        ("Who came between March 3 and April 5?", (None, 3, 3)),
        ("What did I do in 2023, in May?", (2023, 5, None)),
        ("What broke on 2024-03-05?", (2024, 3, 5)),
        ("What was planned for 2024-03?", (2024, 3, None)),
        ("What did we decide on Jan 5?", (None, 1, 5)),
        ("Who joined on Sept 3rd, 2022?", (2022, 9, 3)),
        ("2024年3月5日发生了什么?", (2024, 3, 5)),
        ("2024年12月有什么安排?", (2024, 12, None)),
        ("Where does Jan live?", None),
        ("What does version 2024-99 change?", None),
        ("What are the 5 rules?", None),
    ],
)
def test_a_complete_date_is_parsed(text, asked):
    """B9: the day and year beside the month count before any others in the text."""
    date = ParsedQuery(text).date

    assert (date and (date.year, date.month, date.day)) == asked


def test_sentences_end_at_marks_of_both_scripts():
    assert sentences("One. Two?\n三。四！") == ["One.", "Two?", "三。", "四！"]


def test_two_cjk_characters_count_as_a_word():
    assert word_count("我喜欢编程 and tea") == 5


@pytest.mark.parametrize(
    ("query", "spelled"),
    [
        ("How does Ada's 'Boiler-Pressure' behave?", ["Ada", "Boiler", "Pressure", "behave"]),
        ("Where is the naïve Café?", ["naïve", "Café"]),
        ("Painted paintings", ["Painted"]),
        ("锅炉压力和 Python", ["锅炉压力和", "Python"]),
    ],
)
def test_a_query_returns_its_own_spelling(query: str, spelled: list[str]) -> None:
    """Issue 35 point 20: reasons name words as the query wrote them, never as stems."""
    asked = ParsedQuery(query)

    assert asked.as_written(set(asked.stems)) == spelled
    assert asked.as_written({"acm"}) == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Which seat do I like?", []),
        ("Which seat do I like on long flights to the west of Canada, please?", []),
        ("I fly on Monday. Which seat do I like?", ["Which seat do I like?"]),
        (
            "Three things: how often is it updated, in which language is it weak, and what do we pay for a label?",
            ["how often is it updated", "in which language is it weak", "what do we pay for a label?"],
        ),
        (
            "Dinner is on Sunday: does Svenja eat meat, and is our pot big enough?",
            ["does Svenja eat meat", "is our pot big enough?"],
        ),
        ("我下周去北京。我喜欢住什么酒店？谁照顾我的猫？", ["我喜欢住什么酒店？", "谁照顾我的猫？"]),
        ("Ada: Where is the spare key kept?\nBob: Which key do you mean, the blue one?", []),
        (f"{'It rained all day and night. ' * 80}Where is the spare key kept?", []),
    ],
)
def test_a_text_with_several_topics_has_a_part_for_each(text, parts):
    """Issue 39 point 5: one question among other sentences is a part, too; dialogues and documents have none."""
    assert [part.text for part in ParsedQuery(text).parts] == parts


def test_a_part_without_specific_words_is_no_part():
    """Issue 39 point 6: "What's the next step?" alone is near every plan, also in a foreign workspace."""
    asked = ParsedQuery(
        "The tiles are here, I'm ready. What's the next step? Where do I put the grout?",
        lambda word: 0.6 if word in {"next", "step", "put"} else 1.0,
    )

    assert [part.text for part in asked.parts] == ["Where do I put the grout?"]


def test_only_the_last_six_questions_of_a_text_are_parts():
    """Issue 39 point 5: each part costs a vector."""
    asked = [f"Where is the blue key number {number} kept?" for number in range(9)]

    assert [part.text for part in ParsedQuery(" ".join(asked)).parts] == asked[-6:]
