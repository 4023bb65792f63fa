"""``recollect compact``."""

import json


async def test_compaction_previews_and_then_compacts(cli) -> None:
    """F14: the originals stay restorable."""
    for text in ("walks home \x1b[31m", "takes trains"):
        await cli.ok("save", text + " and so on, at length" * 15)

    seen = await cli.ok("compact", "--older-than", "0", "--dry-run")
    done = json.loads(await cli.ok("compact", "--older-than", "0", "--json"))
    again = await cli.ok("compact", "--mode", "truncate", "--max-tokens", "1")

    assert seen.startswith("2 memories would be compacted, ")
    assert "walks home" in seen
    assert "\x1b" not in seen
    assert (done["candidateCount"], len(done["summaries"])) == (2, 1)
    assert again == "0 memories compacted, 0 tokens saved\n"


async def test_compaction_needs_a_selection(cli) -> None:
    assert "--older-than DAYS" in await cli.error("compact")
