"""Whose memory a turn of the chat proxy reads and writes."""

import openai
import pytest

from graph.tenancy.access.models import Scope

QUESTION = [{"role": "user", "content": "Does the user like Python as a language?"}]
ALICES, BOBS = "The user does not like Python as a language", "The user likes Python as a language"
TURN = [("user", QUESTION[0]["content"]), ("assistant", "An answer.")]


@pytest.fixture
async def remembered(chat_proxy) -> None:
    await chat_proxy.remembers(ALICES, user_id="alice")
    await chat_proxy.remembers(BOBS, user_id="bob")


@pytest.mark.parametrize(
    "named",
    [
        {"user": "alice"},
        {"safety_identifier": "alice", "user": "bob"},
        {"extra_headers": {"x-recollect-user-id": "alice"}, "user": "bob"},
    ],
    ids=["user", "safety identifier", "header"],
)
async def test_a_turn_is_given_and_leaves_what_is_its_users(chat_proxy, upstream, remembered, named) -> None:
    """J1, I2."""
    client = chat_proxy.client()
    headers = {**named.pop("extra_headers", {}), "x-recollect-conversation-id": "of alice"}

    await client.chat.completions.create(model="m", messages=QUESTION, extra_headers=headers, **named)

    sent = upstream.requests[-1].raw.decode()
    assert ALICES in sent
    assert BOBS not in sent
    assert await chat_proxy.captured("of alice") == TURN
    conversations = chat_proxy.services.conversations.capture
    conversation = await conversations.find(chat_proxy.workspace_id, "of alice")
    assert conversation is not None
    assert conversation.user_id == "alice"


async def test_a_bound_key_answers_its_user_whatever_conversation_it_names(
    chat_proxy, upstream, remembered, services
) -> None:
    """I2: another user named is FORBIDDEN, and nothing reaches the model."""
    _, key = await services.tenancy.access.create_key(
        chat_proxy.workspace_id, name="alice's", scopes=[Scope.READ, Scope.WRITE], user_id="alice"
    )
    client = chat_proxy.client(api_key=key)
    headers = {"x-recollect-conversation-id": "of alice"}

    await client.chat.completions.create(model="m", messages=QUESTION, extra_headers=headers)
    told = upstream.requests[-1].raw.decode()
    with pytest.raises(openai.PermissionDeniedError):
        await client.chat.completions.create(model="m", messages=QUESTION, user="bob", extra_headers=headers)

    assert (ALICES in told, BOBS in told) == (True, False)
    assert len(upstream.requests) == 1
    assert await chat_proxy.captured("of alice") == TURN
