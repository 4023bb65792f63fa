"""Relative times in texts: replaced by dates, or shown with their day (D24, issue 36)."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.memories.changes.relative_times import is_relative, made_absolute, relative_times, with_day
from graph.memories.changes.time_spans import Granularity

WEDNESDAY = date(2026, 3, 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The user fell last night", "The user fell on 2026-03-03 at night"),
        ("The user ran this morning", "The user ran on 2026-03-04 in the morning"),
        ("The user is away until this afternoon", "The user is away until 2026-03-04 in the afternoon"),
        ("TONIGHT we leave", "On 2026-03-04 at night we leave"),
        ("I was in Oslo the day before yesterday.", "I was in Oslo on 2026-03-02."),
        (
            "I had surgery 3 days ago; tomorrow I go home.",
            "I had surgery on 2026-03-01; on 2026-03-05 I go home.",
        ),
        ("I'm flying out in 10 days.", "I'm flying out on 2026-03-14."),
        ("I moved here 2 years ago.", "I moved here in 2024."),
        ("一百天后放假，三年前我搬到这里", "一百天后放假，2023年我搬到这里"),
        ("十二年前我搬到这里", "2014年我搬到这里"),
        ("Friday last week I met Anna.", "On 2026-02-27 I met Anna."),
        ("This past Friday I resigned.", "On 2026-02-27 I resigned."),
        ("This coming Friday I start.", "On 2026-03-06 I start."),
        ("I broke my wrist on Sunday.", "I broke my wrist on 2026-03-01."),
        ("I'm flying to Tokyo on Friday.", "I'm flying to Tokyo on 2026-03-06."),
        ("I joined Acme two years ago today.", "I joined Acme on 2024-03-04."),
        ("We spent last week in Rome.", "We spent the week of 2026-02-23 in Rome."),
        ("Last week's outage cost us a day.", "The week of 2026-02-23's outage cost us a day."),
        ("Bruno was operated on a week ago.", "Bruno was operated on in the week of 2026-02-23."),
        ("I'm on leave the week after next.", "I'm on leave in the week of 2026-03-16."),
        ("She came over last weekend.", "She came over on the weekend of 2026-02-28."),
        ("My lease ends in three weeks.", "My lease ends in the week of 2026-03-23."),
        ("I moved to Berlin last month.", "I moved to Berlin in February 2026."),
        ("Next month is busy.", "April 2026 is busy."),
        ("Early last month we switched.", "Early in February 2026 we switched."),
        ("In two months, the warranty ends.", "In May 2026, the warranty ends."),
        ("He got engaged a year and a half ago.", "He got engaged in September 2024."),
        ("Half a year ago I took up chess.", "In September 2025 I took up chess."),
        ("The user married last May", "The user married in May 2025"),
        ("The user moves next January", "The user moves in January 2027"),
        ("We had our second child in May.", "We had our second child in May 2025."),
        ("This quarter we focus on latency.", "In Q1 2026 we focus on latency."),
        ("I graduated last summer.", "I graduated in summer 2025."),
        ("Since last year I live in Bonn.", "Since 2025 I live in Bonn."),
        ("I gave up smoking a decade ago.", "I gave up smoking in 2016."),
        ("I quit, and last month I moved.", "I quit, and in February 2026 I moved."),
        ("We moved in yesterday.", "We moved in on 2026-03-03."),
        ("18 months ago we moved here.", "In September 2024 we moved here."),
        ("The kitchen gets delivered in six weeks.", "The kitchen gets delivered in the week of 2026-04-13."),
        ("I last saw her last week.", "I last saw her in the week of 2026-02-23."),
        ("The exam's next month.", "The exam's in April 2026."),
        ("We got the keys the year before last.", "We got the keys in 2024."),
        ("She visited us two Sundays ago.", "She visited us on 2026-02-22."),
        ("I signed the lease on the 3rd of this month.", "I signed the lease on 2026-03-03."),
        ("The insurance starts on the first of next month.", "The insurance starts on 2026-04-01."),
        ("The first Monday of next month is a holiday.", "2026-04-06 is a holiday."),
        ("On the 2nd I had my wisdom teeth out.", "On 2026-03-02 I had my wisdom teeth out."),
        ("On the 20th I signed.", "On 2026-02-20 I signed."),
        ("My passport expires on the 15th.", "My passport expires on 2026-03-15."),
        ("I'm away from the 31st until the 2nd.", "I'm away from 2026-03-31 until 2026-04-02."),
        ("My contract ends on 30 September.", "My contract ends on 2026-09-30."),
        ("We're moving in on October 1st.", "We're moving in on 2026-10-01."),
        ("She is getting married on the 12th of December.", "She is getting married on 2026-12-12."),
        ("Our rent went up on September 1.", "Our rent went up on 2025-09-01."),
        ("The gym closed in late August.", "The gym closed in late August 2025."),
        ("The office opens mid-May.", "The office opens mid-May 2026."),
        ("The clocks changed at the end of October.", "The clocks changed at the end of October 2025."),
        ("The rent goes up from January.", "The rent goes up from January 2027."),
        ("I have worked from home since August.", "I have worked from home since August 2025."),
        ("My book comes out in November.", "My book comes out in November 2026."),
        ("They married in June last year.", "They married in June 2025."),
        ("By the end of the year I want to run 10k.", "By the end of 2026 I want to run 10k."),
        ("Later in the year we will move.", "Later in 2026 we will move."),
        ("I started at Siemens in the autumn.", "I started at Siemens in autumn 2025."),
        ("The pipes froze last winter.", "The pipes froze in winter 2025/26."),
        ("Next winter we leave.", "In winter 2026/27 we leave."),
        ("We hired two designers in Q4.", "We hired two designers in Q4 2025."),
        ("The review is in Q3.", "The review is in Q3 2026."),
        ("I have been vegetarian since Christmas.", "I have been vegetarian since Christmas 2025."),
        ("We'll hide eggs on Easter Sunday.", "We'll hide eggs on Easter Sunday 2026."),
        ("I bought it on Black Friday last year.", "I bought it on Black Friday 2025."),
        ("The party is on New Year's Eve.", "The party is on New Year's Eve 2026."),
        ("Payroll runs a week from Friday.", "Payroll runs on 2026-03-13."),
        ("The exam is a week from today.", "The exam is on 2026-03-11."),
        ("Our anniversary is Monday week.", "Our anniversary is on 2026-03-16."),
        ("I met him three days before yesterday.", "I met him on 2026-02-28."),
        ("I finished it the night before last.", "I finished it on 2026-03-02 at night."),
        ("She got engaged the Saturday before last.", "She got engaged on 2026-02-21."),
        ("Eighteen months ago I moved.", "In September 2024 I moved."),
        ("My boiler has been broken since Monday.", "My boiler has been broken since 2026-03-02."),
        ("I need to pay the deposit by Monday.", "I need to pay the deposit by 2026-03-09."),
        ("I swam every day last month.", "I swam every day in February 2026."),
        ("The contractors are done in a fortnight.", "The contractors are done in the week of 2026-03-16."),
        ("The office opens mid-March.", "The office opens mid-March 2026."),
        ("用户昨日去了医院", "用户2026-03-03去了医院"),
        ("用户昨夜没睡", "用户2026-03-03夜没睡"),
        ("用户今早跑步", "用户2026-03-04早跑步"),
        ("用户明早开会", "用户2026-03-05早开会"),
        ("用户明晚就走", "用户2026-03-05晚就走"),
        ("用户明天天亮出发", "用户2026-03-05天亮出发"),
        ("用户明天生日", "用户2026-03-05生日"),
        ("前天天气很好", "2026-03-02天气很好"),
        ("明儿我请假", "2026-03-05我请假"),
        ("我三天前从上海回来的", "我2026-03-01从上海回来的"),
        ("十天后飞巴黎", "2026-03-14飞巴黎"),
        ("我上周五摔断了手腕", "我2026-02-27摔断了手腕"),
        ("一年前的今天我们认识的", "2025-03-04我们认识的"),
        ("我們上個禮拜搬到台北", "我們2026-02-23那一周搬到台北"),
        ("下下周我去东京出差", "2026-03-16那一周我去东京出差"),
        ("六周前做的手术", "2026-01-19那一周做的手术"),
        ("上周末去爬山了", "2026-02-28那个周末去爬山了"),
        ("我下个月要搬到深圳", "我2026年4月要搬到深圳"),
        ("上个月15号开始上班", "2026-02-15开始上班"),
        ("下月一号涨房租", "2026-04-01涨房租"),
        ("上个月二十号签约", "2026-02-20签约"),
        ("去年这个时候我在南京", "2025年3月我在南京"),
        ("前年秋天我学了木工", "2024年秋天我学了木工"),
        ("今年夏天去冰岛", "2026年夏天去冰岛"),
        ("去年冬天很冷", "去年冬天很冷"),
        ("上周目通关了", "上周目通关了"),
        ("老系统上个月底下线了", "老系统2026年2月底下线了"),
        ("我三年半前来的北京", "我2022年9月来的北京"),
        ("他去年12月离职", "他2025年12月离职"),
        ("上季度超额完成", "2025年第四季度超额完成"),
        ("用户前年结婚", "用户2024年结婚"),
        ("用户后年毕业", "用户2028年毕业"),
        ("去年的今天我们还在上海", "2025-03-04我们还在上海"),
        ("下周三到周五出差", "2026-03-11到周五出差"),
        ("再过两周就毕业了", "2026-03-16那一周就毕业了"),
        ("下一个月要出国", "2026年4月要出国"),
        ("我十二年前结婚", "我2014年结婚"),
        ("护照15号到期", "护照2026-03-15到期"),
        ("我二号下午把合同寄了", "我2026-03-02下午把合同寄了"),
        ("妹妹12月12号要结婚", "妹妹2026-12-12要结婚"),
        ("七月初我纹了身", "2025年7月初我纹了身"),
        ("五月中旬新办公室启用", "2026年5月中旬新办公室启用"),
        ("房租从一月份开始涨", "房租从2027年1月份开始涨"),
        ("八月份我开始在家办公了", "2025年8月份我开始在家办公了"),
        ("年底之前我想跑完十公里", "2026年底之前我想跑完十公里"),
        ("月底我要搬家", "2026年3月底我要搬家"),
        ("元旦我要结婚了", "2027-01-01我要结婚了"),
        ("去年国庆我们结的婚", "2025-10-01我们结的婚"),
        ("We married on 14 February.", "We married on 2026-02-14."),
        ("我们三月二号领证了", "我们2026-03-02领证了"),
    ],
)
def test_a_relative_time_becomes_a_date_of_the_same_granularity(text: str, expected: str) -> None:
    assert made_absolute(text, WEDNESDAY).text == expected
    # A memory has a time, which is a date for Python, too.
    assert made_absolute(text, datetime(2026, 3, 4, 23, tzinfo=UTC)).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "My sister is visiting next Friday.",
        "Dinosaurs lived 10,000 years ago.",
        "I quit 1,500 days ago.",
        "We met 2 years and 3 months ago.",
        "We met 1 year 3 months ago.",
        "那是一百二十年前的事",
        "3.5年前我搬到这里",
        "一年两个月前我搬到这里",
        "两三年前我搬到这里",
        "三四天前我见过他",
        "I decided to go on Friday.",
        "We deploy on Friday.",
        "The exam is on Friday at 9",
        "The user married last January",
        "The user lived there last year and a half",
        "I quit smoking more than a year ago.",
        "They met a couple of weeks ago.",
        "I recently moved to Berlin.",
        "I saw him the other day.",
        "I have lived here for the last two years.",
        "In the past few weeks I slept badly.",
        "He proposed to me over the weekend.",
        "Back in March we hired Dana.",
        "The server crashed an hour ago.",
        "The board meets again at the end of the month.",
        "Rent is due on the 1st.",
        "The package should arrive in three or four days.",
        "圣诞节我们去岳父家",
        "I learned to sail two summers ago.",
        "I broke my arm in the fall.",
        "This winter was cold.",
        "春节前我在老家",
        "我周一要去医院",
        "我不到三年前开始学琴",
        "十多年前我在广州",
        "最近换了手机",
        "前几天跟老王吃饭",
        "我月底离职",
        "婚后年底搬家",
        "两小时前重启了服务器",
    ],
)
def test_a_time_in_doubt_stays_and_gets_the_day_behind_it(text: str) -> None:
    assert made_absolute(text, WEDNESDAY).text == text
    assert with_day(text, datetime(2026, 3, 4, 23, tzinfo=UTC)) == f"{text} (2026-03-04)"


@pytest.mark.parametrize(
    "text",
    [
        "a bar called Last Night", "The user works last night shift", "I watched Last Week Tonight",
        "I read USA Today every morning.", '"Tomorrow" is a novel.', "git log --since=yesterday shows it",
        "Call `today()` for it.", "The variable next_week holds it.", "What is your last name?",
        "Next time I'll bring cake.", "I like the house next door.", "Batteries last two days.",
        "Never put off until tomorrow what you can do.", "I go swimming every Friday.", "Always deploy by Friday.",
        "The last week of June is quiet.", "I learned Python in two months.", "We can build it in two weeks.",
        "There are seven days in a week.", "Two days before the wedding it rained.", "He was born in May 1990.",
        "My birthday is in May.", "The next day we left.", "The user's last night in Rome was cold",
        "The user's last year at school was fun", "Their last month there was long",
        "Her last year at school was fun.", "This may help the user",
        "The exam is on Friday, 6 March at 9.", "My office is closed on Mondays.", "I like tea these days.",
        "The user's flight is on 2026-03-05 at 9", "Moved in February 2026",
        "目前天气很冷", "用户聪明天真", "用户喜欢透明天窗", "之后天天练琴", "饭后天天散步", "用户声明年份有误",
        "如今天气变暖", "如今早已退休", "昆明天气好", "最后天黑了", "后天性疾病", "目前年薪三十万", "税前年薪三十万",
        "过去年轻的时候", "如今年轻人都忙", "90后年轻人", "退休后年年旅游", "有三年前端经验",
        "五年后端开发", "我每周五游泳", "我每个月都存钱", "这三个月很忙", "早上周围没人", "基本周围都是树",
        "本月饼很好吃", "最近的地铁站是人民广场", "离我家最近的超市", "他住院三天后出院了", "第三天后就好了",
        "今日头条是个应用",
        "12月前要交稿", "三月前交房", "我在玩明日方舟", "我看过《昨天》", "周一到周五上班", "上周期数据",
    ],
)  # fmt: skip
def test_words_that_only_look_like_a_relative_time_are_none(text: str) -> None:
    assert relative_times(text, WEDNESDAY) == []
    assert with_day(text, WEDNESDAY) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The flight is tomorrow", True),
        ("They moved last\nMay", True),
        ("下周五去上海", True),
        ("The flight is tomorrow (2026-03-04)", False),
        ("The wedding is in two months (said on 2026-03-04)", False),
        ("用户下个月搬家（2026-03-04说）", False),
        ("The user likes tea", False),
    ],
)
def test_a_text_with_its_day_behind_it_needs_no_other_one(text: str, *, expected: bool) -> None:
    assert is_relative(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "I moved last month, in February 2026",
        "Yesterday, on 3 March 2026, the server broke",
        "We met last year (2025)",
        "上个月，也就是2026年2月，我搬家",
        "我昨天（2026年3月3日）搬家",
    ],
)
def test_a_time_whose_date_the_text_names_gets_no_day(text) -> None:
    """Issue 36, point 2."""
    assert with_day(text, WEDNESDAY) == text


def test_a_time_beside_another_date_gets_the_day() -> None:
    """Issue 36, point 2."""
    for text in ("I moved last month, not in June 2025", "Yesterday we planned 2026-03-09"):
        assert with_day(text, WEDNESDAY) == f"{text} (2026-03-04)"


def test_a_time_followed_by_a_date_is_absolute() -> None:
    """The date may be the meaning of the time, or the day added for display."""
    for text in ("The exam is tomorrow (2026-03-05), at 9.", "I moved last month to Oslo (2026-03-05)."):
        assert made_absolute(text, WEDNESDAY).text == text
    assert made_absolute("It was last week (2026-03-05)\nIt is next week", WEDNESDAY).text == (
        "It was last week (2026-03-05)\nIt is in the week of 2026-03-09"
    )


@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_date_outside_the_calendar_is_not_written(day: date) -> None:
    for text in ("It was last month.", "It is next year.", "后年毕业", "It was last week and is next week."):
        assert isinstance(made_absolute(text, day).text, str)


_WORDS = st.sampled_from(
    "I moved last next this month week year today tomorrow yesterday in two three days ago on Friday May and , . "
    "the before after to 31st Q3 Christmas spring since going 月底 3号 九月 昨天 上周 下个月 三 天 前 后 年 我 了 去年 "
    "二月 2024 (2026-03-04)".split(" ")
)


@given(st.lists(_WORDS, max_size=14).map(" ".join), st.dates(date(1900, 1, 1), date(2100, 1, 1)))
def test_times_lie_in_their_order_in_the_text_and_dates_are_relative_no_more(text: str, day: date) -> None:
    times = relative_times(text, day)

    assert all(text[time.start : time.end].endswith(time.words) for time in times)
    assert all(one.end <= other.start for one, other in pairwise(times))
    for time in times:
        if time.span is not None:
            assert time.span.first <= time.span.last
            assert relative_times(time.text, day) == []


@pytest.mark.parametrize(
    ("year", "expected"),
    [(1961, "04-02"), (2000, "04-23"), (2024, "03-31"), (2026, "04-05"), (2038, "04-25")],
)
def test_easter_is_the_sunday_that_the_calendar_says(year: int, expected: str) -> None:
    (time,) = relative_times("We met at Easter this year.", date(year, 6, 1))

    assert time.span is not None
    assert str(time.span.first) == f"{year}-{expected}"


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.sampled_from("Christmas Easter Halloween".split()))
def test_a_holiday_of_the_past_lies_within_the_year_before_its_text(day: date, holiday: str) -> None:
    (last,) = relative_times(f"It has rained since {holiday}.", day)
    (coming,) = relative_times(f"I will be away at {holiday}.", day)

    assert last.span is not None
    assert coming.span is not None
    assert timedelta(0) <= day - last.span.first < timedelta(days=400)
    assert timedelta(0) <= coming.span.first - day < timedelta(days=400)


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)))
def test_every_unit_holds_the_day_it_is_counted_from(day: date) -> None:
    for unit, granularity in (
        ("week", Granularity.WEEK),
        ("month", Granularity.MONTH),
        ("year", Granularity.YEAR),
    ):
        last, this, following = (
            relative_times(f"It was {shift} {unit}", day)[0].span for shift in ("last", "this", "next")
        )
        assert last is not None
        assert this is not None
        assert following is not None
        assert this.granularity is granularity
        assert this.first <= day <= this.last
        assert last.last + timedelta(days=1) == this.first
        assert this.last + timedelta(days=1) == following.first


@pytest.mark.parametrize(
    ("text", "absolute"),
    [
        ("我一月开始学法语", "我2026年1月开始学法语"),
        ("我从一月起学法语", "我从2026年1月起学法语"),
        ("用户从二月开始学钢琴", "用户从2026年2月开始学钢琴"),
        ("我3月5号开始跑步", "我2026-03-05开始跑步"),
        ("我元旦开始学法语", "我2026-01-01开始学法语"),
        ("我一月开始学会计", "我2026年1月开始学会计"),
        ("我九月开始上班", "我2026年9月开始上班"),
        ("我打算一月开始学法语", "我打算2027年1月开始学法语"),
        ("我将在一月开始学法语", "我将在2027年1月开始学法语"),
        ("我会从一月开始学法语", "我会从2027年1月开始学法语"),
        ("我们计划三月搬家", "我们计划2027年3月搬家"),
        ("合同三月到期", "合同2027年3月到期"),
        ("课程一月开始", "课程2027年1月开始"),
        ("I started learning French in January", "I started learning French in January 2026"),
        ("I've been learning French since January", "I've been learning French since January 2026"),
        ("I will start learning French in January", "I will start learning French in January 2027"),
    ],
)
def test_a_month_without_a_year_is_past_unless_the_text_plans_it(text: str, absolute: str) -> None:
    """36.2: who begins something in January, told in June, began it in this year."""
    assert made_absolute(text, date(2026, 6, 5)).text == absolute
