"""The user of a request: headers and query of REST, arguments of tools, and pools of keys."""

import json

import pytest

from graph.tenancy.models import Scope

ALICES, BOBS, OURS = "Alice keeps bees in Bern", "Bob keeps bees in Basel", "The office keeps bees in Geneva"


async def stored(rest, content: str, **owner) -> dict:
    return await rest.post("/memory", {"content": content, **owner})


async def recalled(rest, query: str = "Who keeps bees where?", **named) -> set[str]:
    answer = await rest.get("/recall", query=query, **named)
    return {result["memory"]["content"] for result in answer["results"]}


@pytest.fixture
async def three(rest) -> None:
    await stored(rest, ALICES, user_id="alice")
    await stored(rest, BOBS, user_id="bob")
    await stored(rest, OURS)


async def test_a_query_parameter_or_a_header_names_the_user_of_a_request(rest, three) -> None:
    """I2, issue 15 point 4."""
    with_header = await rest.send(
        "GET", "/recall", params={"query": "Who keeps bees?"}, headers={"x-recollect-user-id": "bob"}
    )

    assert await recalled(rest) == {ALICES, BOBS, OURS}
    assert await recalled(rest, user_id="alice") == {ALICES, OURS}
    assert {each["memory"]["content"] for each in with_header.json()["results"]} == {BOBS, OURS}


async def test_writes_of_a_request_belong_to_its_user(rest, services, workspace_id) -> None:
    answer = await rest.send("POST", "/memory", params={"user_id": "alice"}, json={"content": ALICES})

    memory = await services.memories.store.get(workspace_id, answer.json()["memory_id"])
    assert (memory.user_id, memory.agent_id) == ("alice", None)


async def test_a_request_changes_nothing_of_another_user(rest, three) -> None:
    """I2."""
    theirs = (await stored(rest, "Bob sells honey on Sundays", user_id="bob"))["memory_id"]

    changed = await rest.send("PATCH", f"/memory/{theirs}?user_id=alice", json={"importance": 0.1})
    deleted = await rest.send("DELETE", f"/memory/{theirs}?user_id=alice")

    assert (changed.status_code, deleted.status_code) == (404, 404)
    assert "Bob sells honey on Sundays" in await recalled(rest, "Who sells honey?", user_id="bob")


@pytest.mark.parametrize(
    ("named", "status"), [({"user_id": "bob"}, 403), ({"user_id": " "}, 400), ({"agent_id": "x" * 513}, 400)]
)
async def test_a_bound_key_and_a_malformed_name_are_refused(http, services, workspace_id, named, status):
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="alice's", scopes=[Scope.READ, Scope.WRITE], user_id="alice"
    )
    headers = {"Authorization": f"Bearer {secret}"}

    refused = await http.get("/recall", params={"query": "bees", **named}, headers=headers)

    assert refused.status_code == status, refused.text


async def test_tools_take_a_user_unless_the_key_is_bound_to_one(agent, services) -> None:
    """K13, issue 15 point 4."""
    await agent.call("store_memory", content=ALICES, user_id="alice")
    await agent.call("store_memory", content=BOBS, user_id="bob")
    found = await agent.text("memory.recall", query="Who keeps bees?", user_id="alice")
    wrong = await agent.error("memory.recall", query="Who keeps bees?", user_id=" ")
    key, secret = await services.tenancy.keys.create(
        agent.workspace_id, name="bob's", scopes=[Scope.READ], user_id="bob"
    )
    bobs = type(agent)(agent.url, key.id, secret, agent.workspace_id)
    own = await bobs.text("memory.recall", query="Who keeps bees?")
    refused = await bobs.error("memory.recall", query="Who keeps bees?", user_id="alice")
    async with agent.session() as session, bobs.session() as bound:
        shown = {tool.name: tool for tool in (await session.list_tools()).tools}["recall"]
        narrower = {tool.name: tool for tool in (await bound.list_tools()).tools}["recall"]

    assert [each in found for each in (ALICES, BOBS)] == [True, False]
    assert [each in own for each in (ALICES, BOBS)] == [False, True]
    assert (wrong["code"], wrong["field"]) == ("INVALID_INPUT", "user_id")
    assert refused["code"] == "FORBIDDEN"
    assert {"user_id", "agent_id"} <= shown.inputSchema["properties"].keys()
    assert "user_id" not in narrower.inputSchema["properties"]


