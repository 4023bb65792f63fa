"""Oxagen's wire format (formats F§10)."""

import pytest


@pytest.mark.parametrize(("word", "is_on"), [("enable", True), ("disable", False)])
async def test_a_post_without_a_body_switches_memory(rest, services, workspace_id, word, is_on) -> None:
    """K10, I6."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=not is_on)

    answer = await rest.post(f"/v1/workspaces/{workspace_id}/memory/{word}", status=200)

    assert answer == {"workspace_id": workspace_id, "memory_enabled": is_on}
    assert (await services.tenancy.workspaces.get(workspace_id)).memory_enabled is is_on


@pytest.mark.parametrize("is_on", [True, False])
async def test_the_settings_route_changes_the_memory_switch(rest, services, workspace_id, is_on) -> None:
    """K10, I4."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=not is_on)
    settings = {"memory": {"enabled": is_on}}

    assert await rest.put(f"/v1/workspaces/{workspace_id}/settings", settings) == settings
    assert (await services.tenancy.workspaces.get(workspace_id)).memory_enabled is is_on


async def test_a_conversation_is_deleted_with_204(rest, services, workspace_id) -> None:
    """K10, I14."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    await rest.post(
        "/v1/conversations/chat-1/messages",
        {"messages": [{"role": "user", "content": "hello"}]},
        status=200,
    )

    answer = await rest.send("DELETE", "/v1/conversations/chat-1")

    assert (answer.status_code, answer.content) == (204, b"")
    assert await services.conversations.capture.find(workspace_id, "chat-1") is None
