"""``/api/memory``: saving, listing, changing and deleting memories as OmniRoute's clients do."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from graph.memories.models import MemoryDraft
from graph.memories.policy import SourceType
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from graph.tenancy.models import Scope
from tests.api.rest.omniroute.conftest import Manager
from tests.fixtures.waiting import until

FACT = {"content": "Prefers tabs over spaces", "key": "preference:indentation"}


async def test_a_memory_is_saved_read_changed_and_deleted(manager, workspace_id) -> None:
    """K6, K8, A25, A28, A30: with a UUID, owned by the caller's key, and permanently deleted in the end."""
    made = await manager.post("/api/memory", {**FACT, "type": "factual", "sessionId": "s1"}, status=201)

    assert str(uuid.UUID(made["id"])) == made["id"]
    assert (made["apiKeyId"], made["sessionId"], made["type"]) == (manager.key_id, "s1", "factual")
    path = f"/api/memory/{made['id']}"
    assert await manager.get(path) == made

    changed = await manager.put(path, {"type": "procedural", "content": "Prefers spaces over tabs"})
    assert (changed["type"], changed["content"]) == ("procedural", "Prefers spaces over tabs")
    assert (changed["id"], changed["key"]) == (made["id"], FACT["key"])

    gone = await manager.send("DELETE", path)
    assert (gone.status_code, gone.json()) == (200, {"success": True, "id": made["id"]})
    for method in ("GET", "DELETE"):
        assert await manager.refused(method, path) == (404, "id")
    assert await manager.refused("PUT", path, json={"content": "x"}) == (404, "id")


async def test_saving_an_existing_key_updates_it_and_merges_metadata(manager) -> None:
    """A19, A20: repeated statements add no rows; null removes a key of the metadata."""
    first = await manager.post("/api/memory", {**FACT, "metadata": {"a": 1, "b": 2}}, status=201)
    second = await manager.post(
        "/api/memory", {**FACT, "content": "Prefers spaces", "metadata": {"b": None, "c": 3}}, status=200
    )

    assert second["id"] == first["id"]
    assert (second["content"], second["metadata"]) == ("Prefers spaces", {"a": 1, "c": 3})
    assert (await manager.get("/api/memory"))["total"] == 1


async def test_only_the_key_can_be_cleared(manager) -> None:
    made = await manager.post("/api/memory", FACT, status=201)
    path = f"/api/memory/{made['id']}"

    for name in ("type", "content", "metadata"):
        assert await manager.refused("PUT", path, json={name: None}) == (400, name)
    assert (await manager.put(path, {"key": None}))["key"] is None


async def test_memories_are_saved_for_keys_of_the_workspace_only(
    manager, other_manager, workspace_id
) -> None:
    """K17: a key of another workspace looks like an unknown one; nothing is written."""
    theirs = {**FACT, "apiKeyId": other_manager.key_id}
    nobodys = {**FACT, "apiKeyId": "key_ofNobody"}

    refusals = [(await manager.send("POST", "/api/memory", json=body)) for body in (theirs, nobodys)]

    assert [answer.status_code for answer in refusals] == [404, 404]
    told = [answer.text.replace(other_manager.key_id, "key_ofNobody") for answer in refusals]
    assert told[0] == told[1]
    assert (await manager.get("/api/memory"))["total"] == 0
    owned = await manager.post("/api/memory", {**FACT, "apiKeyId": manager.key_id}, status=201)
    assert owned["apiKeyId"] == manager.key_id


async def test_nothing_of_another_workspace_exists(manager, other_manager) -> None:
    """I2, N12: on every route with an id, and in the list with any filter."""
    theirs = await other_manager.post("/api/memory", {**FACT, "sessionId": "s"}, status=201)
    path = f"/api/memory/{theirs['id']}"

    for method, rest in (("GET", {}), ("PUT", {"json": {"content": "mine"}}), ("DELETE", {})):
        assert await manager.refused(method, path, **rest) == (404, "id")
    for params in ({}, {"apiKeyId": other_manager.key_id}, {"sessionId": "s"}, {"q": "tabs"}):
        page = await manager.get("/api/memory", **params)
        assert (page["data"], page["total"], page["stats"]["tokensUsed"]) == ([], 0, 0)
    assert await other_manager.get(path) == theirs


