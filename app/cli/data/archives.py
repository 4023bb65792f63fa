"""``recollect export`` and ``recollect restore``: write a workspace to an archive, and restore one."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final
from urllib.parse import quote

import typer
import zstandard
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    DownloadColumn,
    Progress,
    TaskProgressColumn,
)

from app.cli.printing import Json, print_json, progress_bar
from app.cli.remote import Workspace, fail, find_workspace_id, get_workspace_id, run
from app.client.transport import ApiError, lines_of

if TYPE_CHECKING:
    from app.client.generated import RecollectClient
    from graph.operations.archive.checking import CheckedArchive

_NODE_COUNT: Final = "recollect-archive-nodes"
_NODE: Final = b'{"number":'
"""Beginning of a node's line; it occurs nowhere else, because JSON escapes the quotes of texts."""
_SILENCE_SECONDS: Final = 300.0
"""Timeout of the next piece: the service counts a large workspace's nodes before the first."""
_PIECE: Final = 256 * 1024
_UNFINISHED: Final = ".part"


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("export")(export)
    cli.command("restore")(restore)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE.tar.zst", dir_okay=False, writable=True)],
    *,
    workspace: Workspace = None,
    user: Annotated[str | None, typer.Option(help="Only the data of this user.")] = None,
    vectors: Annotated[
        bool,
        typer.Option(help="Include vectors; a service with the same model then embeds nothing again."),
    ] = False,
    force: Annotated[bool, typer.Option(help="Replace an existing file.")] = False,
    json: Json = False,
) -> None:
    """Write a workspace, or one user's data, to a file; needs an administrator's key."""
    if file.exists() and not force:
        fail(f"{file} is there already; --force replaces it")
    unfinished = file.with_name(file.name + _UNFINISHED)

    async def work(client: "RecollectClient") -> None:
        workspace_id = await get_workspace_id(client, workspace) or (await client.me()).workspace_id
        parameters: dict[str, Any] = {"vectors": vectors, **({"user_id": user} if user else {})}
        with progress_bar(DownloadColumn()) as progress, unfinished.open("wb") as out:
            await _download(client, workspace_id, parameters, out, progress)

    try:
        run(work, timeout_seconds=_SILENCE_SECONDS)
        checked = _checked(unfinished)
        unfinished.replace(file)
    except OSError as error:
        fail(f"{file}: {error}")
    finally:
        unfinished.unlink(missing_ok=True)
    contents = _contents(checked)
    if json:
        print_json({"file": str(file), **contents})
        return
    vectors_of = f", vectors of {contents['vectors']}" if contents["vectors"] else ""
    Console(highlight=False, soft_wrap=True).print(
        escape(
            f"exported to {file}: {_counted(contents['memories'], 'memory', 'memories')}, "
            f"{_counted(contents['others'], 'other node', 'other nodes')}, "
            f"{_counted(contents['relationships'], 'relationship', 'relationships')}{vectors_of}"
        )
    )


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True)],
    *,
    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace",
            "-w",
            help="Target: id or name of a workspace, or id of a new one; default: the archive's.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write an archive into a workspace, which is created if necessary.

    Needs an administrator's key. Existing nodes stay unchanged, so a second run changes nothing.
    """
    checked = _checked(file)

    async def work(client: "RecollectClient") -> dict[str, Any]:
        target = checked.workspace.workspace_id
        if workspace is not None:
            target = await find_workspace_id(client, workspace) or workspace
        with progress_bar(TaskProgressColumn()) as progress, file.open("rb") as content:
            return await _upload(client, target, content, file.stat().st_size, progress)

    report = run(work, timeout_seconds=_SILENCE_SECONDS)
    if json:
        print_json(report)
    else:
        _show_restored(report)


def _show_restored(report: Mapping[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"restored into {report['workspace_id']}: {report['created_nodes']} of {report['total_nodes']} nodes "
        f"and {report['created_edges']} of {report['total_edges']} relationships were new"
    )
    if report["skipped_nodes"]:
        console.print(f"  skipped {report['skipped_nodes']}: part of what is there, or without use")
    if report["embedding"]:
        console.print(f"  {report['embedding']} wait for their vectors; `recollect jobs list` shows them")


async def _download(
    client: "RecollectClient",
    workspace_id: str,
    parameters: dict[str, Any],
    out: BinaryIO,
    progress: Progress,
) -> None:
    """Write the response of the service to a file, and show the progress."""
    what = f"exporting {escape(workspace_id)}"
    task = progress.add_task(what, total=None)
    async with client.transport.stream("GET", _archive_of(workspace_id), params=parameters) as response:
        total, counter = response.headers.get(_NODE_COUNT, "?"), NodeCounter()
        async for piece in response.aiter_raw():
            await asyncio.to_thread(out.write, piece)
            nodes = await asyncio.to_thread(counter.count, piece)
            progress.update(task, advance=len(piece), description=f"{what}: {nodes} of {total} nodes")


def _archive_of(workspace_id: str) -> str:
    return f"/v1/workspaces/{quote(workspace_id, safe='')}/archive"


class NodeCounter:
    """Counts the nodes of an archive during its download."""

    def __init__(self) -> None:
        self._decompressor = zstandard.ZstdDecompressor().decompressobj()
        self._nodes = 0
        self._rest = b""

    def count(self, piece: bytes) -> int:
        """Return the number of nodes so far."""
        with suppress(zstandard.ZstdError):  # the check of the file reports it better
            content = self._rest + self._decompressor.decompress(piece)
            self._nodes += content.count(_NODE)
            self._rest = content[len(content) - len(_NODE) + 1 :] if len(content) >= len(_NODE) else content
        return self._nodes


async def _upload(
    client: "RecollectClient", workspace_id: str, content: BinaryIO, size: int, progress: Progress
) -> dict[str, Any]:
    """Send a file to the service, show the progress, and return the final report."""
    task = progress.add_task("sending", total=size)

    async def pieces() -> AsyncIterator[bytes]:
        while piece := await asyncio.to_thread(content.read, _PIECE):
            yield piece
            progress.update(task, advance=len(piece))

    report: dict[str, Any] = {}
    async with client.transport.stream(
        "POST", _archive_of(workspace_id), content=pieces(), headers={"Content-Type": "application/zstd"}
    ) as response:
        nodes = progress.add_task("nodes", total=None)
        edges = progress.add_task("relationships", total=None)
        async for line in lines_of(response):
            report = loads(line)
            if "error" in report:
                raise ApiError(report["code"], report["error"], field=report["field"])
            progress.update(nodes, completed=report["nodes"], total=report["total_nodes"])
            progress.update(edges, completed=report["edges"], total=report["total_edges"])
    if not report.get("is_done"):
        raise ApiError(
            "UNAVAILABLE", "the service ended the restore too early; restore again, which completes it"
        )
    return report


def _checked(file: Path) -> "CheckedArchive":
    """Check a whole archive and return its description; errors end the command."""
    from graph.core.errors import InvalidInput
    from graph.operations.archive.checking import check

    with progress_bar(TaskProgressColumn()) as progress, file.open("rb") as content:
        task = progress.add_task("checking", total=None)
        try:
            return check(content, lambda count: progress.update(task, advance=count))
        except InvalidInput as error:
            fail(f"{file}: {error.message}")


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def _contents(archive: "CheckedArchive") -> dict[str, Any]:
    memories = archive.manifest.nodes.get("Memory", 0)
    return {
        "memories": memories,
        "others": archive.node_count - memories,
        "relationships": archive.manifest.edges,
        "vectors": archive.workspace.vectors,
    }
