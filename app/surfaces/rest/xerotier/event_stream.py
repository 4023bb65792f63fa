"""``GET /chat/api/events``: what memory saved by itself, told to a dashboard as it happens."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import structlog
from litestar import Request, get
from litestar.datastructures import State
from litestar.response import ServerSentEvent, ServerSentEventMessage

from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.session_cookie import session_id_of
from app.surfaces.rest.memory_pages import MemoryObject
from app.surfaces.rest.xerotier.chats import PATH
from graph.core.errors import RecollectError
from graph.core.events.models import MemoryEventType
from graph.memories.sources import SourceType
from graph.memories.subscriptions import MemoryEvent
from graph.operations.services import Services
from graph.tenancy.access.models import Scope

AUTO_SAVED = "x_memory.auto_saved"
_DISTILLED = frozenset({SourceType.AUTO_DEEP_THINK, SourceType.AUTO_RESEARCH, SourceType.AUTO_COMPACTION})
_SILENCE_SECONDS = (
    15.0  # after which a line is sent that says nothing, so that a connection that is gone shows
)
_log = structlog.get_logger("recollect.rest")


@get(
    f"{PATH}/events",
    opt={CREDENTIAL: Credential.SESSION},
    include_in_schema=False,  # an answer that goes on has no schema
)
async def auto_saved(request: Request[Any, Any, State], state: State) -> ServerSentEvent:
    """Tell of each memory that a turn's end brought: ``event: x_memory.auto_saved`` with the memory as its data.

    The stream ends when the session does or an event may have been missed. Browsers come again by themselves; what
    was saved meanwhile is in the lists.
    """
    services: Services = state.services
    workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
    return ServerSentEvent(_told(services, session_id_of(request), workspace_id))


async def _told(
    services: Services, session_id: str | None, workspace_id: str
) -> AsyncIterator[ServerSentEventMessage]:
    try:
        async with services.memories.subscriptions.of_memories(workspace_id) as events:
            yield _comment("listening")
            async for event in _with_silences(events):
                # The key may have been revoked since, and a page that is open keeps its session.
                principal = await services.tenancy.sessions.resume(session_id)
                await services.tenancy.access.authorize(principal, Scope.READ, workspace_id)
                if event is None:
                    yield _comment("still here")
                elif event.memory is not None and _is_distilled(event):
                    data = MemoryObject.of(event.memory).model_dump_json()
                    yield ServerSentEventMessage(event=AUTO_SAVED, data=data, id=event.memory_id)
    except RecollectError as error:
        _log.info("rest.events_ended", code=error.code)


def _comment(text: str) -> ServerSentEventMessage:
    # With the data it has by default, browsers would take it for an event.
    return ServerSentEventMessage(comment=text, data=None)


def _is_distilled(event: MemoryEvent) -> bool:
    """Tell whether a turn's end brought it: what extraction saves by itself is not told here."""
    is_automatic = event.type is MemoryEventType.AUTO_SAVED
    return is_automatic and event.memory is not None and event.memory.source_type in _DISTILLED


async def _with_silences(events: AsyncIterator[MemoryEvent]) -> AsyncIterator[MemoryEvent | None]:
    """Yield the events, and None for every while in which there is none."""
    upcoming: asyncio.Task[MemoryEvent] | None = None
    try:
        while True:
            upcoming = upcoming or asyncio.ensure_future(anext(events))
            done, _ = await asyncio.wait({upcoming}, timeout=_SILENCE_SECONDS)
            if not done:
                yield None
                continue
            event, upcoming = upcoming.result(), None
            yield event
    finally:
        if upcoming is not None:
            upcoming.cancel()
