"""An agent whose deployments fail in six of nine sessions gets a warning before the tenth (issue 5, G12).

``tests/integration/telemetry/test_promotion.py`` tests the thresholds: 4 sequences or 59 % promote nothing, 5
and 60 % do.
"""

import json
import secrets
from datetime import UTC, datetime

import pytest

from app.cli.demo.operations import QUESTION, WORKSPACE, actions
from app.cli.remote import find_workspace_id
from app.client.generated import RecollectClient
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from tests.fixtures.app import GraphQLClient
from tests.fixtures.prompts import NOTE, blocks_of
from tests.fixtures.served import CommandLine
from tests.fixtures.waiting import until

FAILURE = ["Known failure patterns for Service:", "- deploy on Service → E_QUOTA (6 sequences, 66%)"]
ENTITIES = [
    NOTE,
    "<stored-data>",
    "Known entities:",
    "- payments (Service): Takes card payments",
    "  - RUNS_ON → eu-production (Cluster)",
    "- eu-production (Cluster)",
    "  - RUNS_ON ← payments (Service)",
]
ASKED = ("context", QUESTION, "--target-type", "Service", "--action", "deploy")
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
FOUND = """query($name: ID) {
  actions(workspaceId: $name, first: 100) { edges { node { id } } }
  sequences(workspaceId: $name) { edges { node { sessionId } } }
  patterns(workspaceId: $name) { edges { node { text evidence { sessionId } } } }
}"""
RECORD = "mutation($inputs: [ActionInput!]!, $ws: ID) { recordActions(inputs: $inputs, workspaceId: $ws) }"
TOGGLE = """mutation($ws: ID, $on: Boolean) {
  updateWorkspace(id: $ws, input: {memoryEnabled: $on}) { memoryEnabled }
}"""


async def rows(admin: GraphQLClient, workspace_id: str) -> tuple[int, set[str], list[dict]]:
    """Return the stored number of actions, the session ids and the patterns."""
    found = await admin.ok(FOUND, name=workspace_id)
    return (
        len(found["actions"]["edges"]),
        {edge["node"]["sessionId"] for edge in found["sequences"]["edges"]},
        [edge["node"] for edge in found["patterns"]["edges"]],
    )


@pytest.fixture
async def ops_workspace_id(admin_cli: CommandLine) -> str:
    """Return the workspace of the scenario after the demo has run."""
    await admin_cli.ok("demo", "--scenario", "ops")
    async with RecollectClient(admin_cli.url, admin_cli.key) as client:
        found = await find_workspace_id(client, WORKSPACE)
    assert found is not None
    return found


async def test_the_tenth_session_is_warned_of_the_failure_in_six_of_nine(admin_cli) -> None:
    """G1, G3, G4, G12, J2: the context lists the target before the warning and memories after it."""
    shown = (await admin_cli.ok("demo", "--scenario", "ops")).splitlines()

    asked = next(place for place, line in enumerate(shown) if QUESTION in line)
    assert [line.split()[1] for line in shown[:asked] if line[:1].isdigit()] == [
        "E_QUOTA", "E_QUOTA", "succeeded", "E_QUOTA", "E_QUOTA", "succeeded", "E_QUOTA", "succeeded", "E_QUOTA",
    ]  # fmt: skip
    assert shown[asked + 1 : asked + 11] == [*ENTITIES, "", *FAILURE]
    assert [line for line in shown if line.startswith("skipped")] == [
        "skipped episodes: no conversationId is named"
    ]


async def test_replaying_the_demo_records_and_promotes_nothing_twice(
    admin_cli, admin, ops_workspace_id
) -> None:
    """G5, N6."""
    before = await rows(admin, ops_workspace_id)

    shown = await admin_cli.ok("demo", "--scenario", "ops")

    assert f"workspace '{WORKSPACE}': 0 new actions of 9 sessions recorded" in shown
    assert await rows(admin, ops_workspace_id) == before
    count, sessions, (pattern,) = before
    assert (count, sessions) == (18, {f"ops-{session}" for session in range(1, 10)})
    assert pattern["text"] == "deploy on Service → E_QUOTA (6 sequences, 66%)"
    assert {evidence["sessionId"] for evidence in pattern["evidence"]} == {
        "ops-1", "ops-2", "ops-4", "ops-5", "ops-7", "ops-9",
    }  # fmt: skip


