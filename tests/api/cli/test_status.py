"""``recollect status``, which prints the state that the running service reports."""

import json

from tests.fixtures.served import CommandLine
from tests.fixtures.upstream import listening


async def test_status_prints_address_and_state_of_the_service(api_url, tmp_path) -> None:
    """Issue 35, point 23: it needs no key."""
    cli = CommandLine(api_url, "", tmp_path)

    shown = dict(line.split(": ", 1) for line in (await cli.ok("status")).splitlines())
    told = json.loads(await cli.ok("status", "--json"))

    assert list(shown) == [
        "service", "status", "neo4j", "redis", "qdrant", "embedder", "memories", "waiting jobs",
    ]  # fmt: skip
    assert (shown["service"], shown["neo4j"], shown["qdrant"]) == (api_url, "answers", "off")
    assert shown["memories"].isdecimal()
    assert (told["url"], told["neo4j"], told["qdrant"]) == (api_url, True, None)


async def test_a_missing_service_is_reported_in_one_line_with_a_remedy(tmp_path) -> None:
    told = await CommandLine("http://127.0.0.1:1", "", tmp_path).error("status")

    assert told == "http://127.0.0.1:1 does not answer (ConnectError); `recollect doctor` says why"


async def test_status_distinguishes_the_service_of_another_program(tmp_path) -> None:
    async def another(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"[]"})

    async with listening(another) as url:
        told = await CommandLine(url, "", tmp_path).error("status")

    assert told.startswith(f"{url} is no service of Recollect")
