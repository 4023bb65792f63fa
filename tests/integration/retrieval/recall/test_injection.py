"""Memories injected into a turn: pinned, current and not superseded."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from graph.core.scope import ReadScope, seeing
from graph.retrieval.recall.models import RecallQuery

NOTES = (
    "The user is allergic to peanuts",
    "The user prefers tabs over spaces in Python",
    "The user lives in Lisbon with a cat named Miro",
    "The user's sister Clara studies marine biology",
)


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_pinned_memories_are_injected_for_any_query(
    injection, remember, workspace_id, other_workspace_id
):
    """C12, C15: first, once, and from this workspace only; a budget of 0 gives none."""
    await remember(NOTES)
    await remember(["The user asked to use metric units"], tags=("pinned",))

    weather = await injection().for_turn(workspace_id, "What is the weather like today?")
    asked = await injection().for_turn(workspace_id, "Which units does the user use, metric units or others?")
    allergy = await injection().for_turn(workspace_id, "Am I allergic to peanuts?")
    nothing = await injection().for_turn(workspace_id, "Am I allergic to peanuts?", max_tokens=0)
    elsewhere = await injection().for_turn(other_workspace_id, "What is the weather like today?")

    assert contents(weather) == ["The user asked to use metric units"]
    assert contents(asked).count("The user asked to use metric units") == 1
    assert contents(allergy)[:2] == ["The user asked to use metric units", NOTES[0]]
    assert contents(nothing) == []
    assert contents(elsewhere) == []


async def test_pinned_memories_count_towards_the_limit_and_belong_to_their_user(
    injection, remember, services, workspace_id
):
    """C12, C15: the three most important, within the workspace's maximum, for no other user."""
    await remember(NOTES)
    await remember([f"Rule {number}" for number in range(4)], tags=("pinned",), user_id="alice")
    await services.tenancy.workspaces.update(workspace_id, settings={"injectionMaxMemories": 2})

    with seeing(ReadScope(user_id="alice")):
        two = await injection().for_turn(workspace_id, "Am I allergic to peanuts?")
    await services.tenancy.workspaces.update(workspace_id, settings={"injectionMaxMemories": None})
    with seeing(ReadScope(user_id="alice")):
        own = await injection().for_turn(workspace_id, "Am I allergic to peanuts?")
    with seeing(ReadScope(user_id="bob")):
        others = await injection().for_turn(workspace_id, "Am I allergic to peanuts?")

    assert [content[:4] for content in contents(two)[:1]] == ["Rule"]
    assert contents(two)[1:] == [NOTES[0]]
    assert [content[:4] for content in contents(own)[:3]] == ["Rule"] * 3
    assert NOTES[0] in contents(own)
    assert contents(others) == [NOTES[0]]


@pytest.mark.parametrize("strategy", ["hybrid", "semantic", "recent"])
@pytest.mark.parametrize("question", ["Where does Ada work?", "What do you know about me?"])
async def test_memories_not_valid_now_are_not_injected(
    recall, injection, remember, services, workspace_id, strategy, question
):
    """C11, C12: a model would take ended or future facts for current ones; current facts get their room."""
    now = datetime.now(UTC)
    await services.tenancy.workspaces.update(workspace_id, settings={"strategy": strategy})
    await remember(["Ada works at Initech"], t_valid=now - timedelta(days=9))
    ended = [f"Ada works at Acme, branch {number}" for number in range(24)]
    await remember(ended, t_valid=now - timedelta(days=900), t_invalid=now - timedelta(days=9))
    await remember(["Ada works at Globex"], t_valid=now + timedelta(days=9))

    given = await injection().for_turn(workspace_id, question)
    explicit = await recall().recall(workspace_id, RecallQuery(query="Where does Ada work?", limit=30))

    assert contents(given) == ["Ada works at Initech"]
    assert len(explicit.hits) == 26


