"""Statements that end earlier ones: changes in any wording, and texts that only resemble a change."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.language import contains_cjk
from graph.memories.changes.holdings import HELD
from graph.memories.changes.slots import SELF, SlotStatement
from graph.memories.changes.statements import closes, slot_statements
from tests.fixtures.disagreements import DO_NOT_DISAGREE

OLDER_ON, NEWER_ON = date(2025, 6, 1), date(2026, 3, 5)


def pairs_of(name: str) -> list[tuple[str, str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [(older, newer) for older, _, newer in (line.partition(" | ") for line in lines)]


CHANGED, UNCHANGED = pairs_of("changed.txt"), pairs_of("unchanged.txt")
TEXTS = [text for pair in (*CHANGED, *UNCHANGED) for text in pair]


def is_closed(older: str, newer: str) -> bool:
    return any(
        closes(change, state, older_stated_on=OLDER_ON)
        for change in slot_statements(newer, stated_on=NEWER_ON)
        for state in slot_statements(older, stated_on=OLDER_ON)
    )


def only(text: str) -> SlotStatement:
    """Return the only statement that the frames read, ignoring HELD slots."""
    found = [
        each for each in slot_statements(text, stated_on=NEWER_ON) if each.words and each.slot not in HELD
    ]
    assert len({(each.slot, each.value, each.ended) for each in found}) == 1
    return found[0]


@pytest.mark.parametrize(("older", "newer"), CHANGED)
def test_a_change_ends_the_earlier_state(older: str, newer: str) -> None:
    """36: in any wording, in English and Chinese."""
    assert is_closed(older, newer)


@pytest.mark.parametrize(("older", "newer"), UNCHANGED)
def test_plans_trips_other_people_and_measurements_end_nothing(older: str, newer: str) -> None:
    """36: nor do unrealised changes, earlier states and states that are true at the same time."""
    assert not is_closed(older, newer)


@pytest.mark.parametrize(("one", "other"), DO_NOT_DISAGREE)
def test_statements_without_a_contradiction_end_none_of_each_other(one: str, other: str) -> None:
    assert not is_closed(one, other)
    assert not is_closed(other, one)


@pytest.mark.parametrize(
    ("text", "slot", "subject", "value", "is_change"),
    [
        ("I live in Munich", "home", SELF, "munich", False),
        ("The user moved to Berlin in February 2026", "home", SELF, "berlin", True),
        ("My dad lives in Turin", "home", "father", "turin", False),
        ("用户搬到上海了", "home", SELF, "上海", True),
        ("上个月搬到了成都", "home", SELF, "成都", True),
        ("搬到武汉前我住在上海", "home", SELF, "上海", False),
        ("用户搬到武汉前住在上海", "home", SELF, "上海", False),
        ("我和小王五月结婚了", "spouse", SELF, "小王", True),
        ("自从搬到武汉后我很少回家", "home", SELF, "武汉", True),
        ("我弟搬到合肥去了", "home", "弟", "合肥", True),
        ("I joined Siemens", "employer", SELF, "siemens", True),
        ("checkout-api was bumped to Python 3.12", "version", "checkout api", "3.12", True),
        ("Redis is reachable on 6379", "port", "redis", "6379", False),
        ("Orion took over Payments", "owner", "payments", "orion", True),
        ("日志平台由方圆接管", "owner", "日志", "方圆", True),
        ("My manager is Ana Lopez", "manager", SELF, "ana lopez", False),
        ("Ben took over as my boss", "manager", SELF, "ben", True),
        ("我的领导换成了李娜", "manager", SELF, "李娜", True),
        ("My new number is +49 151 5550987", "phone", SELF, "491515550987", True),
        ("我的邮箱换成 liu@b.example 了", "e-mail", SELF, "liu@b.example", True),
    ],
)
def test_a_statement_has_slot_subject_and_value(
    text: str, slot: str, subject: str, value: str, is_change: bool
) -> None:
    found = only(text)
    assert (found.slot, found.subject, found.value, found.is_change) == (slot, subject, value, is_change)


def test_the_words_are_those_of_the_text() -> None:
    assert only("We have good news: I moved to Berlin last month.").words == "moved to Berlin"


def test_an_end_names_what_ended_and_closes_nothing_else() -> None:
    """36: after leaving Bosch, a person may work at Siemens."""
    left = only("I left Bosch")
    assert (left.value, left.ended) == (None, "bosch")
    assert is_closed("I work at Bosch", "I left Bosch")
    assert not is_closed("I work at Siemens", "I left Bosch")


def test_a_change_before_the_older_statement_ends_it_not() -> None:
    """36: a late report of the past closes nothing."""
    change = only("I moved to Naples in 2012")
    state = only("I live in Milan")
    assert change.until == date(2012, 12, 31)
    assert not closes(change, state, older_stated_on=date(2025, 6, 2))
    assert closes(change, state, older_stated_on=date(2011, 6, 2))


def test_a_date_counts_from_the_day_of_the_statement() -> None:
    assert only("I moved to Berlin last year").until == date(2025, 12, 31)
    assert only("我去年搬到了上海").until == date(2025, 12, 31)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Berlin", "I moved to Kreuzberg"),
        ("I live in Berlin", "I live in Germany"),
        ("I live in Berlin", "The user moved to Berlin"),
        ("我住在北京", "我住在海淀区"),
        ("我住在北京", "用户搬到北京了"),
    ],
)
def test_the_same_place_or_a_part_of_it_is_no_other_home(older: str, newer: str) -> None:
    assert not is_closed(older, newer)


def test_statements_of_one_clause_have_one_part() -> None:
    """36: a nurse at a hospital is no longer one after leaving it."""
    nurse = [each for each in slot_statements("My wife Ana is a nurse at Nestlé") if each.words]
    assert {(each.slot, each.subject) for each in nurse} == {
        ("spouse", SELF),
        ("employer", "ana"),
        ("employer", "wife"),
        ("role", "ana"),
        ("role", "wife"),
    }
    assert {each.part for each in nurse} == {0}


def test_what_may_hold_beside_others_ends_none() -> None:
    assert not is_closed("I'm a developer", "I'm a guitarist")
    assert is_closed("I'm a developer", "I became a manager")


@pytest.mark.parametrize(
    "text",
    [
        "The user moved to Berlin in the week of 2026-02-16",
        "The user moved to Berlin in winter 2025/26",
        "I moved to Berlin on 16.02.2026",
        "用户2026-02-16那一周搬到了成都",
    ],
)
def test_a_date_is_no_phone_number(text: str) -> None:
    assert {each.slot for each in slot_statements(text) if each.value} == {"home"}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I live in Boston but I'm in New York this week for work", "home", "boston"),
        ("I'm in Paris right now for a conference", "home", None),
        ("User is in Tokyo for two weeks", "home", None),
        ("I'm in Paris", "home", "paris"),
        ("I am back in London after the trip", "home", "london"),
        ("User works from home in Ohio", "home", "ohio"),
        ("User landed a new role at Meta", "employer", "meta"),
        ("User used to live in Paris but now lives in Rome", "home", "rome"),
        ("User grew up in Paris and lives in Rome", "home", "rome"),
        ("User formerly worked at Microsoft and now works at Oracle", "employer", "oracle"),
        ("I was born in Paris and now live in Rome", "home", "rome"),
        ("User plans to quit and live in Rome", "home", None),
        ("User is a dog owner", "role", None),
        ("User is a great cook", "role", None),
        ("User is a designated driver", "role", None),
        ("User is the son of a teacher", "role", None),
        ("User is a former teacher", "role", None),
        ("User is a cook", "role", "cook"),
        ("User is a bus driver", "role", "bus driver"),
        ("User is a night nurse", "role", "night nurse"),
    ],
)
def test_a_visit_is_no_home_and_a_trait_no_job(text: str, slot: str, value: str | None) -> None:
    """36: what is true for a week or of a person's nature answers no question for home or work."""
    found = {each.slot: each.value for each in slot_statements(text) if each.subject == SELF}
    assert found.get(slot) == value


