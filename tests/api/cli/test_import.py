"""``recollect import`` and ``recollect demo``."""

import json
import uuid

import pytest

from app.cli.importers import upload
from graph.memories.models import Memory, MemoryFilter, MemoryOrder


@pytest.fixture
def name() -> str:
    return f"import {uuid.uuid4().hex[:12]}"


async def workspace_named(services, name: str) -> str:
    after: str | None = None
    while True:
        page = await services.tenancy.workspaces.page(first=200, after=after)
        if found := [each.id for each in page.items if each.name == name]:
            return found[0]
        assert page.has_more, f"no workspace is called {name}"
        after = page.cursors[-1].encode()


async def memories(services, workspace_id: str) -> list[Memory]:
    page = await services.memories.store.page(
        workspace_id, MemoryFilter(), order=MemoryOrder.TIMESTAMP, first=200
    )
    return list(page.items)[::-1]


async def test_import_creates_the_workspace_and_waits_for_embeddings(admin_cli, services, name: str) -> None:
    lines = [{"content": f"fact number {n}", "tags": ["fact"]} for n in range(120)]

    shown = await admin_cli.run(
        "import", admin_cli.write_lines(*lines), "--format", "jsonl", "--workspace", name
    )

    workspace_id = await workspace_named(services, name)
    (counts,) = (await services.operations.status.engine([workspace_id])).workspaces
    assert shown.exit_code == 0
    assert "saved 120 memories, skipped 0" in shown.stdout
    assert "embedded 120 of 120 memories" in shown.stderr
    assert (counts.memories, counts.embedded, counts.pending_jobs) == (120, 120, 0)


async def test_importing_twice_changes_nothing(admin_cli, services, name: str) -> None:
    """N6, A9: the memories' source is ``imported``."""
    turn = {"content": "Thanks!", "speaker": "Ada", "source_conversation_id": "talk", "session_id": "s"}
    arguments = ("import", admin_cli.write_lines({"content": "a"}, turn, turn), "-f", "jsonl", "-w", name)

    await admin_cli.ok(*arguments)
    workspace_id = await workspace_named(services, name)
    before = await memories(services, workspace_id)
    assert {memory.source_type for memory in before} == {"imported"}
    shown = await admin_cli.ok(*arguments)
    after = await memories(services, workspace_id)

    assert len(before) == 3
    assert "saved 3 memories (3 of them unchanged), skipped 0" in shown
    assert after == before


async def test_an_import_does_not_restore_deleted_records(cli, services, workspace_id) -> None:
    """Issue 35: after hard and soft deletion, and for turns; their text stays out of the conversation too."""
    chats = [
        {
            "uuid": "c-1",
            "name": "Bees",
            "created_at": "2025-03-01T09:00:00Z",
            "chat_messages": [
                {
                    "uuid": "m-1",
                    "sender": "human",
                    "text": "I keep bees.",
                    "created_at": "2025-03-01T09:00:01Z",
                },
                {
                    "uuid": "m-2",
                    "sender": "assistant",
                    "text": "How many?",
                    "created_at": "2025-03-01T09:00:02Z",
                },
            ],
        }
    ]
    facts = cli.write_lines({"content": "likes tea"}, {"content": "likes cocoa"})
    export = cli.folder / "conversations.json"
    export.write_text(json.dumps(chats))
    imports = (("import", facts, "-f", "jsonl", "--json"), ("import", str(export), "-f", "claude", "--json"))
    for each in imports:
        await cli.ok(*each)
    for memory in await memories(services, workspace_id):
        await services.memories.deletion.remove(workspace_id, memory.id, hard=memory.content != "likes tea")

    again = [json.loads(await cli.ok(*each)) for each in imports]
    left = await memories(services, workspace_id)
    restored = [json.loads(await cli.ok(*each, "--restore-deleted")) for each in imports]

    reason = "deleted in the workspace; --restore-deleted brings it back"
    assert [(each["saved"], each["deleted"], each["skipped"]) for each in again] == [(0, 2, 2), (0, 2, 2)]
    assert [[remark["reason"] for remark in each["remarks"]] for each in again] == [[reason], [reason]]
    assert left == []
    assert [(each["saved"], each["deleted"]) for each in restored] == [(2, 0), (2, 0)]
    assert {memory.content for memory in await memories(services, workspace_id)} == {
        "likes tea", "likes cocoa", "I keep bees.", "How many?",
    }  # fmt: skip


