"""The reference extractor: preferences, decisions and habits by regular expressions (D11-D19)."""

import pytest

from graph.conversations.extraction.facts import VOCABULARIES, Category, Polarity
from graph.conversations.extraction.reference_form import MAX_EXTRACTION_TEXT_LENGTH, extract_facts

SENTENCES = ("I prefer TypeScript", "I'll use Postgres for this project", "I always commit before pushing")
REFERENCE = ". ".join([*SENTENCES, "I don't like Python."])


def test_the_reference_sentence_gives_exactly_its_four_facts() -> None:
    """D11, D18, F§12: compares key, category, kind and object; a dislike has negative polarity."""
    facts = extract_facts(REFERENCE)

    assert [
        (fact.key, fact.category, VOCABULARIES[fact.category].kind, fact.object, fact.polarity)
        for fact in facts
    ] == [
        ("preference:typescript", "preference", "factual", "TypeScript", "positive"),
        (
            "decision:postgres_for_this_project",
            "decision",
            "episodic",
            "Postgres for this project",
            "positive",
        ),
        ("pattern:commit_before_pushing", "pattern", "factual", "commit before pushing", "positive"),
        ("preference:python", "preference", "factual", "Python", "negative"),
    ]


@pytest.mark.parametrize(
    ("text", "key", "polarity"),
    [
        ("I prefer tea", "preference:tea", "positive"),
        ("I really prefer tea", "preference:tea", "positive"),
        ("I like tea", "preference:tea", "positive"),
        ("i REALLY like tea", "preference:tea", "positive"),
        ("My favorite is tea", "preference:tea", "positive"),
        ("my favourite drink is tea", "preference:tea", "positive"),
        ("I hate tea", "preference:tea", "negative"),
        ("I dislike tea", "preference:tea", "negative"),
        ("I avoid tea", "preference:tea", "negative"),
        ("I don\u2019t like tea", "preference:tea", "negative"),
        ("I do not like tea", "preference:tea", "negative"),
        ("I will use tabs", "decision:tabs", "positive"),
        ("I'll use tabs", "decision:tabs", "positive"),
        ("I chose tabs", "decision:tabs", "positive"),
        ("I went with tabs", "decision:tabs", "positive"),
        ("I adopt tabs", "decision:tabs", "positive"),
        ("I'm going to adopt tabs", "decision:tabs", "positive"),
        ("I decided to use tabs", "decision:use_tabs", "positive"),
        ("I have decided to use tabs", "decision:use_tabs", "positive"),
        ("I've decided on tabs", "decision:on_tabs", "positive"),
        ("I usually run at night", "pattern:run_at_night", "positive"),
        ("I always run", "pattern:run", "positive"),
        ("I never run", "pattern:run", "negative"),
        ("I tend to run", "pattern:run", "positive"),
    ],
)
def test_each_pattern_matches_its_form(text: str, key: str, polarity: str) -> None:
    """D12, D13, D14: ignoring case."""
    (fact,) = extract_facts(text)

    assert (fact.key, fact.polarity) == (key, polarity)


@pytest.mark.parametrize("end", [". Then more", ", then more", "\nthen more"])
def test_a_capture_stops_at_a_full_stop_a_comma_or_a_new_line(end: str) -> None:
    """D14."""
    assert [fact.object for fact in extract_facts(f"I prefer green tea{end}")] == ["green tea"]


def test_contents_are_collapsed_and_neither_too_short_nor_too_long() -> None:
    """D15: 3 to 500 characters."""
    (fact,) = extract_facts("I like   green \t tea ")
    assert (fact.object, fact.content) == ("green tea", "The user likes green tea")
    assert extract_facts("I like to") == []
    assert extract_facts("I like ---") == []
    assert [len(fact.object or "") for fact in extract_facts(f"I like {'x' * 500}")] == [500]
    assert extract_facts(f"I like {'x' * 501}") == []


def test_a_repeated_statement_is_one_fact() -> None:
    """D15: compares facts by key, ignoring case; if a text contradicts itself, the last statement counts."""
    same = extract_facts("I like Green Tea. I prefer green tea!")
    changed = extract_facts("I like tea. I don't like tea.")

    assert [(fact.key, fact.object) for fact in same] == [("preference:green_tea", "Green Tea")]
    assert [(fact.key, fact.polarity) for fact in changed] == [("preference:tea", Polarity.NEGATIVE)]


def test_keys_keep_the_letters_of_every_script() -> None:
    assert [fact.key for fact in extract_facts("I like Käse & 饺子")] == ["preference:käse_饺子"]


def test_only_the_end_of_a_long_text_is_read() -> None:
    """D17: the last 64 KiB."""
    rest = MAX_EXTRACTION_TEXT_LENGTH - len("I like tea.")
    kept, cut = "I like tea." + "x" * rest, "I like tea." + "x" * (rest + 1)

    assert [fact.key for fact in extract_facts(kept)] == ["preference:tea"]
    assert extract_facts(cut) == []
    assert [fact.category for fact in extract_facts(" " * MAX_EXTRACTION_TEXT_LENGTH + REFERENCE)] == [
        Category.PREFERENCE,
        Category.DECISION,
        Category.PATTERN,
        Category.PREFERENCE,
    ]


def test_texts_without_statements_give_no_facts() -> None:
    """D19."""
    assert extract_facts("") == []
    assert extract_facts("What do you like? The weather is fine.") == []


@pytest.mark.parametrize("text", ["I prefer  ", "I prefer \x1f", "I always \x85"])
def test_a_statement_without_an_object_is_not_a_fact(text) -> None:
    """D15: white space is no object."""
    assert extract_facts(text) == []
