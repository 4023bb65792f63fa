"""Capture of messages: each once and in order, however often and by whomever it is sent."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.conversations.capture.models import CaptureDraft, LeftOut, MessageDraft
from graph.core.errors import Conflict, InvalidInput
from graph.memories.models import MemoryDraft

SAID_AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
TALK = ["I am moving to Oslo", "When?", "In May", "Noted."]


def message(content: str, id_: str | None = None, position: int | None = None, **fields) -> MessageDraft:
    return MessageDraft(content=content, id=id_, position=position, **fields)


def numbered(*places: int) -> list[MessageDraft]:
    return [message(TALK[place], position=place) for place in places]


@pytest.fixture
def append(services, capturing_workspace_id):
    """Return a function that captures messages of the conversation ``c`` and returns the report."""

    async def append(*messages: MessageDraft, id_: str = "c", **fields):
        draft = CaptureDraft(conversation_id=id_, messages=messages, **fields)
        return (await services.conversations.capture.append(capturing_workspace_id, draft)).capture

    return append


@pytest.fixture
def said(services, capturing_workspace_id):
    """Return a function that returns id, position and text of a conversation's messages."""

    async def said(id_: str = "c") -> list[tuple[str, int, str]]:
        found = await services.conversations.capture.messages_of(capturing_workspace_id, [id_])
        return [(each.id, each.position, each.content) for each in found[id_].items]

    return said


async def test_messages_are_stored_unchanged(services, capturing_workspace_id, append) -> None:
    """D7: Markdown, role, speaker, session, time, platform and title."""
    text = "  # A *list*\n- one\n"
    local = SAID_AT.astimezone(timezone(timedelta(hours=2)))
    first = message(text, " m1 ", role="user", speaker="Ada", session_id="s", said_at=local)
    report = await append(first, message("Fine", "m2", role="assistant"), platform="Claude", title=" Lists ")

    found = await services.conversations.capture.find(capturing_workspace_id, "c")
    pages = await services.conversations.capture.messages_of(capturing_workspace_id, ["c"])
    one, two = pages["c"].items
    assert (report.added, report.changed, report.known) == (2, 0, 0)
    assert (found.platform, found.title, found.capture) == ("Claude", "Lists", None)
    assert (one.id, one.position, one.content, one.role, one.speaker) == ("m1", 0, text, "user", "Ada")
    assert (one.session_id, one.said_at) == ("s", SAID_AT)
    assert (two.id, two.position, two.role, two.speaker, two.said_at) == ("m2", 1, "assistant", None, None)


async def test_a_repeated_request_is_stored_once(append, said, services, capturing_workspace_id) -> None:
    """D8, N6: even in another batch; a repeated capture does not count as activity."""
    await append(message("one", "a"), message("two", "b"))
    before = await services.conversations.capture.find(capturing_workspace_id, "c")

    again = await append(message("one", "a"), message("two", "b"))
    after = await services.conversations.capture.find(capturing_workspace_id, "c")
    more = await append(message("two", "b"), message("three", "c"))

    assert (again.added, again.changed, again.known) == (0, 0, 2)
    assert after == before
    assert (more.added, more.known) == (1, 1)
    assert await said() == [("a", 0, "one"), ("b", 1, "two"), ("c", 2, "three")]


async def test_without_ids_texts_and_their_order_identify_new_messages(append, said) -> None:
    """D8: a page may send all messages, the last ones or earlier ones; a speaker may repeat a text."""
    yes = [message(text) for text in ("Tea?", "Yes", "Sugar?", "Yes")]
    reports = [
        await append(*yes[:2]),
        await append(*yes),
        await append(*yes[1:3]),
        await append(message("Yes"), message("Milk?")),
        await append(message("Milk?", role="assistant")),
    ]

    assert [(report.added, report.known) for report in reports] == [(2, 0), (2, 2), (0, 2), (1, 1), (1, 0)]
    texts = ["Tea?", "Yes", "Sugar?", "Yes", "Milk?", "Milk?"]
    assert await said() == [(f"#{place}", place, text) for place, text in enumerate(texts)]


