"""A person's profile on every surface, from statements over weeks in two languages, without a language model.

The tests use the default embedder, because a fake one knows no meanings.
"""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fixtures.jobs import jobs_done
from tests.fixtures.upstream import Says
from tests.scenarios.conftest import EXTRACT, Person

SAID = (
    ("2026-01-05", "I live in Munich and work at Siemens as a nurse."),
    ("2026-01-12", "I prefer short answers."),
    ("2026-01-19", "My sister Paula lives in Vienna."),
    ("2026-02-02", "I'm working on the Apollo project."),
    ("2026-02-03", "Can you sort this list for me?"),
    ("2026-02-23", "I moved to Berlin last week."),
    ("2026-03-02", "I started at Charité yesterday."),
    ("2026-03-09", "我喜欢喝绿茶。"),
    ("2026-03-16", "我的同事王小明喜欢下棋。"),
    ("2026-03-20", "我的邮箱是 ada@example.org。"),
    ("2026-03-24", "请把这段话翻译成英文。"),
)
APPEND = """mutation($messages: [MessageInput!]!) {
  appendMessages(input: {conversationId: "chat-1", userId: "ada", messages: $messages}) { id }
}"""
PROFILE = """query($user: ID) { profile(userId: $user) {
  text leftOut etag entries { section slots name memoryId sourceType memory { content sourceConversationId } }
} }"""
CONTEXT = """{ context(input: {query: "Xylophones", profile: true, scope: {userId: "ada"}}) { prompt } }"""
TEXT = """\
User profile:
- Home: The user moved to Berlin in the week of 2026-02-16 (2026-02-23)
- Employer: The user started at Charité on 2026-03-01 (2026-03-02)
- 邮箱：用户的邮箱是 ada@example.org (2026-03-20)
- 偏好：用户喜欢喝绿茶 (2026-03-09)
- Preference: The user prefers short answers (2026-01-12)
- Project: The user is working on the Apollo project (2026-02-02)
- 人物 王小明：用户的同事王小明喜欢下棋 (2026-03-16)
- Person Paula: The user's sister Paula lives in Vienna (2026-01-19)"""


@pytest.fixture
async def told(served, person) -> None:
    """Say all statements on their days and extract facts."""
    for day, text in SAID:
        said_at = datetime.fromisoformat(day).replace(hour=9, tzinfo=UTC)
        message = {"role": "USER", "content": text, "saidAt": said_at.isoformat()}
        await person.graphql(APPEND, messages=[message])
    await person.graphql(EXTRACT)
    await jobs_done(served[1], person.workspace_id)


async def by_mcp(person: Person, tool: str, **arguments: Any) -> Any:
    async with person.mcp() as session:
        result = await session.call_tool(tool, arguments)
    assert not result.isError, result.content
    return result


async def test_every_surface_returns_the_same_profile(person, told) -> None:
    """Issue 36, point 8: current facts with their dates, in the language of the statement."""
    found = (await person.graphql(PROFILE, user="ada"))["profile"]
    by_rest = (await person.http.get("/v1/profile", params={"user_id": "ada"}, headers=person.bearer)).json()
    by_tool = (await by_mcp(person, "profile", user_id="ada")).structuredContent
    by_command = await person.command_line.ok("profile", "--user", "ada")

    assert found["text"] == TEXT
    assert [by_rest["text"], by_tool["text"], by_command.rstrip()] == [TEXT] * 3
    assert (
        json.loads(await person.command_line.ok("profile", "--user", "ada", "--json"))["etag"]
        == found["etag"]
    )
    assert found["leftOut"] == 0
    assert {entry["memory"]["sourceConversationId"] for entry in found["entries"]} == {"chat-1"}


async def test_contexts_begin_with_the_profile_on_request(person, told) -> None:
    """Issue 36, point 8: GraphQL, MCP, the command line, injection and the proxy."""
    person.upstream.requests.clear()
    person.upstream.answers = [Says("There.")] * 2
    for switch in ("on", "off"):
        await person.proxy.client(api_key=person.key).chat.completions.create(
            model="gpt-test",
            messages=[{"role": "user", "content": "Xylophones"}],
            extra_headers={"x-recollect-user-id": "ada", "x-recollect-profile": switch},
        )
    asked, unasked = (str(request.body["messages"]) for request in person.upstream.requests)
    injected = await person.http.post(
        f"{person.proxy.url}/v1/inject",
        json={"text": "Xylophones", "user_id": "ada", "profile": True},
        headers=person.bearer,
    )
    tool = await by_mcp(person, "context", query="Xylophones", profile=True, user_id="ada")
    texts = {
        "GraphQL": (await person.graphql(CONTEXT))["context"]["prompt"],
        "MCP": "\n".join(block.text for block in tool.content),
        "command line": await person.command_line.ok("context", "Xylophones", "--profile", "--user", "ada"),
        "inject": injected.raise_for_status().json()["text"],
        "chat proxy": asked.replace("\\n", "\n"),
    }

    assert [name for name, text in texts.items() if TEXT not in text] == []
    assert TEXT.splitlines()[1] not in unasked


async def test_a_profile_changes_only_with_its_facts(served, person, told) -> None:
    """Issue 36, point 8: small talk and questions keep the ETag, a move changes it."""
    address, user = "/v1/profile", {"user_id": "ada"}
    first = await person.http.get(address, params=user, headers=person.bearer)
    known = {**person.bearer, "If-None-Match": first.headers["etag"]}

    for text, status in (("Thanks, that helps!", 304), ("I moved to Hamburg yesterday.", 200)):
        message = {"role": "USER", "content": text, "saidAt": "2026-04-02T09:00:00Z"}
        await person.graphql(APPEND, messages=[message])
        await person.graphql(EXTRACT)
        await jobs_done(served[1], person.workspace_id)
        answer = await person.http.get(address, params=user, headers=known)
        assert answer.status_code == status

    assert "Hamburg" in answer.json()["text"]
    assert "Berlin" not in answer.json()["text"]
