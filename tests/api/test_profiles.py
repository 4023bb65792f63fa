"""The profile of a user, with the same facts, sources and text on every surface (issue 36, point 8)."""

import json
from datetime import UTC, datetime

import pytest

from app.client.generated import RecollectClient
from graph.memories.models import MemoryDraft, MemoryType
from graph.retrieval.recall.models import RecallQuery
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient, secret_of_a_key
from tests.fixtures.jobs import jobs_done
from tests.fixtures.prompts import fenced
from tests.fixtures.served import CommandLine
from tests.fixtures.upstream import Says

NEW_YEAR = datetime(2026, 1, 2, 9, tzinfo=UTC)
TEXT = """\
User profile:
- Home: The user moved to Berlin (2026-01-02)
- Preference: The user prefers short answers (2026-01-02)
- 人物 王小明：用户的同事王小明喜欢下棋 (2026-01-02)"""
ENTRIES = "section slots name text date memoryId sourceType memory { content }"
PROFILE = f"""query($user: ID, $most: Int) {{
  profile(userId: $user, maxTokens: $most) {{ userId text tokens leftOut etag entries {{ {ENTRIES} }} }}
}}"""
CONTEXT = """query($profile: Boolean, $scope: ScopeInput) {
  context(input: {query: "Xylophones", profile: $profile, scope: $scope}) { prompt profile { text } missing { part } }
}"""


@pytest.fixture
async def known(services, agents_workspace_id) -> list[str]:
    """Save facts of the user ada, wait until they are linked, and return their ids."""
    facts = (
        ("The user moved to Berlin", {}),
        ("The user prefers short answers", {"type": MemoryType.PREFERENCE}),
        ("用户的同事王小明喜欢下棋", {}),
    )
    drafts = [MemoryDraft(content=text, user_id="ada", timestamp=NEW_YEAR, **more) for text, more in facts]
    receipts = await services.memories.store.save_all(agents_workspace_id, drafts)
    await jobs_done(services, agents_workspace_id)
    return [receipt.memory.id for receipt in receipts]


@pytest.fixture
async def key(services, agents_workspace_id) -> str:
    return await secret_of_a_key(services, agents_workspace_id)


async def test_graphql_returns_the_profile_with_its_sources(http, key, known) -> None:
    client = GraphQLClient(http, key)

    found = (await client.ok(PROFILE, user="ada", most=1000))["profile"]
    nobody = (await client.ok(PROFILE, user="nobody", most=1000))["profile"]
    cut = (await client.ok(PROFILE, user="ada", most=22))["profile"]

    assert (found["userId"], found["text"], found["leftOut"]) == ("ada", TEXT, 0)
    assert found["entries"][0] == {
        "section": "SLOT",
        "slots": ["home"],
        "name": None,
        "text": "The user moved to Berlin",
        "date": "2026-01-02T09:00:00+00:00",
        "memoryId": known[0],
        "sourceType": "api",
        "memory": {"content": "The user moved to Berlin"},
    }
    assert [(each["section"], each["name"], each["memoryId"]) for each in found["entries"][1:]] == [
        ("PREFERENCE", None, known[1]),
        ("PERSON", "王小明", known[2]),
    ]
    assert (nobody["text"], nobody["entries"], nobody["tokens"]) == ("", [], 0)
    assert (cut["text"].splitlines()[-1], cut["leftOut"], len(cut["entries"])) == ("(2 more left out)", 2, 1)


async def test_rest_answers_304_until_a_fact_changes(http, key, known, services, agents_workspace_id) -> None:
    headers = {"Authorization": f"Bearer {key}"}

    first = await http.get("/v1/profile", params={"user_id": "ada"}, headers=headers)
    known_tag = {**headers, "If-None-Match": f'"other", W/{first.headers["etag"]}'}
    await services.retrieval.recall.recall(
        agents_workspace_id, RecallQuery(query="Where does the user live?")
    )
    await jobs_done(services, agents_workspace_id)
    same = await http.get("/v1/profile", params={"user_id": "ada"}, headers=known_tag)
    head = await http.head("/v1/profile", params={"user_id": "ada"}, headers=headers)
    await services.memories.deletion.delete(agents_workspace_id, known[1])
    changed = await http.get("/v1/profile", params={"user_id": "ada"}, headers=known_tag)

    body = first.json()
    assert (first.status_code, body["text"], body["user_id"]) == (200, TEXT, "ada")
    assert body["entries"][0] == {
        "section": "slot",
        "slots": ["home"],
        "name": None,
        "text": "The user moved to Berlin",
        "date": "2026-01-02T09:00:00Z",
        "memory_id": known[0],
        "source_type": "api",
        "source_conversation_id": None,
        "source_message_id": None,
    }
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", first.headers["etag"])
    assert head.headers["etag"] == first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    assert (changed.status_code, changed.json()["text"]) == (
        200,
        TEXT.replace("- Preference: The user prefers short answers (2026-01-02)\n", ""),
    )
    assert changed.headers["etag"] != first.headers["etag"]


