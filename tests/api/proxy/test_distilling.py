"""Automatic distillation of chats: of long answers and of tools' results (D3-D5)."""

import pytest

from app.surfaces.proxy.output_feed import OutputFeed
from graph.conversations.distillation.models import DistillSource, Output
from graph.core.errors import Unavailable
from graph.core.scope import EVERYTHING
from graph.knowledge.models import ArtifactDraft
from graph.memories.models import MemoryFilter
from graph.memories.policy import SourceType
from graph.tenancy.models import Principal, Scope
from tests.fixtures.upstream import Says
from tests.fixtures.waiting import until

CHAT = {"x-recollect-conversation-id": "chat-1"}
DECISION = "We decided to keep the blue crates for the winter."
LONG = (
    f"{DECISION} Nine suppliers answered, and three of them sent a price list of several pages. "
    "I prefer the narrow gate. You prefer the wide gate. "
    "Counting the deliveries of the north side took the better part of an afternoon in spring."
)


async def ask(proxy, **options) -> str | None:
    answer = await proxy.client().chat.completions.create(
        model="gpt-test", messages=[{"role": "user", "content": "What about the crates?"}], **options
    )
    await proxy.proxy.drain()
    return answer.choices[0].message.content


async def distilled(proxy) -> list:
    async def found():
        page = await proxy.services.memories.store.page(proxy.workspace_id, MemoryFilter())
        return [memory for memory in page.items if memory.source_type == SourceType.MODEL]

    return await until(found)


async def test_a_long_answer_is_distilled(chat_proxy, upstream) -> None:
    """B13, D4, A3: it keeps decisions, but no preference of an unknown "I" or "you"."""
    upstream.answers = [Says(LONG)]

    assert await ask(chat_proxy, extra_headers=CHAT) == LONG

    (memory,) = await distilled(chat_proxy)
    assert memory.content == DECISION
    assert memory.source_conversation_id == "chat-1"


async def test_results_of_reading_tools_are_distilled(chat_proxy, upstream) -> None:
    """B13, D3: of an artifact; results that were memories already are skipped."""
    await chat_proxy.services.knowledge.artifacts.add(
        chat_proxy.workspace_id, ArtifactDraft(name="Crates", summary=f"{DECISION} Nine were counted.")
    )
    await chat_proxy.remembers("We decided to paint every crate green.")
    upstream.answers = [Says(calls=(("x_workspace_search", {"query": "crates decided"}),)), Says("Blue.")]

    assert await ask(chat_proxy, extra_headers=CHAT) == "Blue."

    (memory,) = await distilled(chat_proxy)
    assert DECISION in memory.content


async def test_an_uncaptured_turn_is_not_distilled(chat_proxy, upstream) -> None:
    """J7: nor is a short answer."""
    later = LONG.replace("blue", "green")
    upstream.answers = [Says(LONG), Says(DECISION), Says(later)]

    await ask(chat_proxy, extra_headers={"x-omniroute-no-memory": "true", **CHAT})
    await ask(chat_proxy, extra_headers=CHAT)
    await ask(chat_proxy, extra_headers=CHAT)

    assert [memory.content for memory in await distilled(chat_proxy)] == [DECISION.replace("blue", "green")]


CONCLUSION = "The narrow gate of the north side closes at nine in winter."
THOUGHT = (
    f"Okay, the user wants to know about crates. I should look at the list again. {CONCLUSION} "
    "Let me count the crates of the yard once more before I answer. Wait, the list has two columns for each of them."
)


async def thought_of(proxy) -> list:
    async def found():
        page = await proxy.services.memories.store.page(proxy.workspace_id, MemoryFilter())
        return [memory for memory in page.items if memory.source_type == SourceType.AUTO_DEEP_THINK]

    return await until(found)


async def messages_of(proxy) -> list[str]:
    capture = proxy.services.conversations.capture
    found = await capture.messages_of(proxy.workspace_id, ["chat-1"])
    return [message.content for message in found["chat-1"].items]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "says", [Says("Nine.", reasoning=THOUGHT), Says(f"<think>\n{THOUGHT}\n</think>\n\nNine.")]
)
@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
async def test_reasoning_is_distilled_and_not_stored(chat_proxy, upstream, path, says, stream) -> None:
    """Issue 35, point 15; D4: as deep think, in each model's format; the caller receives it unchanged."""
    upstream.answers = [says]
    client = chat_proxy.client()
    content = [{"role": "user", "content": "How many crates?"}]
    options = {"model": "gpt-test", "stream": stream, "extra_headers": CHAT}
    if path == "/responses":
        answer = await client.responses.create(input=content, **options)
    else:
        answer = await client.chat.completions.create(messages=content, **options)
    if stream:
        async for _ in answer:
            pass
    await chat_proxy.proxy.drain()

    (memory,) = await thought_of(chat_proxy)
    assert memory.content == CONCLUSION
    assert memory.source_conversation_id == "chat-1"
    assert await messages_of(chat_proxy) == ["How many crates?", "Nine."]


async def test_short_reasoning_is_not_distilled(chat_proxy, upstream) -> None:
    """D4: it is short below 200 characters."""
    upstream.answers = [Says(LONG, reasoning=CONCLUSION)]
    await ask(chat_proxy, extra_headers=CHAT)

    (memory,) = await distilled(chat_proxy)
    assert memory.content == DECISION
    page = await chat_proxy.services.memories.store.page(chat_proxy.workspace_id, MemoryFilter())
    assert not [each for each in page.items if each.source_type == SourceType.AUTO_DEEP_THINK]


class Failing:
    """A distillation that fails once and then records."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.fails = True

    async def enqueue(self, workspace_id: str, output: Output) -> bool:
        if self.fails:
            self.fails = False
            raise Unavailable("the graph does not answer")
        self.taken.append(output.text)
        return True


class Counting:
    """A counter of dropped outputs."""

    def __init__(self) -> None:
        self.dropped = 0

    def fallback(self, operation: str, reason: str) -> None:
        self.dropped += (operation, reason) == ("distilling", "no_room")


async def test_what_there_is_no_room_for_is_dropped_and_counted() -> None:
    """N1: the turn is not delayed, and a failure does not block the next output."""
    counting, failing = Counting(), Failing()
    feed = OutputFeed(failing, counting, most_waiting=2, most_chars=3)
    writer = Principal(key_id="k", name="k", workspace_id="w", scopes=frozenset({Scope.WRITE}))
    reader = writer.model_copy(update={"scopes": frozenset({Scope.READ})})
    feed.offer(reader, EVERYTHING, Output(source=DistillSource.ANSWER, text="of a reader"))
    for text in ("first", "second", "third"):
        feed.offer(writer, EVERYTHING, Output(source=DistillSource.ANSWER, text=text))
    feed.start()
    await feed.close()

    assert failing.taken == ["ond"]
    assert counting.dropped == 1
