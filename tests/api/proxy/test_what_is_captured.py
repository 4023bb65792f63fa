"""The capture of a turn without a conversation id, and of a long answer."""

import json
import re

import httpx

from graph.memories.models import Memory, MemoryFilter
from graph.memories.policy import SourceType
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Says
from tests.fixtures.waiting import until

CHAT = {"x-recollect-conversation-id": "chat-1"}
QUESTION = "Which indentation does Ada prefer in Python?"
PREFERENCE = "Ada prefers tabs as indentation in Python"


async def ask(client, text: str, **options) -> str:
    messages = [{"role": "user", "content": text}]
    answer = await client.chat.completions.create(model="gpt-test", messages=messages, **options)
    return answer.choices[0].message.content


async def test_a_turn_without_a_conversation_id_uses_its_key_and_day(chat_proxy, upstream, services) -> None:
    """D20: facts can thus be extracted and belong to the key; another key has its own day."""
    await chat_proxy.remembers(PREFERENCE)
    key = (await services.tenancy.access.authenticate(chat_proxy.key)).key_id

    await ask(chat_proxy.client(), QUESTION)
    await ask(chat_proxy.client(), "I prefer green tea.")
    await chat_proxy.proxy.drain()

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


async def test_half_an_emoji_ends_neither_injection_nor_capture(chat_proxy, upstream) -> None:
    """Issue 35.3: a client that truncates texts sends it again with each later turn."""
    await chat_proxy.remembers(PREFERENCE)
    cut = {"role": "assistant", "content": "cut here \ud83d"}
    turn = [{"role": "user", "content": "Hello"}, cut, {"role": "user", "content": QUESTION}]

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as client:
        answer = await client.post(
            f"{chat_proxy.url}/v1/chat/completions",
            content=json.dumps({"model": "gpt-test", "messages": turn}),
            headers={"authorization": f"Bearer {chat_proxy.key}", "content-type": "application/json", **CHAT},
        )
    await chat_proxy.proxy.drain()

    assert answer.status_code == 200
    assert PREFERENCE in upstream.requests[0].raw.decode()
    assert [text for _, text in await chat_proxy.captured("chat-1")] == [QUESTION, "An answer."]


async def test_a_nul_in_a_message_ends_no_injection(chat_proxy, upstream) -> None:
    """Issue 35.3: such as a program's pasted output."""
    await chat_proxy.remembers(PREFERENCE)

    await ask(chat_proxy.client(), f"\0{QUESTION}\0", extra_headers=CHAT)
    await chat_proxy.proxy.drain()

    assert PREFERENCE in upstream.requests[0].raw.decode()
    assert QUESTION in [text for _, text in await chat_proxy.captured("chat-1")]


async def test_each_user_has_a_separate_conversation_of_the_day(chat_proxy, upstream) -> None:
    """A captured conversation belongs to one user."""
    for name in ("alice", "bob", "alice"):
        await ask(chat_proxy.client(), f"Hello from {name}", user=name)
    await chat_proxy.proxy.drain()

    page = await chat_proxy.services.conversations.capture.page(chat_proxy.workspace_id)
    assert sorted(each.user_id for each in page.items) == ["alice", "bob"]


async def test_a_long_answer_keeps_its_beginning_and_its_end(chat_proxy, upstream) -> None:
    """Issue 35.3: so does a user's message; reasoning is dropped."""
    words = " ".join(f"word{number}" for number in range(12_000))
    upstream.answers = [Says(f"<think>{'hm ' * 20_000}</think>\n\n{words}")]

    await ask(chat_proxy.client(), words, extra_headers=CHAT)
    captured = await chat_proxy.captured("chat-1")

    cut = f"{words[:16_000]}\n\n[… {len(words) - 32_000} characters …]\n\n{words[-16_000:]}"
    assert captured == [("user", cut), ("assistant", cut)]


async def test_a_repeated_request_for_a_long_first_answer_stays_in_one_turn(chat_proxy, upstream) -> None:
    """D17: formerly its question was stored twice."""
    upstream.answers = [Says("first " * 6_000), Says("second " * 6_000)]

    for _ in range(2):
        await ask(chat_proxy.client(), "Tell me all", extra_headers=CHAT)
        captured = await chat_proxy.captured("chat-1")

    assert [(role, text[:6].strip()) for role, text in captured] == [
        ("user", "Tell m"),
        ("assistant", "second"),
    ]