async def test_rest_reads_only_what_a_key_may_read(http, services, agents_workspace_id, known) -> None:
    _, bound = await services.tenancy.keys.create(
        agents_workspace_id, name="bob's", scopes=[Scope.READ], user_id="bob"
    )
    headers = {"Authorization": f"Bearer {bound}"}

    own = await http.get("/v1/profile", headers=headers)
    other = await http.get("/v1/profile", params={"user_id": "ada"}, headers=headers)
    without = await http.get("/v1/profile")
    blank = await http.get("/v1/profile", params={"max_tokens": "-1"}, headers=headers)

    assert (own.json()["user_id"], own.json()["text"]) == ("bob", "")
    assert [answer.status_code for answer in (other, without, blank)] == [403, 401, 400]


async def test_mcp_returns_the_profile_in_its_full_tool_profile(agent_of, agents_workspace_id, known) -> None:
    agent = await agent_of(agents_workspace_id)

    found = await agent.call("profile", user_id="ada")
    context = await agent.text("context", query="Xylophones", profile=True, user_id="ada")
    without = await agent.text("context", query="Xylophones", user_id="ada")

    assert (found["text"], found["user_id"], found["left_out"]) == (TEXT, "ada", 0)
    assert [entry["memory_id"] for entry in found["entries"]] == known
    assert context.startswith(fenced(TEXT))
    assert "Ids for get: memories " in context
    assert "User profile" not in without


async def test_the_client_and_the_command_line_return_the_same_profile(api_url, key, tmp_path, known) -> None:
    async with RecollectClient(api_url, key) as client:
        found = await client.profile(user_id="ada")
    command = CommandLine(api_url, key, tmp_path)

    assert (found.text, [entry.memory_id for entry in found.entries]) == (TEXT, known)
    assert await command.ok("profile", "--user", "ada") == f"{TEXT}\n"
    assert json.loads(await command.ok("profile", "--user", "ada", "--json"))["etag"] == found.etag
    assert await command.ok("profile", "--user", "nobody") == "nothing is known\n"


async def test_a_context_begins_with_the_profile_if_asked(http, key, known) -> None:
    client = GraphQLClient(http, key)
    scope = {"userId": "ada"}

    asked = (await client.ok(CONTEXT, profile=True, scope=scope))["context"]
    unasked = (await client.ok(CONTEXT, scope=scope))["context"]

    assert asked["prompt"].startswith(fenced(TEXT).rsplit("\n", 1)[0])
    assert [each["text"] for each in asked["profile"]] == [
        "The user moved to Berlin",
        "The user prefers short answers",
        "用户的同事王小明喜欢下棋",
    ]
    assert (unasked["profile"], "User profile" in unasked["prompt"]) == ([], False)


async def test_an_injected_text_and_a_turn_begin_with_the_profile_if_asked(
    http, key, known, chat_proxy, upstream
) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    asked = {"text": "Xylophones", "user_id": "ada"}
    upstream.answers = [Says("There.")] * 2

    injected = (await http.post("/v1/inject", json={**asked, "profile": True}, headers=headers)).json()
    plain = (await http.post("/v1/inject", json=asked, headers=headers)).json()
    for switch in ("on", "off"):
        await chat_proxy.client().chat.completions.create(
            model="gpt-test",
            messages=[{"role": "user", "content": "Xylophones"}],
            extra_headers={"x-recollect-user-id": "ada", "x-recollect-profile": switch},
        )

    assert injected["text"] == f"Xylophones\n\n{fenced(TEXT)}"
    assert injected["memory_ids"] == known
    assert (plain["text"], plain["memory_ids"]) == ("Xylophones", [])
    assert ["User profile:" in str(request.body["messages"]) for request in upstream.requests] == [
        True,
        False,
    ]