async def test_messages_with_and_without_an_id_come_together_in_their_order(append, said) -> None:
    """Issue 35.3: mixed ids are accepted, repeats are stored once, and an edit by id changes the message."""
    talk = [message("Tea?"), message("Yes", "a1"), message("Sugar?"), message("Yes", "a2"), message("Ok")]
    stored = [("#0", 0, "Tea?"), ("a1", 1, "Yes"), ("#2", 2, "Sugar?"), ("a2", 3, "Yes"), ("#4", 4, "Ok")]

    first = await append(*talk)
    again = await append(*talk)
    end = await append(*talk[2:], message("Ok"), message("Milk?", "a3"))
    edited = await append(talk[0], message("No", "a1"), *talk[2:])

    assert (first.added, first.changed, first.known) == (5, 0, 0)
    assert (again.added, again.changed, again.known) == (0, 0, 5)
    assert (end.added, end.known) == (2, 3)
    assert (edited.added, edited.changed, edited.known) == (0, 1, 4)
    stored[1] = ("a1", 1, "No")
    assert await said() == [*stored, ("#5", 5, "Ok"), ("a3", 6, "Milk?")]


async def test_a_first_message_is_stored_once_until_somebody_says_something_else(append, said) -> None:
    """D8: a regenerated answer does not repeat the question; a later repetition of it is a new message."""

    async def show(*texts: str) -> int:
        roles = ("user", "assistant")
        shown = [message(text, role=roles[place % 2]) for place, text in enumerate(texts)]
        return (await append(*shown)).added

    assert await show("Tea?", "Yes") == 2
    assert await show("Tea?", "No") == 1
    assert await show("Tea?", "Maybe") == 1
    assert await show("Tea?", "Maybe", "Milk?", "Yes please") == 2
    assert await show("Tea?", "Maybe", "Milk?", "Yes please", "Sugar?", "Two") == 2
    assert await show("Tea?", "Later") == 2
    texts = ["Tea?", "Yes", "No", "Maybe", "Milk?", "Yes please", "Sugar?", "Two", "Tea?", "Later"]
    assert [text for _, _, text in await said()] == texts


async def test_messages_may_arrive_late_and_in_any_order(
    append, said, stored_conversations, capturing_workspace_id
) -> None:
    """D8: late messages fill gaps, and the chain links the stored messages at any time."""
    await append(*numbered(3, 0))
    assert await stored_conversations.chain(capturing_workspace_id, "c") == [("#0", ["#3"]), ("#3", [])]

    await append(*numbered(2, 1))

    assert await said() == [(f"#{place}", place, text) for place, text in enumerate(TALK)]
    assert await stored_conversations.chain(capturing_workspace_id, "c") == [
        ("#0", ["#1"]),
        ("#1", ["#2"]),
        ("#2", ["#3"]),
        ("#3", []),
    ]


async def test_a_message_may_change_its_position(
    append, said, stored_conversations, capturing_workspace_id
) -> None:
    await append(*(message(text, f"m{place}", place) for place, text in enumerate(TALK)))

    report = await append(message(TALK[0], "m0", 9))

    assert (report.added, report.changed) == (0, 1)
    assert [id_ for id_, _, _ in await said()] == ["m1", "m2", "m3", "m0"]
    assert await stored_conversations.chain(capturing_workspace_id, "c") == [
        ("m1", ["m2"]),
        ("m2", ["m3"]),
        ("m3", ["m0"]),
        ("m0", []),
    ]
    await append(message("Bye", "m4"))
    assert (await said())[-1] == ("m4", 10, "Bye")


