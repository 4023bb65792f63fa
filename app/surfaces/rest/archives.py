"""``/v1/workspaces/{workspaceId}/archive``: export of a workspace to an archive, and restore from one."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from typing import Annotated, Any, BinaryIO, Final

import structlog
from litestar import Controller, Request, get, post
from litestar.datastructures import State
from litestar.params import QueryParameter
from litestar.response import Stream
from pydantic_core import to_json

from app.surfaces.http.errors import masked
from app.surfaces.http.limits import SLOW_BODY, streamed
from app.surfaces.http.refusals import BODY, WorkspaceId, workspace_in_path
from app.surfaces.http.shapes import NOT_BLANK
from graph.core.errors import InvalidInput, RecollectError
from graph.operations.archive.format import MEDIA_TYPE
from graph.operations.models import RestoreProgress
from graph.operations.services import Services
from graph.tenancy.models import Scope

Caller = Request[Any, Any, State]
UserId = Annotated[
    str | None,
    QueryParameter(
        name="user_id",
        max_length=512,
        description="User whose memories and conversations to export; omitted: everything.",
        schema_extra=NOT_BLANK,
    ),
]
WithVectors = Annotated[
    bool, QueryParameter(name="vectors", description="Whether to include the vectors in use.")
]

NODE_COUNT_HEADER: Final = "recollect-archive-nodes"
_MOST_ARCHIVE_BYTES: Final = 16 * 1024**3
_WRITTEN_TOGETHER: Final = 1024 * 1024
_LINES: Final = "application/x-ndjson"
_log = structlog.get_logger("recollect.rest")


class ArchiveRoutes(Controller):
    """Routes of archives, for administrators; both bodies are streamed."""

    path = "/v1/workspaces/{workspace_id:str}/archive"
    tags = ("archives",)

    @get(summary="Export a workspace", media_type=MEDIA_TYPE)
    async def export(
        self,
        request: Caller,
        state: State,
        workspace_id: WorkspaceId,
        user_id: UserId = None,
        vectors: WithVectors = False,
    ) -> Stream:
        """Return all data of a workspace, or of one user, as an archive; a complete archive ends with its manifest."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.ADMIN, workspace_id)
        archive = await services.operations.archives.export(workspace, user_id=user_id, vectors=vectors)
        return streamed(
            archive.pieces,
            headers={
                "content-type": MEDIA_TYPE,
                "content-disposition": f'attachment; filename="{workspace}.tar.zst"',
                NODE_COUNT_HEADER: str(archive.nodes),
            },
        )

    @post(
        summary="Restore a workspace",
        status_code=200,
        media_type=_LINES,
        request_max_body_size=_MOST_ARCHIVE_BYTES,
        opt={SLOW_BODY: True, BODY: MEDIA_TYPE},
    )
    async def restore(self, request: Caller, state: State, workspace_id: WorkspaceId) -> Stream:
        """Restore an archive into a workspace, created if it does not exist; return the progress line by line.

        The service reads and checks the whole archive before it writes anything. The last line has ``is_done``, or
        ``error`` if the restore failed.
        """
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        async with AsyncExitStack() as used:
            file = used.enter_context(await asyncio.to_thread(tempfile.TemporaryFile))
            await _receive(request, file)
            checked = await services.operations.archives.check(file)
            running = services.operations.archives.restore(workspace_id, checked, file)
            await used.enter_async_context(aclosing(running))
            first = await anext(running)
            return progress_stream(first, running, used.pop_all())


async def _receive(request: Caller, file: BinaryIO) -> None:
    """Write the request's body to a file as it arrives.

    Raises:
        InvalidInput: The body is empty.
    """
    waiting = bytearray()
    async for piece in request.stream():
        waiting += piece
        if len(waiting) >= _WRITTEN_TOGETHER:
            await asyncio.to_thread(file.write, bytes(waiting))
            waiting.clear()
    await asyncio.to_thread(file.write, bytes(waiting))
    if not file.tell():
        raise InvalidInput("archive", "archive: the body must be an archive from an export")


def progress_stream(
    first: RestoreProgress, running: AsyncGenerator[RestoreProgress], used: AsyncExitStack
) -> Stream:
    """Return the progress of a restore line by line, as an answer that closes ``used`` at its end."""
    return streamed(_lines(first, running, used), headers={"content-type": _LINES}, used=used)


async def _lines(
    first: RestoreProgress, running: AsyncGenerator[RestoreProgress], used: AsyncExitStack
) -> AsyncGenerator[bytes]:
    try:
        async with used:
            yield _line(first)
            async for progress in running:
                yield _line(progress)
    except RecollectError as error:
        body = {"error": error.message, "code": error.code, "field": error.field}
        yield to_json(body) + b"\n"
    except Exception as error:  # noqa: BLE001 - the caller gets an error line rather than a cut connection
        message = masked(_log, "rest.restore_failed", error)
        body = {"error": message, "code": "INTERNAL", "field": None}
        yield to_json(body) + b"\n"


def _line(progress: RestoreProgress) -> bytes:
    return progress.model_dump_json().encode() + b"\n"
