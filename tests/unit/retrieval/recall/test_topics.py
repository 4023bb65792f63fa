"""Requests and the statements that share their topic (C12)."""

from dataclasses import replace

import pytest

from graph.core.text.language import stem, words
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.relevance import Scale, models
from graph.retrieval.recall.topics import TopicWords, relevance_on_topic, words_of_statements
from tests.unit.retrieval.recall.test_relevance import PLAIN, pool_of

REQUEST = ParsedQuery("Suggest an outdoor activity for Saturday")


@pytest.mark.parametrize(
    ("request_", "statement"),
    [
        ("Suggest an outdoor activity for Saturday", "Likes hiking in the mountains"),
        ("Write a function that sorts users by age", "Prefers coding in TypeScript"),
        ("Put together a three-course dinner for four friends.", "Vegetarian since 2015"),
        ("What should we watch tonight?", "Prefers documentaries to feature films"),
        ("周末想出去走走，推荐个地方", "用户喜欢爬山"),
        ("晚饭该吃什么？", "用户对海鲜过敏"),
    ],
)
def test_a_request_shares_its_topic_with_a_fitting_preference(request_: str, statement: str) -> None:
    """C12."""
    assert words_of_statements(request_).are_in(statement)


@pytest.mark.parametrize(
    ("request_", "statement"),
    [
        ("Suggest an outdoor activity for Saturday", "Prefers coding in TypeScript"),
        ("Write a function that sorts users by age", "Vegetarian since 2015"),
        ("Explain how a heat pump works.", "Likes hiking in the mountains"),
        ("Where do I live?", "Lives in Innsbruck"),
        ("What do I eat for breakfast?", "Vegetarian since 2015"),
        ("我住在哪里？", "用户住在杭州"),
    ],
)
def test_another_topic_and_a_question_share_nothing(request_: str, statement: str) -> None:
    """C12: the words of a question say what it asks for."""
    assert not words_of_statements(request_).are_in(statement)


def test_a_long_text_has_no_topic() -> None:
    """C12: most of its words are about something else."""
    assert words_of_statements("Suggest a dinner. " + "The report is due. " * 30) == TopicWords()


def test_listed_words_are_stems_of_all_forms() -> None:
    stems = words_of_statements("Suggest an outdoor activity").stems

    assert {stem(word) for word in words("hiking hikes hiked")} <= stems


def test_the_two_most_relevant_short_statements_of_the_topic_gain() -> None:
    """C12."""
    scale = Scale(next(iter(models().values())), "measured")
    cosines = (0.10, 0.11, 0.12, 0.13)
    plain = [replace(PLAIN, cosine=each, words=5) for each in cosines]
    usual = scale.of(pool_of(*plain), REQUEST)
    on_topic = [replace(each, on_topic=number < 3) for number, each in enumerate(plain)]

    found = scale.of(pool_of(*on_topic), REQUEST)

    assert found == {
        id_: relevance_on_topic(each) if id_ in ("m1", "m2") else each for id_, each in usual.items()
    }
    long = [replace(each, words=26) for each in on_topic]
    assert scale.of(pool_of(*long), REQUEST) == scale.of(
        pool_of(*(replace(each, words=26) for each in plain)), REQUEST
    )
    turns = [replace(each, turn_scope="chat") for each in on_topic]
    assert scale.of(pool_of(*turns), REQUEST) == scale.of(
        pool_of(*(replace(each, turn_scope="chat") for each in plain)), REQUEST
    )
