"""Histories of LangChain and LlamaIndex in conversations of the running service (issue 16, point 12)."""

import asyncio
from collections.abc import Iterator

import pytest
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda
from langchain_core.runnables.history import RunnableWithMessageHistory
from llama_index.core.base.llms.types import ChatMessage as LlamaMessage
from llama_index.core.base.llms.types import MessageRole
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import MockLLM

from app.client.conversing import NotKept
from app.client.generated import (
    AppendMessagesInput,
    MemoryState,
    MessageFields,
    MessageInput,
    RecollectClient,
    SaveMemoryInput,
)
from app.client.langchain_history import RecollectChatMessageHistory
from app.client.llama_index_memory import RecollectMemory
from app.client.shared import SharedClient
from app.client.transport import ApiError
from graph.tenancy.models import Scope


@pytest.fixture
async def client(url_apart, services, workspace_id, patient_waits) -> Iterator[SharedClient]:
    """Yield a client of a workspace with memory on, at a service that answers while the test blocks."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="history", scopes=[Scope.READ, Scope.WRITE]
    )
    with SharedClient(url_apart, secret) as opened:
        yield opened


def stored(client: SharedClient, conversation_id: str) -> list[MessageFields]:
    """Return the messages that the service has stored for a conversation."""

    async def read(recollect: RecollectClient) -> list[MessageFields]:
        found = await recollect.messages(conversation_id, first=100)
        return [edge.node for edge in found.messages.edges] if found else []

    return client.run(read)


def shown(messages: list[BaseMessage]) -> list[tuple[str, str]]:
    return [(message.type, str(message.text)) for message in messages]


def test_a_history_of_langchain_keeps_the_order_of_its_messages(client) -> None:
    history = RecollectChatMessageHistory(client, "bees")

    history.add_messages(
        [SystemMessage("Be brief"), HumanMessage("When do bees fly?", name="Ada", id="first")]
    )
    history.add_ai_message("In May")
    history.add_user_message("yes")
    history.add_user_message("yes")
    history.add_messages([ChatMessage(role="critic", content="Say more")])

    assert shown(history.messages) == [
        ("system", "Be brief"),
        ("human", "When do bees fly?"),
        ("ai", "In May"),
        ("human", "yes"),
        ("human", "yes"),
        ("chat", "Say more"),
    ]
    assert (history.messages[1].id, history.messages[1].name) == ("first", "Ada")
    assert history.messages[2].name is None
    assert isinstance(history.messages[5], ChatMessage)
    assert history.messages[5].role == "critic"
    assert str(history).startswith("System: Be brief\nHuman: When do bees fly?")


def test_a_message_of_langchain_with_an_id_is_kept_once(client) -> None:
    history = RecollectChatMessageHistory(client, "bees")
    message = AIMessage("In May", id="run--1")

    history.add_messages([message])
    history.add_messages(history.messages)

    assert shown(history.messages) == [("ai", "In May")]


def test_a_history_of_langchain_keeps_texts_and_no_calls_of_tools(client) -> None:
    history = RecollectChatMessageHistory(client, "weather")
    call = {"name": "weather", "args": {"place": "Graz"}, "id": "call-1"}

    history.add_messages(
        [
            HumanMessage([{"type": "text", "text": "Is it raining?"}, {"type": "image", "base64": "AA=="}]),
            AIMessage("", tool_calls=[call]),
            ToolMessage("sun", tool_call_id="call-1"),
            AIMessage("No, the sun shines"),
        ]
    )

    assert shown(history.messages) == [("human", "Is it raining?"), ("ai", "No, the sun shines")]


def test_a_cleared_history_of_langchain_is_empty_and_may_be_continued(client) -> None:
    history = RecollectChatMessageHistory(client, "bees")
    other = RecollectChatMessageHistory(client, "wasps")
    history.add_user_message("When do bees fly?")
    other.add_user_message("When do wasps fly?")

    history.clear()
    history.clear()
    history.add_user_message("Where do bees fly?")

    assert shown(history.messages) == [("human", "Where do bees fly?")]
    assert shown(other.messages) == [("human", "When do wasps fly?")]


async def test_a_langchain_history_also_works_asynchronously(client) -> None:
    history = RecollectChatMessageHistory(client, "bees", user_id="ada")

    await history.aadd_messages([HumanMessage(f"{n}") for n in range(130)])
    found = await history.aget_messages()
    conversation = await client.arun(lambda recollect: recollect.conversation("bees"))
    await history.aclear()

    assert [message.text for message in found] == [str(n) for n in range(130)]
    assert conversation is not None
    assert conversation.user_id == "ada"
    assert await history.aget_messages() == []


def test_a_history_continues_a_conversation_of_another_platform(client) -> None:
    said = AppendMessagesInput(
        conversation_id="chat", platform="ChatGPT", messages=[MessageInput(content="When do bees fly?")]
    )
    client.run(lambda recollect: recollect.append_messages(said))

    RecollectChatMessageHistory(client, "chat").add_ai_message("In May")
    RecollectMemory(client=client, conversation_id="chat").put(LlamaMessage("Thanks"))

    assert [message.content for message in stored(client, "chat")] == [
        "When do bees fly?",
        "In May",
        "Thanks",
    ]


async def test_two_writers_of_a_history_lose_nothing(client) -> None:
    first, second = (RecollectChatMessageHistory(client, "both") for _ in range(2))

    await asyncio.gather(
        *(first.aadd_messages([HumanMessage(f"a{n}")]) for n in range(10)),
        *(second.aadd_messages([HumanMessage(f"b{n}")]) for n in range(10)),
    )

    expected = {f"{who}{n}" for who in "ab" for n in range(10)}
    assert {str(message.text) for message in await first.aget_messages()} == expected


def test_a_chain_of_langchain_remembers_through_it(client) -> None:
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{asked}")])
    count = RunnableLambda(lambda value: AIMessage(f"{len(value.to_messages())} messages"))
    chain = RunnableWithMessageHistory(
        prompt | count,
        lambda session_id: RecollectChatMessageHistory(client, session_id),
        input_messages_key="asked",
        history_messages_key="history",
    )
    config = {"configurable": {"session_id": "chain"}}

    first = chain.invoke({"asked": "How many?"}, config)
    second = chain.invoke({"asked": "And now?"}, config)

    assert (first.text, second.text) == ("1 messages", "3 messages")
    assert [message.content for message in stored(client, "chain")] == [
        "How many?",
        "1 messages",
        "And now?",
        "3 messages",
    ]


async def test_a_history_reports_that_memory_is_off(client, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=False)

    with pytest.raises(NotKept, match="memory is off in this workspace"):
        await RecollectChatMessageHistory(client, "off").aadd_messages([HumanMessage("Hello")])
    with pytest.raises(NotKept, match="memory is off in this workspace"):
        await RecollectMemory(client=client, conversation_id="off").aput(LlamaMessage("Hello"))


def test_a_history_drops_a_credential_with_a_warning(client) -> None:
    history = RecollectChatMessageHistory(client, "keys")
    secret = "AKIA" + "QYLPMN5HFIQR7XYA"

    with pytest.warns(UserWarning, match="message 1 of conversation 'keys' is not kept"):
        history.add_messages([HumanMessage("What is my key?"), AIMessage(f"It is {secret}")])

    assert shown(history.messages) == [("human", "What is my key?")]


def test_invalid_messages_of_a_history_are_skipped(client) -> None:
    """Issue 35.3: messages with tool calls only, too long ones, and half a surrogate pair."""
    history = RecollectChatMessageHistory(client, "unfit")
    call = {"name": "kettle", "args": {}, "id": "1"}
    messages = [
        AIMessage("", tool_calls=[call]),
        HumanMessage("Tea\ud83d"),
        HumanMessage("x" * 1_100_000),
        AIMessage("<think>Which?</think>Rooibos."),
        HumanMessage("y", id="z" * 513),
    ]

    with pytest.warns(UserWarning, match="of conversation 'unfit'") as warned:
        history.add_messages(messages)

    assert [str(each.message).partition(":")[0] for each in warned] == [
        "message 1 of conversation 'unfit' is kept in part",
        "message 3 of conversation 'unfit' is not kept",
    ]
    assert [content[:8] for _, content in shown(history.messages)] == ["Tea\ufffd", "x" * 8, "Rooibos."]


def test_a_history_with_a_wrong_key_is_refused(url_apart) -> None:
    with SharedClient(url_apart, "rk_wrong") as stranger:
        history = RecollectChatMessageHistory(stranger, "bees")
        with pytest.raises(ApiError) as refused:
            history.add_user_message("Hello")

    assert refused.value.code == "UNAUTHENTICATED"


def spoken(messages: list[LlamaMessage]) -> list[tuple[str, str | None]]:
    return [(message.role.value, message.content) for message in messages]


def know(client: SharedClient, content: str) -> None:
    """Save a memory and wait until recall can find it."""
    client.run(
        lambda recollect: recollect.save_memory(
            SaveMemoryInput(content=content), wait_for=MemoryState.EMBEDDED, timeout_ms=10_000
        )
    )


def test_a_memory_of_llamaindex_places_context_before_messages(client) -> None:
    know(client, "Releases are cut on Thursdays")
    memory = RecollectMemory.from_defaults(client=client, conversation_id="talk")
    memory.put_messages([LlamaMessage("Hello"), LlamaMessage("Hello Ada", role=MessageRole.ASSISTANT)])

    context, *history = memory.get("On which day are releases cut?")

    assert context.role == MessageRole.SYSTEM
    assert "Releases are cut on Thursdays" in (context.content or "")
    assert spoken(history) == [("user", "Hello"), ("assistant", "Hello Ada")]
    assert spoken(memory.get_all()) == spoken(history)


def test_without_an_input_llamaindex_uses_the_last_message_of_the_user(client) -> None:
    know(client, "Releases are cut on Thursdays")
    memory = RecollectMemory(client=client, conversation_id="talk")

    assert memory.get() == []
    memory.put(LlamaMessage("On which day are releases cut?"))
    memory.put(LlamaMessage("Let me see", role=MessageRole.ASSISTANT))

    assert "Releases are cut on Thursdays" in (memory.get()[0].content or "")


def test_llamaindex_gets_the_end_of_a_long_chat_starting_with_a_user(client) -> None:
    memory = RecollectMemory(client=client, conversation_id="long", history_tokens=3)
    memory.put_messages(
        [
            LlamaMessage("once"),
            LlamaMessage("1234", role=MessageRole.MODEL),
            LlamaMessage("12", role=MessageRole.USER),
            LlamaMessage("5678", role=MessageRole.ASSISTANT),
        ]
    )

    history = [message for message in memory.get("x") if message.role != MessageRole.SYSTEM]

    assert spoken(history) == [("user", "12"), ("assistant", "5678")]
    assert len(memory.get_all()) == 4


def test_llamaindex_reads_only_the_end_of_a_long_chat(client, monkeypatch) -> None:
    memory = RecollectMemory(client=client, conversation_id="long", history_tokens=50)
    answers = [LlamaMessage(f"answer {n}", role=MessageRole.ASSISTANT) for n in range(140)]
    memory.put_messages([*(LlamaMessage(f"question {n}") for n in range(70)), *answers])
    asked = []
    messages = RecollectClient.messages

    async def counted(*args, **options):
        asked.append(options["before"])
        return await messages(*args, **options)

    monkeypatch.setattr(RecollectClient, "messages", counted)

    assert [message for message in memory.get("x") if message.role != MessageRole.SYSTEM] == []
    assert asked == [None]
    memory.get()
    assert len(asked) == 1 + 2  # as far back as the user's last message


def test_llamaindex_uses_the_workspaces_token_limit_by_default(client, monkeypatch) -> None:
    """M4."""
    asked = []
    context = RecollectClient.context

    async def noted(recollect, input_, **options):
        asked.append(input_.max_tokens)
        return await context(recollect, input_, **options)

    monkeypatch.setattr(RecollectClient, "context", noted)

    RecollectMemory(client=client, conversation_id="any").get("x")
    RecollectMemory(client=client, conversation_id="any", context_tokens=7).get("x")

    assert asked == [None, 7]


def test_a_memory_of_llamaindex_is_set_and_reset(client) -> None:
    memory = RecollectMemory(client=client, conversation_id="set")
    memory.put(LlamaMessage("old"))

    memory.set([LlamaMessage("new"), LlamaMessage("new", role=MessageRole.TOOL)])
    replaced = memory.get_all()
    memory.reset()

    assert spoken(replaced) == [("user", "new")]
    assert memory.get_all() == []


async def test_llamaindex_memory_works_asynchronously_for_a_user(client) -> None:
    await asyncio.to_thread(know, client, "Releases are cut on Thursdays")
    memory = RecollectMemory(client=client, conversation_id="hers", user_id="ada")

    await memory.aset([LlamaMessage("We indent with tabs")])
    await memory.aput(LlamaMessage("Noted", role=MessageRole.ASSISTANT))
    found = await memory.aget("On which day are releases cut?")
    conversation = await client.arun(lambda recollect: recollect.conversation("hers"))
    await memory.areset()

    assert "Releases are cut on Thursdays" in (found[0].content or "")
    assert spoken(found[1:]) == [("user", "We indent with tabs"), ("assistant", "Noted")]
    assert conversation is not None
    assert conversation.user_id == "ada"
    assert await memory.aget_all() == []


def test_a_chat_engine_of_llamaindex_remembers_through_it(client) -> None:
    memory = RecollectMemory(client=client, conversation_id="engine")
    engine = SimpleChatEngine(llm=MockLLM(), memory=memory, prefix_messages=[])

    engine.chat("We indent with tabs")
    engine.chat("Do we?")

    kept = stored(client, "engine")
    assert [message.role for message in kept] == ["USER", "ASSISTANT", "USER", "ASSISTANT"]
    assert kept[0].content == "We indent with tabs"