async def test_a_list_is_filtered(manager, services, workspace_id) -> None:
    """K7: by key, type, session, and a text in content or key."""
    other, _ = await services.tenancy.keys.create(workspace_id, name="second", scopes=["read"])
    await manager.post("/api/memory", {"content": "Likes green tea", "key": "tea"}, status=201)
    body = {"content": "Deploys on Mondays", "key": "habit:deploy", "type": "procedural", "sessionId": "s"}
    await manager.post("/api/memory", {**body, "apiKeyId": other.id}, status=201)

    async def keys(**params) -> list[str]:
        page = await manager.get("/api/memory", **params)
        assert page["total"] == len(page["data"])
        return [entry["key"] for entry in page["data"]]

    assert await keys() == ["habit:deploy", "tea"]
    assert await keys(apiKeyId=other.id) == ["habit:deploy"]
    assert await keys(type="procedural") == ["habit:deploy"]
    assert await keys(sessionId="s") == ["habit:deploy"]
    assert await keys(q="GREEN") == ["tea"]
    assert await keys(q="habit:") == ["habit:deploy"]
    assert await keys(q="nothing of the kind") == []


async def test_an_offset_overrides_a_page(manager, services, workspace_id) -> None:
    """K7: the page is derived from the offset."""
    for number in range(7):
        await services.memories.store.save(workspace_id, MemoryDraft(content=f"note {number}", dedup=False))

    second = await manager.get("/api/memory", limit=3, page=2)
    by_offset = await manager.get("/api/memory", limit=3, page=9, offset=4)
    beyond = await manager.get("/api/memory", limit=3, page=4)

    def shown(page) -> list[str]:
        return [entry["content"][-1] for entry in page["data"]]

    def place(page) -> tuple[int, int, int, int]:
        return page["total"], page["page"], page["limit"], page["totalPages"]

    assert (shown(second), place(second)) == (["3", "2", "1"], (7, 2, 3, 3))
    assert (shown(by_offset), place(by_offset)) == (["2", "1", "0"], (7, 2, 3, 3))
    assert (shown(beyond), place(beyond)) == ([], (7, 4, 3, 3))


async def test_totals_describe_the_whole_list(manager) -> None:
    """K7, C8, C29: a memory's tokens are a quarter of its characters, rounded up."""
    for content in ("x" * 9, "y" * 8):
        await manager.post("/api/memory", {"content": content, "key": content}, status=201)

    page = await manager.get("/api/memory", limit=1)

    assert page["stats"]["total"] == 2
    assert page["stats"]["tokensUsed"] == 5
    assert page["stats"]["hitRate"] == 0.0


