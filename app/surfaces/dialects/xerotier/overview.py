"""``/chat/api/chats`` and ``/chat/api/workspace``: a dashboard's lists, and the workspace of a chat."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Self

from litestar import Controller, get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody
from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict
from typing_extensions import override

from app.surfaces.dialects.xerotier.chats import PATH, ChatId, ChatPlace
from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.refusals import WorkspaceId, named_as
from app.surfaces.rest.memories import (
    DEFAULT_PAGE,
    MemoryRoutes,
    NewMemory,
    PageCursor,
    PageSize,
    RestRequest,
    SavedMemoryObject,
)
from graph.conversations.capture.models import Conversation, ConversationCounts
from graph.memories.models import MemoryDraft
from graph.memories.policy import SourceType
from graph.operations.services import Services
from graph.tenancy.models import Scope, Workspace

_SPOKEN = {"after": "cursor", "first": "limit"}
_A_CHAT: JsonDict = {
    "id": "chat_abc123",
    "title": "Deadlines",
    "platform": None,
    "workspace_id": "ws_abc123",
    "message_count": 12,
    "memory_count": 3,
    "created_at": "2026-03-07T10:30:00Z",
    "updated_at": "2026-03-07T12:00:00Z",
}


class ChatRow(BaseModel):
    """A chat as one row of a page; ``memory_count`` is the number of live memories from it."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"examples": [_A_CHAT]})

    id: str
    title: str | None
    platform: str | None
    workspace_id: str
    message_count: int
    memory_count: int
    created_at: datetime | None
    updated_at: datetime | None

    @classmethod
    def of(cls, chat: Conversation, counts: ConversationCounts) -> Self:
        """Return the row of a conversation."""
        return cls(
            id=chat.id,
            title=chat.title,
            platform=chat.platform,
            workspace_id=chat.workspace_id,
            message_count=counts.messages,
            memory_count=counts.memories,
            created_at=chat.created_at,
            updated_at=chat.updated_at,
        )


class ChatPage(BaseModel):
    """A page of chats, the most recently updated first; the last page has no cursor."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={"examples": [{"items": [_A_CHAT], "next_cursor": None, "has_more": False}]},
    )

    items: list[ChatRow]
    next_cursor: str | None
    has_more: bool


class CurrentWorkspace(BaseModel):
    """The workspace of the signed-in person.

    Attributes:
        memory_enabled: Whether memory is on, so that the service captures the workspace's chats.
        memory_count: Number of live memories.
    """

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "id": "ws_abc123",
                    "name": "default",
                    "is_default": True,
                    "memory_enabled": True,
                    "memory_count": 128,
                }
            ]
        },
    )

    id: str
    name: str
    is_default: bool
    memory_enabled: bool
    memory_count: int

    @classmethod
    def of(cls, workspace: Workspace, memory_count: int) -> Self:
        """Return the form of a workspace."""
        return cls(
            id=workspace.id,
            name=workspace.name,
            is_default=workspace.is_default,
            memory_enabled=workspace.memory_enabled,
            memory_count=memory_count,
        )


class MemoryCount(BaseModel):
    """Number of live memories."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"examples": [{"count": 128}]})

    count: int


class Overview(Controller):
    """Routes of chats and counts in the workspace of the session's key."""

    path = PATH
    opt = {CREDENTIAL: Credential.SESSION}  # noqa: RUF012 - Litestar declares the attribute without ClassVar
    tags = ("chats",)

    @get("/chats", summary="List chats of the workspace")
    async def chats(
        self, request: RestRequest, state: State, cursor: PageCursor = None, limit: PageSize = DEFAULT_PAGE
    ) -> ChatPage:
        """Return a page of chats, the most recently updated first."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        conversations = services.conversations.capture
        with named_as(_SPOKEN):
            page = await conversations.page(workspace_id, first=limit, after=cursor)
        counts = await conversations.counts_of(workspace_id, [chat.id for chat in page.items])
        return ChatPage(
            items=[ChatRow.of(chat, counts.get(chat.id, ConversationCounts())) for chat in page.items],
            next_cursor=page.cursors[-1].encode() if page.has_more else None,
            has_more=page.has_more,
        )

    @put("/{chat_id:str}/workspace", summary="Move a chat to another workspace")
    async def move(
        self, request: RestRequest, state: State, chat_id: ChatId, data: JSONBody[ChatPlace]
    ) -> ChatRow:
        """Move a chat with all of its messages and the memories extracted from it.

        The session's key needs write access to both workspaces. Either everything moves or nothing.
        """
        services: Services = state.services
        access, conversations = services.tenancy.access, services.conversations
        target = await access.authorize(request.auth, Scope.WRITE, data.workspace_id)
        workspace = await access.authorize(request.auth, Scope.WRITE, data.from_workspace_id)
        with named_as({"id": "chatId"}):
            chat = await conversations.moving.move(workspace, chat_id, target)
        counts = await conversations.capture.counts_of(target, [chat.id])
        return ChatRow.of(chat, counts.get(chat.id, ConversationCounts()))

    @get("/workspace", summary="Get the session's workspace")
    async def workspace(self, request: RestRequest, state: State) -> CurrentWorkspace:
        """Return the workspace of the session's key."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        found = await services.tenancy.workspaces.get(workspace_id)
        return CurrentWorkspace.of(found, await services.memories.store.count(workspace_id))

    @get("/workspaces/{workspace_id:str}/memories/count", summary="Count memories")
    async def memory_count(
        self, request: RestRequest, state: State, workspace_id: WorkspaceId
    ) -> MemoryCount:
        """Return the number of a workspace's live memories."""
        services: Services = state.services
        workspace = await services.tenancy.access.authorize(request.auth, Scope.READ, workspace_id)
        return MemoryCount(count=await services.memories.store.count(workspace))


class WorkspaceMemories(MemoryRoutes):
    """Routes of the memories that all chats of a workspace share."""

    path = f"{PATH}/workspaces/{{workspace_id:str}}/memories"
    opt = {CREDENTIAL: Credential.SESSION}  # noqa: RUF012 - Litestar declares the attribute without ClassVar
    tags = ("chats",)
    spoken: ClassVar[Mapping[str, str]] = {"id": "memoryId"}

    @override
    async def workspace(
        self, request: RestRequest, services: Services, scope: Scope, workspace_id: str
    ) -> str:
        """Return the workspace in the path if the session's key has the scope there."""
        return await services.tenancy.access.authorize(request.auth, scope, workspace_id)

    @post(status_code=201, summary="Save a memory")
    async def save(
        self, request: RestRequest, state: State, workspace_id: WorkspaceId, data: JSONBody[NewMemory]
    ) -> SavedMemoryObject:
        """Save a memory that belongs to no chat, unless a memory already says the same."""
        services: Services = state.services
        workspace = await self.workspace(request, services, Scope.WRITE, workspace_id)
        draft = MemoryDraft(
            content=data.content,
            category=data.category,
            source_type=SourceType.USER,
            api_key_id=request.auth.key_id,
        )
        return SavedMemoryObject.of_receipt(await services.memories.store.save(workspace, draft))
