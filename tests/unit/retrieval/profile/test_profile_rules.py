"""The facts of a profile, their order, and how many fit (issue 36, point 8)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.budget import estimate_tokens
from graph.memories.changes.timeline import own_keys, slots_of
from graph.retrieval.profile.models import MentionedEntity, ProfileFact, Supersession
from graph.retrieval.profile.rules import profile_of
from graph.retrieval.profile.wording import profile_line

NEW_YEAR = datetime(2026, 1, 2, 9, tzinfo=UTC)
NUMBERS = count()
TEXTS = st.text("ab 我。:\n-#", min_size=1, max_size=60).filter(lambda text: text.strip() != "")


def fact(content: str, *, over: Sequence[str] = (), **fields) -> ProfileFact:
    """Return a fact with the slots that it states, some of which are closed."""
    values = {"speaker": None, "user_id": "ada", "agent_id": "", "timestamp": NEW_YEAR, "t_valid": None}
    values |= {"version": 1, "source_type": "api", "source_conversation_id": None, "source_message_id": None}
    made = ProfileFact(id=f"mem_{next(NUMBERS)}", content=content, **values | fields)
    closings = [Supersession(by="slot", key=key) for key in own_keys(made, over)]
    return made.model_copy(
        update={"slot_keys": tuple(slots_of(made)), "closings": (*made.closings, *closings)}
    )


def likes(content: str, **fields) -> ProfileFact:
    return fact(content, is_preference=True, **fields)


def mentions(name: str, content: str, *, type: str = "Person") -> ProfileFact:
    return fact(content, mentions=[MentionedEntity(id=f"ent_{name}", name=name, type=type)])


def lines(*facts: ProfileFact) -> list[str]:
    return profile_of("ada", facts, 8000).text.splitlines()[1:]


def test_slots_have_a_fixed_order() -> None:
    texts = (
        "我的电话是13800138000",
        "The user's wife is Ana",
        "The user works at Acme",
        "The user lives in Rome",
    )

    assert lines(*map(fact, texts)) == [
        "- Home: The user lives in Rome (2026-01-02)",
        "- Employer: The user works at Acme (2026-01-02)",
        "- Spouse: The user's wife is Ana (2026-01-02)",
        "- 电话：我的电话是13800138000 (2026-01-02)",
    ]


def test_preferences_come_by_standing_importance_and_date() -> None:
    older = datetime(2025, 1, 2, 9, tzinfo=UTC)

    assert lines(
        likes("The user likes tea", importance=0.9, timestamp=older),
        likes("The user likes jam", importance=0.9),
        likes("The user asked to use metric units", importance=0.1, is_standing=True),
        likes("The user likes figs", importance=0.4),
    ) == [
        "- Preference: The user asked to use metric units (2026-01-02)",
        "- Preference: The user likes jam (2026-01-02)",
        "- Preference: The user likes tea (2025-01-02)",
        "- Preference: The user likes figs (2026-01-02)",
    ]


@pytest.mark.parametrize(
    ("content", "name", "line"),
    [
        ("My colleague Tom likes chess", "Tom", "- Person Tom: My colleague Tom likes chess (2026-01-02)"),
        ("用户的同事王小明喜欢下棋", "王小明", "- 人物 王小明：用户的同事王小明喜欢下棋 (2026-01-02)"),
        ("I prefer calling Tom", "Tom", "- Preference: I prefer calling Tom (2026-01-02)"),
        ("Tom likes chess", "Tom", "- Preference: Tom likes chess (2026-01-02)"),
        ("我喜欢和王小明下棋", "王小明", "- 偏好：我喜欢和王小明下棋 (2026-01-02)"),
    ],
)
def test_what_a_relation_of_the_user_likes_is_no_preference_of_the_user(content, name, line) -> None:
    person = MentionedEntity(id="ent_1", name=name, type="Person")

    assert lines(likes(content, mentions=[person])) == [line]


def test_a_statement_about_somebody_else_or_of_an_end_fills_no_slot() -> None:
    assert lines(fact("The user's sister Ana lives in Oslo"), fact("The user no longer works at Acme")) == []


def test_a_partly_ended_fact_shows_its_current_words() -> None:
    assert lines(likes("I live in Munich and work at Acme", over=["home"])) == [
        "- Employer: work at Acme (2026-01-02)"
    ]


def test_a_superseded_fact_is_omitted() -> None:
    said, closed = Supersession(by=None, key=None), Supersession(by="slot", key="x")

    assert (
        lines(
            likes("The user likes tea", closings=(said,)),
            likes("I like jam", closings=(closed,), is_closed=True),
        )
        == []
    )
    assert lines(likes("I like figs", closings=(closed,), is_opened=True)) == [
        "- Preference: I like figs (2026-01-02)"
    ]


def test_a_date_appears_once() -> None:
    tea = likes("The user likes tea", t_valid=datetime(2025, 12, 1, tzinfo=UTC))

    assert lines(likes("The user gave up coffee last month"), tea) == [
        "- Preference: The user gave up coffee last month (2026-01-02)",
        "- Preference: The user likes tea (2025-12-01)",
    ]


def test_a_finished_project_is_omitted_unless_resumed() -> None:
    apollo = mentions("Apollo", "Apollo has a budget of 4000 euros", type="Project")
    over = fact("The user's current project is Apollo", has_ended=True)

    assert lines(apollo, over) == []
    assert lines(apollo, over, fact("The user's current project is Apollo")) == [
        "- Project: The user's current project is Apollo (2026-01-02)",
        "- Project Apollo: Apollo has a budget of 4000 euros (2026-01-02)",
    ]


def test_the_user_is_not_among_the_people_and_memories_appear_once() -> None:
    people = [MentionedEntity(id=f"ent_{name}", name=name, type="Person") for name in ("Tom Baker", "Mia")]
    chess = likes("The user likes chess with Tom Baker and Mia", mentions=people)
    tom = mentions("Tom Baker", "Tom Baker lives next door")

    assert lines(chess, mentions("Ada", "Ada is tall"), tom) == [
        "- Preference: The user likes chess with Tom Baker and Mia (2026-01-02)",
        "- Person Tom Baker: Tom Baker lives next door (2026-01-02)",
    ]


@pytest.mark.parametrize(
    ("budget", "text"),
    [
        (0, ""),
        (7, ""),
        (8, "User profile:\n(2 more left out)"),
        (22, "User profile:\n- Preference: The user likes tea (2026-01-02)\n(1 more left out)"),
    ],
)
def test_a_profile_is_cut_at_whole_facts(budget: int, text: str) -> None:
    facts = [likes("The user likes tea", importance=0.9), likes("The user likes " + "x" * 40)]

    found = profile_of("ada", facts, budget)

    assert (found.text, found.tokens) == (text, estimate_tokens(text))


@given(st.lists(TEXTS, max_size=12), st.integers(0, 120))
def test_the_text_has_whole_lines_within_the_budget(texts: list[str], budget: int) -> None:
    facts = [likes(text) for text in texts]

    whole, cut = profile_of("ada", facts, 8000), profile_of("ada", facts, budget)

    assert estimate_tokens(cut.text) <= budget
    assert [entry for entry in whole.entries if entry in cut.entries] == list(cut.entries)
    assert len(cut.entries) + cut.left_out == len(whole.entries)
    assert cut.text.splitlines()[1 : len(cut.entries) + 1] == [profile_line(entry) for entry in cut.entries]
    assert profile_of("ada", facts[::-1], budget).etag == cut.etag