async def test_the_hit_rate_is_that_of_recalls(manager, services, workspace_id) -> None:
    """C29: it is the share of the workspace's recalls with hits, not of cache hits."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="green tea"))
    for query in ("tea", "tea", "tea", "zeppelin"):
        asked = RecallQuery(query=query, strategy=RecallStrategy.EXACT)
        await services.retrieval.recall.recall(workspace_id, asked)

    async def is_counted() -> bool:
        return (await manager.get("/api/memory"))["stats"]["hitRate"] == 0.75

    await until(is_counted)


async def test_memories_of_any_age_are_listed_and_expired_ones_are_not(manager, aged) -> None:
    """A35, A36: retention excludes old memories from recall only, so lists can still manage them."""
    old = await aged("an old note", days=40)
    await manager.post(
        "/api/memory",
        {**FACT, "expiresAt": (datetime.now(UTC) - timedelta(seconds=1)).isoformat()},
        status=201,
    )

    async def previewed() -> list[str]:
        asked = {"query": "old note", "strategy": "recent"}
        return [item["id"] for item in (await manager.post("/api/memory/retrieve-preview", asked))["items"]]

    page = await manager.get("/api/memory")
    assert ([entry["id"] for entry in page["data"]], page["total"]) == ([old], 1)
    assert (page["stats"]["total"], page["stats"]["tokensUsed"]) == (1, 3)
    assert await previewed() == []
    await manager.put("/api/settings/memory", {"retentionDays": 60})
    assert await previewed() == [old]


async def test_a_listed_memory_can_be_posted_and_put_unchanged(manager, services, workspace_id) -> None:
    """L4, A20: with its id, its times and a null key; nothing is duplicated or changed."""
    await manager.post("/api/memory", {**FACT, "sessionId": "s", "metadata": {"a": {"b": None}}}, status=201)
    await services.memories.store.save(workspace_id, MemoryDraft(content="no key at all"))
    turn = MemoryDraft(content=" ".join(["said"] * 800), source_conversation_id="c", speaker="user")
    await services.memories.store.save(workspace_id, turn)
    listed = (await manager.get("/api/memory"))["data"]

    for entry in listed:
        posted = await manager.post("/api/memory", entry)
        put = await manager.put(f"/api/memory/{entry['id']}", entry)
        assert {**posted, "updatedAt": 0} == {**put, "updatedAt": 0} == {**entry, "updatedAt": 0}

    assert len(listed) == 3
    assert (await manager.get("/api/memory"))["total"] == 3


async def test_memories_of_another_store_are_saved_by_key(manager, other_manager) -> None:
    """L4: an unknown id is ignored, so the same export can be imported again."""
    made = await other_manager.post("/api/memory", FACT, status=201)
    without_owner = {**made, "apiKeyId": None}

    saved = await manager.post("/api/memory", without_owner, status=201)
    again = await manager.post("/api/memory", without_owner)

    assert (saved["content"], saved["key"]) == (made["content"], made["key"])
    assert (again["id"], saved["id"] != made["id"]) == (saved["id"], True)


async def test_an_update_can_set_an_end(manager) -> None:
    """A35."""
    made = await manager.post("/api/memory", FACT, status=201)
    path, end = f"/api/memory/{made['id']}", "2999-01-01T00:00:00Z"

    assert (await manager.put(path, {"expiresAt": end}))["expiresAt"] == end
    assert (await manager.put(path, {"expiresAt": None}))["expiresAt"] is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"key": "k"}, "content"),
        ({"content": "x"}, "key"),
        ({**FACT, "content": ""}, "content"),
        ({**FACT, "content": "   "}, "content"),
        ({**FACT, "content": "x" * 2001}, "content"),
        ({**FACT, "key": "k" * 513}, "key"),
        ({**FACT, "type": "Decision"}, "type"),
        ({**FACT, "metadata": []}, "metadata"),
        ({**FACT, "expiresAt": "tomorrow"}, "expiresAt"),
        ({**FACT, "expiresAt": 5}, "expiresAt"),
        ({**FACT, "expiresAt": "1700000000"}, "expiresAt"),
        ({**FACT, "sessionId": ""}, "sessionId"),
        ({**FACT, "colour": "red"}, "colour"),
        ([], "body"),
    ],
)
async def test_a_body_that_breaks_a_rule_is_refused_with_the_field_and_nothing_is_written(
    manager, body, field
) -> None:
    """A3, A4, A8, K18, K20."""
    assert await manager.refused("POST", "/api/memory", json=body) == (400, field)
    assert (await manager.get("/api/memory"))["total"] == 0


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"page": 0}, "page"),
        ({"page": 10_000_001}, "page"),
        ({"offset": -1}, "offset"),
        ({"offset": "null"}, "offset"),
        ({"type": "null"}, "type"),
        ({"type": "Decision"}, "type"),
        ({"sessionId": " "}, "sessionId"),
        ({"apiKeyId": " "}, "apiKeyId"),
    ],
)
async def test_a_parameter_that_breaks_a_rule_is_refused_with_its_name(manager, params, field) -> None:
    assert await manager.refused("GET", "/api/memory", params=params) == (400, field)


async def test_a_secret_is_refused(manager) -> None:
    """A43."""
    body = {"key": "k", "content": "the key is AKIAIOSFODNN7EXAMPLE"}

    assert await manager.refused("POST", "/api/memory", json=body) == (400, "content")
    assert (await manager.get("/api/memory"))["total"] == 0


@pytest.fixture
async def program(http, services, workspace_id) -> Callable[..., Awaitable[Manager]]:
    """Return a function that creates a caller with the given scopes."""

    async def program(*scopes: Scope) -> Manager:
        key, secret = await services.tenancy.keys.create(workspace_id, name="agent", scopes=scopes)
        return Manager(http, secret, key.id)

    return program


async def test_read_and_write_scopes_allow_all_memory_routes(program) -> None:
    """I11: in its own workspace; settings remain an administrator's."""
    agent = await program(Scope.READ, Scope.WRITE)

    made = await agent.post("/api/memory", FACT, status=201)
    path = f"/api/memory/{made['id']}"
    assert made["apiKeyId"] == agent.key_id
    assert [entry["id"] for entry in (await agent.get("/api/memory"))["data"]] == [made["id"]]
    assert (await agent.put(path, {"type": "procedural"}))["type"] == "procedural"
    assert (await agent.get("/api/memory/health"))["working"] is True
    assert (await agent.get("/api/memory/engine-status"))["keyword"] == {"available": True}
    assert await agent.get("/api/memory/embedding-providers")
    found = await agent.post("/api/memory/retrieve-preview", {"query": "tabs", "strategy": "exact"})
    assert [item["id"] for item in found["items"]] == [made["id"]]
    assert (await agent.post("/api/memory/summarize", {"dryRun": True}))["candidates"] == 0
    assert (await agent.post("/api/memory/reindex"))["pending"] in (0, 1)
    assert (await agent.send("DELETE", path)).status_code == 200
    for path in ("/api/settings/qdrant/search", "/api/settings/qdrant/cleanup"):
        assert await agent.refused("POST", path, json={"query": "tabs"}) == (409, None)  # memory is off
    for path in ("/api/settings/memory", "/api/settings/qdrant"):
        assert await agent.refused("GET", path) == (403, None)


