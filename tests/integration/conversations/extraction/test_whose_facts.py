"""Owners of extracted facts: the conversation's owner; one user's deletions do not affect other users."""

import pytest

from graph.conversations.capture.models import MessageDraft
from graph.core.errors import Forbidden
from graph.core.queries import ClaimJobsRow
from graph.core.scope import ReadScope, seeing
from tests.fixtures.listeners import JSON
from tests.integration.conversations.extraction.conftest import Interrupted, answer, item


async def test_facts_belong_to_the_user_of_their_conversation(talk) -> None:
    """D1, I2."""
    shared = talk.elsewhere(id="shared")
    bobs = talk.elsewhere(id="bobs")
    await talk.say("I like apples.", user_id="alice", agent_id="tutor")
    await bobs.say("I don't like apples.", user_id="bob")
    await shared.say("I like pears.")
    await talk.pass_by(30)

    found = {
        (memory.user_id, memory.agent_id, memory.key): memory.content for memory in await talk.memories()
    }

    assert set(found) == {
        ("alice", "tutor", "preference:apples"),
        ("bob", None, "preference:apples"),
        (None, None, "preference:pears"),
    }
    assert found["alice", "tutor", "preference:apples"] != found["bob", None, "preference:apples"]


async def test_a_deletion_by_one_user_does_not_affect_another(talk) -> None:
    """D20."""
    await talk.say("I like apples.", user_id="alice")
    await talk.pass_by(30)
    (memory,) = await talk.memories()
    with seeing(ReadScope(user_id="alice")):
        await talk.services.memories.deletion.delete(talk.workspace_id, memory.id)

    for user in ("alice", "bob"):
        await talk.elsewhere(id=f"later of {user}").say("I like apples.", user_id=user)
    await talk.pass_by(30)

    assert [(memory.user_id, memory.key) for memory in await talk.memories()] == [
        ("bob", "preference:apples")
    ]


async def held_by(talk, agent_id: str | None) -> list[str]:
    """Return the memories that belong to one of Alice's agents."""
    with seeing(ReadScope.of_owner("alice", agent_id)):
        return [memory.content for memory in await talk.memories()]


@pytest.mark.parametrize(
    ("said_later", "remembered"),
    [
        ("I like apples.", "The user likes apples"),
        ("I don't like apples.", "The user does not like apples"),
    ],
)
async def test_each_agent_remembers_its_own_conversations(talk, said_later, remembered) -> None:
    """D1, I2: for the same and the opposite statement; later messages are extracted as well."""
    coachs = talk.elsewhere(id="coachs")
    await talk.say("I like apples.", user_id="alice", agent_id="tutor")
    await talk.pass_by(30)
    await coachs.say(said_later, user_id="alice", agent_id="coach")
    await talk.pass_by(30)
    await coachs.say("I love pears.", user_id="alice", agent_id="coach")
    await talk.pass_by(30)

    assert await held_by(talk, "tutor") == ["The user likes apples"]
    assert await held_by(talk, "coach") == [remembered, "The user loves pears"]
    assert await talk.pending() == []


async def test_an_agent_knows_what_all_agents_of_its_user_share(talk) -> None:
    """D1, I2: no duplicate is saved; the agent alone changes its opinion, and may change it back."""
    await talk.say("I like apples.", user_id="alice")
    await talk.pass_by(30)
    found = []
    for place, said_to_coach in enumerate(("I like apples.", "I don't like apples.", "I like apples.")):
        coachs = talk.elsewhere(id=f"coachs-{place}")
        await coachs.say(said_to_coach, user_id="alice", agent_id="coach")
        await talk.pass_by(30)
        found.append(await held_by(talk, "coach"))

    assert found == [[], ["The user does not like apples"], ["The user likes apples"]]
    assert await held_by(talk, None) == ["The user likes apples"]


def said(content: str, author_id: str | None = None) -> MessageDraft:
    return MessageDraft(content=content, role="user", author_id=author_id)


async def test_facts_of_each_speaker_belong_to_that_speaker(talk) -> None:
    """Facts without a speaker belong to the conversation's owner; each speaker changes only their own."""
    await talk.say(
        said("I like apples.", "alice"),
        said("I don't like apples.", "bob"),
        said("I like apples."),
        said("My sister likes plums.", "alice"),
    )
    await talk.pass_by(30)
    await talk.say(said("I really don't like apples.", "alice"))
    await talk.pass_by(30)

    apples = {(each.user_id, each.content) for each in await talk.memories() if "apples" in each.content}

    assert apples == {
        ("alice", "The user really does not like apples"),
        ("bob", "The user does not like apples"),
        (None, "The user likes apples"),
    }


async def test_the_facts_of_one_speaker_exclude_those_of_the_others(talk) -> None:
    await talk.say(said("I like apples.", "alice"), said("I don't like apples.", "bob"))
    await talk.pass_by(30)

    found = {}
    for user in ("alice", "bob"):
        with seeing(ReadScope(user_id=user)):
            found[user] = [memory.content for memory in await talk.memories()]

    assert found == {"alice": ["The user likes apples"], "bob": ["The user does not like apples"]}


async def test_a_language_model_reads_each_speaker_separately(listening, chat_server) -> None:
    chat_server.replies = [answer(item("Prefers tabs")), answer(item("Prefers spaces")), answer()]
    await listening.say(
        said("Tabs, always tabs for me.", "alice"),
        said("Spaces are what I use.", "bob"),
        said("Noted, both of you."),
    )
    await listening.pass_by(30)

    found = {(each.user_id, each.content) for each in await listening.memories()}

    assert found == {("alice", "Prefers tabs"), ("bob", "Prefers spaces")}
    assert len(chat_server.requests) == 3


async def test_facts_of_all_speakers_are_saved_in_one_transaction(listening, chat_server) -> None:
    """D34: if a later speaker failed, a retry would save the earlier speakers' facts again, reworded."""
    chat_server.replies = [answer(item("Prefers tabs"))]
    chat_server.faults = [None, (500, JSON, b"{}")]
    await listening.say(said("Tabs, always tabs for me.", "alice"), said("Spaces are what I use.", "bob"))
    await listening.pass_by(30)
    assert await listening.memories() == []

    chat_server.replies = [answer(item("Is fond of tabs")), answer(item("Prefers spaces"))]
    await listening.pass_by(10)

    assert {(each.user_id, each.content) for each in await listening.memories()} == {
        ("alice", "Is fond of tabs"),
        ("bob", "Prefers spaces"),
    }


async def test_a_user_erased_during_reading_gets_no_facts(talking) -> None:
    """15.7: the other messages are read again, without the erased ones."""
    talk = talking(model=(model := Interrupted(answer(item("Prefers tabs")))), mode="llm")
    await talk.say(said("Tabs, always tabs for me."), said("Tabs for me as well.", "bob"), user_id="ann")
    erasing = ClaimJobsRow(
        id="job",
        workspace_id=talk.workspace_id,
        subject_id="bob",
        revision=1,
        attempts=0,
        waits=0,
        created_at=talk.clock.now(),
    )
    model.meanwhile = lambda: talk.services.operations.erasure.run_jobs([erasing])
    await talk.pass_by(30)

    assert [(each.user_id, each.content) for each in await talk.memories()] == [("ann", "Prefers tabs")]
    assert "Tabs for me as well." not in model.prompts[-1]
    assert await talk.pending() == []


async def test_a_request_for_one_user_cannot_write_as_another(talk) -> None:
    with seeing(ReadScope(user_id="alice")), pytest.raises(Forbidden, match="bob"):
        await talk.say(said("I like apples.", "bob"))
