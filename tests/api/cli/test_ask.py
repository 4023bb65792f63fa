"""``recollect ask``."""

import json


async def test_an_answer_prints_its_citations(cli) -> None:
    """E11, E12."""
    await cli.ok("save", "Ada prefers tabs over spaces \x1b[31m", "--key", "tabs")

    shown = await cli.ok("ask", "Does Ada prefer tabs or spaces?")
    answer = json.loads(await cli.ok("ask", "Does Ada prefer tabs or spaces?", "--json"))

    (citation,) = answer["citations"]
    assert answer["supported"] is True
    assert shown.startswith("Ada prefers tabs over spaces")
    assert f"[1] memory {citation['nodeId']} (" in shown
    assert "\x1b" not in shown


async def test_an_answer_without_evidence_says_so(cli) -> None:
    """E12."""
    assert await cli.ok("ask", "Why is mercury liquid?") == "Nothing in this workspace supports an answer.\n"
