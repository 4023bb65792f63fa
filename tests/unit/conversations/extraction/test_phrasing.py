"""A speaker's first-person statements, worded by a narrator."""

import pytest

from graph.conversations.extraction.phrasing import render_fact, render_fact_zh, render_sentence


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "I live in Oslo with my wife and work at a bakery.",
            "The user lives in Oslo with their wife and works at a bakery",
        ),
        ("I'm allergic to peanuts", "The user is allergic to peanuts"),
        ("I am vegan", "The user is vegan"),
        ("I have two kids", "The user has two kids"),
        ("I've decided to move", "The user has decided to move"),
        ("I'll take the train", "The user will take the train"),
        ("I'd rather walk", "The user would rather walk"),
        ("I'd already booked it", "The user had already booked it"),
        ("I really don\u2019t like rain", "The user really does not like rain"),
        ("I can't stand rain", "The user cannot stand rain"),
        ("I went with the blue one", "The user went with the blue one"),
        ("I moved here and love it", "The user moved here and loves it"),
        ("I was born in Rome and live in Oslo", "The user was born in Rome and lives in Oslo"),
        ("I studied law, but work at a bank", "The user studied law, but works at a bank"),
        ("I grew up in Rome and now own a bar", "The user grew up in Rome and now owns a bar"),
        ("I used to live and work in Rome", "The user used to live and work in Rome"),
        ("I studied music and dance", "The user studied music and dance"),
        ("I met people who live and work in Rome", "The user met people who live and work in Rome"),
        ("I could sing and work in a bar", "The user could sing and work in a bar"),
        ("I let them eat and live in my flat", "The user let them eat and live in their flat"),
        ("I'm called Zed and run a bakery", "The user is called Zed and runs a bakery"),
        ("I'm married to Tom and run a bakery", "The user is married to Tom and runs a bakery"),
        ("I'm a nurse and come from Leeds", "The user is a nurse and comes from Leeds"),
        ("I'm retired and read a lot", "The user is retired and reads a lot"),
        ("I'm hired and run by a council", "The user is hired and run by a council"),
        ("I've left Rome and come from Leeds by car", "The user has left Rome and come from Leeds by car"),
        ("I especially enjoy tea", "The user especially enjoys tea"),
        ("I apply for jobs", "The user applies for jobs"),
        ("I teach, and I watch birds", "The user teaches, and they watch birds"),
        ("I need a flat", "The user needs a flat"),
        ("We rent our flat", "The user rents their flat"),
        ("My daughter's name is Mia and I love her", "The user's daughter's name is Mia and they love her"),
        ("Every Sunday I call my mother", "The user calls their mother, every Sunday"),
        ("As a nurse, I work nights", "The user works nights, as a nurse"),
        ("Let's go with the red one", "The user decided to go with the red one"),
        ("call me Jo", "The user is called Jo"),
        ("called me Jo", "The user is called Jo"),
        ("I'm a nurse and work nights", "The user is a nurse and works nights"),
        ("I'm 34 and have been vegan for years", "The user is 34 and has been vegan for years"),
        ("I'm going to move and have a garden", "The user is going to move and have a garden"),
        ("I'll move and have a garden", "The user will move and have a garden"),
        ("I've swum and run all day", "The user has swum and run all day"),
        ("We use Docker and deploy to Berlin", "The user uses Docker and deploys to Berlin"),
        ("I tore my ACL", "The user tore their ACL"),
        ("I woke up late", "The user woke up late"),
        ("I swore off sugar and shot weddings", "The user swore off sugar and shot weddings"),
        (
            "I wake up at 6, run 5k and then start work",
            "The user wakes up at 6, runs 5k and then starts work",
        ),
        ("Tea is my favourite", "The user said: Tea is my favourite"),
    ],
)
def test_english_facts_speak_about_the_user(said: str, expected: str) -> None:
    assert render_fact(said) == expected


@pytest.mark.parametrize(
    ("said", "as_fact", "as_any_sentence"),
    [
        ("I need a visa", "The user needs a visa", "The user needs a visa"),
        (
            "In May I moved to Oslo",
            "The user moved to Oslo, in May",
            "The user said: In May I moved to Oslo",
        ),
        (
            "Let's rent a van for our trip",
            "The user decided to rent a van for their trip",
            "The user said: Let's rent a van for our trip",
        ),
        ("Rome has seven hills", "The user said: Rome has seven hills", "Rome has seven hills"),
    ],
)
def test_only_a_statement_that_a_rule_has_read_is_reordered_or_attributed(
    said: str, as_fact: str, as_any_sentence: str
) -> None:
    """Reordering an unread sentence would reverse "If I move, I need a visa"."""
    assert (render_fact(said), render_sentence(said)) == (as_fact, as_any_sentence)


def test_a_named_person_is_the_subject_by_name() -> None:
    assert render_fact("I live in Oslo", "Ada") == "Ada lives in Oslo"
    assert render_fact("My dog is old", "Ada") == "Ada's dog is old"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("我住在奥斯陆。", "用户住在奥斯陆"),
        ("我们有两个孩子", "用户有两个孩子"),
        ("本人是护士", "用户是护士"),
        ("这个项目我打算用数据库", "这个项目用户打算用数据库"),
        ("我和我老婆都不吃猪肉", "用户和自己老婆都不吃猪肉"),
        ("我觉得我太胖了", "用户觉得自己太胖了"),
        ("我妈觉得我太胖了", "用户妈觉得用户太胖了"),
        ("我老公对我们的猫过敏", "用户老公对用户他们的猫过敏"),
        ("我喜欢自我介绍", "用户喜欢自我介绍"),
        ("我妻子是日本人", "用户妻子是日本人"),
        ("我對花粉過敏😭", "用户對花粉過敏"),
    ],
)
def test_chinese_stays_chinese(said: str, expected: str) -> None:
    """D26."""
    assert render_fact_zh(said) == expected
