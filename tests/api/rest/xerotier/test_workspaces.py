"""The memories of a workspace, paged (K4, A24), and isolation from others (I1, I10)."""

import base64
import json

import pytest
from litestar import Litestar

from app.main import create_app
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.tenancy.models import Scope
from tests.fixtures.app import ADMIN_KEY

NOBODY = "mem_ofNobody0000000000000000"


@pytest.fixture
def path(workspace_id) -> str:
    return f"/chat/api/workspaces/{workspace_id}/memories"


async def fill(services, workspace_id: str, count: int) -> list[str]:
    """Save memories; return their contents, the newest first."""
    contents = [f"Crate {number} stands in row {number * 7}" for number in range(count)]
    for content in contents:
        await services.memories.store.save(workspace_id, MemoryDraft(content=content, dedup=False))
    return contents[::-1]


async def test_a_memory_needs_no_chat(dashboard, path, workspace_id) -> None:
    """A24: the user is then its source."""
    answer = await dashboard.post(path, json={"content": "Reviews are on Thursdays", "category": "fact"})

    body = answer.json()
    assert answer.status_code == 201
    assert (body["source_type"], body["source_chat_id"], body["workspace_id"]) == ("user", None, workspace_id)
    assert (body["category"], body["summary"], body["deduplicated"]) == ("fact", None, False)


async def test_pages_follow_each_other_without_gap_or_repeat(dashboard, services, path, workspace_id) -> None:
    """K4: newest first; the last page has no cursor."""
    contents = await fill(services, workspace_id, 7)

    pages, cursor = [], None
    while True:
        parameters = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        page = (await dashboard.get(path, params=parameters)).json()
        pages.append(page)
        cursor = page["next_cursor"]
        if not page["has_more"]:
            break

    assert [item["content"] for page in pages for item in page["items"]] == contents
    assert [(len(page["items"]), page["has_more"]) for page in pages] == [(3, True), (3, True), (1, False)]
    assert pages[-1]["next_cursor"] is None


async def test_a_save_between_two_pages_does_not_shift_rows(dashboard, services, path, workspace_id) -> None:
    contents = await fill(services, workspace_id, 4)
    first = (await dashboard.get(path, params={"limit": 2})).json()
    await services.memories.store.save(workspace_id, MemoryDraft(content="Later than all of them"))

    second = (await dashboard.get(path, params={"limit": 2, "cursor": first["next_cursor"]})).json()

    assert [item["content"] for item in first["items"] + second["items"]] == contents


async def test_a_cursor_is_base64_of_json_that_begins_with_its_date(
    dashboard, services, path, workspace_id
) -> None:
    await fill(services, workspace_id, 2)

    page = (await dashboard.get(path, params={"limit": 1})).json()

    cursor = page["next_cursor"]
    decoded = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    assert cursor.startswith("eyJkYXRlIjoi")
    assert json.loads(decoded) == {"date": page["items"][0]["created_at"], "id": page["items"][0]["id"]}


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"cursor": "nonsense"}, "cursor"),
        ({"cursor": ""}, "cursor"),
        ({"cursor": "e30"}, "cursor"),
        ({"cursor": "\ud7ff"}, "cursor"),
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"limit": "many"}, "limit"),
    ],
)
async def test_an_invalid_page_is_refused_with_its_parameter(dashboard, path, parameters, field) -> None:
    answer = await dashboard.get(path, params=parameters)

    assert (answer.status_code, answer.json()["field"]) == (400, field)


async def test_a_page_has_fifty_rows_unless_asked_otherwise(dashboard, services, path, workspace_id) -> None:
    drafts = [MemoryDraft(content=f"Crate {number}", dedup=False) for number in range(60)]
    await services.memories.store.save_all(workspace_id, drafts)

    page = (await dashboard.get(path)).json()

    assert (len(page["items"]), page["has_more"]) == (50, True)


async def test_memories_of_all_chats_are_listed(dashboard, services, path, workspace_id) -> None:
    """I1, A44, A47: from every surface."""
    await dashboard.post("/chat/api/chat_a/memory", json={"content": "The gate is green"})
    await services.memories.store.save(workspace_id, MemoryDraft(content="The barn is red"))

    items = (await dashboard.get(path)).json()["items"]

    assert [item["content"] for item in items] == ["The barn is red", "The gate is green"]


async def test_a_memory_is_changed_and_deleted(dashboard, services, path, workspace_id) -> None:
    """A26, A30: independently of its chat."""
    chat = {"content": "The gate is green", "category": "fact"}
    memory = (await dashboard.post("/chat/api/chat_a/memory", json=chat)).json()

    changed = await dashboard.patch(f"{path}/{memory['id']}", json={"content": "The gate is blue"})
    deleted = await dashboard.delete(f"{path}/{memory['id']}")
    again = await dashboard.delete(f"{path}/{memory['id']}")

    assert (changed.status_code, changed.json()["content"], changed.json()["category"]) == (
        200,
        "The gate is blue",
        "fact",
    )
    assert [(each.status_code, each.content) for each in (deleted, again)] == [(204, b"")] * 2
    assert (await dashboard.get(path)).json() == {"items": [], "next_cursor": None, "has_more": False}
    assert (await services.memories.store.restore(workspace_id, memory["id"])).content == "The gate is blue"


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
async def test_an_unknown_memory_is_not_found(dashboard, path, method) -> None:
    answer = await dashboard.request(method, f"{path}/{NOBODY}", json={"content": "x"})

    assert (answer.status_code, answer.json()["field"]) == (404, "memoryId")


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "content"), ({"content": " "}, "content"), ({"content": "x", "key": "y"}, "key"), ([], "body")],
)
async def test_a_body_that_breaks_a_rule_is_refused(dashboard, path, body, field) -> None:
    answer = await dashboard.post(path, json=body)

    assert (answer.status_code, answer.json()["field"]) == (400, field)


