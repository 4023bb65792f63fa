"""A move planned in three sessions; the fourth knows decisions and preferences, but no requests (issue 6)."""

from datetime import UTC, date, datetime

import pytest

from app.cli.demo.assistant import WORKSPACE, script
from app.cli.remote import find_workspace_id
from app.client.generated import RecollectClient
from tests.fixtures.app import GraphQLClient
from tests.fixtures.prompts import NOTE
from tests.fixtures.served import CommandLine

_NOW = datetime.now(UTC)
AUGUST = date(_NOW.year + (_NOW.month > 8), 8, 1)
"""The August that the person means: the next one."""
DECISIONS = {
    "The user settled on a budget of 1400 a month, heating included",
    "The user decided to rent unfurnished",
    "The user went with the small moving company by the harbour, because the big one never answered",
    "The user has decided to move on the 14th of August",
}
PREFERENCES = {
    "The user prefers quiet streets",
    "The user really likes big windows",
    "The user cannot stand wall-to-wall carpet",
}
OTHERS = {
    f"The user is planning to move to the coast in August {AUGUST.year}",
    "The user lives in a small flat near the station, and it is far too noisy",
    "The user's partner works nights, so the bedroom must be dark",
    "The user is allergic to cats",
    "The user always packs books in small boxes",
}
# Words of one-off requests, pasted texts and remarks on the current task.
REQUESTS = ("German", "furnished flats", "table", "poem", "rhyme", "gym", "running", "Peru", "second version")
ROWS = """query($name: ID) {
  memories(workspaceId: $name, first: 100) { edges { node { id updatedAt content sourceType speaker } } }
  conversations(workspaceId: $name, first: 100) { edges { node { id messageCount memoryCount extractedUpTo } } }
}"""


@pytest.fixture
async def shown(admin_cli: CommandLine) -> list[str]:
    """Return the output lines of the demo."""
    return (await admin_cli.ok("demo", "--scenario", "assistant")).splitlines()


@pytest.fixture
async def assistant_workspace_id(admin_cli: CommandLine, shown: list[str]) -> str:
    """Return the workspace of the scenario after the demo has run."""
    async with RecollectClient(admin_cli.url, admin_cli.key) as client:
        found = await find_workspace_id(client, WORKSPACE)
    assert found is not None
    return found


def told_to_the_fourth(shown: list[str]) -> list[str]:
    """Return the lines of the context, which is one block of memories."""
    asked = next(place for place, line in enumerate(shown) if line.startswith("session 4"))
    end = next(place for place, line in enumerate(shown) if line.endswith(" tokens"))
    note, fence, first, *rest, fence_end = shown[asked + 1 : end]
    assert (note, fence, fence_end) == (NOTE, "<stored-data>", "</stored-data>")
    return [first.removeprefix("Memory context: "), *rest]


async def test_the_fourth_session_starts_with_decisions_and_preferences(shown) -> None:
    """D7, D11, D21, D22, D29, J2; N8: without a language model."""
    told = told_to_the_fourth(shown)

    assert set(told) == DECISIONS | PREFERENCES | OTHERS
    assert len(told) == len(set(told))
    assert not [request for request in REQUESTS if any(request in line for line in told)]


async def test_each_session_shows_the_facts_learnt_from_it(shown) -> None:
    """D16: by category."""
    end = next(place for place, line in enumerate(shown) if line.startswith("session 4"))
    learnt = [line.strip() for line in shown[:end] if line.startswith("  ")]

    assert "decision: The user decided to rent unfurnished" in learnt
    assert "preference: The user prefers quiet streets" in learnt
    assert "health: The user is allergic to cats" in learnt
    assert len(learnt) == len(DECISIONS | PREFERENCES | OTHERS)


async def test_replaying_the_demo_captures_and_learns_nothing_twice(
    admin_cli, admin: GraphQLClient, assistant_workspace_id
) -> None:
    """D8, D34, N6."""
    before = await admin.ok(ROWS, name=assistant_workspace_id)

    again = (await admin_cli.ok("demo", "--scenario", "assistant")).splitlines()

    assert [line for line in again if line.endswith("of them new")] == [
        f"{len(session['messages'])} messages, 0 of them new" for session in script()["sessions"]
    ]
    assert await admin.ok(ROWS, name=assistant_workspace_id) == before
    memories = [edge["node"] for edge in before["memories"]["edges"]]
    assert {(memory["sourceType"], memory["speaker"]) for memory in memories} == {("extracted", "user")}
    assert len(memories) == len(DECISIONS | PREFERENCES | OTHERS)


async def test_another_workspace_sees_nothing_of_the_demo(
    admin_cli, assistant_workspace_id, other_workspace_id, services
) -> None:
    """I1, E15."""
    await services.tenancy.workspaces.update(
        other_workspace_id,
        memory_enabled=True,
        settings={"similarityThreshold": -1, "injectionMaxMemories": 20},
    )

    shown = await admin_cli.ok("context", script()["question"], "-w", other_workspace_id)

    assert shown.splitlines()[:2] == ["nothing to tell", "0 tokens"]
