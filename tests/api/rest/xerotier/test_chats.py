"""The memories of one chat (K2, K3, A22, A26, A30, A40, D1, D3, D4)."""

import asyncio
import uuid

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.models import JobKind
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter
from graph.memories.service import Memories
from graph.tenancy.models import Scope
from tests.fixtures.waiting import until

CHAT = "/chat/api/chat_abc123"
NOBODY = "mem_ofNobody0000000000000000"
THOUGHT = "The narrow gate delays every delivery of the north side, as nine days of counting show. " * 3


async def created(client, **body) -> dict:
    answer = await client.post(f"{CHAT}/memory", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
async def said(services, workspace_id) -> str:
    """Capture a message of the chat; return its id."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    draft = MessageDraft(id="msg_abc123", content="The project deadline is March 15.", role="user")
    await services.conversations.capture.append(
        workspace_id, CaptureDraft(conversation_id="chat_abc123", messages=[draft])
    )
    return "msg_abc123"


async def test_a_message_is_remembered_by_its_id(dashboard, said) -> None:
    """A22, D1: the text is the message's, and the source is the user."""
    memory = await created(dashboard, messageId=said, category="fact")

    assert memory["content"] == "The project deadline is March 15."
    assert (memory["category"], memory["source_type"]) == ("fact", "user")
    assert memory["source_chat_id"] == "chat_abc123"


async def test_an_explicit_text_overrides_the_messages(dashboard, services, workspace_id) -> None:
    """A22: the message then need not be stored."""
    memory = await created(dashboard, messageId="msg_unknown", content="The gate is green")

    stored = await services.memories.store.get(workspace_id, memory["id"])
    assert (stored.content, stored.source_message_id) == ("The gate is green", "msg_unknown")


async def test_a_text_is_saved_unchanged_if_synthesis_fails(dashboard) -> None:
    """A23: these tests have no language model."""
    memory = await created(dashboard, content="The gate is green", synthesize=True)

    assert memory["content"] == "The gate is green"


async def test_a_duplicate_is_returned_and_not_saved_again(dashboard) -> None:
    """A21."""
    first = await created(dashboard, content="The gate of the north side is green")
    second = await created(dashboard, content="The gate of the north side is green")

    assert (first["deduplicated"], second["deduplicated"]) == (False, True)
    assert {**second, "deduplicated": False} == first


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "messageId"),
        ({"category": "fact"}, "messageId"),
        ({"messageId": None, "content": None}, "messageId"),
        ({"content": ""}, "content"),
        ({"content": "  \n"}, "content"),
        ({"content": "x" * 2001}, "content"),
        ({"content": 5}, "content"),
        ({"content": "x\x00"}, "content"),
        ({"messageId": ""}, "messageId"),
        ({"messageId": "x" * 513}, "messageId"),
        ({"content": "x", "category": ""}, "category"),
        ({"content": "x", "synthesize": "perhaps"}, "synthesize"),
        ({"content": "x", "nothing": 1}, "nothing"),
        ({"content": "the key is AKIAIOSFODNN7EXAMPLE"}, "content"),
        ([], "body"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_body_that_breaks_a_rule_is_refused_by_its_field(dashboard, body, field) -> None:
    """K18, K20: nothing is written."""
    answer = await dashboard.post(f"{CHAT}/memory", json=body)

    assert answer.status_code == 400, answer.text
    assert answer.json().keys() == {"error", "field"}
    assert answer.json()["field"] == field
    assert (await dashboard.get(f"{CHAT}/memories")).json() == {"memories": []}


async def test_a_message_that_is_not_stored_is_not_found(dashboard) -> None:
    answer = await dashboard.post(f"{CHAT}/memory", json={"messageId": "msg_unknown"})

    assert (answer.status_code, answer.json()["field"]) == (404, "messageId")


async def test_a_chats_list_has_all_of_its_memories_newest_first(dashboard, services, workspace_id) -> None:
    """K3: without paging and without deleted memories."""
    drafts = [
        MemoryDraft(content=f"turn {number}", source_conversation_id="chat_abc123", session_id="s")
        for number in range(205)
    ]
    await services.memories.store.save_all(workspace_id, drafts)
    await services.memories.store.save(
        workspace_id, MemoryDraft(content="elsewhere", source_conversation_id="chat_b")
    )
    gone = await created(dashboard, content="The gate is green")
    newest = await created(dashboard, content="The barn is red")
    await dashboard.delete(f"{CHAT}/memories/{gone['id']}")

    body = (await dashboard.get(f"{CHAT}/memories")).json()

    assert body.keys() == {"memories"}
    assert len(body["memories"]) == 206
    assert body["memories"][0]["id"] == newest["id"]
    moments = [memory["created_at"] for memory in body["memories"]]
    assert moments == sorted(moments, reverse=True)


async def test_a_long_chats_list_is_written_page_by_page(
    dashboard, services, workspace_id, monkeypatch
) -> None:
    """K3, N3: the service holds one page in memory; each row appears once, in the form of other lists."""
    drafts = [
        MemoryDraft(content=f"turn {number}", source_conversation_id="chat_abc123", session_id="s")
        for number in range(401)
    ]
    await services.memories.store.save_all(workspace_id, drafts)
    read = []
    page = Memories.page

    async def noting(*given, **named):
        found = await page(*given, **named)
        read.append(len(found.items))
        return found

    monkeypatch.setattr(Memories, "page", noting)
    answer = await dashboard.get(f"{CHAT}/memories")

    rows = answer.json()["memories"]
    listed = (await dashboard.get(f"/chat/api/workspaces/{workspace_id}/memories?limit=1")).json()["items"]
    assert (answer.headers["content-type"], read[:3]) == ("application/json", [200, 200, 1])
    assert "content-length" not in answer.headers
    assert len({row["id"] for row in rows}) == 401
    assert rows[0].items() >= listed[0].items()


async def test_an_unknown_chat_has_no_memories(dashboard) -> None:
    assert (await dashboard.get("/chat/api/chat_unknown/memories")).json() == {"memories": []}


async def test_a_change_keeps_category_and_source_and_asks_for_a_new_vector(
    dashboard, services, workspace_id
) -> None:
    """A26, B16, A33."""
    memory = await created(dashboard, content="The gate is green", category="fact")

    answer = await dashboard.patch(
        f"{CHAT}/memories/{memory['id']}", json={"content": "The gate is blue now"}
    )

    changed = answer.json()
    assert answer.status_code == 200
    assert changed["content"] == "The gate is blue now"
    kept = ("id", "category", "source_type", "source_chat_id", "workspace_id", "created_at")
    assert [changed[name] for name in kept] == [memory[name] for name in kept]
    stored = await services.memories.store.get(workspace_id, memory["id"])
    assert (stored.old_text, stored.version) == ("The gate is green", 2)

    async def found():
        listed = await services.memories.store.page(workspace_id, MemoryFilter())
        return all(not memory.needs_reindex for memory in listed.items)

    assert await until(found)


@pytest.mark.parametrize("content", [None, "", "x" * 2001, 1])
async def test_a_change_that_breaks_a_rule_is_refused(dashboard, content) -> None:
    """A4: a write above 2000 characters is rejected, not truncated."""
    memory = await created(dashboard, content="The gate is green")

    answer = await dashboard.patch(f"{CHAT}/memories/{memory['id']}", json={"content": content})

    assert (answer.status_code, answer.json()["field"]) == (400, "content")
    listed = (await dashboard.get(f"{CHAT}/memories")).json()["memories"]
    assert [each["content"] for each in listed] == ["The gate is green"]


async def test_a_deleted_memory_can_be_restored(dashboard, services, workspace_id) -> None:
    """A30: the deletion is soft, repeatable, and answered without a body, as on every path."""
    memory = await created(dashboard, content="The gate is green")

    first = await dashboard.delete(f"{CHAT}/memories/{memory['id']}")
    second = await dashboard.delete(f"{CHAT}/memories/{memory['id']}")

    assert [(each.status_code, each.content) for each in (first, second)] == [(204, b"")] * 2
    assert (await services.memories.store.restore(workspace_id, memory["id"])).content == "The gate is green"


@pytest.mark.parametrize(("method", "suffix"), [("PATCH", ""), ("DELETE", ""), ("POST", "/rerun-extraction")])
async def test_a_memory_of_another_chat_does_not_exist_here(
    dashboard, services, workspace_id, method, suffix
) -> None:
    """Nor does a memory without a chat, or an unknown id."""
    drafts = [
        MemoryDraft(content="The barn is red", source_conversation_id="chat_b"),
        MemoryDraft(content="x"),
    ]
    others = [saved.memory.id for saved in await services.memories.store.save_all(workspace_id, drafts)]

    for id_ in (*others, NOBODY):
        path = f"{CHAT}/memories/{id_}{suffix}"
        answer = await dashboard.request(method, path, json={"content": "changed"})
        assert (answer.status_code, answer.json()["field"]) == (404, "memoryId")
    listed = await services.memories.store.page(workspace_id, MemoryFilter())
    assert sorted(memory.content for memory in listed.items) == ["The barn is red", "x"]


async def test_ids_of_both_forms_are_accepted(dashboard, services, workspace_id) -> None:
    """A2."""
    id_ = str(uuid.uuid4())
    draft = MemoryDraft(id=id_, content="The barn is red", source_conversation_id="chat_abc123")
    await services.memories.store.save(workspace_id, draft)

    answer = await dashboard.patch(f"{CHAT}/memories/{id_}", json={"content": "The barn is green"})

    assert (answer.json()["id"], answer.json()["content"]) == (id_, "The barn is green")


async def test_a_worker_rewrites_a_summary(dashboard, services, workspace_id, said) -> None:
    """A40: in the same row, from the message; requests while it waits share one job."""
    memory = await created(dashboard, messageId=said)
    await services.memories.store.update(
        workspace_id, memory["id"], MemoryChange(content=f"{memory['content']} So it was said on a cold day.")
    )
    path = f"{CHAT}/memories/{memory['id']}/rerun-extraction"

    answers = await asyncio.gather(*(dashboard.post(path) for _ in range(3)))

    assert [answer.status_code for answer in answers] == [202] * 3
    assert [answer.json() for answer in answers] == [{"status": "queued", "id": memory["id"]}] * 3

    async def summary():
        return (await services.memories.store.get(workspace_id, memory["id"])).summary

    assert await until(summary) == "The project deadline is March 15."
    listed = (await dashboard.get(f"{CHAT}/memories")).json()["memories"]
    assert [each["id"] for each in listed] == [memory["id"]]


async def test_a_memory_without_a_message_cannot_be_rewritten(dashboard) -> None:
    memory = await created(dashboard, content="The gate is green")

    answer = await dashboard.post(f"{CHAT}/memories/{memory['id']}/rerun-extraction")

    assert (answer.status_code, answer.json()["field"]) == (400, "memoryId")


async def test_a_tools_result_becomes_a_memory(dashboard, services, workspace_id) -> None:
    """D3: source_type is model, in its chat; a repeated result counts once."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    body = {
        "source": "tool",
        "text": "We decided to keep the blue crates for the winter.",
        "toolName": "search",
    }

    answer = await dashboard.post(f"{CHAT}/outputs", json=body)

    queued = answer.json()
    assert (answer.status_code, queued) == (202, {"status": "queued", "skipped": None, "id": queued["id"]})

    async def saved():
        return (await dashboard.get(f"{CHAT}/memories")).json()["memories"]

    (memory,) = await until(saved)
    assert (memory["content"], memory["source_type"]) == (body["text"], "model")


@pytest.mark.parametrize(
    ("body", "enabled", "why"),
    [
        (
            {"source": "research", "text": "x" * 199},
            True,
            "text has fewer than 200 characters without what was injected into it",
        ),
        (
            {"source": "tool", "text": "the key is AKIAIOSFODNN7EXAMPLE"},
            True,
            "text seems to hold a credential (AWS Access Key)",
        ),
        ({"source": "deep_think", "text": THOUGHT}, False, "memory is off in this workspace"),
    ],
    ids=["too short", "a credential", "memory is off"],
)
async def test_unwanted_texts_are_skipped(dashboard, services, workspace_id, body, enabled, why) -> None:
    """D4, I4, A43."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=enabled)

    answer = await dashboard.post(f"{CHAT}/outputs", json=body)

    assert (answer.status_code, answer.json()) == (202, {"status": "skipped", "skipped": why})
    jobs = await services.core.jobs.page(workspace_id)
    assert [job for job in jobs.items if job.kind is JobKind.DISTILL] == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "x"}, "source"),
        ({"source": "dream", "text": "x"}, "source"),
        ({"source": "tool"}, "text"),
        ({"source": "tool", "text": ""}, "text"),
        ({"source": "tool", "text": "x", "chatId": "y"}, "chatId"),
        ({"source": "answer", "text": "too short to be taken in", "toolName": " "}, "toolName"),
        ({"source": "answer", "text": "too short to be taken in", "invocationId": " "}, "invocationId"),
    ],
)
async def test_an_output_that_breaks_a_rule_is_refused(dashboard, body, field) -> None:
    answer = await dashboard.post(f"{CHAT}/outputs", json=body)

    assert (answer.status_code, answer.json()["field"]) == (400, field)


async def test_routes_require_the_scope_of_their_operation(sign_in, workspace_id) -> None:
    """A session may do the same as its key."""
    reader = await sign_in(workspace_id, Scope.READ)
    writer = await sign_in(workspace_id, Scope.WRITE)

    statuses = [
        (await client.request(method, path, json=body)).status_code
        for client in (reader, writer)
        for method, path, body in (
            ("GET", f"{CHAT}/memories", None),
            ("POST", f"{CHAT}/memory", {"content": "The gate is green"}),
        )
    ]

    assert statuses == [200, 403, 403, 201]


async def test_a_synthesis_reports_its_fallback(dashboard, said) -> None:
    """A23: the response has no such report if everything worked."""
    plain = await created(dashboard, content="The gate is green", synthesize=True)
    asked = await created(dashboard, content="The wide gate is blue")

    assert plain["degraded"] == ["synthesis: no language model is configured; the plain text stays"]
    assert "degraded" not in asked
