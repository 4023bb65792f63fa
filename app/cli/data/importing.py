"""``recollect import``: brings a file's conversations and facts to the service, batch by batch."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.cli.admin.workspace_lookup import ensure_workspace
from app.cli.importers import READERS
from app.cli.importers.embedding_wait import EmbeddingCounts, WaitOutcome, wait_until_embedded
from app.cli.importers.models import Part, UnreadableFileError
from app.cli.importers.report import UploadReport
from app.cli.importers.upload import upload
from app.cli.remote import fail, read_settings, run

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

Format = Literal["locomo", "jsonl", "chatgpt", "claude"]


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("import")(import_file)


def import_file(
    path: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True)],
    *,
    format_: Annotated[Format, typer.Option("--format", "-f", help="What the file is.")],
    workspace: Annotated[str, typer.Option("--workspace", "-w", help="Id or name; made when missing.")],
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until all is embedded.")] = True,
) -> None:
    """Import a file; running it again changes nothing.

    A LoCoMo file with several conversations puts each into a workspace of its own, named WORKSPACE-SAMPLE.
    """
    try:
        parts = READERS[format_](path, read_settings().memory.max_turn_chars)
        report = run(lambda client: import_parts(client, targets(workspace, parts), wait=wait))
    except (UnreadableFileError, OSError) as error:
        fail(f"{path}: {error}")
    show_report(Console(), report)
    if report.saved == 0:
        fail(f"nothing of {path} could be imported as {format_}")


def targets(workspace: str, parts: Sequence[Part]) -> Mapping[str, Part]:
    """Return which workspace, by id or name, each part goes to."""
    if len(parts) == 1:
        return {workspace: parts[0]}
    return {f"{workspace}-{part.name}": part for part in parts}


async def import_parts(client: "RecollectClient", parts: Mapping[str, Part], *, wait: bool) -> UploadReport:
    """Upload each part to its workspace, showing a bar for each, and wait for the embeddings if asked.

    Raises:
        ApiError: The service refuses more than single items, or does not answer.
    """
    report = UploadReport()
    with _progress() as progress:
        workspace_ids = [
            await _import_part(client, progress, name, part, report) for name, part in parts.items()
        ]
        outcome = await _wait(client, progress, workspace_ids) if wait and report.saved else None
    if outcome:
        _tell_outcome(outcome)
    return report


def show_report(console: Console, report: UploadReport) -> None:
    """Print what was saved, and everything that was skipped or changed with its reason and places."""
    again = f" ({report.unchanged} of them unchanged)" if report.unchanged else ""
    console.print(f"saved {report.saved} memories{again}, skipped {report.skipped}", highlight=False)
    for group in report.groups:
        more = ", …" if group.count > len(group.places) else ""
        places = escape(", ".join(group.places) + more)
        console.print(
            f"  {group.effect} {group.count}: {escape(group.reason)} [dim]({places})[/]", highlight=False
        )


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )


async def _import_part(
    client: "RecollectClient", progress: Progress, workspace: str, part: Part, report: UploadReport
) -> str:
    workspace_id = await ensure_workspace(client, workspace)
    task = progress.add_task(f"saving to {escape(workspace)}", total=part.total)
    await upload(
        client, workspace_id, part.records, report, on_progress=lambda count: progress.advance(task, count)
    )
    progress.update(task, total=progress.tasks[task].completed)
    return workspace_id


async def _wait(client: "RecollectClient", progress: Progress, workspace_ids: Sequence[str]) -> WaitOutcome:
    task = progress.add_task("embedding", total=None)

    def show(counts: EmbeddingCounts) -> None:
        waiting = f" (waiting: {escape(counts.obstacle)})" if counts.obstacle and counts.pending else ""
        progress.update(
            task, description=f"embedding{waiting}", completed=counts.embedded, total=counts.memories
        )

    return await wait_until_embedded(client, workspace_ids, on_progress=show)


def _tell_outcome(outcome: WaitOutcome) -> None:
    counts = outcome.counts
    console = Console(stderr=True, highlight=False)
    if not outcome.is_complete:
        why = escape(counts.obstacle or "nothing moves; is a worker running?")
        console.print(f"[yellow]stopped waiting[/] for {counts.pending} embeddings: {why}")
    elif counts.failed:
        console.print(f"[yellow]{counts.failed} embeddings failed;[/] the query `jobs` tells why")
    else:
        console.print(f"embedded {counts.embedded} of {counts.memories} memories")