async def test_another_workspace_never_sees_it(
    admin_cli, admin, ops_workspace_id, other_agents_workspace_id
) -> None:
    """G14, E15: even if it asks the same question and names the other workspace's entity."""
    ours = json.loads(await admin_cli.ok(*ASKED, "--json", "-w", ops_workspace_id))
    (target,) = [entity["id"] for entity in ours["entities"] if entity["name"] == "payments"]
    theirs = json.loads(
        await admin_cli.ok(*ASKED, "--target", target, "--json", "-w", other_agents_workspace_id)
    )

    assert (theirs["prompt"], theirs["patterns"], theirs["entities"], theirs["memories"]) == ("", [], [], [])
    assert [pattern["text"] for pattern in ours["patterns"]] == [FAILURE[1].removeprefix("- ")]
    assert await rows(admin, other_agents_workspace_id) == (0, set(), [])


async def test_an_agent_that_names_its_conversation_receives_its_episodes(
    admin_cli, services, ops_workspace_id
) -> None:
    """F7, J2: before the failures; a new conversation, because the workspace outlives the test."""
    conversation_id = f"chat-{secrets.token_hex(8)}"
    said = [
        MessageDraft(content=f"I like blue deploys {number}", role="user", said_at=LONG_AGO)
        for number in "12"
    ]
    await services.conversations.capture.append(
        ops_workspace_id, CaptureDraft(conversation_id=conversation_id, messages=said)
    )
    await services.conversations.extraction.request(ops_workspace_id, conversation_id)

    async def is_read() -> bool:
        found = await services.conversations.capture.find(ops_workspace_id, conversation_id)
        return found is not None and found.extracted_up_to == len(said) - 1

    assert await until(is_read)
    made = await services.conversations.episodes.consolidate(ops_workspace_id, conversation_id, retain_last=0)
    episode = made.episode

    shown = await admin_cli.ok(*ASKED, "--conversation", conversation_id, "--json", "-w", ops_workspace_id)
    told = json.loads(shown)

    assert told["episodes"] == [{"id": episode.id, "turnCount": 2}]
    assert blocks_of(told["prompt"]).splitlines()[:2] == [
        "Earlier conversation summaries (most recent last):",
        f"- (2 turns) {episode.summary}",
    ]
    assert FAILURE[1] in told["prompt"].splitlines()[2:]
    assert not [reason for reason in told["skipped"] if reason.startswith("episodes")]


async def test_with_memory_disabled_nothing_is_captured_or_injected_and_rows_stay_readable(
    admin_cli, admin, ops_workspace_id
) -> None:
    """G13, I5, F17, E8: the context keeps its ontology; enabling memory restores all but that action."""
    before = await rows(admin, ops_workspace_id)
    tenth = [{**action, "id": "late", "sessionId": "ops-10"} for action in actions("ent_1")[:1]]
    await admin.ok(TOGGLE, ws=ops_workspace_id, on=False)

    recorded = (await admin.ok(RECORD, inputs=tenth, ws=ops_workspace_id))["recordActions"]
    shown = await admin_cli.ok(*ASKED, "-w", ops_workspace_id)

    assert recorded == 0
    lines = shown.splitlines()
    assert lines[:5] == ENTITIES[:5]
    assert FAILURE[1] not in lines
    assert [line for line in lines if line.startswith("skipped")] == [
        (
            "skipped patterns: memory is off in this workspace; "
            f"`recollect settings set enabled true --workspace {ops_workspace_id}` turns it on"
        ),
        "skipped episodes: no conversationId is named",
    ]
    assert await rows(admin, ops_workspace_id) == before

    await admin.ok(TOGGLE, ws=ops_workspace_id, on=True)
    assert FAILURE[1] in await admin_cli.ok(*ASKED, "-w", ops_workspace_id)
    assert await rows(admin, ops_workspace_id) == before