def test_a_document_states_nothing() -> None:
    assert slot_statements("I live in Munich. " * 30) == ()


@given(st.text(max_size=500))
def test_any_text_is_read(text: str) -> None:
    assert all(each.subject and each.value != "" for each in slot_statements(text))


@given(st.sampled_from(TEXTS), st.text(max_size=30), st.sampled_from(TEXTS))
def test_no_statement_supersedes_itself(text: str, junk: str, other: str) -> None:
    for each in slot_statements(f"{text} {junk} {other}", stated_on=NEWER_ON):
        assert each.value is None or not closes(each, each, older_stated_on=OLDER_ON)


@given(st.sampled_from([text for text in TEXTS if not contains_cjk(text)]))
def test_a_question_states_nothing(text: str) -> None:
    assert slot_statements(f"{text.rstrip('.!?')}?".replace(". ", ", ").replace("! ", ", ")) == ()


@given(st.sampled_from(CHANGED), st.sampled_from(CHANGED))
def test_only_statements_of_one_slot_and_subject_end_each_other(
    pair: tuple[str, str], others: tuple[str, str]
) -> None:
    for newer in slot_statements(pair[1]):
        for older in slot_statements(others[0]):
            if closes(newer, older):
                assert (newer.slot, newer.subject) == (older.slot, older.subject)


