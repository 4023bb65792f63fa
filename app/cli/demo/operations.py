"""``recollect demo --scenario ops``: an agent deploys services, fails repeatedly, and gets a warning.

It uses only the public API; a second run records nothing twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.rule import Rule
from rich.table import Table

from app.cli.data.agent_context import CONTEXT_SHOWN, show_context, whole_context
from app.cli.printing import fields_of
from app.cli.remote import ensure_workspace

if TYPE_CHECKING:
    from app.client.generated import ContextContext, RecollectClient

WORKSPACE = "demo-ops"
FAILED = (1, 2, 4, 5, 7, 9)
SESSIONS = 9
ERROR_CODE = "E_QUOTA"
QUESTION = "Deploy the payments service to production"

_ENABLE: Any = {"memoryEnabled": True}
_SERVICES: Any = [
    {"type": "Service", "name": "payments", "key": "payments", "description": "Takes card payments"},
    {"type": "Cluster", "name": "eu-production", "key": "eu-production"},
]
_RELATED: Any = [{"from": "payments", "to": "eu-production", "type": "RUNS_ON"}]
_EARLIER: Any = {
    "key": "ops/quota/earlier",
    "content": "The quota of the production cluster cannot be raised before the next quarter",
    "tags": ["ops:quota"],
}
_MEMORY: Any = {
    "key": "ops/quota",
    "tags": ["ops:quota"],
    "content": "The quota of the production cluster is raised by the platform team, on request before a deploy",
}
_RUNBOOK: Any = {
    "key": "runbooks/quota.md",
    "title": "When a deploy meets the quota",
    "content": (
        "# When a deploy meets the quota\n\n## Before\n\nAsk the platform team for a higher quota of the production "
        "cluster, a day ahead.\n\n## Afterwards\n\nRun the deploy again, and note how many machines it took."
    ),
}


@dataclass(frozen=True)
class OperationsScenario:
    """Actions of the scenario, and the context of the tenth session."""

    new_actions: int
    context: "ContextContext"


async def play(client: "RecollectClient") -> OperationsScenario:
    """Record nine sessions and return the context for the tenth.

    Raises:
        ApiError: The service refuses or does not answer.
    """
    from app.client.generated import MemoryState

    workspace_id = await ensure_workspace(client, WORKSPACE)
    await client.update_workspace(_ENABLE, workspace_id)
    payments, *_ = await client.upsert_entities(_SERVICES, workspace_id)
    await client.upsert_relations(_RELATED, workspace_id)
    earlier, now = [
        await client.save_memory(memory, MemoryState.EMBEDDED, workspace_id=workspace_id)
        for memory in (_EARLIER, _MEMORY)
    ]
    superseded: Any = {"fromId": earlier.memory.id, "toId": now.memory.id, "type": "INVALIDATED_BY"}
    await client.associate(superseded, workspace_id)
    await client.add_document(_RUNBOOK, workspace_id)
    done: Any = actions(payments.id)
    recorded = await client.record_actions(done, workspace_id)
    await client.promote_patterns(workspace_id=workspace_id)
    request = {"query": QUESTION, "targetEntityIds": [payments.id], "actionType": "deploy"}
    return OperationsScenario(recorded, await whole_context(client, request, workspace_id))


def actions(target_id: str) -> list[dict[str, Any]]:
    """Return the actions of nine sessions: tests and deploys, of which six fail the same way."""
    begin = datetime(2026, 1, 5, 9, tzinfo=UTC)
    return [
        {
            "id": f"ops-{session}-{step}",
            "sessionId": f"ops-{session}",
            "nodeType": "Service",
            "targetId": target_id,
            "occurredAt": (begin + timedelta(days=session, minutes=step)).isoformat(),
            **did,
        }
        for session in range(1, SESSIONS + 1)
        for step, did in enumerate(_steps(has_failed=session in FAILED))
    ]


def fields(played: OperationsScenario) -> dict[str, Any]:
    """Return the scenario as plain types."""
    return {
        "workspace": WORKSPACE,
        "newActions": played.new_actions,
        "question": QUESTION,
        "context": fields_of(played.context, CONTEXT_SHOWN),
    }


def show(console: Console, played: OperationsScenario) -> None:
    """Print the nine sessions and the context of the tenth."""
    console.print(
        f"workspace {WORKSPACE!r}: {played.new_actions} new actions of {SESSIONS} sessions recorded",
        highlight=False,
    )
    table = Table("session", "deploy of payments", box=None, header_style="dim", pad_edge=False)
    for session in range(1, SESSIONS + 1):
        ended = f"[red]{ERROR_CODE}[/]" if session in FAILED else "[green]succeeded[/]"
        table.add_row(str(session), ended)
    console.print(table)
    console.print(Rule(f"session {SESSIONS + 1}: {QUESTION}", align="left"))
    show_context(console, played.context)


def _steps(*, has_failed: bool) -> Sequence[dict[str, Any]]:
    tested = {"actionType": "run_tests", "outcome": "SUCCESS", "latencyMs": 41_000.0}
    if has_failed:
        return (
            tested,
            {"actionType": "deploy", "outcome": "ERROR", "errorCode": ERROR_CODE, "latencyMs": 900.0},
        )
    return (tested, {"actionType": "deploy", "outcome": "SUCCESS", "latencyMs": 63_000.0})
