"""Questions for a state in a period of the past."""

from datetime import UTC, date, datetime

import pytest

from graph.retrieval.answering.models import SupportingFact
from graph.retrieval.answering.periods import asked_period, with_states_of
from graph.retrieval.answering.support import limited_to_time, readings, support_of
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.fixtures.support import fact

TODAY = date(2026, 11, 30)


def state(text: str, begins: str, ends: str | None = None, replaced_by: str = "") -> SupportingFact:
    """Return a statement made on a day; another one replaced it if ``replaced_by`` has its text."""
    days = [datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None for day in (begins, ends)]
    return fact(text).model_copy(
        update={
            "effective_at": days[0],
            "t_invalid": days[1],
            "validity": f"held from {begins} until {ends}" if ends else None,
            "replaced_by": (f"mem_{replaced_by}",) if replaced_by else (),
        }
    )


MOVED = "I moved to Berlin last month"
HOMES = (
    state("I live in Munich", "2025-01-10", "2026-03-05", MOVED),
    state(MOVED, "2026-03-05"),
    state("I lived in Porto in 2020", "2025-01-10", "2026-01-11"),
    state("I work for Siemens", "2024-05-01", "2025-02-01", "I joined Bosch"),
    state("I joined Bosch", "2025-02-01"),
    state("我住在杭州", "2025-01-10", "2026-03-05", "我搬到了成都"),
    state("我搬到了成都", "2026-03-05"),
    state("My sister lives in Rome", "2025-01-10"),
    state("I like tea", "2025-01-10"),
)


def answers(question: str, facts=HOMES) -> list[str]:
    """Return the texts that support an answer by words alone, best first."""
    period = asked_period(question, TODAY)
    assert period is not None
    read = readings(facts)
    support = limited_to_time(support_of(ParsedQuery(question), read, None), past=True)
    of_states = support_of(ParsedQuery(period.question), read, None)
    return [each.fact.text for each in with_states_of(support, of_states, period).supporting]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Where did I live in 2025?", ["I live in Munich"]),
        ("In May 2025, where did I live?", ["I live in Munich"]),
        ("Where was I living on 5 June 2025?", ["I live in Munich"]),
        ("Where did I live last year?", ["I live in Munich"]),
        ("Where did I live in the summer of 2026?", [MOVED]),
        ("Where did I live in 2026?", ["I live in Munich", MOVED]),
        ("Where did I live in 2020?", ["I lived in Porto in 2020"]),
        ("Did I live in Munich in 2025?", ["I live in Munich"]),
        ("Where did my sister live in 2026?", ["My sister lives in Rome"]),
        ("Who did I work for in 2024?", ["I work for Siemens"]),
        ("Who did I work for in December 2025?", ["I joined Bosch"]),
        ("我2025年住在哪里？", ["I live in Munich", "我住在杭州"]),
        ("2025年夏天我住在哪里？", ["I live in Munich", "我住在杭州"]),
        ("去年我住在哪里？", ["I live in Munich", "我住在杭州"]),
        ("2025年下半年我住在哪里？", ["I live in Munich", "我住在杭州"]),
        ("Where did I live last winter?", ["I live in Munich"]),
        ("我2026年10月住在哪里？", [MOVED, "我搬到了成都"]),
    ],
)
def test_the_state_of_a_period_answers(question, texts) -> None:
    """Issue 36, point 1."""
    assert answers(question) == texts


@pytest.mark.parametrize(
    "question",
    [
        "Where did I live in 2019?",
        "Where did I live in December 2024?",
        "Where did I study in 2025?",
        "Where did my brother live in 2025?",
        "Who did I work for in 2023?",
        "What did I do in 2025?",
        "What did I like in 2025?",
        "我2019年住在哪里？",
        "我2025年在哪里上学？",
    ],
)
def test_a_period_of_which_nothing_is_known_has_no_answer(question) -> None:
    """A5; issue 36, point 1: not even from what is no state, such as a taste."""
    assert answers(question) == []


@pytest.mark.parametrize(
    "question",
    [
        "2020年以前我住在哪里？",
        "2020年之后我住在哪里？",
        "2020年3月前我住在哪里？",
        "我从2020年起住在哪里？",
        "2018年到2020年我住在哪里？",
        "2020年代我住在哪里？",
        "我2020年款的车是什么？",
        "Who lives in 2001 Main Street?",
    ],
)
def test_time_before_or_since_a_year_is_no_period_of_it(question) -> None:
    """Issue 36, point 1."""
    assert asked_period(question, TODAY) is None


@pytest.mark.parametrize(
    ("question", "first", "last", "rest"),
    [
        ("Where did I live at the end of 2025?", "2025-01-01", "2025-12-31", "Where did I live?"),
        ("Where did I live on May 5, 2025?", "2025-05-05", "2025-05-05", "Where did I live?"),
        ("Where did I live back in 2025-05?", "2025-05-01", "2025-05-31", "Where did I live?"),
        ("Where did I live two years ago?", "2024-01-01", "2024-12-31", "Where did I live?"),
        ("我2024年底的时候住在哪里？", "2024-01-01", "2024-12-31", "我住在哪里？"),
        ("上个月我住在哪里？", "2026-10-01", "2026-10-31", "我住在哪里？"),
    ],
)
def test_a_period_is_read_apart_from_its_question(question, first, last, rest) -> None:
    """Issue 36, point 1."""
    period = asked_period(question, TODAY)

    assert period is not None
    assert (str(period.span.first), str(period.span.last), period.question) == (first, last, rest)


@pytest.mark.parametrize(
    "question",
    [
        "Who won the 2025 regatta?",
        "What did version 2025 cost?",
        "Where did I live in 2099?",
        "What happened on 31 April 2025?",
        "Where did I live before?",
        "我2099年住在哪里？",
    ],
)
def test_other_numbers_and_the_future_are_no_period(question) -> None:
    """Issue 36, point 1."""
    assert asked_period(question, TODAY) is None
