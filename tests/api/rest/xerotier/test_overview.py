"""A dashboard's overview: chats, the workspace, and the number of memories."""

from graph.memories.models import MemoryDraft
from graph.tenancy.models import Scope

PATH = "/chat/api"


async def test_the_overview_counts_the_memories_of_its_workspace(dashboard, services, workspace_id) -> None:
    """A45, L12: deleted ones do not count."""
    drafts = [MemoryDraft(content="The gate is green"), MemoryDraft(content="The barn is red")]
    _, gone = await services.memories.store.save_all(workspace_id, drafts)
    await services.memories.deletion.delete(workspace_id, gone.memory.id)

    shown = (await dashboard.get(f"{PATH}/workspace")).json()
    count = await dashboard.get(f"{PATH}/workspaces/{workspace_id}/memories/count")

    workspace = await services.tenancy.workspaces.get(workspace_id)
    assert shown == {
        "id": workspace_id,
        "name": workspace.name,
        "is_default": False,
        "memory_enabled": workspace.memory_enabled,
        "memory_count": 1,
    }
    assert count.json() == {"count": 1}


async def test_chats_are_listed_with_their_counts(dashboard, services, workspace_id) -> None:
    """I15: the latest changed chat first, paged."""
    for chat in ("chat_a", "chat_b"):
        draft = MemoryDraft(content=f"Said in {chat}", source_conversation_id=chat, source_message_id="m")
        await services.memories.store.save(workspace_id, draft)

    first = (await dashboard.get(f"{PATH}/chats?limit=1")).json()
    second = (await dashboard.get(f"{PATH}/chats", params={"cursor": first["next_cursor"]})).json()

    (chat,) = first["items"]
    assert chat == {
        "id": "chat_b",
        "title": None,
        "platform": None,
        "workspace_id": workspace_id,
        "message_count": 1,
        "memory_count": 1,
        "created_at": chat["created_at"],
        "updated_at": chat["updated_at"],
    }
    assert first["has_more"] is True
    assert [each["id"] for each in second["items"]] == ["chat_a"]
    assert (second["next_cursor"], second["has_more"]) == (None, False)


async def test_the_overview_shows_nothing_of_another_workspace(
    dashboard, services, workspace_id, other_workspace_id
) -> None:
    """I1, I8."""
    draft = MemoryDraft(content="Theirs", source_conversation_id="chat_theirs", source_message_id="m")
    await services.memories.store.save(other_workspace_id, draft)

    chats = (await dashboard.get(f"{PATH}/chats")).json()
    count = await dashboard.get(f"{PATH}/workspaces/{other_workspace_id}/memories/count")
    wrong = await dashboard.get(f"{PATH}/chats?cursor=x")

    assert chats == {"items": [], "next_cursor": None, "has_more": False}
    assert count.status_code == 404
    assert (wrong.status_code, wrong.json()["field"]) == (400, "cursor")


async def test_a_chat_is_assigned_to_another_workspace(
    sign_in, dashboard, services, workspace_id, other_workspace_id
) -> None:
    """I15: by an administrator who may write to both; for others the other workspace does not exist."""
    draft = MemoryDraft(content="Said in a chat", source_conversation_id="chat_a", source_message_id="m")
    await services.memories.store.save(workspace_id, draft)
    administrator = await sign_in(workspace_id, *Scope)
    body = {"workspaceId": other_workspace_id}

    refused = await dashboard.put(f"{PATH}/chat_a/workspace", json=body)
    moved = await administrator.put(f"{PATH}/chat_a/workspace", json=body)
    back = await administrator.put(
        f"{PATH}/chat_a/workspace", json={"workspaceId": workspace_id, "fromWorkspaceId": other_workspace_id}
    )
    unknown = await administrator.put(f"{PATH}/chat_none/workspace", json=body)

    assert refused.status_code == 404
    assert (moved.status_code, moved.json()["workspace_id"]) == (200, other_workspace_id)
    assert (moved.json()["message_count"], moved.json()["memory_count"]) == (1, 1)
    assert (back.status_code, back.json()["workspace_id"]) == (200, workspace_id)
    assert (unknown.status_code, unknown.json()["field"]) == (404, "chatId")
