"""What is extracted belongs to whom the conversation does, and what one user deletes is held against nobody else."""

import pytest

from graph.conversations.capture.models import MessageDraft
from graph.core.errors import Forbidden
from graph.core.scope import ReadScope, seeing
from tests.integration.conversations.extraction.conftest import answer, item


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


async def test_what_one_user_deletes_may_still_be_known_of_another(talk) -> None:
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


def said(content: str, author_id: str | None = None) -> MessageDraft:
    return MessageDraft(content=content, role="user", author_id=author_id)


async def test_what_each_of_several_speakers_tells_of_themselves_becomes_theirs(talk) -> None:
    """What nobody in particular says is the conversation's; each changes their mind for themselves alone."""
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


async def test_a_speaker_is_given_what_they_said_and_nothing_of_the_others(talk) -> None:
    await talk.say(said("I like apples.", "alice"), said("I don't like apples.", "bob"))
    await talk.pass_by(30)

    found = {}
    for user in ("alice", "bob"):
        with seeing(ReadScope(user_id=user)):
            found[user] = [memory.content for memory in await talk.memories()]

    assert found == {"alice": ["The user likes apples"], "bob": ["The user does not like apples"]}


async def test_a_language_model_reads_each_speaker_by_themselves(listening, chat_server) -> None:
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


async def test_a_request_made_for_one_user_says_nothing_as_another(talk) -> None:
    with seeing(ReadScope(user_id="alice")), pytest.raises(Forbidden, match="bob"):
        await talk.say(said("I like apples.", "bob"))
