"""Oxagen's interface: the switch of a workspace's memory, and the deletion of a conversation."""

import pytest

from graph.retrieval.search.models import SearchKind
from graph.tenancy.models import Scope

SWITCHES = [
    ("POST", "/v1/workspaces/{id}/memory/enable", None),
    ("POST", "/v1/workspaces/{id}/memory/disable", None),
    ("PUT", "/v1/workspaces/{id}/settings", {"memory": {"enabled": True}}),
]
SAID = {"messages": [{"role": "user", "content": "I prefer window seats."}]}

every_switch = pytest.mark.parametrize(
    ("method", "path", "body"), SWITCHES, ids=[path for _, path, _ in SWITCHES]
)


@every_switch
async def test_only_members_may_switch_memory(their_rest, services, workspace_id, method, path, body) -> None:
    """I7, I12: for others the workspace does not exist."""
    before = await services.tenancy.workspaces.get(workspace_id)

    answer = await their_rest.send(method, path.format(id=workspace_id), json=body)

    assert answer.status_code == 404
    assert answer.json()["field"] == "workspace_id"
    assert await services.tenancy.workspaces.get(workspace_id) == before


@every_switch
async def test_a_read_only_member_cannot_switch_memory(rest_client, workspace_id, method, path, body) -> None:
    reader = await rest_client(workspace_id, Scope.READ)

    assert (await reader.send(method, path.format(id=workspace_id), json=body)).status_code == 403


@every_switch
async def test_a_key_is_needed(http, workspace_id, method, path, body) -> None:
    """I12."""
    assert (await http.request(method, path.format(id=workspace_id), json=body)).status_code == 401


async def test_an_administrator_may_switch_any_workspace(http, admin, services, workspace_id) -> None:
    answer = await http.post(f"/v1/workspaces/{workspace_id}/memory/enable", headers={"X-API-Key": admin.key})

    assert answer.status_code == 200
    assert (await services.tenancy.workspaces.get(workspace_id)).memory_enabled


async def test_a_bound_key_cannot_switch_memory_for_all_users(http, services, workspace_id) -> None:
    """I2, J5."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="alice", scopes=[Scope.READ, Scope.WRITE], user_id="alice"
    )

    answer = await http.post(f"/v1/workspaces/{workspace_id}/memory/disable", headers={"X-API-Key": secret})

    assert answer.status_code == 403
    assert (await services.tenancy.workspaces.get(workspace_id)).memory_enabled


async def test_stored_memories_stay_readable_and_capture_resumes(rest, services, workspace_id) -> None:
    """I4, N13, G13: while off, nothing is captured or lost; nothing is captured later on its behalf."""
    workspace = f"/v1/workspaces/{workspace_id}/memory"
    await rest.post(f"{workspace}/enable", status=200)
    await rest.post("/v1/conversations/c/messages", SAID, status=200)
    await rest.post(f"{workspace}/disable", status=200)
    off = await rest.post(
        "/v1/conversations/c/messages", {"messages": [{"content": "not captured"}]}, status=200
    )

    pages = await services.conversations.capture.messages_of(workspace_id, ["c"])

    assert (off["added"], off["skipped"] is not None) == (0, True)
    assert [message.content for message in pages["c"].items] == ["I prefer window seats."]


async def test_settings_can_be_read(rest, rest_client, their_rest, workspace_id) -> None:
    """K20, I8: with read scope; for others the workspace does not exist."""
    path = f"/v1/workspaces/{workspace_id}/settings"
    await rest.put(path, {"memory": {"enabled": True}})
    reader = await rest_client(workspace_id, Scope.READ)

    assert await reader.get(path) == {"memory": {"enabled": True}}
    await rest.put(path, {"memory": {"enabled": False}})
    assert await reader.get(path) == {"memory": {"enabled": False}}
    assert (await their_rest.get(path, status=404))["field"] == "workspace_id"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "memory"),
        ({"memory": {}}, "memory.enabled"),
        ({"memory": {"enabled": "maybe"}}, "memory.enabled"),
        ({"memory": {"enabled": "true"}}, "memory.enabled"),
        ({"memory": {"enabled": 1}}, "memory.enabled"),
        ({"memory": {"enabled": None}}, "memory.enabled"),
        ({"memory": {"enabled": True, "more": 1}}, "memory.more"),
        ({"memory": {"enabled": True}, "strategy": "exact"}, "strategy"),
        (None, "body"),
    ],
    ids=repr,
)
async def test_invalid_settings_are_refused(rest, services, workspace_id, body, field) -> None:
    """K20."""
    before = await services.tenancy.workspaces.get(workspace_id)

    answer = await rest.put(f"/v1/workspaces/{workspace_id}/settings", body, status=400)

    assert answer["field"] == field
    assert await services.tenancy.workspaces.get(workspace_id) == before


async def test_deleting_a_conversation_deletes_its_working_set_but_no_facts(
    rest, services, workspace_id
) -> None:
    """I14, F9, H5."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    await rest.post("/v1/conversations/c/messages", SAID, status=200)
    await services.core.working_set.write(workspace_id, "c", "planner_decision", {"next": 1})
    fact = await rest.post("/memory", {"content": "Window seats."})

    await rest.delete("/v1/conversations/c", status=204)

    assert await services.conversations.capture.find(workspace_id, "c") is None
    assert await services.core.working_set.read(workspace_id, "c", "planner_decision") is None
    assert await services.memories.store.find(workspace_id, fact["memory_id"]) is not None


