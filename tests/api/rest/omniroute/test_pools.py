"""``/api/memory`` in a workspace with a separate pool for each key, as OmniRoute's keys have."""

from typing import Any

import pytest

from graph.tenancy.models import Scope
from tests.api.rest.omniroute.conftest import Manager
from tests.fixtures.waiting import until

FACT = {"content": "Prefers tabs over spaces", "key": "preference:indentation"}


@pytest.fixture
async def keys(http, services, workspace_id) -> list[Manager]:
    """Create two keys that read and write, each with its own pool."""
    await services.tenancy.workspaces.update(workspace_id, settings={"pool": "KEY"}, memory_enabled=True)
    made = []
    for name in ("one", "other"):
        key, secret = await services.tenancy.keys.create(
            workspace_id, name=name, scopes=[Scope.READ, Scope.WRITE]
        )
        made.append(Manager(http, secret, key.id))
    return made


async def contents(manager: Manager, **params: str) -> list[str]:
    return sorted(entry["content"] for entry in (await manager.get("/api/memory", **params))["data"])


async def found(manager: Manager, **body: str) -> list[str]:
    asked = {"query": "prefers", "strategy": "exact", **body}
    items = (await manager.post("/api/memory/retrieve-preview", asked))["items"]
    return sorted(item["content"] for item in items)


async def test_a_key_lists_finds_and_changes_its_own_memories_only(keys) -> None:
    """I2: equal memory keys are separate memories in each pool."""
    one, other = keys
    mine = await one.post("/api/memory", FACT, status=201)
    theirs = await other.post("/api/memory", {**FACT, "content": "Prefers spaces"}, status=201)

    assert mine["id"] != theirs["id"]
    assert (await contents(one), await contents(other)) == ([FACT["content"]], ["Prefers spaces"])
    assert (await found(one), await found(other)) == ([FACT["content"]], ["Prefers spaces"])
    path = f"/api/memory/{theirs['id']}"
    for method, rest in (("GET", {}), ("PUT", {"json": {"content": "x"}}), ("DELETE", {})):
        assert await one.refused(method, path, **rest) == (404, "id")


async def test_a_key_cannot_use_another_keys_pool(keys) -> None:
    """K17."""
    one, other = keys
    await other.post("/api/memory", FACT, status=201)

    assert await one.refused("GET", "/api/memory", params={"apiKeyId": other.key_id}) == (403, None)
    assert await one.refused("POST", "/api/memory", json={**FACT, "apiKeyId": other.key_id}) == (403, None)
    asked = {"query": "tabs", "apiKeyId": other.key_id}
    assert await one.refused("POST", "/api/memory/retrieve-preview", json=asked) == (403, None)


async def test_an_administrator_uses_the_named_pool(keys, manager) -> None:
    one, other = keys
    await one.post("/api/memory", FACT, status=201)
    await other.post("/api/memory", {**FACT, "content": "Prefers spaces"}, status=201)

    assert await contents(manager) == ["Prefers spaces", FACT["content"]]
    assert await contents(manager, apiKeyId=one.key_id) == [FACT["content"]]
    assert await found(manager, apiKeyId=other.key_id) == ["Prefers spaces"]
    body = {**FACT, "content": "Prefers two spaces", "apiKeyId": other.key_id}
    assert (await manager.post("/api/memory", body, status=200))["content"] == "Prefers two spaces"
    assert await contents(other) == ["Prefers two spaces"]
    assert await contents(one) == [FACT["content"]]


async def graphql(manager: Manager, query: str, **variables: object) -> dict[str, Any]:
    answer = await manager.post("/graphql", {"query": query, "variables": variables})
    assert "errors" not in answer, answer
    data: dict[str, Any] = answer["data"]
    return data


async def test_a_key_clears_only_its_own_pool(keys) -> None:
    """I2, A41: through GraphQL and the tool, even if both pools have a memory of the same key."""
    one, other = keys
    await one.post("/api/memory", FACT, status=201)
    await other.post("/api/memory", {**FACT, "content": "Prefers spaces"}, status=201)
    clear = {"name": "omniroute_memory_clear", "arguments": {"apiKeyId": other.key_id}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": clear}
    accepted = {"Authorization": f"Bearer {one.key}", "Accept": "application/json, text/event-stream"}

    refused = (await one.http.post("/mcp", json=call, headers=accepted)).json()["result"]
    assert (refused["isError"], await contents(other)) == (True, ["Prefers spaces"])
    cleared = await graphql(one, "mutation { clearMemories(input: {}, hard: true) }")
    assert cleared == {"clearMemories": 1}
    assert (await contents(one), await contents(other)) == ([], ["Prefers spaces"])
    clear["arguments"] = {"apiKeyId": one.key_id}
    again = (await one.http.post("/mcp", json=call, headers=accepted)).json()["result"]
    assert (again["structuredContent"], await contents(other)) == ({"cleared": 0}, ["Prefers spaces"])


async def test_extracted_facts_belong_to_the_pool_of_the_key(keys) -> None:
    """I2, D15: two chats with different preferences make one memory in each pool."""
    append = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { id } }"
    extract = "mutation($id: ID!) { extractMemories(conversationId: $id) { id } }"
    for manager, text in zip(keys, ("I prefer green tea.", "I don't like green tea."), strict=True):
        said = {"conversationId": f"chat-{manager.key_id}", "messages": [{"role": "USER", "content": text}]}
        await graphql(manager, append, input=said)
        await graphql(manager, extract, id=said["conversationId"])

    async def extracted() -> list[list[tuple[str, str, str]]] | None:
        pages = [(await manager.get("/api/memory"))["data"] for manager in keys]
        return all(pages) and [
            [(entry["key"], entry["content"], entry["apiKeyId"]) for entry in page] for page in pages
        ]

    one, other = keys
    assert await until(extracted) == [
        [("preference:green_tea", "green tea", one.key_id)],
        [("preference:green_tea", "green tea", other.key_id)],
    ]
    polarities = [
        (await manager.get("/api/memory"))["data"][0]["metadata"].get("polarity") for manager in keys
    ]
    assert polarities == [None, "negative"]


async def test_injected_memories_come_from_the_pool_of_the_key(keys) -> None:
    """I2, J11: even if the other pool's memory of the same key matches as well."""
    ids = []
    contents = ("Prefers tabs as indentation in Python", "Prefers spaces as indentation in Python")
    for manager, content in zip(keys, contents, strict=True):
        saved = await manager.post("/api/memory", {**FACT, "content": content}, status=201)
        ids.append(saved["id"])

    for manager, id_ in zip(keys, ids, strict=True):
        told = await manager.post("/v1/inject", {"text": "Which indentation for Python?"})
        assert told["memory_ids"] == [id_]
