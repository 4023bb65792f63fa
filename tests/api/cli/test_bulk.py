"""``recollect bulk``."""

import json


async def test_memories_are_counted_tagged_moved_and_deleted(cli) -> None:
    """Issue 15 point 8."""
    for text in ("walks home", "takes trains", "likes tea"):
        await cli.ok("save", text, "--tag", "old" if text != "likes tea" else "new")

    seen = await cli.ok(
        "bulk", "change", "--tag", "old", "--add-tag", "seen", "--to-user", "ada", "--dry-run"
    )
    done = await cli.ok("bulk", "change", "--tag", "old", "--add-tag", "seen", "--to-user", "ada")
    users = await cli.ok("users")
    gone = await cli.ok("bulk", "delete", "--tag", "seen", "--hard")
    left = json.loads(await cli.ok("recall", "what does she like", "--json"))

    assert seen == "2 selected, 2 would be changed\n"
    assert done == "2 selected, 2 changed\n"
    assert users.splitlines()[1].split()[:3] == ["ada", "2", "0"]
    assert gone == "2 selected, 2 deleted\n"
    assert [hit["memory"]["content"] for hit in left["hits"]] == ["likes tea"]


async def test_it_must_be_said_which_memories_are_meant(cli) -> None:
    assert "--tag" in await cli.error("bulk", "delete")
    assert "NAME=VALUE" in await cli.error("bulk", "delete", "--metadata", "x")
