"""What the chat proxy captures where a caller names no conversation, and of an answer that is long."""

import re

from graph.memories.models import Memory, MemoryFilter
from graph.memories.sources import SourceType
from tests.fixtures.upstream import Says
from tests.fixtures.waiting import until

CHAT = {"x-recollect-conversation-id": "chat-1"}
QUESTION = "Which indentation does Ada prefer in Python?"
PREFERENCE = "Ada prefers tabs as indentation in Python"


async def ask(client, text: str, **options) -> str:
    messages = [{"role": "user", "content": text}]
    answer = await client.chat.completions.create(model="gpt-test", messages=messages, **options)
    return answer.choices[0].message.content


async def test_without_a_conversation_a_turn_goes_to_that_of_its_key_and_day(
    chat_proxy, upstream, services
) -> None:
    """D20: so that facts are taken from what is said, which are the key's own; another key has a day of its own."""
    await chat_proxy.remembers(PREFERENCE)
    key = (await services.tenancy.access.authenticate(chat_proxy.key)).key_id

    await ask(chat_proxy.client(), QUESTION)
    await ask(chat_proxy.client(), "I prefer green tea.")
    await chat_proxy.proxy.settled()

    assert PREFERENCE in upstream.requests[0].raw.decode()
    page = await services.conversations.capture.page(chat_proxy.workspace_id)
    (day,) = page.items
    assert re.fullmatch(rf"{key}:\d{{4}}-\d\d-\d\d", day.id)
    assert [text for _, text in await chat_proxy.captured(day.id)] == [
        QUESTION, "An answer.", "I prefer green tea.", "An answer.",
    ]  # fmt: skip
    await services.conversations.extraction.request(chat_proxy.workspace_id, day.id)

    async def facts() -> list[Memory]:
        kinds = MemoryFilter(source_types=(SourceType.EXTRACTED,))
        return list((await services.memories.store.page(chat_proxy.workspace_id, kinds)).items)

    await until(facts)
    (fact,) = await facts()
    assert (fact.key, fact.api_key_id) == ("preference:green_tea", key)


async def test_each_user_who_names_no_conversation_has_a_day_of_their_own(chat_proxy, upstream) -> None:
    """What is captured belongs to one user."""
    for name in ("alice", "bob", "alice"):
        await ask(chat_proxy.client(), f"Hello from {name}", user=name)
    await chat_proxy.proxy.settled()

    page = await chat_proxy.services.conversations.capture.page(chat_proxy.workspace_id)
    assert sorted(each.user_id for each in page.items) == ["alice", "bob"]


async def test_a_long_answer_keeps_its_end(chat_proxy, upstream) -> None:
    """D17: 64 KiB of it, in messages no longer than one may be, cut between words."""
    words = " ".join(f"word{number}" for number in range(12_000))
    upstream.answers = [Says(words)]

    await ask(chat_proxy.client(), "Tell me all", extra_headers=CHAT)
    (_, *answer) = await chat_proxy.captured("chat-1")

    kept = words[-64 * 1024 :].strip()
    assert {role for role, _ in answer} == {"assistant"}
    assert " ".join(text for _, text in answer) == kept
    assert all(len(text) <= 32_000 for _, text in answer)
    assert len(answer) == 3


async def test_a_long_first_answer_that_is_asked_for_again_is_of_the_same_turn(chat_proxy, upstream) -> None:
    """D17: its question was stored a second time, as the answer is several messages."""
    upstream.answers = [Says("first " * 6_000), Says("second " * 6_000)]

    for _ in range(2):
        await ask(chat_proxy.client(), "Tell me all", extra_headers=CHAT)
        captured = await chat_proxy.captured("chat-1")

    assert [(role, text[:6].strip()) for role, text in captured] == [
        ("user", "Tell m"),
        ("assistant", "second"),
        ("assistant", "second"),
    ]