async def test_skipped_and_changed_lines_are_reported_with_their_reason(
    admin_cli, services, name: str
) -> None:
    path = admin_cli.write_lines(
        {"content": "kept"},
        "{broken",
        {"content": "too important", "importance": 7},
        {"content": "unknown type", "type": "Nonsense"},
        {"content": "x" * 2001},
        {"content": "also kept", "colour": "red"},
    )

    shown = await admin_cli.ok("import", path, "-f", "jsonl", "-w", name)

    saved = await memories(services, await workspace_named(services, name))
    assert sorted(memory.content for memory in saved) == ["also kept", "kept"]
    assert "saved 2 memories, skipped 4" in shown
    assert "skipped 1: not JSON: Expecting property name enclosed in double quotes (line 2)" in shown
    assert "skipped 1: importance must be a number between 0.0 and 1.0 (line 3)" in shown
    assert "(line 4)" in shown
    assert "skipped 1: content must have at most 2000 characters, got 2001 (line 5)" in shown
    assert "changed 1: unknown field 'colour' left out (line 6)" in shown


async def test_a_long_turn_is_truncated_to_the_limit_of_the_service(admin_cli, services, name: str) -> None:
    line = {"content": "y" * 40_000, "source_conversation_id": "talk"}

    shown = await admin_cli.ok("import", admin_cli.write_lines(line), "-f", "jsonl", "-w", name)

    (memory,) = await memories(services, await workspace_named(services, name))
    end = "y" * 16_000
    assert memory.content == f"{end}\n\n[… 8000 characters …]\n\n{end}"
    assert "changed 1: content cut to its first and last 16000 characters (line 1)" in shown


async def test_an_unreadable_file_is_an_error(admin_cli, name: str) -> None:
    assert "nothing of" in await admin_cli.error(
        "import", admin_cli.write_lines("{"), "-f", "jsonl", "-w", name
    )
    assert "not JSON" in await admin_cli.error(
        "import", admin_cli.write_lines("{"), "-f", "claude", "-w", name
    )


async def test_turns_keep_the_order_of_the_file_across_batches(
    admin_cli, services, name: str, monkeypatch
) -> None:
    monkeypatch.setattr(upload, "BATCH_ITEMS", 2)
    turn = {"source_conversation_id": "talk", "session_id": "s", "timestamp": "2024-01-01T00:00:00Z"}
    path = admin_cli.write_lines(*[{**turn, "content": f"turn {n}"} for n in range(5)])

    await admin_cli.ok("import", path, "-f", "jsonl", "-w", name, "--no-wait")

    page = await services.memories.store.page(await workspace_named(services, name), MemoryFilter())
    assert [memory.content for memory in page.items][::-1] == [f"turn {n}" for n in range(5)]


async def test_a_key_without_admin_rights_imports_into_its_own_workspace_only(
    cli, services, workspace_id: str, name: str
) -> None:
    path = cli.write_lines({"content": "mine"})

    await cli.ok("import", path, "-f", "jsonl", "-w", workspace_id)

    assert [memory.content for memory in await memories(services, workspace_id)] == ["mine"]
    assert "administrator" in await cli.error("import", path, "-f", "jsonl", "-w", name)


async def test_an_import_reports_as_json(cli, workspace_id: str) -> None:
    """Programs read the counts, and the omissions with reason and places."""
    path = cli.write_lines({"content": "mine"}, {"content": " "})

    told = json.loads(await cli.ok("import", path, "-f", "jsonl", "-w", workspace_id, "--json"))

    (remark,) = told.pop("remarks")
    assert told == {"saved": 1, "unchanged": 0, "deleted": 0, "others": {}, "skipped": 1}
    assert (remark["effect"], remark["count"]) == ("skipped", 1)
    assert remark["places"] == ["line 2"]


async def test_demo_imports_the_shipped_conversation_and_prints_what_recall_finds(
    admin_cli, services
) -> None:
    shown = await admin_cli.ok("demo")

    found = await memories(services, await workspace_named(services, "demo"))
    assert len(found) == 87
    assert "Which building did they find for the repair café?" in shown
    assert "of 8 questions found their turn" in shown
    assert f"{admin_cli.url}/graphql" in shown
    told = json.loads(await admin_cli.ok("demo", "--json"))
    assert (told["workspace"], told["import"]["saved"], told["import"]["unchanged"]) == ("demo", 87, 87)
    assert [len(asked["recall"]["hits"]) for asked in told["questions"]] == [3] * 8
