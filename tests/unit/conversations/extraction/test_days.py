"""Relative times of facts as dates, counted from the day of saying (D15, D24)."""

from datetime import UTC, date, datetime

import pytest

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.extraction.days import dated, is_relative
from graph.conversations.extraction.reading import facts_in_message, found_in

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
        ("I've decided to quit next month.", "The user has decided to quit in 2026-04", "decision:quit_in_2026_04"),
        ("I got married last year.", "The user got married in 2025", "personal:got_married_in_2025"),
        ("我明天要去北京出差。", "用户2026-03-05要去北京出差", "plan:2026_03_05要去北京出差"),
        ("我大后天搬家。", "用户2026-03-07搬家", "plan:2026_03_07搬家"),
        ("我下周五去上海出差。", "用户2026-03-13去上海出差", "plan:2026_03_13去上海出差"),
        ("我今年30岁。", "用户2026年30岁", "personal:2026年30岁"),
    ],
)  # fmt: skip
def test_a_relative_time_becomes_the_date_that_it_means(text: str, content: str, key: str) -> None:
    """D15, D24: in the key as well, so that the next occasion in the same words is another fact."""
    assert told(text) == (content, key)


@pytest.mark.parametrize(
    ("text", "content", "key"),
    [
        # that of this week or the next one: people differ
        ("I'm flying to Tokyo next Friday.", "The user is flying to Tokyo next Friday (said on 2026-03-04)",
         "plan:is_flying_to_tokyo_next_friday_said_on_2026_03_04"),
        ("My wedding is in two months.", "The user's wedding is in two months (said on 2026-03-04)",
         "plan:wedding_is_in_two_months_said_on_2026_03_04"),
        ("My exam was last week.", "The user's exam was last week (said on 2026-03-04)",
         "plan:exam_was_last_week_said_on_2026_03_04"),
        ("My flight leaves on Sunday at 7:40.", "The user's flight leaves on Sunday at 7:40 (said on 2026-03-04)",
         "plan:flight_leaves_on_sunday_at_7_40_said_on_2026_03_04"),
        ("我周一要去医院做手术。", "用户周一要去医院做手术（2026-03-04说）", "plan:周一要去医院做手术_2026_03_04说"),
        ("我下个月要搬到深圳去了。", "用户下个月要搬到深圳去了（2026-03-04说）",
         "plan:下个月要搬到深圳去了_2026_03_04说"),
    ],
)  # fmt: skip
def test_a_time_of_no_certain_date_is_told_with_the_day_it_was_said_on(
    text: str, content: str, key: str
) -> None:
    """D15, D24."""
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
    ],
)
def test_what_is_of_no_day_stays_as_it_is_said(text: str, content: str) -> None:
    """D24: habits, likes and spans of time."""
    assert told(text)[0] == content


def test_where_nobody_knows_the_day_nothing_is_counted_from_it() -> None:
    """D24."""
    assert told("My flight is tomorrow at 6:45.", None)[0] == "The user's flight is tomorrow at 6:45"


def test_the_first_and_the_last_day_of_the_calendar_can_be_said() -> None:
    """D24: a date outside it is not written."""
    assert told("My flight is tomorrow.", date.max)[0] == "The user's flight is tomorrow"
    assert told("My exam was last month.", date.min)[0] == "The user's exam was last month"


def test_a_message_is_counted_from_the_moment_it_was_said_at() -> None:
    """D24, D27: where nobody told, from the one it was stored at, as a language model is told."""
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


def test_the_day_is_that_of_where_it_was_said() -> None:
    """D24: seven in the morning of the 5th in Shanghai is still the 4th in UTC; as a language model is told."""
    said_at = datetime(2026, 3, 4, 23, tzinfo=UTC)
    message = Message(
        id="1", workspace_id="w", conversation_id="c", role=MessageRole.USER, content="My flight is tomorrow.",
        said_at=said_at, utc_offset=480, created_at=said_at,
    )  # fmt: skip

    (found,) = found_in([message], 0.6)

    assert found.fact.content == "The user's flight is on 2026-03-06"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The user fell last night", "The user fell on 2026-03-03 at night"),
        ("The user ran this morning", "The user ran on 2026-03-04 in the morning"),
        ("The user is away until this afternoon", "The user is away until 2026-03-04 in the afternoon"),
        ("The user married last May", "The user married in 2025-05"),
        ("The user moves next January", "The user moves in 2027-01"),
        ("The user married last January", "The user married last January (said on 2026-03-04)"),
        ("The user lived there last year and a half",
         "The user lived there last year and a half (said on 2026-03-04)"),
        ("用户前年结婚", "用户2024年结婚"),
        ("用户后年毕业", "用户2028年毕业"),
        ("用户今早跑步", "用户2026-03-04早跑步"),
        ("用户明早开会", "用户2026-03-05早开会"),
        ("用户昨日去了医院", "用户2026-03-03去了医院"),
        ("用户昨夜没睡", "用户2026-03-03夜没睡"),
        ("用户明天生日", "用户2026-03-05生日"),
        ("前天天气很好", "2026-03-02天气很好"),
        ("用户明天天亮出发", "用户2026-03-05天亮出发"),
        ("用户明晚就走", "用户2026-03-05晚就走"),
    ],
)  # fmt: skip
def test_nights_mornings_months_and_years_are_counted_as_days_are(text: str, expected: str) -> None:
    """D24."""
    assert dated(text, WEDNESDAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "目前天气很冷", "用户聪明天真", "用户喜欢透明天窗", "之后天天练琴", "饭后天天散步", "用户声明年份有误",
        "如今天气变暖", "如今早已退休", "昆明天气好", "最后天黑了", "后天性疾病", "目前年薪三十万", "税前年薪三十万",
        "过去年轻的时候", "如今年轻人都忙", "90后年轻人", "退休后年年旅游", "婚后年底搬家",
        "a bar called Last Night", "The user works last night shift",
        "The user's last night in Rome was cold", "The user's last year at school was fun",
        "Their last month there was long", "This may help the user",
    ],
)  # fmt: skip
def test_letters_and_words_that_only_look_like_a_day_stay_as_they_are(text: str) -> None:
    """D24."""
    assert dated(text, WEDNESDAY) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The flight is tomorrow", True),
        ("TONIGHT we leave", True),
        ("The exam is on Friday at 9", True),
        ("They met two weeks ago", True),
        ("They moved last\nMay", True),
        ("下周五去上海", True),
        ("前年结婚", True),
        ("The flight is on 2026-03-05", False),
        ("The wedding is in two months (said on 2026-03-04)", False),
        ("用户下个月搬家（2026-03-04说）", False),
        ("This may help", False),
        ("The user likes tea", False),
    ],
)
def test_a_text_tells_whether_its_day_is_known_only_to_who_knows_when_it_was_said(
    text: str, *, expected: bool
) -> None:
    """D24."""
    assert is_relative(text) is expected