async def test_concurrent_writers_create_one_conversation(
    append, said, stored_conversations, capturing_workspace_id
) -> None:
    """N10: with overlapping batches of several writers to a new conversation."""
    batches = [(0, 1), (1, 2, 3), (0, 1, 2), (3,), (2, 0)]

    reports = await asyncio.gather(*(append(*numbered(*places)) for places in batches))

    assert sum(report.added for report in reports) == len(TALK)
    assert await said() == [(f"#{place}", place, text) for place, text in enumerate(TALK)]
    chain = await stored_conversations.chain(capturing_workspace_id, "c")
    assert [following for _, following in chain] == [["#1"], ["#2"], ["#3"], []]


async def test_a_growing_answer_is_stored_once(append, said) -> None:
    """D8: a late, shorter version does not replace the longer text; an edit does."""
    partial, whole = message("The weather", "a"), message("The weather is fine", "a")
    reports = [await append(each) for each in (partial, whole, partial)]
    assert [(report.added, report.changed, report.known) for report in reports] == [
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
    ]
    assert await said() == [("a", 0, "The weather is fine")]

    await append(message("Rain, sorry", "a"))
    assert await said() == [("a", 0, "Rain, sorry")]


async def test_a_growing_answer_without_an_id_is_stored_once(append, said) -> None:
    """D8: with the messages before it, or alone."""
    question = message("The weather?", role="user")
    parts = ["It", "It is fine", "It is fine, and warm"]
    answers = [message(part, role="assistant") for part in parts]

    first = await append(question, answers[0])
    page = await append(question, answers[1])
    alone = await append(answers[2])
    again = await append(question, answers[2], message("Thanks", role="user"))

    assert (first.added, first.changed, first.known) == (2, 0, 0)
    assert (page.added, page.changed, page.known) == (0, 1, 1)
    assert (alone.added, alone.changed, alone.known) == (0, 1, 0)
    assert (again.added, again.changed, again.known) == (1, 0, 2)
    assert await said() == [("#0", 0, "The weather?"), ("#1", 1, parts[2]), ("#2", 2, "Thanks")]


async def test_a_conversation_has_one_platform(append, said) -> None:
    """D7, D9."""
    await append(message("Hello", "a"), platform="ChatGPT")

    with pytest.raises(Conflict) as refused:
        await append(message("Hello", "b"), platform="Gemini")
    await append(message("Again", "b"))

    assert refused.value.field == "platform"
    assert await said() == [("a", 0, "Hello"), ("b", 1, "Again")]


async def test_while_memory_is_off_nothing_is_captured_but_all_stays_readable(
    services, capturing_workspace_id, append, said, stored_conversations
) -> None:
    """F17, I5, N13: enabling memory again captures nothing from the time between."""
    await append(message("before", "a"))
    await services.tenancy.workspaces.update(capturing_workspace_id, memory_enabled=False)
    stored = await stored_conversations.left(capturing_workspace_id)

    known = await append(message("meanwhile", "b"))
    new = await services.conversations.capture.append(
        capturing_workspace_id, CaptureDraft(conversation_id="new", messages=[message("meanwhile")])
    )

    assert known.skipped == new.capture.skipped == "memory is off in this workspace"
    assert (known.added, new.created_at, new.updated_at) == (0, None, None)
    assert await stored_conversations.left(capturing_workspace_id) == stored
    assert await said() == [("a", 0, "before")]
    await services.tenancy.workspaces.update(capturing_workspace_id, memory_enabled=True)
    assert (await append(message("after", "c"))).added == 1
    assert [text for _, _, text in await said()] == ["before", "after"]


async def test_a_message_with_a_credential_is_skipped(append, said) -> None:
    """A43: the other messages are stored, and a repeated batch adds nothing."""
    batch = [message("My key:"), message("AKIAIOSFODNN7ABCDEFG"), message("Thanks")]

    reports = [await append(*batch) for _ in range(2)]

    assert [(report.added, report.known) for report in reports] == [(2, 0), (0, 2)]
    (left_out,) = reports[0].left_out
    assert left_out.place == 1
    assert "credential" in left_out.reason
    assert "AKIA" not in left_out.reason
    assert isinstance(left_out, LeftOut)
    assert [text for _, _, text in await said()] == ["My key:", "Thanks"]


