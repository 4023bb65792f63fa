"""``recollect documents``: add files and folders, list and delete documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.cli.admin.workspace_lookup import Workspace, run_in
from app.cli.importers.document_files import DocumentReport, add_documents, files_in
from app.cli.importers.embedding_wait import wait_until_embedded
from app.cli.printing import Json, as_json, print_json, print_table, progress_bar
from app.cli.remote import fail, first_nodes, payload

if TYPE_CHECKING:
    from app.client.generated import DocumentFields, RecollectClient


def register(cli: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        name="documents", help="Documents that are searched with the memories.", no_args_is_help=True
    )
    group.command("add")(add)
    group.command("list")(list_documents)
    group.command("delete")(delete_documents)
    cli.add_typer(group)


def add(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", exists=True, readable=True)],
    *,
    workspace: Workspace = None,
    connection: Annotated[str | None, typer.Option(help="Id of the connection they come from.")] = None,
    store_text: Annotated[
        bool | None,
        typer.Option("--store-text/--no-store-text", help="Default: as the workspace has it."),
    ] = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until all is embedded.")] = True,
    json: Json = False,
) -> None:
    """Add Markdown, text, HTML and PDF files; running it again changes only what changed.

    Of a folder every file with a known ending is added, in all folders below it.
    """
    files = list(files_in(paths))
    if not files:
        fail("no files of a known kind (.md, .txt, .html, .pdf …) are there; name a file to add it as text")
    options = payload(connectionId=connection, storeText=store_text)
    report = run_in(
        workspace,
        lambda client, workspace_id: _add_all(client, files, workspace_id, options, wait=wait),
    )
    if json:
        print_json(_report_fields(report))
    else:
        _show(Console(highlight=False, soft_wrap=True), report)
    if report.added == 0:
        fail(f"none of {len(files)} files could be added")


def list_documents(
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 50,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List documents, the newest first."""

    async def some(client: "RecollectClient", workspace_id: str | None) -> "list[DocumentFields]":
        return await first_nodes(limit, client.documents, workspace_id=workspace_id)

    found = run_in(workspace, some)
    if json:
        typer.echo(as_json(found))
        return
    rows = (
        (
            each.id,
            each.title,
            each.uri or "",
            each.media_type,
            str(each.chunk_count),
            str(each.created_at)[:10],
        )
        for each in found
    )
    print_table(("id", "title", "uri", "type", "chunks", "added"), rows, right=("chunks",))


def delete_documents(
    ids: Annotated[list[str], typer.Argument(metavar="ID...")],
    *,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Delete documents with their chunks, permanently."""

    async def each(client: "RecollectClient", workspace_id: str | None) -> list[str]:
        return [id_ for id_ in ids if await client.delete_document(id_, workspace_id)]

    deleted = run_in(workspace, each)
    unknown = [id_ for id_ in ids if id_ not in deleted]
    if json:
        print_json({"deleted": deleted, "unknown": unknown})
    else:
        for id_ in deleted:
            typer.echo(f"deleted {id_}")
    if unknown:
        fail(f"there is no document {', '.join(unknown)} to delete; see `recollect documents list`")


async def _add_all(
    client: "RecollectClient",
    files: Sequence[Path],
    workspace_id: str | None,
    options: dict[str, Any],
    *,
    wait: bool,
) -> DocumentReport:
    with progress_bar() as progress:
        task = progress.add_task("adding", total=len(files))

        def show(file: Path) -> None:
            progress.update(task, description=f"adding {escape(file.name)}", advance=1)

        report = await add_documents(client, workspace_id, files, options=options, on_progress=show)
        if wait and report.added:
            progress.update(task, description="embedding")
            own = workspace_id or (await client.me()).workspace_id
            await wait_until_embedded(client, [own], on_progress=lambda _: None)
    return report


def _report_fields(report: DocumentReport) -> dict[str, Any]:
    return {
        **{outcome.lower(): number for outcome, number in sorted(report.outcomes.items())},
        "refused": [{"file": str(file), "reason": reason} for file, reason in report.refused],
        "partlyEmbedded": report.partly_embedded,
    }


def _show(console: Console, report: DocumentReport) -> None:
    counts = ", ".join(
        f"{report.outcomes[outcome]} {outcome.lower()}" for outcome in ("CREATED", "UPDATED", "UNCHANGED")
    )
    console.print(f"documents: {counts}, {len(report.refused)} refused")
    for file, reason in report.refused:
        console.print(f"  refused {escape(str(file))}: {escape(reason)}")
    if report.partly_embedded:
        console.print(
            f"[yellow]{report.partly_embedded} chunks are found by their excerpts only;[/] "
            "run this again once the embedding model is ready"
        )
