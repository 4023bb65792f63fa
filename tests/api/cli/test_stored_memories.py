"""``recollect memories``, ``search``, ``conversations`` and ``documents list`` on stored data."""

import json

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.memories.models import MemoryDraft


async def test_a_memory_is_listed_shown_changed_deleted_and_restored(cli) -> None:
    await cli.ok("save", "The kettle is red", "--key", "kettle", "--tag", "kitchen")
    await cli.ok("save", "Ada prefers tea", "--type", "preference")

    (kettle,) = json.loads(await cli.ok("memories", "list", "--tag", "kitchen", "--json"))
    (tea,) = json.loads(await cli.ok("memories", "list", "--type", "Preference", "--json"))
    shown = await cli.ok("memories", "get", kettle["id"])
    changed = json.loads(
        await cli.ok("memories", "update", kettle["id"], "--content", "It is blue", "--key", "", "--json")
    )

    assert (kettle["key"], tea["content"]) == ("kettle", "Ada prefers tea")
    assert "content: The kettle is red" in shown
    assert "tags: kitchen" in shown
    assert (changed["content"], changed["key"], changed["version"]) == ("It is blue", None, 2)
    assert f"deleted {kettle['id']}" in await cli.ok("memories", "delete", kettle["id"])
    assert "see `recollect memories list`" in await cli.error("memories", "get", kettle["id"])
    restored = json.loads(await cli.ok("memories", "restore", kettle["id"], "--version", "1", "--json"))
    assert restored["content"] == "The kettle is red"


async def test_list_prints_the_requested_number_of_memories(cli, services, workspace_id) -> None:
    drafts = [MemoryDraft(content=f"note {number}", dedup=False) for number in range(103)]
    await services.memories.store.save_all(workspace_id, drafts)

    listed = json.loads(await cli.ok("memories", "list", "--limit", "102", "--json"))

    assert [each["content"] for each in listed] == [f"note {number}" for number in range(102, 0, -1)]
    assert len((await cli.ok("memories", "list", "-n", "3")).splitlines()) == 4


async def test_an_empty_change_is_refused_with_the_possible_fields(cli) -> None:
    assert "--content, --key" in await cli.error("memories", "update", "mem_x")
    assert "see `recollect memories list`" in await cli.error("memories", "delete", "mem_x")


async def test_search_finds_memories_that_contain_the_words(cli) -> None:
    await cli.ok("save", "The kettle is red")

    found = json.loads(await cli.ok("search", "red kettle", "--kind", "memory", "--json"))

    assert [hit["text"] for hit in found["hits"]] == ["The kettle is red"]
    assert "The kettle is red" in await cli.ok("search", "red kettle")


async def test_conversations_are_listed(cli, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    draft = CaptureDraft(
        conversation_id="chat-1", platform="Claude", title="Tea", messages=[MessageDraft(content="Hello")]
    )
    await services.conversations.capture.append(workspace_id, draft)

    (listed,) = json.loads(await cli.ok("conversations", "--json"))

    assert (listed["id"], listed["title"], listed["messageCount"]) == ("chat-1", "Tea", 1)
    assert "Tea" in await cli.ok("conversations", "--platform", "Claude")
    assert json.loads(await cli.ok("conversations", "--platform", "Gemini", "--json")) == []


async def test_documents_are_listed(cli) -> None:
    file = cli.folder / "kettle.md"
    file.write_text("# Kettles\n\nThe kettle is red.\n", encoding="utf-8")

    added = json.loads(await cli.ok("documents", "add", str(file), "--no-wait", "--json"))
    (listed,) = json.loads(await cli.ok("documents", "list", "--json"))

    assert added == {"created": 1, "refused": [], "partlyEmbedded": added["partlyEmbedded"]}
    assert listed["title"] == "Kettles"
    assert "Kettles" in await cli.ok("documents", "list")


async def test_tables_are_complete_without_a_terminal(cli) -> None:
    """A truncated column could not be passed to another command."""
    key = "a:" + "long:" * 60
    await cli.ok("save", "The kettle is red", "--key", key)

    (_, row) = (await cli.ok("memories", "list")).splitlines()

    assert key in row
    assert row.rstrip().endswith("The kettle is red")


async def test_lists_are_json_too(cli, admin_cli) -> None:
    assert json.loads(await cli.ok("keys", "me", "--json"))["scopes"]
    assert json.loads(await cli.ok("jobs", "list", "--json")) is not None
    assert json.loads(await admin_cli.ok("workspaces", "list", "--json"))
    assert json.loads(await admin_cli.ok("keys", "list", "--json"))
    assert json.loads(await admin_cli.ok("users", "--json")) is not None
    assert json.loads(await admin_cli.ok("webhooks", "list", "--json")) == []
    assert json.loads(await admin_cli.ok("audit", "--json"))


async def test_an_invalid_choice_lists_the_valid_ones(cli) -> None:
    for arguments, choices in (
        (("recall", "x", "--strategy", "fuzzy"), "'exact', 'semantic', 'hybrid'"),
        (("save", "x", "--type", "thought"), "'decision', 'pattern', 'preference'"),
        (("keys", "create", "x", "--scope", "root"), "'read', 'write', 'admin'"),
        (("search", "x", "--kind", "people"), "'memory', 'entity'"),
        (("compact", "--mode", "burn"), "'truncate', 'condense'"),
        (("audit", "--action", "sneezed"), "'key_created'"),
    ):
        result = await cli.run(*arguments)
        told = " ".join(result.stderr.replace("│", " ").split())
        assert (result.exit_code, choices in told) == (2, True), told
