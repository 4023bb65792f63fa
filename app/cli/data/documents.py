"""``recollect documents``: add files and folders, list and delete documents."""

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.cli.importers.upload import wait_until_embedded
from app.cli.printing import Json, as_json, print_json, print_table, progress_bar
from app.cli.remote import Workspace, fail, first_nodes, payload, run_in
from app.client.transport import ApiError
from graph.knowledge.documents.parsed import PDF, PLAIN, media_type_of_file

if TYPE_CHECKING:
    from app.client.generated import DocumentFields, RecollectClient
if TYPE_CHECKING:
    from app.client.generated import RecollectClient


_REFUSALS = frozenset({"INVALID_INPUT", "CONFLICT", "TOO_LARGE"})
"""Codes of errors about single files, so that the other files may still be added."""


@dataclass
class DocumentReport:
    """Results of adding files.

    Attributes:
        outcomes: Number of documents by outcome: created, updated or unchanged.
        refused: Refused files with reasons.
        partly_embedded: Number of chunks embedded only from their stored excerpt.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[Path, str]] = field(default_factory=list)
    partly_embedded: int = 0

    @property
    def added(self) -> int:
        """Number of documents that the service stores in their current form."""
        return self.outcomes.total()


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the given files, and the files below given folders with the suffix of a document, in order.

    Below a folder it skips hidden files and folders, and links.
    """
    for path in paths:
        if path.is_dir():
            yield from _files_below(path)
        else:
            yield path


async def add_documents(
    client: "RecollectClient",
    workspace_id: str | None,
    files: Iterable[Path],
    *,
    options: dict[str, Any],
    on_progress: Callable[[Path], None],
) -> DocumentReport:
    """Add every file under its address, so that adding it again updates the same document.

    Args:
        client: Client of the service.
        workspace_id: Target; None means the workspace of the client's key.
        files: Files to add.
        options: Further fields of ``DocumentInput``, the same for every file.
        on_progress: Callback before each file.

    Raises:
        ApiError: The service refuses more than single files, or does not answer.
    """
    report = DocumentReport()
    for file in files:
        on_progress(file)
        try:
            outcome, partly_embedded = await _add(client, workspace_id, _input(file, options))
        except OSError as error:
            report.refused.append((file, error.strerror or str(error)))
        except ApiError as error:
            if error.code not in _REFUSALS:
                raise
            report.refused.append((file, str(error)))
        else:
            report.outcomes[outcome] += 1
            report.partly_embedded += partly_embedded
    return report


async def _add(client: "RecollectClient", workspace_id: str | None, input_: Any) -> tuple[str, int]:
    """Add a document; repeat this while the service embeds more of it, because each call has a deadline.

    Returns the outcome of the first call, and the remaining number of partly embedded chunks.
    """
    added = await client.add_document(input_, workspace_id)
    left, before = added.partly_embedded_chunks, added.partly_embedded_chunks + 1
    while 0 < left < before:
        left, before = (await client.add_document(input_, workspace_id)).partly_embedded_chunks, left
    return added.changes.outcome.value if added.changes else "", left


def _input(file: Path, options: dict[str, Any]) -> dict[str, Any]:
    content = file.read_bytes()
    return {
        "uri": file.resolve().as_uri(),
        "mediaType": media_type_of_file(file.name) or (PDF if content.startswith(b"%PDF-") else PLAIN),
        "contentBase64": base64.b64encode(content).decode(),
        **options,
    }


def _files_below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_below(path)
        elif path.is_file() and media_type_of_file(path.name):
            yield path


def register(cli: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        name="documents", help="Add, list and delete documents, which search includes.", no_args_is_help=True
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
        typer.Option(
            "--store-text/--no-store-text", help="Store whole texts; default: the workspace's setting."
        ),
    ] = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for the embeddings.")] = True,
    json: Json = False,
) -> None:
    """Add Markdown, text, HTML and PDF files; a second run updates changed files only.

    For a folder, the command adds every file with a known suffix, including its subfolders.
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
    print_table(
        ("id", "title", "uri", "type", "chunks", "added"),
        rows,
        right=("chunks",),
        if_empty="no document; `recollect documents add` adds some",
    )


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