@pytest.mark.parametrize("text", ["I moved to Berlin last year", "去年我搬到了柏林"])
def test_a_statement_of_the_first_year_is_read(text: str) -> None:
    """Other languages write it as their zero time; no year precedes it."""
    assert [each.slot for each in slot_statements(text, stated_on=date(1, 1, 1)) if each.words] == ["home"]


def test_lines_of_the_author_by_name_are_about_the_author() -> None:
    """36: a line under the name of the memory's speaker is not another person's."""
    line = "Ben: I moved to Berlin"
    assert {each.subject for each in slot_statements(line)} == {"ben"}
    assert SELF in {each.subject for each in slot_statements(line, own_names=("Ben",))}


def test_a_text_that_is_one_quotation_is_read() -> None:
    assert is_closed("I live in Munich.", '"I moved to Berlin."')


@pytest.mark.parametrize(
    ("text", "employer", "role"),
    [
        ("I work at Bosch as a test engineer", "bosch", "test engineer"),
        ("I work as a test engineer at Bosch", "bosch", "test engineer"),
        ("The user works at Bosch as a test engineer.", "bosch", "test engineer"),
        ("I am a test engineer at Bosch", "bosch", "test engineer"),
        ("I work at Lufthansa as a pilot", "lufthansa", "pilot"),
        ("I work at Siemens as an application engineer", "siemens", "application engineer"),
        ("I'm employed at Baker as a trial lawyer", "baker", "trial lawyer"),
        ("I work at Hilton as a guest relations manager", "hilton", "guest relations manager"),
        ("I work at Contiki as a tour guide", "contiki", "tour guide"),
        ("I work at a hospital as a night nurse", "hospital", "night nurse"),
        ("I joined Bosch as a QA lead", "bosch", "qa lead"),
        ("I have a job at Bosch as a tester", "bosch", "tester"),
        ("我在博世当测试工程师", "博世", "测试工程师"),
        ("我在博世工作，是一名测试工程师", "博世", "测试工程师"),
        ("我在博世担任测试工程师", "博世", "测试工程师"),
        ("用户在华为当客服主管", "华为", "客服主管"),
    ],
)
def test_a_role_at_an_employer_states_both(text: str, employer: str, role: str) -> None:
    """36: words of a title, such as "test" or "pilot", are no trial, stay or plan."""
    found = {each.slot: each.value for each in slot_statements(text) if each.subject == SELF and each.value}
    assert (found.get("employer"), found.get("role")) == (employer, role)


@pytest.mark.parametrize(
    ("text", "slot", "subjects"),
    [
        ("The user's grandparents live in Adelaide.", "home", {"grandparents"}),
        ("The user's older brother lives in Aarhus.", "home", {"older brother"}),
        ("User's brother lives in Aarhus", "home", {"brother"}),
        ("The user's mother is in Oslo", "home", {"mother"}),
        ("The user's living in Oslo", "home", {SELF}),
        ("The user's now in Oslo", "home", {SELF}),
        ("The user's home is in Oslo", "home", {SELF}),
        ("User lives in Oslo", "home", {SELF}),
        ("User's cell is 828-555-0139.", "phone", {SELF}),
        ("User works for Maersk.", "employer", {SELF}),
        ("User knows someone who works at Google", "employer", set()),
        ("The user no longer lives in Oslo", "home", set()),
        ("User changed his phone number to 828-555-0139.", "phone", {SELF}),
        ("User said his email is a@b.example", "e-mail", {SELF}),
        ("User gave her number as 828-555-0139", "phone", {SELF}),
        ("Tom changed his phone number to 828-555-0139", "phone", {"tom"}),
        ("User's wife's phone number is 828-555-0139", "phone", {"wife"}),
        ("User's brother uses b@y.example", "e-mail", {"brother"}),
        ("User uses b@y.example", "e-mail", {SELF}),
        ("Anna is a nurse. She lives in Vienna.", "home", {"anna"}),
        ("My wife is Anna. She works at Bosch.", "employer", {"wife"}),
        ("A user moved to Oslo", "home", {"user"}),
        ("Tom's sister lives in Oslo", "home", {"tom sister"}),
        ("Tom's living in Oslo", "home", {"tom"}),
        ("用户的父母现居烟台", "home", {"爸妈"}),
        ("用户现居大连", "home", {SELF}),
        ("我的男朋友是健身教练", "spouse", set()),
        ("用户的老公是高磊", "spouse", {SELF}),
        ("用户与高磊去年八月举行了婚礼", "spouse", {SELF}),
    ],
)
def test_a_possessive_names_the_owner_and_not_the_subject(text: str, slot: str, subjects: set[str]) -> None:
    """36: people close to the user have states of their own."""
    assert {each.subject for each in slot_statements(text) if each.slot == slot and each.value} == subjects
