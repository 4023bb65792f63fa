"""What chats bring is distilled without anybody handing it in: long answers, and what tools read out (D3-D5)."""

from app.surfaces.proxy.feeding import OutputFeed
from graph.conversations.distillation.models import DistillSource, Output
from graph.core.errors import Unavailable
from graph.core.scope import EVERYTHING
from graph.knowledge.artifacts.models import ArtifactDraft
from graph.memories.models import MemoryFilter
from graph.memories.sources import SourceType
from graph.tenancy.access.models import Principal, Scope
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
    await proxy.proxy.settled()
    return answer.choices[0].message.content


async def distilled(proxy) -> list:
    async def found():
        page = await proxy.services.memories.store.page(proxy.workspace_id, MemoryFilter())
        return [memory for memory in page.items if memory.source_type == SourceType.MODEL]

    return await until(found)


async def test_a_long_answer_is_distilled(chat_proxy, upstream) -> None:
    """B13, D4, A3: what was decided, but no preference of whoever "I" and "you" are."""
    upstream.answers = [Says(LONG)]

    assert await ask(chat_proxy, extra_headers=CHAT) == LONG

    (memory,) = await distilled(chat_proxy)
    assert memory.content == DECISION
    assert memory.source_conversation_id == "chat-1"


async def test_what_a_tool_reads_out_is_distilled(chat_proxy, upstream) -> None:
    """B13, D3: of an artifact; what was a memory before is not taken in again."""
    await chat_proxy.services.knowledge.artifacts.add(
        chat_proxy.workspace_id, ArtifactDraft(name="Crates", summary=f"{DECISION} Nine were counted.")
    )
    await chat_proxy.remembers("We decided to paint every crate green.")
    upstream.answers = [Says(calls=(("x_workspace_search", {"query": "crates decided"}),)), Says("Blue.")]

    assert await ask(chat_proxy, extra_headers=CHAT) == "Blue."

    (memory,) = await distilled(chat_proxy)
    assert DECISION in memory.content


async def test_nothing_is_taken_of_a_turn_that_is_not_captured(chat_proxy, upstream) -> None:
    """J7: nor of a short answer."""
    later = LONG.replace("blue", "green")
    upstream.answers = [Says(LONG), Says(DECISION), Says(later)]

    await ask(chat_proxy, extra_headers={"x-omniroute-no-memory": "true", **CHAT})
    await ask(chat_proxy, extra_headers=CHAT)
    await ask(chat_proxy, extra_headers=CHAT)

    assert [memory.content for memory in await distilled(chat_proxy)] == [DECISION.replace("blue", "green")]


class Failing:
    """Takes nothing in for a while."""

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
    """Counts what there was no room for."""

    def __init__(self) -> None:
        self.dropped = 0

    def fallback(self, operation: str, reason: str) -> None:
        self.dropped += (operation, reason) == ("distilling", "no_room")


async def test_what_there_is_no_room_for_is_dropped_and_counted() -> None:
    """N1: the turn is not delayed, and what fails stops nothing behind it."""
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
