"""``recollect changes`` and ``recollect undo`` (issue 36, point 7)."""

import json


async def test_a_merged_save_is_listed_and_undone(cli) -> None:
    await cli.ok("save", "Ada likes tea")
    await cli.ok("save", "ada likes tea", "--tag", "x")

    shown = await cli.ok("changes", "--kind", "merged")
    (change,) = json.loads(await cli.ok("changes", "--json"))
    undone = await cli.ok("undo", change["id"])
    again = await cli.error("undo", change["id"])

    assert "merged" in shown
    assert "Ada likes tea" in shown
    assert undone.startswith("undone: merged Ada likes tea")
    assert "already been undone" in again
    assert "undone" in await cli.ok("changes")
    assert len(json.loads(await cli.ok("memories", "list", "--json"))) == 2
