"""``recollect compact``: replaces old memories by summaries."""

import json
from typing import Annotated, Any

import typer

from app.cli.admin.workspace_lookup import get_workspace_id
from app.cli.data.recall_view import printable
from app.cli.remote import fail, run
from app.client.transport import Client

_COMPACT = """
mutation Compact($input: CompactInput!, $workspaceId: ID) {
  compactMemories(input: $input, workspaceId: $workspaceId) {
    dryRun candidateCount tokensBefore tokensAfter tokensSaved texts
    candidates { id content }
    summaries { id }
  }
}
"""


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("compact")(compact)


def compact(
    *,
    older_than: Annotated[
        int | None, typer.Option(min=0, help="Days: one summary in the place of memories saved before.")
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(help="Without --older-than: truncate long memories, or condense all into one summary."),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="What truncate and condense leave; default 4000.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Only memories of this session.")] = None,
    api_key_id: Annotated[str | None, typer.Option(help="Only memories that this key saved.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
    ] = False,
    workspace: Annotated[
        str | None, typer.Option("--workspace", "-w", help="Id or name; default: the key's own.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Replace old memories by a summary; they can be restored. Compaction never runs automatically."""
    if older_than is None and mode is None:
        fail("say what to compact: --older-than DAYS, or --mode truncate or condense")
    given = {
        "olderThanDays": older_than,
        "mode": mode and mode.upper(),
        "maxTokens": max_tokens,
        "sessionId": session,
        "apiKeyId": api_key_id,
    }
    variables: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    report = run(lambda client: _compact(client, {**variables, "dryRun": dry_run}, workspace))
    if as_json:
        typer.echo(json.dumps(report, ensure_ascii=False))
    else:
        _show(report)


def _show(report: dict[str, Any]) -> None:
    verb = "would be compacted" if report["dryRun"] else "compacted"
    count = report["candidateCount"]
    typer.echo(
        f"{count} {'memory' if count == 1 else 'memories'} {verb}, {report['tokensSaved']} tokens saved"
    )
    for summary in report["summaries"]:
        typer.echo(f"summary {summary['id']}")
    if report["dryRun"]:
        for memory in report["candidates"]:
            typer.echo(f"  {memory['id']} {printable(memory['content'])[:80]}")


async def _compact(client: Client, variables: dict[str, Any], workspace: str | None) -> dict[str, Any]:
    workspace_id = await get_workspace_id(client, workspace)
    data = await client.execute(_COMPACT, {"input": variables, "workspaceId": workspace_id})
    return dict(data["compactMemories"])