@pytest.mark.parametrize("is_bound", [True, False], ids=["key", "header"])
async def test_resources_are_those_of_the_user(agent, services, http, is_bound) -> None:
    """I2, N12: so are their neighbours, whether the key is bound to the user or the request names them."""
    saved = [
        await agent.call("store_memory", content=content, **owner)
        for content, owner in ((ALICES, {"user_id": "alice"}), (BOBS, {"user_id": "bob"}), (OURS, {}))
    ]
    alices, bobs, ours = (each["memory_id"] for each in saved)
    for other in (alices, bobs):
        await agent.call("relate", from_id=ours, to_id=other, type="RELATES_TO")
    _, secret = await services.tenancy.keys.create(
        agent.workspace_id, name="bob's", scopes=[Scope.READ], user_id="bob" if is_bound else None
    )
    headers = {"Authorization": f"Bearer {secret}", "Accept": "application/json, text/event-stream"}

    async def read(memory_id: str) -> dict:
        parameters = {"uri": f"recollect://memory/{memory_id}"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": parameters}
        named = {} if is_bound else {"x-recollect-user-id": "bob"}
        return (await http.post("/mcp", json=body, headers={**headers, **named})).json()

    refused, own, shared = await read(alices), await read(bobs), await read(ours)

    assert refused["error"]["data"] == {"code": "NOT_FOUND", "field": "uri"}
    assert json.loads(own["result"]["contents"][0]["text"])["content"]["content"] == BOBS
    beside = json.loads(shared["result"]["contents"][0]["text"])["connected"]
    # A job links them to entities meanwhile.
    assert [each["id"] for each in beside if each["kind"] == "Memory"] == [bobs]


async def test_a_tool_answers_each_user_with_their_own_facts(agent) -> None:
    """Issue 15: even if both facts have the same key."""
    said = {"alice": "The user does not like Python", "bob": "The user likes Python"}
    for user, content in said.items():
        await agent.call("store_memory", content=content, user_id=user)

    found = {
        user: await agent.text("memory.recall", query="Does the user like Python?", user_id=user)
        for user in said
    }

    assert {user: [each in text for each in said.values()] for user, text in found.items()} == {
        "alice": [True, False],
        "bob": [False, True],
    }


@pytest.fixture
async def pooled(rest_client, services, workspace_id):
    """Create clients of two keys in a workspace with a pool for each key."""
    await services.tenancy.workspaces.update(workspace_id, settings={"pool": "KEY"}, memory_enabled=True)
    return await rest_client(workspace_id), await rest_client(workspace_id)


async def test_each_key_of_a_pool_reads_and_writes_its_own_memory(pooled, rest_client, workspace_id) -> None:
    """I2, K8, issue 15 point 3: an administrator's memories belong to everybody."""
    one, other = pooled
    administrator = await rest_client(workspace_id, Scope.READ, Scope.WRITE, Scope.ADMIN)
    await stored(one, ALICES)
    await stored(other, BOBS)
    await stored(administrator, OURS)

    assert await recalled(one) == {ALICES, OURS}
    assert await recalled(other) == {BOBS, OURS}
    assert await recalled(administrator) == {ALICES, BOBS, OURS}


async def test_a_pool_key_cannot_name_a_user_or_another_key(pooled, rest_client, workspace_id) -> None:
    one, other = pooled
    ids = {
        name: (await client.post("/memory", {"content": text}))["memory_id"]
        for name, client, text in (("one", one, ALICES), ("other", other, BOBS))
    }
    administrator = await rest_client(workspace_id, Scope.READ, Scope.WRITE, Scope.ADMIN)
    entries = (await administrator.get("/api/memory"))["data"]
    keys = {entry["content"]: entry["apiKeyId"] for entry in entries}

    refused = await one.send("GET", "/recall", params={"query": "bees", "user_id": "alice"})
    foreign = await one.send("GET", f"/memory/{ids['other']}")
    own = (await administrator.get("/api/memory", apiKeyId=keys[BOBS]))["data"]
    saved = await administrator.post(
        "/api/memory",
        {"content": "Bob keeps goats too", "key": "pref:animal", "apiKeyId": keys[BOBS]},
    )

    assert refused.status_code == 403
    assert foreign.status_code in (404, 405)
    assert [entry["content"] for entry in own] == [BOBS]
    assert saved["apiKeyId"] == keys[BOBS]
    assert "Bob keeps goats too" in await recalled(other)
    assert "Bob keeps goats too" not in await recalled(one)


async def test_equal_memory_keys_are_separate_in_each_pool(pooled, services, workspace_id) -> None:
    """A2: the second API key's ``pref:editor`` leaves the first's alone."""
    one, other = pooled
    saved = [
        await client.send(
            "POST",
            "/graphql",
            json={
                "query": f'mutation {{ saveMemory(input: {{key: "pref:editor", content: "{text}"}}) {{ outcome }} }}'
            },
        )
        for client, text in ((one, "The editor is vim"), (other, "The editor is emacs"))
    ]

    assert [each.json()["data"]["saveMemory"]["outcome"] for each in saved] == ["CREATED", "CREATED"]
