"""Deleted facts, which extraction does not restore, and known facts, which it does not repeat (I17, A21)."""

from collections.abc import Awaitable, Callable

import pytest

from graph.conversations.capture.models import MessageDraft
from graph.conversations.queries import suggest_deletions
from graph.memories.models import Memory, MemoryClearing, MemoryDraft
from tests.integration.conversations.extraction.conftest import Talk, answer, asked, item

Deleting = Callable[[Talk, Memory], Awaitable[object]]


async def softly(talk: Talk, memory: Memory) -> None:
    assert await talk.services.memories.deletion.delete(talk.workspace_id, memory.id)


async def for_good(talk: Talk, memory: Memory) -> None:
    assert await talk.services.memories.deletion.delete(talk.workspace_id, memory.id, hard=True)


async def in_bulk(talk: Talk, memory: Memory) -> None:
    assert await talk.services.memories.deletion.clear(talk.workspace_id, MemoryClearing(), hard=True) == 1
    assert memory.id not in await talk.services.memories.store.find_all(talk.workspace_id, [memory.id])


async def as_proposed(talk: Talk, memory: Memory) -> None:
    await suggest_deletions(
        talk.services.core.database,
        workspace_id=talk.workspace_id,
        conversation_id=talk.id,
        rows=[{"id": memory.id, "reason": "It is over"}],
        now=talk.clock.now(),
    )
    assert await talk.conversations.extraction.deletions.confirm(talk.workspace_id, memory.id)


async def read_again(talk: Talk) -> None:
    await talk.conversations.extraction.request(talk.workspace_id, talk.id)
    await talk.work()


async def contents(talk: Talk) -> list[str]:
    return [memory.content for memory in await talk.memories()]


@pytest.mark.parametrize("delete", [softly, for_good, in_bulk, as_proposed])
async def test_rules_do_not_extract_a_deleted_fact_again(talk: Talk, delete: Deleting) -> None:
    """After any kind of deletion and in any wording; a contradicting statement is a new fact."""
    await talk.say("I like olives.")
    await talk.pass_by(30)
    (memory,) = await talk.memories()
    await delete(talk, memory)

    await read_again(talk)
    assert await contents(talk) == []
    await talk.say("I really like olives!")
    await talk.pass_by(30)
    assert await contents(talk) == []

    await talk.say("I don't like olives.")
    await talk.pass_by(30)
    assert await contents(talk) == ["The user does not like olives"]


async def test_a_restored_fact_is_back_and_can_be_extracted_again(talk: Talk) -> None:
    await talk.say("I like olives.")
    await talk.pass_by(30)
    (memory,) = await talk.memories()
    await softly(talk, memory)

    await talk.services.memories.store.restore(talk.workspace_id, memory.id)
    await read_again(talk)
    assert [each.id for each in await talk.memories()] == [memory.id]
    await talk.services.memories.deletion.forget(talk.workspace_id, [memory.id], is_act=False)
    await read_again(talk)
    assert await contents(talk) == ["The user likes olives"]


async def test_saving_a_deleted_fact_again_restores_it(talk: Talk) -> None:
    """And extraction adds no duplicate."""
    await talk.say("I like olives.")
    await talk.pass_by(30)
    (memory,) = await talk.memories()
    await for_good(talk, memory)

    await talk.services.memories.store.save(talk.workspace_id, MemoryDraft(content="The user likes olives"))
    await read_again(talk)

    assert await contents(talk) == ["The user likes olives"]


@pytest.mark.parametrize("delete", [softly, for_good])
async def test_a_model_does_not_add_a_deleted_fact_again(
    listening: Talk, chat_server, delete: Deleting
) -> None:
    """Not even in another spelling, or as a change to another memory."""
    first = item("Likes bullet points")
    other = item("Likes rain")
    chat_server.replies = [answer(first, other)]
    await listening.say("Bullet points please. Rain is nice.")
    await listening.pass_by(30)
    bullets, rain = await listening.memories()
    await delete(listening, bullets)

    for reply in (
        item("Likes bullet points"),
        item("likes bullet-points."),
        item("Likes bullet points", "UPDATE", target_id=rain.id),
    ):
        chat_server.replies = [answer(reply)]
        await read_again(listening)
        assert await contents(listening) == ["Likes rain"]
    told = asked(chat_server)[1]
    assert rain.id in {each["id"] for each in told["known"]}
    assert told.get("forgotten", []) == (["Likes bullet points"] if delete is softly else [])


async def test_facts_of_a_model_are_deduplicated_like_saves(listening: Talk, chat_server) -> None:
    """A21: with facts saved by people or found by rules, for any speaker and date."""
    saved = await listening.services.memories.store.save(
        listening.workspace_id, MemoryDraft(content="The user likes olives")
    )
    for _ in range(2):
        chat_server.replies = [answer(item("The user likes olives"), item("The user has an orchard"))]
        await listening.say(MessageDraft(content=f"Olives {listening.clock.now()}", role="user"))
        await listening.pass_by(86_400)

    assert await contents(listening) == ["The user has an orchard", "The user likes olives"]
    assert saved.memory.id in {memory.id for memory in await listening.memories()}


async def test_a_fact_found_by_rules_and_model_is_saved_once(talking, model, chat_server) -> None:
    """D29, A21: mode `both`."""
    talk = talking(model=model)
    chat_server.replies = [answer(item("The user likes olives"))]
    await talk.say("I like olives.")
    await talk.pass_by(30)

    assert await talk.keys() == ["preference:olives"]