async def test_an_invalid_message_is_skipped_and_a_long_one_truncated(append, said) -> None:
    """D8, issue 35.3: the rest of the chat is captured; a repeated batch adds nothing."""
    log = "a" * 20_000 + "b" * 20_000
    batch = [message("", role="assistant"), message("Look at this log:"), message(log), message("Thanks\0")]

    reports = [await append(*batch) for _ in range(2)]
    alone = await append(batch[0], id_="other")

    left_out = [
        LeftOut(place=0, reason="content has no text"),
        LeftOut(
            place=2,
            reason="content is too long: its first and last 16000 of 40000 characters are stored",
            is_stored=True,
        ),
    ]
    assert [(report.added, report.known, report.left_out) for report in reports] == [
        (3, 0, left_out),
        (0, 3, left_out),
    ]
    assert [text for _, _, text in await said()] == [
        "Look at this log:",
        "a" * 16_000 + "\n\n[… 8000 characters …]\n\n" + "b" * 16_000,
        "Thanks",
    ]
    assert (alone.added, alone.left_out) == (0, left_out[:1])


async def test_an_invalid_first_message_creates_no_conversation(
    services, capturing_workspace_id, append, stored_conversations
) -> None:
    """Issue 35.3."""
    await append(message(" "))

    assert await services.conversations.capture.find(capturing_workspace_id, "c") is None
    assert await stored_conversations.left(capturing_workspace_id) == 0


async def test_a_message_that_memories_refer_to_already_is_captured(
    services, capturing_workspace_id, append, said
) -> None:
    """A10, E16: the id is known from a memory's edge; an imported turn is known with its text."""
    source = {"source_conversation_id": "c", "source_message_id": "m1"}
    note = MemoryDraft(content="Ola lives in Oslo", source_type="model", **source)
    turn = MemoryDraft(content="I live in Oslo", speaker="user", **{**source, "source_message_id": "m2"})
    await services.memories.store.save_all(capturing_workspace_id, [note, turn])

    report = await append(message("Where do you live?", "m1"), message("I live in Oslo", "m2"))

    assert (report.added, report.changed, report.known) == (1, 0, 1)
    assert await said() == [("m2", 0, "I live in Oslo"), ("m1", 1, "Where do you live?")]


async def test_imported_turns_are_read_as_a_conversation(
    services, capturing_workspace_id, append, said
) -> None:
    """D7: in order over all sessions; a later capture continues after them."""
    turns = [
        MemoryDraft(
            content=f"said {number}",
            speaker="user",
            source_conversation_id="c",
            source_message_id=f"m{number}",
            session_id=f"s{number // 2}",
        )
        for number in range(4)
    ]
    await services.memories.store.save_all(capturing_workspace_id, turns[:3])
    await services.memories.store.save_all(capturing_workspace_id, turns[3:])
    known = await append(*(message(f"said {number}", role="user") for number in (2, 3)), message("more"))

    assert (known.added, known.known) == (1, 2)
    assert [text for _, _, text in await said()] == ["said 0", "said 1", "said 2", "said 3", "more"]


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [message("x")] * 1001}, "messages"),
        ({"conversation_id": " "}, "conversationId"),
        ({"platform": "p" * 65}, "platform"),
        ({"title": "t" * 513}, "title"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_an_invalid_field_is_refused_by_name(
    services, capturing_workspace_id, stored_conversations, draft, field
) -> None:
    """K18: and nothing is stored."""
    given = CaptureDraft(**{"conversation_id": "c", "messages": [message("x")], **draft})

    with pytest.raises(InvalidInput) as refused:
        await services.conversations.capture.append(capturing_workspace_id, given)

    assert refused.value.field == field
    assert field in refused.value.message
    assert await stored_conversations.left(capturing_workspace_id) == 0
