"""Relative times of facts as dates, counted from the day of the statement (D15, D24)."""

from datetime import UTC, date, datetime

import pytest

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.extraction.found_facts import found_in
from graph.conversations.extraction.reading import facts_in_message
from graph.memories.changes.relative_times import words_of_times

WEDNESDAY = date(2026, 3, 4)


def told(text: str, day: date | None = WEDNESDAY) -> tuple[str, str]:
    (fact,) = facts_in_message(text, role=MessageRole.USER, speaker=None, day=day)
    return fact.content, fact.key


@pytest.mark.parametrize(
    ("text", "content", "key"),
    [
        ("My flight is tomorrow at 6:45.", "The user's flight is on 2026-03-05 at 6:45",
         "plan:flight_is_on_2026_03_05_at_6_45"),
        ("My birthday was yesterday.", "The user's birthday was on 2026-03-03", "personal:birthday_was_on_2026_03_03"),
        ("My exam is by tomorrow.", "The user's exam is by 2026-03-05", "plan:exam_is_by_2026_03_05"),
        ("My interview is the day after tomorrow.", "The user's interview is on 2026-03-06",
         "plan:interview_is_on_2026_03_06"),
        ("My interview is tomorrow morning.", "The user's interview is on 2026-03-05 in the morning",
         "plan:interview_is_on_2026_03_05_in_the_morning"),
        ("I'm flying to Tokyo next Monday.", "The user is flying to Tokyo on 2026-03-09",
         "plan:is_flying_to_tokyo_on_2026_03_09"),
        ("My exam is this Friday.", "The user's exam is on 2026-03-06", "plan:exam_is_on_2026_03_06"),
        ("My exam was last Friday.", "The user's exam was on 2026-02-27", "plan:exam_was_on_2026_02_27"),
        ("My interview was moved to next Monday.", "The user's interview was moved to 2026-03-09",
         "plan:interview_was_moved_to_2026_03_09"),
        ("I've decided to quit next month.", "The user has decided to quit in April 2026",
         "decision:quit_in_april_2026"),
        ("I got married last year.", "The user got married in 2025", "personal:got_married_in_2025"),
        ("My wedding is in two months.", "The user's wedding is in May 2026", "plan:wedding_is_in_may_2026"),
        ("My exam was last week.", "The user's exam was in the week of 2026-02-23",
         "plan:exam_was_in_the_week_of_2026_02_23"),
        ("我下个月要搬到深圳去了。", "用户2026年4月要搬到深圳去了", "plan:2026年4月要搬到深圳去了"),
        ("我明天要去北京出差。", "用户2026-03-05要去北京出差", "plan:2026_03_05要去北京出差"),
        ("我大后天搬家。", "用户2026-03-07搬家", "plan:2026_03_07搬家"),
        ("我下周五去上海出差。", "用户2026-03-13去上海出差", "plan:2026_03_13去上海出差"),
        ("我今年30岁。", "用户2026年30岁", "personal:2026年30岁"),
    ],
)  # fmt: skip
def test_a_relative_time_becomes_the_date_that_it_means(text: str, content: str, key: str) -> None:
    """D15, D24: also in the key, so that the same words on the next occasion are another fact."""
    assert told(text) == (content, key)


@pytest.mark.parametrize(
    ("text", "content", "key"),
    [
        # this week's or next week's: people differ
        ("I'm flying to Tokyo next Friday.", "The user is flying to Tokyo next Friday",
         "plan:is_flying_to_tokyo_next_friday_said_on_2026_03_04"),
        ("My flight leaves on Sunday at 7:40.", "The user's flight leaves on Sunday at 7:40",
         "plan:flight_leaves_on_sunday_at_7_40_said_on_2026_03_04"),
        ("我周一要去医院做手术。", "用户周一要去医院做手术", "plan:周一要去医院做手术_2026_03_04说"),
    ],
)  # fmt: skip
def test_a_time_in_doubt_stays_and_only_the_key_has_the_day_of_the_message(
    text: str, content: str, key: str
) -> None:
    """D15, D24, issue 36: results show the text with that day, which is never stored in it."""
    assert told(text) == (content, key)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I go swimming every Friday.", "The user goes swimming every Friday"),
        ("My company is called Tomorrow.", "The user's company is called Tomorrow"),
        ("My wife's favorite song is Yesterday.", "The user's wife's favorite song is Yesterday"),
        ("My exam is on Friday, 6 March at 9.", "The user's exam is on Friday, 6 March at 9"),
        ("My exam is on Friday 2026-03-06.", "The user's exam is on Friday 2026-03-06"),
        ("My office is closed on Mondays.", "The user's office is closed on Mondays"),
        ("我周一到周五上班。", "用户周一到周五上班"),
        ("I like tea these days.", "The user likes tea these days"),
        ("I've lived in Oslo for the last two years.", "The user has lived in Oslo for the last two years"),
        ("我每周五游泳。", "用户每周五游泳"),
        ("I was born in June.", "The user was born in June"),
    ],
)
def test_statements_without_a_day_stay_unchanged(text: str, content: str) -> None:
    """D24: habits, likes and spans of time."""
    assert told(text)[0] == content


def test_without_a_day_relative_times_stay() -> None:
    """D24."""
    assert told("My flight is tomorrow at 6:45.", None)[0] == "The user's flight is tomorrow at 6:45"


def test_the_first_and_the_last_day_of_the_calendar_are_valid() -> None:
    """D24: a date outside the calendar is not written."""
    assert told("My flight is tomorrow.", date.max)[0] == "The user's flight is tomorrow"
    assert told("My exam was last month.", date.min)[0] == "The user's exam was last month"


def test_relative_days_count_from_the_time_of_the_message() -> None:
    """D24, D27: if the message has no time, from its storing, as the language model's prompt has it."""
    stored = datetime(2026, 6, 1, tzinfo=UTC)
    fields = {"workspace_id": "w", "conversation_id": "c", "role": MessageRole.USER, "created_at": stored}
    text = "My flight is tomorrow."

    found = found_in(
        [
            Message(id="1", content=text, said_at=datetime(2026, 3, 4, tzinfo=UTC), **fields),
            Message(id="2", content=text, **fields),
        ],
        0.6,
    )

    assert [each.fact.content for each in found] == [
        "The user's flight is on 2026-03-05",
        "The user's flight is on 2026-06-02",
    ]


def test_a_day_is_local_to_the_speaker() -> None:
    """D24: 7:00 on the 5th in Shanghai is still the 4th in UTC; a language model gets the same day."""
    said_at = datetime(2026, 3, 4, 23, tzinfo=UTC)
    message = Message(
        id="1", workspace_id="w", conversation_id="c", role=MessageRole.USER, content="My flight is tomorrow.",
        said_at=said_at, utc_offset=480, created_at=said_at,
    )  # fmt: skip

    (found,) = found_in([message], 0.6)

    assert found.fact.content == "The user's flight is on 2026-03-06"


def test_a_fact_keeps_the_words_of_its_relative_times() -> None:
    """Issue 36: its text has the dates."""
    (fact,) = facts_in_message("I got married last year.", role=MessageRole.USER, speaker=None, day=WEDNESDAY)

    assert words_of_times(fact.times) == {
        "relativeTimes": [{"words": "last year", "from": "2025-01-01", "to": "2025-12-31"}]
    }
