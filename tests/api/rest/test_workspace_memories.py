"""``/v1/workspaces/{workspace_id}/memories``: Xerotier's dashboard routes for programs (K5)."""

import base64
import json

import pytest

from graph.tenancy.models import Scope

WORDS = ["alpha", "bravo", "charlie", "delta", "echo"]


@pytest.fixture
def path(workspace_id) -> str:
    return f"/v1/workspaces/{workspace_id}/memories"


@pytest.fixture
async def five(rest, path) -> list[str]:
    """Save five memories; return their ids, the oldest first."""
    return [(await rest.post(path, {"content": f"The word is {word}."}))["id"] for word in WORDS]


async def test_a_memory_is_saved_with_its_category_as_it_is_written(rest, path, workspace_id) -> None:
    """A2, A7, A24, F§1: compares the whole object."""
    answer = await rest.post(path, {"content": "Likes short answers.", "category": "Eigene Kategorie"})

    assert answer == {
        "id": answer["id"],
        "content": "Likes short answers.",
        "summary": None,
        "category": "Eigene Kategorie",
        "source_type": "api",
        "source_chat_id": None,
        "workspace_id": workspace_id,
        "created_at": answer["created_at"],
        "updated_at": answer["created_at"],
        "deduplicated": False,
    }
    assert answer["id"].startswith("mem_")
    assert len(answer["id"]) == len("mem_") + 24


async def test_an_existing_memory_is_returned_and_marked(rest, path) -> None:
    """A21."""
    first = await rest.post(path, {"content": "Likes short answers."})
    second = await rest.post(path, {"content": "Likes short answers."})

    assert (second["id"], second["deduplicated"]) == (first["id"], True)


async def test_pages_follow_each_other_from_the_newest(rest, path, five) -> None:
    """K4, F§2: with a cursor, except on the last page."""
    first = await rest.get(path, limit=2)
    second = await rest.get(path, limit=2, cursor=first["next_cursor"])
    last = await rest.get(path, limit=2, cursor=second["next_cursor"])

    assert [item["id"] for page in (first, second, last) for item in page["items"]] == five[::-1]
    assert [page["has_more"] for page in (first, second, last)] == [True, True, False]
    assert last["next_cursor"] is None
    assert first.keys() == {"items", "next_cursor", "has_more"}
    assert first["items"][0].keys() == {"id", "content", "summary", "category", "source_type", "created_at"}


async def test_a_cursor_is_base64_of_json_that_begins_with_the_date(rest, path, five) -> None:
    """F§2."""
    cursor = (await rest.get(path, limit=1))["next_cursor"]

    text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()

    assert cursor.startswith("eyJkYXRlIjoi")
    assert list(json.loads(text)) == ["date", "id"]
    assert json.loads(text)["id"] == five[-1]


async def test_no_row_is_missed_or_shown_twice_while_rows_come_and_go(rest, path, five) -> None:
    """F§2: the id breaks ties."""
    first = await rest.get(path, limit=2)
    await rest.post(path, {"content": "One more word is foxtrot."})
    await rest.delete(f"{path}/{five[0]}", status=204)

    rest_of_it = await rest.get(path, limit=10, cursor=first["next_cursor"])

    assert [item["id"] for item in rest_of_it["items"]] == [five[2], five[1]]


async def test_a_text_is_changed_and_nothing_else(rest, path, services, workspace_id) -> None:
    """A26, A33."""
    saved = await rest.post(path, {"content": "Old words.", "category": "fact"})

    changed = await rest.patch(f"{path}/{saved['id']}", {"content": "New words."})

    assert changed.keys() == saved.keys() - {"deduplicated"}
    assert {name for name in changed if changed[name] != saved[name]} == {"content", "updated_at"}
    versions = await services.memories.store.versions(workspace_id, [saved["id"]], first=5)
    assert [version.content for version in versions[saved["id"]]] == ["Old words."]


async def test_a_deleted_memory_is_gone_from_lists_and_can_be_restored(
    rest, path, services, workspace_id, five
) -> None:
    """A30: the deletion is soft and repeatable; an id that never existed is not found."""
    await rest.delete(f"{path}/{five[2]}", status=204)
    await rest.delete(f"{path}/{five[2]}", status=204)
    never = await rest.delete(f"{path}/mem_nowhere", status=404)

    assert never["field"] == "id"
    assert five[2] not in [item["id"] for item in (await rest.get(path))["items"]]
    assert (await services.memories.store.restore(workspace_id, five[2])).id == five[2]


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"limit": "x"}, "limit"),
        ({"cursor": ""}, "cursor"),
        ({"cursor": "nonsense"}, "cursor"),
        ({"cursor": "eyJkYXRlIjoiMjAyNiJ9"}, "cursor"),
    ],
    ids=repr,
)
async def test_invalid_pages_are_refused(rest, path, parameters, field) -> None:
    assert (await rest.get(path, status=400, **parameters))["field"] == field


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": " \n"}, "content"),
        ({"content": "x" * 2001}, "content"),
        ({"content": "x", "category": ""}, "category"),
        ({"content": "x", "more": 1}, "more"),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_an_invalid_memory_is_refused(rest, path, body, field) -> None:
    """A3."""
    assert (await rest.post(path, body, status=400))["field"] == field
    assert (await rest.get(path))["items"] == []


async def test_another_workspace_does_not_exist(rest, their_rest, path, five, other_workspace_id) -> None:
    """I8, N12: on every route, by the workspace in the path and by the memory's id."""
    theirs = f"/v1/workspaces/{other_workspace_id}/memories"
    answers = [
        await their_rest.get(path, status=404),
        await their_rest.post(path, {"content": "x"}, status=404),
        await their_rest.patch(f"{path}/{five[0]}", {"content": "x"}, status=404),
        await their_rest.delete(f"{path}/{five[0]}", status=404),
        await their_rest.patch(f"{theirs}/{five[0]}", {"content": "x"}, status=404),
        await their_rest.delete(f"{theirs}/{five[0]}", status=404),
    ]

    assert [answer["field"] for answer in answers] == ["workspace_id"] * 4 + ["id"] * 2
    assert (await their_rest.get(theirs))["items"] == []
    assert [item["id"] for item in (await rest.get(path))["items"]] == five[::-1]


async def test_a_key_may_do_what_its_scope_allows(rest_client, workspace_id, path, five) -> None:
    reader = await rest_client(workspace_id, Scope.READ)

    assert len((await reader.get(path))["items"]) == len(five)
    assert (await reader.send("POST", path, json={"content": "x"})).status_code == 403
    assert (await reader.send("PATCH", f"{path}/{five[0]}", json={"content": "x"})).status_code == 403
    assert (await reader.send("DELETE", f"{path}/{five[0]}")).status_code == 403