async def test_an_unknown_conversation_is_not_found(rest, their_rest, services, other_workspace_id) -> None:
    """I8: nor is another tenant's conversation, which stays."""
    await services.tenancy.workspaces.update(other_workspace_id, memory_enabled=True)
    await their_rest.post("/v1/conversations/theirs/messages", SAID, status=200)

    answer = await rest.delete("/v1/conversations/theirs", status=404)

    assert answer["field"] == "conversation_id"
    assert await services.conversations.capture.find(other_workspace_id, "theirs") is not None


async def test_messages_of_a_deleted_episode_stay_deleted(rest, services, workspace_id) -> None:
    """F8: neither the conversation nor a search shows them."""
    await services.tenancy.workspaces.update(
        workspace_id, memory_enabled=True, settings={"extractionMode": "off"}
    )
    said = {"messages": [{"role": "user", "content": f"Window seat number {place}."} for place in range(3)]}
    await rest.post("/v1/conversations/c/messages", said, status=200)
    episodes = services.conversations.episodes
    made = await episodes.consolidate(workspace_id, "c", retain_last=0, max_age_days=0)
    episode = made.episode

    await rest.delete(f"/v1/conversations/other/episodes/{episode.id}", status=404)
    await rest.delete(f"/v1/conversations/c/episodes/{episode.id}", status=204)
    again = await rest.delete(f"/v1/conversations/c/episodes/{episode.id}", status=404)
    resent = await rest.post("/v1/conversations/c/messages", said, status=200)

    assert again["field"] == "episode_id"
    assert await episodes.latest(workspace_id, "c") == []
    assert (await episodes.page(workspace_id)).items == []
    assert (resent["added"], resent["known"]) == (0, 3)
    found = await services.retrieval.search.search(workspace_id, "window seat")
    assert [hit for hit in found.hits if hit.kind is SearchKind.EPISODE] == []


async def test_an_episode_of_another_tenant_is_not_found(
    rest, their_rest, services, other_workspace_id
) -> None:
    """I8."""
    await services.tenancy.workspaces.update(
        other_workspace_id, memory_enabled=True, settings={"extractionMode": "off"}
    )
    said = {"messages": [{"role": "user", "content": f"Aisle seat number {place}."} for place in range(3)]}
    await their_rest.post("/v1/conversations/c/messages", said, status=200)
    episodes = services.conversations.episodes
    made = await episodes.consolidate(other_workspace_id, "c", retain_last=0, max_age_days=0)
    episode = made.episode

    await rest.delete(f"/v1/conversations/c/episodes/{episode.id}", status=404)

    assert await episodes.latest(other_workspace_id, "c") == [episode]
