"""``/chat/api/{chatId}/…``: the memories of one chat."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final, Literal, Self

import structlog
from litestar import Controller, Request, delete, get, patch, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter
from litestar.response import ServerSentEvent, ServerSentEventMessage, Stream
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict

from app.surfaces.http.credentials import CREDENTIAL, Credential, Owners, owners_in, session_id_of
from app.surfaces.http.limits import closing, streamed
from app.surfaces.http.refusals import named_as
from app.surfaces.http.shapes import Content, Name
from app.surfaces.rest.memories import (
    ListedMemory,
    MemoryId,
    MemoryObject,
    NewContent,
    RestRequest,
    SavedMemoryObject,
)
from graph.conversations.distillation.models import DistillSource, Output
from graph.conversations.message_memories import MessageToRemember
from graph.core.errors import NotFound, RecollectError
from graph.core.exact import Flag
from graph.core.models import Job, JobKind, JobState, MemoryEventType
from graph.core.pages import MAX_PAGE, Page
from graph.core.scope import EVERYTHING, ReadScope, current_scope, seeing
from graph.memories.models import Memory, MemoryChange, MemoryFilter
from graph.memories.policy import SourceType
from graph.memories.service import Memories
from graph.memories.subscriptions import MemoryEvent
from graph.operations.services import Services
from graph.tenancy.models import Scope

_A_ROW: JsonDict = {
    "id": "mem_4fJ7qX2mB9sK1tV8wZ3yR6pL",
    "content": "The project deadline is March 15, 2026",
    "summary": "Project deadline is March 15",
    "category": "fact",
    "source_type": "user",
    "created_at": "2026-03-07T10:30:00Z",
    "updated_at": "2026-03-07T10:30:00Z",
}


class _ChatRequest(BaseModel):
    """Base of request bodies, in the browser scripts' camel case."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")


class NewChatMemory(_ChatRequest):
    """A memory to save from a message, a text, or both."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"messageId": "msg_abc123", "content": "The project deadline is March 15, 2026"}]
        }
    )

    message_id: Name | None = None
    content: Content | None = None
    category: Name | None = None
    synthesize: Flag = False


class TurnOutput(_ChatRequest):
    """Result of a tool, or final output of a turn, to distil in the background."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"source": "tool", "text": "We keep the blue crates.", "toolName": "web_search"}]
        }
    )

    source: DistillSource
    text: str = Field(min_length=1)
    invocation_id: Name | None = None
    tool_name: Name | None = None
    message_id: Name | None = None


class ChatPlace(_ChatRequest):
    """The target workspace of a chat, and its current one; the current one defaults to the session's."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"workspaceId": "ws_def456"}]})

    workspace_id: Name
    from_workspace_id: Name | None = None


class ChatMemory(ListedMemory):
    """A memory as one row of a chat's list."""

    model_config = ConfigDict(json_schema_extra={"examples": [_A_ROW]})

    updated_at: datetime

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return the row of a memory."""
        row = ListedMemory.of(memory)
        return cls(**row.model_dump(), updated_at=memory.updated_at)


class ChatMemories(BaseModel):
    """All memories of a chat, the newest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"memories": [_A_ROW]}]})

    memories: list[ChatMemory]


class Rerun(BaseModel):
    """The memory that a worker is going to regenerate."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "queued", "id": "mem_4fJ7qX2mB9sK1tV8wZ3yR6pL"}]}
    )

    status: Literal["queued"] = "queued"
    id: str


class DistillBody(BaseModel):
    """Result of submitting a text for distillation.

    Attributes:
        skipped: Reason why the text was skipped; null if it was queued.
        id: Id of the text in the event about its end; omitted if the text was skipped.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"status": "queued", "skipped": None, "id": "dst_4f7q2m9s1t8w3y6p5k0d1c2b"}]
        }
    )

    status: Literal["queued", "skipped"]
    skipped: str | None
    id: str | None = Field(None, exclude_if=lambda value: value is None)