async def test_ended_memories_do_not_crowd_out_current_ones(injection, remember, workspace_id):
    """C11, C12: there are more of them than candidates, and they match better in words and meaning."""
    past = datetime.now(UTC) - timedelta(days=9)
    await remember([f"Ada works at Acme, branch {number}" for number in range(250)], t_invalid=past)
    await remember(["These days Ada is to be found in Initech's kitchen, where she works as a cook"])

    given = await injection().for_turn(workspace_id, "Where does Ada work?")

    assert contents(given) == [
        "These days Ada is to be found in Initech's kitchen, where she works as a cook"
    ]


async def test_an_ended_pinned_memory_is_not_injected(injection, remember, workspace_id):
    """C11, C12: and does not displace a current pinned memory."""
    past = datetime.now(UTC) - timedelta(days=9)
    await remember(
        [f"Old rule {number}" for number in range(3)], tags=("pinned",), t_invalid=past, importance=0.9
    )
    await remember(["The user asked to use metric units"], tags=("pinned",), importance=0.1)

    given = await injection().for_turn(workspace_id, "What is the weather like today?")

    assert contents(given) == ["The user asked to use metric units"]


@pytest.mark.parametrize("question", ["Where does Ada work?", "What do you know about me?"])
@pytest.mark.parametrize("tags", [(), ("pinned",)])
async def test_a_superseded_memory_is_not_injected(
    injection, remember, services, workspace_id, question, tags
):
    """C12, C30: whether it is recalled, pinned or among the newest."""
    old = await remember(["Ada works at Acme"], tags=tags, importance=0.9)
    new = await remember(["Ada works at Initech"], importance=0.1)
    await services.memories.associations.associate(
        workspace_id, from_id=old[0], to_id=new[0], type_="INVALIDATED_BY"
    )

    given = await injection().for_turn(workspace_id, question)

    assert contents(given) == ["Ada works at Initech"]


@pytest.mark.parametrize("question", ["Where does Ada work?", "What do you know about me?"])
async def test_a_future_successor_does_not_replace_the_present_memory(
    recall, injection, remember, services, workspace_id, question
):
    """A34, C12, C30: otherwise a model would get no fact until then."""
    soon = datetime.now(UTC) + timedelta(days=9)
    old = await remember(["Ada works at Acme"])
    new = await remember(["Ada works at Initech"], t_valid=soon)
    await services.memories.associations.associate(
        workspace_id, from_id=old[0], to_id=new[0], type_="INVALIDATED_BY"
    )

    given = await injection().for_turn(workspace_id, question)
    explicit = await recall().recall(workspace_id, RecallQuery(query="Where does Ada work?"))

    assert contents(given) == ["Ada works at Acme"]
    assert [tuple(hit.superseded_by) for hit in explicit.hits] == [(), ()]


async def test_superseded_memories_do_not_crowd_out_current_ones(injection, remember, services, workspace_id):
    """C12, C30: there are more versions than candidates, each nearer in words and meaning."""
    versions = await remember([f"Ada works at Acme, branch {number}" for number in range(60)])
    new = await remember(["These days Ada is to be found in Initech's kitchen, where she works as a cook"])
    for older, newer in pairwise([*versions, *new]):
        await services.memories.associations.associate(
            workspace_id, from_id=older, to_id=newer, type_="EVOLVED_INTO"
        )

    given = await injection().for_turn(workspace_id, "Where does Ada work?")

    assert contents(given) == [
        "These days Ada is to be found in Initech's kitchen, where she works as a cook"
    ]


async def test_a_pinned_memory_names_the_hits_that_contradict_it(injection, remember, workspace_id):
    """B11, C12: so that a model sees when each was said."""
    pinned = await remember(["The launch is on March 15"], tags=("pinned",))
    found = await remember(["The launch is on April 1"])

    given = await injection().for_turn(workspace_id, "On what day is the launch?")

    assert [(hit.memory.id, hit.disagrees_with) for hit in given.hits] == [
        (pinned[0], (found[0],)),
        (found[0], (pinned[0],)),
    ]
