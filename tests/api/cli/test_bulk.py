"""``recollect bulk``."""

import json
from datetime import UTC, datetime

import pytest

from graph.core.scope import EVERYTHING, see_only
from graph.memories.models import MemoryDraft


async def test_memories_are_counted_tagged_moved_and_deleted(cli) -> None:
    """Issue 15 point 8."""
    for text in ("walks home", "takes trains", "likes tea"):
        await cli.ok("save", text, "--tag", "old" if text != "likes tea" else "new")

    change = ("bulk", "change", "--tag", "old", "--add-tag", "seen", "--to-user", "ada", "--to-agent", "")
    seen = await cli.ok(*change, "--dry-run")
    done = await cli.ok(*change)
    users = await cli.ok("users")
    gone = await cli.ok("bulk", "delete", "--tag", "seen", "--hard")
    left = json.loads(await cli.ok("recall", "what does she like", "--json"))

    assert seen == "2 selected, 2 would be changed\n"
    assert done == "2 selected, 2 changed\n"
    assert users.splitlines()[1].split()[:3] == ["ada", "2", "0"]
    assert gone == "2 selected, 2 deleted\n"
    assert [hit["memory"]["content"] for hit in left["hits"]] == ["likes tea"]


async def test_a_bulk_command_needs_a_selection(cli) -> None:
    assert "--tag" in await cli.error("bulk", "delete")
    assert "NAME=VALUE" in await cli.error("bulk", "delete", "--metadata", "x")


async def test_a_time_may_be_a_year_but_no_other_number(cli) -> None:
    """A11, issue 35."""
    await cli.ok("save", "likes tea")

    later = await cli.ok("bulk", "delete", "--since", "2020-01-01T00:00:00+01:00", "--dry-run")
    this_year = await cli.ok("bulk", "delete", "--since", "1600000000", "--until", "9998", "--dry-run")
    refused = await cli.run("bulk", "delete", "--until", "20250101000000")

    assert later == this_year == "1 selected, 1 would be deleted\n"
    assert refused.exit_code == 2
    assert "'--until': must be a time in ISO 8601" in refused.stderr


@pytest.mark.parametrize(
    "owner", [("--to-agent", "tutor"), ("--to-user", "ada"), ("--to-agent", "")], ids=repr
)
async def test_moving_memories_requires_both_owners(cli, services, workspace_id, owner) -> None:
    """I2: with one of them alone, a user's memories would become everybody's."""
    draft = MemoryDraft(content="keeps bees", user_id="alice", tags=("old",))
    id_ = (await services.memories.store.save(workspace_id, draft)).memory.id

    refused = await cli.error("bulk", "change", "--tag", "old", *owner)
    done = await cli.ok("bulk", "change", "--tag", "old", "--to-user", "alice", "--to-agent", "tutor")

    see_only(EVERYTHING)
    moved = await services.memories.store.get(workspace_id, id_)
    assert "--to-user and --to-agent" in refused
    assert done == "1 selected, 1 changed\n"
    assert (moved.user_id, moved.agent_id) == ("alice", "tutor")


@pytest.mark.parametrize(
    ("named", "content"),
    [
        ("of=true", "true"),
        ("of=1", "one"),
        ("of=1.0", "one"),
        ('of="true"', "text"),
        ("of=0.5", "half"),
        ("of=yes", "yes"),
    ],
)
async def test_metadata_is_compared_with_its_type(cli, services, workspace_id, named, content) -> None:
    """True equals neither 1 nor a text that looks like either."""
    values = {"true": True, "one": 1, "text": "true", "half": 0.5, "yes": "yes", "false": False, "nought": 0}
    drafts = [
        MemoryDraft(content=text, metadata={"of": value}, dedup=False) for text, value in values.items()
    ]
    ids = [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]

    assert await cli.ok("bulk", "delete", "--metadata", named) == "1 selected, 1 deleted\n"

    left = await services.memories.store.find_all(workspace_id, ids)
    assert values.keys() - {memory.content for memory in left.values()} == {content}


async def test_an_empty_selection_is_reported(cli) -> None:
    gone = await cli.ok("bulk", "delete", "--metadata", "done=true")
    seen = await cli.ok("bulk", "change", "--tag", "none", "--add-tag", "x", "--dry-run")

    assert gone == "no memory has all of this, so nothing was deleted\n"
    assert seen == "no memory has all of this, so nothing would be changed\n"


async def test_times_without_an_offset_are_utc_in_any_time_zone(
    cli, services, workspace_id, monkeypatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    draft = MemoryDraft(content="keeps bees", timestamp=noon)
    id_ = (await services.memories.store.save(workspace_id, draft)).memory.id
    end = ("--expires-at", "2099-01-01T00:00:00")

    since = await cli.ok("bulk", "change", "--since", "2026-01-01T12:00:00", *end)
    late = await cli.ok("bulk", "change", "--since", "2026-01-01T12:00:01", *end)
    shifted = await cli.ok("bulk", "change", "--until", "2026-01-01T20:00:00+09:00", *end)

    ended = await services.memories.store.get(workspace_id, id_)
    assert since == "1 selected, 1 changed\n"
    assert late.startswith("no memory")
    assert shifted.startswith("no memory")
    assert ended.expires_at == datetime(2099, 1, 1, tzinfo=UTC)
