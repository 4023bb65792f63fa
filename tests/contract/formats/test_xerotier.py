"""Formats F§1 and F§2: the names in Xerotier's requests and responses, with its documentation's examples."""

import re

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft

MEMORY = {
    "id",
    "content",
    "summary",
    "category",
    "source_type",
    "source_chat_id",
    "workspace_id",
    "created_at",
    "updated_at",
}
ID = re.compile(r"mem_[A-Za-z0-9]{24}")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
CHAT = "/chat/api/chat_abc123"


class Curl:
    """A client that sends the documentation's headers only: the cookie and a content type."""

    def __init__(self, client) -> None:
        self._client = client
        self._cookie = f"session={client.cookies['session']}"
        client.cookies.clear()

    async def __call__(self, method: str, path: str, body: str | None = None):
        headers = {"Cookie": self._cookie}
        if body is not None:
            headers["Content-Type"] = "application/json"
        return await self._client.request(method, path, headers=headers, content=body)


@pytest.fixture
def curl(dashboard) -> Curl:
    return Curl(dashboard)


async def test_create_from_a_message(curl, workspace_id) -> None:
    answer = await curl(
        "POST",
        f"{CHAT}/memory",
        '{\n"messageId": "msg_abc123",\n"content": "The project deadline is March 15, 2026"\n}',
    )

    body = answer.json()
    assert answer.status_code == 201
    assert answer.headers["content-type"] == "application/json"
    assert body.keys() == MEMORY | {"deduplicated"}
    assert ID.fullmatch(body["id"])
    assert MOMENT.fullmatch(body["created_at"])
    assert body == {
        "id": body["id"],
        "content": "The project deadline is March 15, 2026",
        "summary": None,
        "category": None,
        "source_type": "user",
        "source_chat_id": "chat_abc123",
        "workspace_id": workspace_id,
        "created_at": body["created_at"],
        "updated_at": body["created_at"],
        "deduplicated": False,
    }


async def test_list_of_a_chat(curl) -> None:
    made = (
        await curl("POST", f"{CHAT}/memory", '{"content": "The gate is green", "category": "fact"}')
    ).json()

    answer = await curl("GET", f"{CHAT}/memories")

    assert answer.status_code == 200
    assert answer.json() == {
        "memories": [
            {
                "id": made["id"],
                "content": "The gate is green",
                "summary": None,
                "category": "fact",
                "source_type": "user",
                "created_at": made["created_at"],
                "updated_at": made["updated_at"],
            }
        ]
    }


async def test_update_of_a_chats_memory(curl) -> None:
    made = (await curl("POST", f"{CHAT}/memory", '{"content": "The project deadline is in March"}')).json()

    answer = await curl(
        "PATCH",
        f"{CHAT}/memories/{made['id']}",
        '{\n"content": "The project deadline has been extended to April 1, 2026"\n}',
    )

    body = answer.json()
    assert answer.status_code == 200
    assert body.keys() == MEMORY
    assert body["content"] == "The project deadline has been extended to April 1, 2026"
    assert body["updated_at"] > made["updated_at"]
    assert body["created_at"] == made["created_at"]


async def test_delete_of_a_chats_memory(curl) -> None:
    made = (await curl("POST", f"{CHAT}/memory", '{"content": "The gate is green"}')).json()

    answer = await curl("DELETE", f"{CHAT}/memories/{made['id']}")

    assert (answer.status_code, answer.content) == (204, b"")


async def test_rerun_of_extraction(curl, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    said = MessageDraft(id="msg_abc123", content="The project deadline is March 15.")
    await services.conversations.capture.append(
        workspace_id, CaptureDraft(conversation_id="chat_abc123", messages=[said])
    )
    made = (await curl("POST", f"{CHAT}/memory", '{"messageId": "msg_abc123"}')).json()

    answer = await curl("POST", f"{CHAT}/memories/{made['id']}/rerun-extraction")

    assert (answer.status_code, answer.json()) == (202, {"status": "queued", "id": made["id"]})


async def test_create_in_a_workspace(curl, workspace_id) -> None:
    answer = await curl(
        "POST",
        f"/chat/api/workspaces/{workspace_id}/memories",
        '{"content": "Quarterly review meets every Thursday", "category": "fact"}',
    )

    assert answer.status_code == 201
    assert answer.json().keys() == MEMORY | {"deduplicated"}
    assert answer.json()["source_chat_id"] is None


async def test_page_of_a_workspace(curl, workspace_id) -> None:
    path = f"/chat/api/workspaces/{workspace_id}/memories"
    for content in ("The gate is green", "The barn is red"):
        made = (await curl("POST", path, f'{{"content": "{content}"}}')).json()

    answer = await curl("GET", f"{path}?limit=1")

    body = answer.json()
    assert body["next_cursor"].startswith("eyJkYXRlIjoiMj")
    assert body == {
        "items": [
            {
                "id": made["id"],
                "content": "The barn is red",
                "summary": None,
                "category": None,
                "source_type": "user",
                "created_at": made["created_at"],
            }
        ],
        "next_cursor": body["next_cursor"],
        "has_more": True,
    }
    assert (await curl("GET", f"{path}?limit=20")).json()["next_cursor"] is None


async def test_update_and_delete_in_a_workspace(curl, workspace_id) -> None:
    path = f"/chat/api/workspaces/{workspace_id}/memories"
    made = (await curl("POST", path, '{"content": "The gate is green"}')).json()

    changed = await curl("PATCH", f"{path}/{made['id']}", '{"content": "Updated memory content"}')
    deleted = await curl("DELETE", f"{path}/{made['id']}")

    assert (changed.status_code, changed.json().keys()) == (200, MEMORY)
    assert (deleted.status_code, deleted.content) == (204, b"")


async def test_an_unauthenticated_request_gets_the_page_and_no_json(browser) -> None:
    answer = await browser.get(f"{CHAT}/memories", headers={"Authorization": "Bearer sk-x"})

    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text.startswith("<!doctype html>")
