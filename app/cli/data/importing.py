"""``recollect import``: uploads conversations and facts of a source, batch by batch."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from app.cli.importers.formats import Format, reader_of, source_of
from app.cli.importers.graphiti import Neo4jLogin
from app.cli.importers.models import Contents, UnreadableFileError, UploadReport
from app.cli.importers.upload import EmbeddingCounts, Target, WaitOutcome, upload, wait_until_embedded
from app.cli.printing import Json, print_json, progress_bar
from app.cli.remote import ensure_workspace, fail, run
from graph.memories.policy import MOST_CHARS, MOST_TURN_CHARS

if TYPE_CHECKING:
    from app.client.generated import RecollectClient


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("import")(import_source)


def import_source(
    source: Annotated[
        str, typer.Argument(help="File, folder of notes, or bolt:// address of Graphiti's Neo4j.")
    ],
    *,
    format_: Annotated[Format, typer.Option("--format", "-f", help="Format of the source.")],
    workspace: Annotated[
        str | None,
        typer.Option("--workspace", "-w", help="Id or name, created if missing; default: the key's own."),
    ] = None,
    user: Annotated[str | None, typer.Option(help="Owner of records without a user.")] = None,
    agent: Annotated[str | None, typer.Option(help="Agent of records without one.")] = None,
    extract: Annotated[
        bool, typer.Option("--extract", help="chatgpt, claude: extract facts instead of saving each message.")
    ] = False,
    column: Annotated[
        list[str] | None,
        typer.Option(help="csv: FIELD=COLUMN for a column with another name, such as content=Note."),
    ] = None,
    namespace: Annotated[
        str | None,
        typer.Option(help="langgraph: labels with a user or agent, such as users/{user}."),
    ] = None,
    group_is_user: Annotated[
        bool, typer.Option("--group-is-user", help="graphiti, zep: use group_id as the user.")
    ] = False,
    neo4j_user: Annotated[str, typer.Option(help="graphiti: user of its Neo4j.")] = "neo4j",
    neo4j_password: Annotated[
        str | None, typer.Option(envvar="NEO4J_PASSWORD", help="graphiti: password of its Neo4j.")
    ] = None,
    neo4j_database: Annotated[
        str | None, typer.Option(help="graphiti: database; default: the server's.")
    ] = None,
    restore_deleted: Annotated[
        bool, typer.Option("--restore-deleted", help="Restore records that were deleted in the workspace.")
    ] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for the embeddings.")] = True,
    json: Json = False,
) -> None:
    """Import memories of another store, conversations or notes; a second run changes nothing."""
    options = {
        "is_extracted": extract,
        "columns": _columns(column),
        "namespace": namespace,
        "group_is_user": group_is_user,
    }
    login = Neo4jLogin(neo4j_user, neo4j_password, neo4j_database)
    owner = Target(None, user, agent, restore_deleted)
    try:
        reader = reader_of(format_, options, login, MOST_CHARS)
        contents = reader(source_of(format_, source), MOST_TURN_CHARS)
        report = run(lambda client: import_contents(client, workspace, contents, wait=wait, owner=owner))
    except (UnreadableFileError, OSError) as error:
        fail(f"{source}: {error}")
    if json:
        print_json(report.fields)
    else:
        show_report(Console(), report)
    if report.saved == report.deleted == 0 and not report.others:
        fail(f"nothing of {source} could be imported as {format_}")


def _columns(columns: Sequence[str] | None) -> Mapping[str, str]:
    for each in columns or ():
        if "=" not in each:
            fail(f"--column must be FIELD=COLUMN, such as content=Note, got {each!r}")
    return dict(each.split("=", 1) for each in columns or ())


async def import_contents(
    client: "RecollectClient",
    workspace: str | None,
    contents: Contents,
    *,
    wait: bool,
    owner: Target | None = None,
) -> UploadReport:
    """Upload the contents of a source with a progress bar; optionally wait for the embeddings.

    Args:
        client: Client of the service.
        workspace: Id or name, created if missing; None: the key's own.
        contents: Records of the source.
        wait: Wait for the embeddings.
        owner: Owner of records without one, and whether to restore deleted memories; its workspace is ignored.

    Raises:
        ApiError: The service refuses more than single items, or does not answer.
    """
    report, owner = UploadReport(), owner or Target(None)
    if workspace is None:
        workspace_id = (await client.me()).workspace_id
    else:
        workspace_id = await ensure_workspace(client, workspace)
    with progress_bar() as progress:
        task = progress.add_task(f"saving to {escape(workspace or workspace_id)}", total=contents.total)
        await upload(
            client,
            replace(owner, workspace_id=workspace_id),
            contents.records,
            report,
            on_progress=lambda count: progress.advance(task, count),
            has_links=contents.has_links,
        )
        progress.update(task, total=progress.tasks[task].completed)
        outcome = await _wait(client, progress, workspace_id) if wait and report.saved else None
    if outcome:
        _print_outcome(outcome)
    return report


def show_report(console: Console, report: UploadReport) -> None:
    """Print the number of saved records, and every skipped or changed one with its reason and place."""
    again = f" ({report.unchanged} of them unchanged)" if report.unchanged else ""
    others = "".join(f", {count} {kind}" for kind, count in report.others.items())
    console.print(f"saved {report.saved} memories{again}{others}, skipped {report.skipped}", highlight=False)
    for group in report.groups:
        more = ", …" if group.count > len(group.places) else ""
        places = escape(", ".join(group.places) + more)
        console.print(
            f"  {group.effect} {group.count}: {escape(group.reason)} [dim]({places})[/]", highlight=False
        )


async def _wait(client: "RecollectClient", progress: Progress, workspace_id: str) -> WaitOutcome:
    task = progress.add_task("embedding", total=None)

    def show(counts: EmbeddingCounts) -> None:
        waiting = f" (waiting: {escape(counts.obstacle)})" if counts.obstacle and counts.pending else ""
        progress.update(
            task, description=f"embedding{waiting}", completed=counts.embedded, total=counts.memories
        )

    return await wait_until_embedded(client, [workspace_id], on_progress=show)


def _print_outcome(outcome: WaitOutcome) -> None:
    counts = outcome.counts
    console = Console(stderr=True, highlight=False)
    if not outcome.is_complete:
        why = escape(counts.obstacle or "nothing moves; is a worker running?")
        console.print(f"[yellow]stopped waiting[/] for {counts.pending} embeddings: {why}")
    elif counts.failed:
        console.print(f"[yellow]{counts.failed} embeddings failed;[/] the query `jobs` tells why")
    else:
        console.print(f"embedded {counts.embedded} of {counts.memories} memories")