PATH: Final = "/chat/api"
_SPOKEN = {
    "id": "memoryId",
    "conversationId": "chatId",
    "conversation_id": "chatId",
    "source_conversation_id": "chatId",
    "sourceConversationId": "chatId",
    "sourceMessageId": "messageId",
}

ChatId = Annotated[str, Parameter(max_length=512, description="Id of the chat, chosen by the dashboard.")]


class Chats(Controller):
    """Routes of one chat in the workspace of the session's key."""

    path = f"{PATH}/{{chat_id:str}}"
    opt = {CREDENTIAL: Credential.SESSION}  # noqa: RUF012 - Litestar declares the attribute without ClassVar
    tags = ("chats",)

    @post("/memory", status_code=201, summary="Save a message or a text as a memory")
    async def remember(
        self, request: RestRequest, state: State, chat_id: ChatId, data: JSONBody[NewChatMemory]
    ) -> SavedMemoryObject:
        """Save a memory of this chat, unless a memory already says the same."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        message = MessageToRemember(
            **data.model_dump(), conversation_id=chat_id, api_key_id=request.auth.key_id
        )
        with named_as(_SPOKEN):
            return SavedMemoryObject.of_receipt(
                await services.conversations.message_memories.remember(workspace_id, message)
            )

    @get(
        "/memories",
        summary="List all memories of a chat",
        responses={
            200: ResponseSpec(ChatMemories, description="All memories of the chat.", generate_examples=False)
        },
    )
    async def memories(self, request: RestRequest, state: State, chat_id: ChatId) -> Stream:
        """Return all memories of this chat, the newest first, as a streamed JSON object."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        read = partial(_page, services.memories.store, workspace_id, chat_id, current_scope())
        return streamed(_listed(await read(None), read), headers={"content-type": "application/json"})

    @patch("/memories/{memory_id:str}", summary="Change a memory's text")
    async def change(
        self,
        request: RestRequest,
        state: State,
        chat_id: ChatId,
        memory_id: MemoryId,
        data: JSONBody[NewContent],
    ) -> MemoryObject:
        """Change the text of a memory; it is embedded again, and category and source stay."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        await _of_chat(services, workspace_id, chat_id, memory_id)
        with named_as(_SPOKEN):
            changed = await services.memories.store.update(
                workspace_id, memory_id, MemoryChange(content=data.content)
            )
        return MemoryObject.of(changed)

    @delete("/memories/{memory_id:str}", status_code=204, summary="Delete a memory")
    async def remove(self, request: RestRequest, state: State, chat_id: ChatId, memory_id: MemoryId) -> None:
        """Delete a memory, restorably; a repeated call succeeds too."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        await _of_chat(services, workspace_id, chat_id, memory_id, include_deleted=True)
        await services.memories.deletion.delete(workspace_id, memory_id)

    @post(
        "/memories/{memory_id:str}/rerun-extraction", status_code=202, summary="Regenerate a memory's summary"
    )
    async def rerun_extraction(
        self,
        request: RestRequest,
        state: State,
        chat_id: ChatId,
        memory_id: MemoryId,
        synthesize: Annotated[
            bool, Parameter(description="Whether a language model restates the content too.")
        ] = False,
    ) -> Rerun:
        """Schedule the regeneration of a memory's summary from its source message."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        await _of_chat(services, workspace_id, chat_id, memory_id)
        with named_as(_SPOKEN):
            await services.conversations.reruns.request(workspace_id, memory_id, synthesize=synthesize)
        return Rerun(id=memory_id)

    @post("/outputs", status_code=202, summary="Distil an output of a turn")
    async def distil(
        self, request: RestRequest, state: State, chat_id: ChatId, data: JSONBody[TurnOutput]
    ) -> DistillBody:
        """Queue a tool's result, or the output of deep thinking, research or compaction, for distillation.

        The service skips the text if memory is off, if it is too short or contains a credential, or while the same
        invocation is pending.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        output = Output(**data.model_dump(), conversation_id=chat_id, api_key_id=request.auth.key_id)
        with named_as(_SPOKEN):
            intake = await services.conversations.distillation.enqueue(workspace_id, output)
        status = "queued" if intake.taken else "skipped"
        return DistillBody(status=status, skipped=intake.skipped, id=intake.id)


