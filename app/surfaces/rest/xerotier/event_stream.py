"""``GET /chat/api/events``: automatic changes of memory, streamed to a dashboard."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import structlog
from litestar import Request, get
from litestar.datastructures import State
from litestar.response import ServerSentEvent, ServerSentEventMessage

from app.surfaces.http.credentials import CREDENTIAL, Credential, Owners, owners_in, session_id_of
from app.surfaces.http.limits import closing
from app.surfaces.rest.memory_pages import MemoryObject
from app.surfaces.rest.xerotier.chats import PATH
from graph.core.errors import RecollectError
from graph.core.models import Job, JobKind, JobState, MemoryEventType
from graph.core.scope import EVERYTHING, current_scope
from graph.memories.policy import SourceType
from graph.memories.subscriptions import MemoryEvent
from graph.operations.services import Services
from graph.tenancy.models import Scope

AUTO_SAVED = "x_memory.auto_saved"
RERUN_FINISHED = "x_memory.rerun_finished"
DISTILL_FINISHED = "x_memory.distill_finished"
_ENDS = {JobState.DONE: "done", JobState.FAILED: "failed"}
_RERUNS = frozenset({JobKind.RESTATE, JobKind.SYNTHESIZE})
_DISTILLED = frozenset({SourceType.AUTO_DEEP_THINK, SourceType.AUTO_RESEARCH, SourceType.AUTO_COMPACTION})
# After which a line is sent that says nothing, so that a connection that is gone shows.
_SILENCE_SECONDS = 15.0
_log = structlog.get_logger("recollect.rest")


@get(
    f"{PATH}/events",
    opt={CREDENTIAL: Credential.SESSION},
    include_in_schema=False,  # an answer that goes on has no schema
)
async def auto_saved(request: Request[Any, Any, State], state: State) -> ServerSentEvent:
    """Tell what happens in the workspace that the session's key belongs to.

    ``x_memory.auto_saved`` reports each memory from the end of a turn; ``x_memory.rerun_finished`` and
    ``x_memory.distill_finished`` have ``{id, status}``: the regenerated memory, or the text of ``/outputs``, and
    ``done`` or ``failed``. The stream ends with the session, or if an event may have been missed. Browsers reconnect
    automatically; the lists have the memories saved in between.
    """
    services: Services = state.services
    workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
    owners = owners_in(request.headers, request.query_params)
    events = _events(services, session_id_of(request), owners, workspace_id)
    return ServerSentEvent(events, background=closing(events))


async def _events(
    services: Services, session_id: str | None, owners: Owners, workspace_id: str
) -> AsyncGenerator[ServerSentEventMessage]:
    subscriptions = services.memories.subscriptions
    try:
        async with (
            subscriptions.of_memories(workspace_id) as memories,
            subscriptions.of_jobs(workspace_id) as jobs,
        ):
            yield _comment("listening")
            async for event in _with_silences(memories, jobs):
                # The key may have been revoked since, and a page that is open keeps its session.
                person = await services.tenancy.sessions.resume(session_id)
                principal = person.speaking_for(**owners)
                await services.tenancy.access.authorize(principal, Scope.READ, workspace_id)
                if event is None:
                    yield _comment("still here")
                elif isinstance(event, Job):
                    if ended := await _end_of(services, event):
                        yield ended
                elif event.memory is not None and _is_distilled(event):
                    data = MemoryObject.of(event.memory).model_dump_json()
                    yield ServerSentEventMessage(event=AUTO_SAVED, data=data, id=event.memory_id)
    except RecollectError as error:
        _log.info("rest.events_ended", code=error.code)


async def _end_of(services: Services, job: Job) -> ServerSentEventMessage | None:
    """Return the event of a finished job, if the caller may wait for it and see it."""
    status = _ENDS.get(job.state)
    if status is None:
        return None
    if job.kind in _RERUNS:
        is_seen = await services.memories.store.find(job.workspace_id, job.subject_id) is not None
        name = RERUN_FINISHED
    else:
        is_seen = job.kind is JobKind.DISTILL and current_scope() == EVERYTHING
        name = DISTILL_FINISHED
    data = json.dumps({"id": job.subject_id, "status": status})
    return ServerSentEventMessage(event=name, data=data) if is_seen else None


def _comment(text: str) -> ServerSentEventMessage:
    # With the data it has by default, browsers would take it for an event.
    return ServerSentEventMessage(comment=text, data=None)


def _is_distilled(event: MemoryEvent) -> bool:
    """Tell whether the end of a turn produced the memory; this stream omits other automatic extraction."""
    is_automatic = event.type is MemoryEventType.AUTO_SAVED
    return is_automatic and event.memory is not None and event.memory.source_type in _DISTILLED


async def _with_silences(
    memories: AsyncIterator[MemoryEvent], jobs: AsyncIterator[Job]
) -> AsyncIterator[MemoryEvent | Job | None]:
    """Yield the events of both, and None for every while in which there is none."""
    streams: tuple[AsyncIterator[MemoryEvent | Job], ...] = (memories, jobs)
    waiting = {asyncio.ensure_future(anext(stream)): stream for stream in streams}
    try:
        while True:
            done, _ = await asyncio.wait(
                waiting, timeout=_SILENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                yield None
            for task in done:
                stream = waiting.pop(task)
                event = task.result()
                waiting[asyncio.ensure_future(anext(stream))] = stream
                yield event
    finally:
        for task in waiting:
            task.cancel()