async def test_a_key_does_only_what_its_scopes_allow(http, program) -> None:
    """I11."""
    reader, writer = await program(Scope.READ), await program(Scope.WRITE)

    assert (await reader.get("/api/memory"))["total"] == 0
    assert await reader.refused("POST", "/api/memory", json=FACT) == (403, None)
    assert await writer.refused("GET", "/api/memory") == (403, None)
    assert (await writer.post("/api/memory", FACT, status=201))["key"] == FACT["key"]
    assert (await http.get("/api/memory")).status_code == 401


async def test_only_this_surface_shows_the_reference_form_of_facts(manager, services, workspace_id) -> None:
    """D16, D18, F§12: lists, reads, searches and previews show the object; other surfaces the sentence."""
    noted = {"category": "preference", "extractedAt": "2026-03-01T00:00:00+00:00", "source": "llm_response"}
    draft = MemoryDraft(
        content="The user prefers TypeScript",
        key="preference:typescript",
        metadata={**noted, "polarity": "positive", "object": "TypeScript"},
        source_type=SourceType.EXTRACTED,
    )
    memory = (await services.memories.store.save(workspace_id, draft)).memory

    listed = (await manager.get("/api/memory?q=typescript"))["data"]
    preview = await manager.post("/api/memory/retrieve-preview", {"query": "prefers TypeScript"})

    for shown in (*listed, await manager.get(f"/api/memory/{memory.id}"), *preview["items"]):
        assert (shown["key"], shown["content"], shown["metadata"]) == (memory.key, "TypeScript", noted)
    assert len(listed) == len(preview["items"]) == 1
    assert (await services.memories.store.get(workspace_id, memory.id)).content == draft.content
    for back in (
        await manager.put(f"/api/memory/{memory.id}", listed[0]),
        await manager.post("/api/memory", listed[0]),
    ):
        assert {**back, "updatedAt": None} == {**listed[0], "updatedAt": None}
    assert (await services.memories.store.get(workspace_id, memory.id)).content == draft.content
    changed = await manager.put(f"/api/memory/{memory.id}", {"content": "TypeScript, but no enums"})
    assert (changed["content"], changed["metadata"]) == ("TypeScript, but no enums", noted)