# ----- tenants -----


def routes(app: Litestar) -> list[tuple[str, str]]:
    """Return the method and path of every route of the dialect."""
    return sorted(
        (method, route.path)
        for route in app.routes
        if route.path.startswith("/chat/api")
        for method in getattr(route, "methods", ())
        if method != "OPTIONS"
    )


def addressed(path: str, workspace_id: str, memory_id: str) -> str:
    filled = path.replace("{chat_id:str}", "chat_a").replace("{memory_id:str}", memory_id)
    return filled.replace("{workspace_id:str}", workspace_id)


async def test_another_workspace_does_not_exist_by_any_route(
    sign_in, services, workspace_id, other_workspace_id
) -> None:
    """I1, N12: with its ids in path and body; the responses equal those for an unknown id."""
    stranger = await sign_in(other_workspace_id)
    draft = MemoryDraft(content="The gate is green", source_conversation_id="chat_a", source_message_id="m")
    theirs = (await services.memories.store.save(workspace_id, draft)).memory
    checked = 0
    for method, path in routes(create_app(services)):
        if "{memory_id:str}" not in path and "{workspace_id:str}" not in path:
            continue
        body = None if method in {"GET", "DELETE"} else {"content": "changed"}
        real = await stranger.request(method, addressed(path, workspace_id, theirs.id), json=body)
        made_up = await stranger.request(method, addressed(path, "ws_missing", NOBODY), json=body)
        assert real.status_code == made_up.status_code == 404, (method, path)
        told = real.text.replace(workspace_id, "ws_missing").replace(theirs.id, NOBODY)
        assert told == made_up.text
        checked += 1

    assert checked == 8
    assert (await stranger.get("/chat/api/chat_a/memories")).json() == {"memories": []}
    kept = await services.memories.store.get(workspace_id, theirs.id)
    assert (kept.content, kept.version, kept.summary) == ("The gate is green", 1, None)


async def test_ids_of_another_workspace_are_not_found(
    sign_in, services, workspace_id, other_workspace_id
) -> None:
    stranger = await sign_in(other_workspace_id)
    theirs = (
        await services.memories.store.save(workspace_id, MemoryDraft(content="The gate is green"))
    ).memory
    own = f"/chat/api/workspaces/{other_workspace_id}/memories"

    statuses = [
        (await stranger.request(method, f"{own}/{theirs.id}", json={"content": "x"})).status_code
        for method in ("PATCH", "DELETE")
    ]

    assert statuses == [404, 404]
    kept = await services.memories.store.get(workspace_id, theirs.id)
    assert (kept.content, kept.version, kept.summary) == ("The gate is green", 1, None)


@pytest.mark.parametrize("value", ["*", "%20", "ws_*", "null", "%00", ".*"])
async def test_no_workspace_value_selects_all_workspaces(dashboard, value) -> None:
    answer = await dashboard.get(f"/chat/api/workspaces/{value}/memories")

    assert answer.status_code in {400, 404}
    assert answer.json()["field"] == "workspaceId"


async def test_an_administrator_may_name_any_workspace(
    sign_in, services, workspace_id, other_workspace_id
) -> None:
    administrator = await sign_in(other_workspace_id, Scope.ADMIN)
    await services.memories.store.save(workspace_id, MemoryDraft(content="The gate is green"))

    page = (await administrator.get(f"/chat/api/workspaces/{workspace_id}/memories")).json()

    assert [item["content"] for item in page["items"]] == ["The gate is green"]


# ----- credentials -----


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": f"Bearer {ADMIN_KEY}"},
        {"X-API-Key": ADMIN_KEY},
        {"Cookie": f"session={ADMIN_KEY}"},
        {"Cookie": "session=" + "x" * 43},
        {"Cookie": "session="},
        {"Cookie": 'session="; DROP'},
        {"Cookie": "other=x"},
    ],
    ids=repr,
)
async def test_every_route_serves_the_sign_in_page_without_a_session(browser, services, headers) -> None:
    """I10: as HTML, even with a key; only a session is accepted here."""
    found = routes(create_app(services))
    for method, path in found:
        answer = await browser.request(
            method,
            addressed(path, "ws_abc123", "mem_abc123") + f"?api_key={ADMIN_KEY}",
            headers=headers,
            json={"content": "x"},
        )
        assert answer.status_code == 401, (method, path)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert '<form method="post" action="/sign-in">' in answer.text
        assert answer.headers["www-authenticate"].startswith("Cookie ")

    assert len(found) == 15
    stored = await services.memories.store.page("ws_abc123", MemoryFilter())
    assert stored.items == []
