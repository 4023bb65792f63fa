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
from app.surfaces.rest.memory_pages import ListedMemory, MemoryObject, NewContent, SavedMemoryObject
from graph.conversations.distillation.models import DistillSource, Output
from graph.conversations.from_messages.models import MessageToRemember
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


class _Asked(BaseModel):
    """A body in camel case, as the browser's scripts write it."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")


class NewChatMemory(_Asked):
    """A memory to make of a message, of a text, or of both."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"messageId": "msg_abc123", "content": "The project deadline is March 15, 2026"}]
        }
    )

    message_id: Name | None = None
    content: Content | None = None
    category: Name | None = None
    synthesize: Flag = False


class TurnOutput(_Asked):
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


class ChatPlace(_Asked):
    """The workspace that a chat is to be part of, and the one that it is in, where that is not the session's."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"workspaceId": "ws_def456"}]})

    workspace_id: Name
    from_workspace_id: Name | None = None


class ChatMemory(ListedMemory):
    """A memory as a row of a chat's list."""

    model_config = ConfigDict(json_schema_extra={"examples": [_A_ROW]})

    updated_at: datetime

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return the row of a memory."""
        row = ListedMemory.of(memory)
        return cls(**row.model_dump(), updated_at=memory.updated_at)


class ChatMemories(BaseModel):
    """Every memory of a chat, the newest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"memories": [_A_ROW]}]})

    memories: list[ChatMemory]


class Rerun(BaseModel):
    """The memory whose new extraction a worker will do."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "queued", "id": "mem_4fJ7qX2mB9sK1tV8wZ3yR6pL"}]}
    )

    status: Literal["queued"] = "queued"
    id: str


class DistillBody(BaseModel):
    """Result of sending a text for distillation.

    Attributes:
        skipped: Why it was not.
        id: Id of the text in the events about its end; omitted if the text was not accepted.
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

ChatId = Annotated[
    str, Parameter(max_length=512, description="The chat, by whatever name its dashboard gives it.")
]
MemoryId = Annotated[str, Parameter(max_length=128, description="The memory, by an id of either form.")]
Asking = Request[Any, Any, State]


class Chats(Controller):
    """One chat of the workspace that the session's key belongs to."""

    path = f"{PATH}/{{chat_id:str}}"
    opt = {CREDENTIAL: Credential.SESSION}  # noqa: RUF012 - Litestar's own is declared so
    tags = ("chats",)

    @post("/memory", status_code=201, summary="Remember a message or a text")
    async def remember(
        self, request: Asking, state: State, chat_id: ChatId, data: JSONBody[NewChatMemory]
    ) -> SavedMemoryObject:
        """Save a memory of this chat, unless one that says the same is stored."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        wish = MessageToRemember(**data.model_dump(), conversation_id=chat_id, api_key_id=request.auth.key_id)
        with named_as(_SPOKEN):
            return SavedMemoryObject.of_receipt(
                await services.conversations.from_messages.remember(workspace_id, wish)
            )

    @get(
        "/memories",
        summary="All memories of a chat",
        responses={
            200: ResponseSpec(ChatMemories, description="Every one of them.", generate_examples=False)
        },
    )
    async def memories(self, request: Asking, state: State, chat_id: ChatId) -> Stream:
        """Return every memory of this chat, the newest first, written as they are read."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        read = partial(_page, services.memories.store, workspace_id, chat_id, current_scope())
        return streamed(_listed(await read(None), read), headers={"content-type": "application/json"})

    @patch("/memories/{memory_id:str}", summary="Change what a memory says")
    async def change(
        self, request: Asking, state: State, chat_id: ChatId, memory_id: MemoryId, data: JSONBody[NewContent]
    ) -> MemoryObject:
        """Change the content; its vector is made again, category and source stay."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        await _of_chat(services, workspace_id, chat_id, memory_id)
        with named_as(_SPOKEN):
            changed = await services.memories.store.update(
                workspace_id, memory_id, MemoryChange(content=data.content)
            )
        return MemoryObject.of(changed)

    @delete("/memories/{memory_id:str}", status_code=204, summary="Delete a memory")
    async def remove(self, request: Asking, state: State, chat_id: ChatId, memory_id: MemoryId) -> None:
        """Delete a memory so that it can be restored; again is as good as once."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        await _of_chat(services, workspace_id, chat_id, memory_id, include_deleted=True)
        await services.memories.deletion.delete(workspace_id, memory_id)

    @post(
        "/memories/{memory_id:str}/rerun-extraction", status_code=202, summary="Make a memory's summary again"
    )
    async def rerun_extraction(
        self,
        request: Asking,
        state: State,
        chat_id: ChatId,
        memory_id: MemoryId,
        synthesize: Annotated[
            bool, Parameter(description="Whether a language model states its content again as well.")
        ] = False,
    ) -> Rerun:
        """Schedule a new summary of the memory from its source message."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        await _of_chat(services, workspace_id, chat_id, memory_id)
        with named_as(_SPOKEN):
            await services.conversations.reruns.request(workspace_id, memory_id, synthesize=synthesize)
        return Rerun(id=memory_id)

    @post("/outputs", status_code=202, summary="Have what a turn brought distilled")
    async def distil(
        self, request: Asking, state: State, chat_id: ChatId, data: JSONBody[TurnOutput]
    ) -> DistillBody:
        """Accept the result of a tool, or the output of deep thinking, research or compaction.

        A worker distils memories from it. The text is skipped if memory is off, if it is too short or has a credential,
        and if the same invocation is already waiting.
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
    """Return a memory of the chat; one of another chat does not exist on its path."""
    with named_as(_SPOKEN):
        memory = await services.memories.store.get(workspace_id, memory_id, include_deleted=include_deleted)
    if memory.source_conversation_id != chat_id:
        raise NotFound(f"there is no memory {memory_id!r} in this chat", field="memoryId")
    return memory


async def _page(
    memories: Memories, workspace_id: str, chat_id: str, scope: ReadScope, after: str | None
) -> Page[Memory]:
    with seeing(scope):  # the answer is written when the request's own scope may be over
        wanted = MemoryFilter(conversation_id=chat_id)
        return await memories.page(workspace_id, wanted, first=MAX_PAGE, after=after)


async def _listed(
    page: Page[Memory], read: Callable[[str | None], Awaitable[Page[Memory]]]
) -> AsyncGenerator[bytes]:
    """Yield ``ChatMemories`` page by page, so that no more than one is held, however long the chat is."""
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
