"""Requests and the statements that share their topic (C12)."""

from dataclasses import replace

import pytest

from graph.core.text.language import stem, words
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.relevance import Scale, models
from graph.retrieval.recall.topics import Request, is_standing, with_gain
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
    found = Request.read(request_)
    assert found is not None
    assert found.shares_topic(statement)
    assert is_standing(statement)


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
    found = Request.read(request_)
    assert found is None or not found.shares_topic(statement)


def test_a_long_text_has_no_topic() -> None:
    """C12: most of its words are about something else."""
    assert Request.read("Suggest a dinner. " + "The report is due. " * 30) is None


def test_listed_words_are_stems_of_all_forms() -> None:
    found = Request.read("Suggest an outdoor activity")

    assert found is not None
    assert {stem(word) for word in words("hiking hikes hiked")} <= found.stated.stems


@pytest.mark.parametrize(
    "statement",
    [
        "Prefers coding in TypeScript",
        "The user is vegetarian",
        "I'm allergic to nickel",
        "User doesn't eat pork",
        "My daughter Ilinca is dyslexic.",
        "Studies best in twenty-minute bursts",
        "Replies with at most three sentences",
        "用户不吃香菜",
        "用户对海鲜过敏",
        "回答一律用中文",
    ],
)
def test_a_taste_a_rule_and_a_condition_stand_for_every_request(statement: str) -> None:
    """C12."""
    assert is_standing(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Sister Jette is getting married in June",
        "The user lives on the fifth floor",
        "Has a rescue greyhound called Pixel",
        "Works as a data engineer for a group of hospitals",
        "用户住在杭州",
        "用户的女儿今年五岁",
    ],
)
def test_a_plain_fact_does_not_stand_for_every_request(statement: str) -> None:
    """C12."""
    assert not is_standing(statement)


FITTING, STANDING, FACT = "Likes hiking in the mountains", "Prefers tabs over spaces", "Lives in Innsbruck"


def test_the_statement_that_gains_most_gains_in_full_and_the_next_one_less() -> None:
    """C12."""
    scale = Scale(next(iter(models().values())), "measured")
    texts = (FACT, FITTING, "Loves forests", STANDING)
    plain = [replace(PLAIN, cosine=0.1, words=5) for _ in texts]
    usual = scale.of(pool_of(*plain), REQUEST)

    found = scale.of(
        pool_of(*(replace(each, statement=text) for each, text in zip(plain, texts, strict=True))), REQUEST
    )

    assert found == {
        **usual,
        "m1": with_gain(usual["m1"], 20.0),
        "m2": with_gain(usual["m2"], 4.5),
    }


def test_a_plain_fact_of_the_topic_gains_less_and_another_topic_nothing() -> None:
    """C12."""
    assert REQUEST.request is not None
    assert [REQUEST.request.gain(text) for text in (FITTING, STANDING, FACT)] == [20.0, 1.0, 1.0]
    assert REQUEST.request.gain("Went on a hike on Tuesday") == 2.0
