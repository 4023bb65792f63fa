"""Requests for everything that is known about the user (C12, C26)."""

import pytest

from graph.retrieval.recall.overview_requests import asks_what_is_known
from tests.fixtures.scripts import traditional


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?",
        "What do you know about us?",
        "Was weißt du über mich?",
        "你知道我的哪些事情？",
        "你记得哪些？",
        "What do you remember about me so far?",
        "Hi! What have you learned about me?",
        "Can you tell me what you know about me?",
        "Summarize what you know about me",
        "Tell me about myself",
        "What do you remember?",
        "Do you remember who I am?",
        "who am I?",
        "你知道我什么？",
        "你对我了解多少？",
        "你还记得我吗？",
        "关于我你都记得什么？",
        "你都记住了我的什么？",
        "我是谁？",
    ],
)
def test_a_question_for_everything_known_is_recognised(text: str) -> None:
    assert asks_what_is_known(text)
    assert asks_what_is_known(traditional(text))


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about Python?",
        "What do you know about my allergies?",
        "What do you remember about the trip?",
        "Do you know me and Tom's plan?",
        "Who am I meeting tomorrow?",
        "Describe my day",
        "What do you know about me? " + "And what about my sister? " * 5,
        "What do you know about US?",
        "Was weißt du über Python?",
        "你记得哪些电影？",
        "你知道我哪些过敏？",
        "你知道我的哪些朋友？",
        "你知道我的所有项目？",
        "你知道我的车在哪里吗？",
        "你记得我的生日吗？",
        "我是谁的经理？",
        "",
    ],
)
def test_a_specific_question_is_not_a_request_for_everything(text: str) -> None:
    assert not asks_what_is_known(text)
    assert not asks_what_is_known(traditional(text))
