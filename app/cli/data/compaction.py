"""``recollect compact``: replaces old memories by summaries."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.admin.workspace_lookup import Workspace, run_in
from app.cli.data.recall_view import printable
from app.cli.printing import as_json
from app.cli.remote import fail, payload
from graph.memories.compaction.service import CompactionMode

if TYPE_CHECKING:
    from app.client.generated import CompactMemoriesCompactMemories

_COUNTS = "dry_run candidate_count tokens_before tokens_after tokens_saved".split()
_SHOWN = dict.fromkeys((*_COUNTS, "texts", "candidates"), True) | {"summaries": {"__all__": {"id"}}}


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("compact")(compact)


def compact(
    *,
    older_than: Annotated[
        int | None, typer.Option(min=0, help="Days: one summary in the place of memories saved before.")
    ] = None,
    mode: Annotated[
        CompactionMode | None,
        typer.Option(
            case_sensitive=False,
            help="Without --older-than: truncate long memories, or condense all into one summary.",
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="What truncate and condense leave; default 4000.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Only memories of this session.")] = None,
    api_key_id: Annotated[str | None, typer.Option(help="Only memories that this key saved.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
    ] = False,
    workspace: Workspace = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Replace old memories by a summary; they can be restored. Compaction never runs automatically."""
    if older_than is None and mode is None:
        fail("say what to compact: --older-than DAYS, or --mode truncate or condense")
    request = payload(
        olderThanDays=older_than,
        mode=mode and mode.name,
        maxTokens=max_tokens,
        sessionId=session,
        apiKeyId=api_key_id,
        dryRun=dry_run,
    )
    report = run_in(workspace, lambda client, workspace_id: client.compact_memories(request, workspace_id))
    if json:
        typer.echo(as_json(report, _SHOWN))
    else:
        _show(report)


def _show(report: "CompactMemoriesCompactMemories") -> None:
    verb = "would be compacted" if report.dry_run else "compacted"
    count = report.candidate_count
    typer.echo(f"{count} {'memory' if count == 1 else 'memories'} {verb}, {report.tokens_saved} tokens saved")
    for summary in report.summaries:
        typer.echo(f"summary {summary.id}")
    if report.dry_run:
        for memory in report.candidates:
            typer.echo(f"  {memory.id} {printable(memory.content)[:80]}")
