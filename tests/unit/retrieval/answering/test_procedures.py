"""Sections of runbooks, and questions for a procedure that their headings fit."""

import pytest

from graph.retrieval.answering.coverage import required
from graph.retrieval.answering.expecting import asks_for_procedure
from graph.retrieval.answering.procedures import TextSection, heading_fit, sections_of
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.fixtures.support import fact, supporting

RUNBOOK = """# Runbook: parcel-api

## Roll back

Follow these steps:

1. Open the deploy page.
   Sign in first.
2. Choose the release. Press Revert.

   ```
   # a comment
   ship back
   ```
3. Watch the errors.

## Restart

Run `ship restart`. Wait.
"""


def fits(heading: str, question: str, title: str = "") -> bool:
    section = TextSection((heading,), ("1. Wait.",))
    return heading_fit(required(ParsedQuery(question)), section, title) > 0


def test_a_section_has_its_steps_and_their_further_lines() -> None:
    """Issue 36, point 3: neither code nor a line that introduces a list is a heading."""
    roll_back, restart = sections_of(RUNBOOK)

    assert roll_back.headings == ("Runbook: parcel-api", "Roll back")
    assert roll_back.units == (
        "Follow these steps:",
        "1. Open the deploy page. Sign in first.",
        "2. Choose the release. Press Revert. ``` # a comment ship back ```",
        "3. Watch the errors.",
    )
    assert (roll_back.is_list, roll_back.is_whole) == (True, True)
    assert restart.text == "Runbook: parcel-api › Restart: Run `ship restart`. Wait."


def test_short_lines_before_a_first_step_are_headings() -> None:
    """Issue 36, point 3: a text without marks, and steps in one line."""
    text = "换货\n\n1. 联系仓库。2. 寄出商品。\n\n退款：\n1、打开订单。\n2、点击退款。"

    assert [(each.headings, each.units) for each in sections_of(text)] == [
        (("换货",), ("1. 联系仓库。", "2. 寄出商品。")),
        (("退款",), ("1、打开订单。", "2、点击退款。")),
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("2. Choose.\n3. Watch.", ()),
        ("1. Open.\n3. Watch.", ()),
        ("Tell #ops.\n2. Watch.", ("Tell #ops.",)),
    ],
)
def test_a_list_with_a_missing_number_is_not_whole(text, left) -> None:
    """Issue 36, point 3: such as the steps of an excerpt."""
    (section,) = sections_of(text)

    assert not section.is_whole
    assert section.unnumbered.units == left


def test_a_long_section_is_cut_behind_a_whole_step() -> None:
    """Issue 36, point 3: the first steps stay, and an ellipsis marks the cut."""
    steps = tuple(f"{number}. {'Wait. ' * 40}End." for number in range(1, 21))
    text = TextSection(("Deploy",), steps).text

    assert len(text) <= 2002
    assert text.startswith("Deploy: 1. Wait. ")
    assert text.endswith("End. …")
    assert text.removeprefix("Deploy: ").removesuffix(" …") in " ".join(steps)


@pytest.mark.parametrize(
    ("heading", "question", "title"),
    [
        ("Roll back", "How do I roll back parcel-api?", "Runbook: parcel-api"),
        ("Rolling back", "What are the steps to roll back parcel-api?", "parcel-api"),
        ("Rotate the API key", "How do I rotate the parcel-api key?", "Runbook: parcel-api"),
        ("API key rotation", "What is the procedure for rotating the API key?", ""),
        ("Fail over the database", "How do we fail over the database?", ""),
        ("Clear the Redis cache in production", "How should I clear the cache?", ""),
        ("Getting a laptop", "How do I get a laptop?", "Office handbook"),
        ("How to book a desk", "What do I have to do to book a desk?", ""),
        ("退款流程", "怎么退款？", "客服手册"),
        ("重启", "如何重启支付服务？", "支付服务手册"),
        ("申请退款", "退款怎么申请？", ""),
    ],
)
def test_a_heading_fits_a_question_with_its_verb_and_object(heading, question, title) -> None:
    """Issue 36, point 3: by stem, in any order; the title may name the thing."""
    assert asks_for_procedure(question)
    assert fits(heading, question, title)


@pytest.mark.parametrize(
    ("heading", "question", "title"),
    [
        ("Rotate the API key", "How do I delete parcel-api?", "Runbook: parcel-api"),
        ("Roll back", "How do I roll back invoice-api?", "Runbook: parcel-api"),
        ("Notes", "How do I roll back parcel-api?", "Rolling back parcel-api"),
        ("Delete the old parcel-api backups", "How do I delete parcel-api?", ""),
        ("Clear the cache", "How do I clear the browser history?", ""),
        ("Getting a laptop", "How do I return a laptop?", ""),
        ("退款失败", "怎么退款？", ""),
        ("监控支付服务", "怎么部署支付服务？", ""),
        ("支付服务监控", "怎么部署支付服务？", "部署手册"),
    ],
)
def test_a_heading_of_another_procedure_does_not_fit(heading, question, title) -> None:
    """Issue 36, point 3."""
    assert not fits(heading, question, title)


async def test_a_step_answers_with_its_whole_section(minilm) -> None:
    """Issue 36, point 3: if it has the verb and the object; its heading lends it no words."""
    section = TextSection(
        ("Rotate the key",), ("1. Create a key.", "2. Delete the old key.", "3. Tell #ops.")
    )
    steps = fact(section.text).model_copy(
        update={"steps": section.units, "title": "Runbook: parcel-api\nRotate the key"}
    )

    assert await supporting(minilm, "How do I delete the old key?", [steps]) == [section.text]
    assert await supporting(minilm, "How do I delete parcel-api?", [steps]) == []


@pytest.mark.parametrize(
    "question",
    [
        "Which command restarts it?",
        "How many steps are there?",
        "How is Ada?",
        "How did Ada learn it?",
        "你怎么样？",
    ],
)
def test_other_questions_ask_for_no_procedure(question) -> None:
    """Issue 36, point 3."""
    assert not asks_for_procedure(question)