async def _of_chat(
    services: Services, workspace_id: str, chat_id: str, memory_id: str, *, include_deleted: bool = False
) -> Memory:
    """Return a memory of the chat.

    Raises:
        NotFound: There is no such memory, or it belongs to another chat.
    """
    with named_as(_SPOKEN):
        memory = await services.memories.store.get(workspace_id, memory_id, include_deleted=include_deleted)
    if memory.source_conversation_id != chat_id:
        raise NotFound(f"there is no memory {memory_id!r} in this chat", field="memoryId")
    return memory


async def _page(
    memories: Memories, workspace_id: str, chat_id: str, scope: ReadScope, after: str | None
) -> Page[Memory]:
    with seeing(scope):  # the response is streamed after the request's own scope has ended
        filter_ = MemoryFilter(conversation_id=chat_id)
        return await memories.page(workspace_id, filter_, first=MAX_PAGE, after=after)


async def _listed(
    page: Page[Memory], read: Callable[[str | None], Awaitable[Page[Memory]]]
) -> AsyncGenerator[bytes]:
    """Yield ``ChatMemories`` page by page, which limits RAM to one page."""
    yield b'{"memories":['
    while True:
        yield b",".join(ChatMemory.of(memory).model_dump_json().encode() for memory in page.items)
        if not page.has_more:
            break
        page = await read(page.cursors[-1].encode())
        yield b"," if page.items else b""
    yield b"]}"


AUTO_SAVED = "x_memory.auto_saved"
RERUN_FINISHED = "x_memory.rerun_finished"
DISTILL_FINISHED = "x_memory.distill_finished"
_ENDS = {JobState.DONE: "done", JobState.FAILED: "failed"}
_RERUNS = frozenset({JobKind.RESTATE, JobKind.SYNTHESIZE})
_DISTILLED = frozenset({SourceType.AUTO_DEEP_THINK, SourceType.AUTO_RESEARCH, SourceType.AUTO_COMPACTION})
_SILENCE_SECONDS = 15.0  # interval of comments that detect a closed connection
_log = structlog.get_logger("recollect.rest")


@get(
    f"{PATH}/events",
    opt={CREDENTIAL: Credential.SESSION},
    include_in_schema=False,  # OpenAPI cannot describe a stream of events
)
async def auto_saved(request: Request[Any, Any, State], state: State) -> ServerSentEvent:
    """Stream events of the workspace of the session's key.

    ``x_memory.auto_saved`` has each memory that the end of a turn produced. ``x_memory.rerun_finished`` and
    ``x_memory.distill_finished`` have ``{id, status}``: the id of the regenerated memory, or of the text from
    ``/outputs``, and ``done`` or ``failed``. The stream ends with the session, or if it may have missed an event.
    Browsers reconnect automatically; the lists have the memories saved in between.
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
                # Checks whether the key has been revoked, and keeps the session of an open page alive.
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
    """Return the event of a finished job if the caller may see its subject, else None."""
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
    # data=None, because browsers would treat a comment with the default data as an event.
    return ServerSentEventMessage(comment=text, data=None)


def _is_distilled(event: MemoryEvent) -> bool:
    """Tell whether the end of a turn produced the memory; this stream omits other automatic extraction."""
    is_automatic = event.type is MemoryEventType.AUTO_SAVED
    return is_automatic and event.memory is not None and event.memory.source_type in _DISTILLED


async def _with_silences(
    memories: AsyncIterator[MemoryEvent], jobs: AsyncIterator[Job]
) -> AsyncIterator[MemoryEvent | Job | None]:
    """Yield the events of both iterators, and None after each interval without one."""
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
