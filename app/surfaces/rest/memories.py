"""The routes of memories for programs and of the profile; Xerotier's routes use the same bodies of memories.

The two families of routes differ in their credentials.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Final, Self

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter, JSONBody, Parameter
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.surfaces.http.refusals import WorkspaceId, named_as, workspace_in_path
from app.surfaces.http.shapes import Content, Name, ResponseModel, shown_by
from app.surfaces.tools import ProfileFields
from graph.core.errors import NotFound
from graph.core.pages import MAX_PAGE
from graph.memories.models import (
    Deletion,
    Memory,
    MemoryChange,
    MemoryDraft,
    MemoryFilter,
    SavedMemory,
    SaveOutcome,
)
from graph.memories.service import Memories
from graph.operations.services import Services
from graph.retrieval.profile.models import DEFAULT_TOKENS
from graph.tenancy.models import Scope

DEFAULT_PAGE = 50

PageSize = Annotated[int, Parameter(ge=1, le=MAX_PAGE, description="Maximum number of rows.")]
PageCursor = Annotated[
    str | None,
    Parameter(
        min_length=1,
        max_length=512,
        description="`next_cursor` of the previous page; omitted: the newest rows.",
        examples=[Example(value="eyJkYXRlIjoiMjAyNi0wMy0wN1QxMjowMDowMFoiLCJpZCI6Im1lbV9hYmMxMjMifQ")],
    ),
]

_SPOKEN = {"after": "cursor", "first": "limit"}
_A_ROW: JsonDict = {
    "id": "mem_4fJ7qX2mB9sK1tV8wZ3yR6pL",
    "content": "Prefers responses in bullet-point format",
    "summary": None,
    "category": "preference",
    "source_type": "user",
    "created_at": "2026-03-07T12:00:00Z",
}
_A_MEMORY: JsonDict = {
    **_A_ROW,
    "source_chat_id": "chat_abc123",
    "workspace_id": "ws_abc123",
    "updated_at": "2026-03-07T12:00:00Z",
}


class ListedMemory(BaseModel):
    """A memory as one row of a page."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"examples": [_A_ROW]})

    id: str
    content: str
    summary: str | None
    category: str | None
    source_type: str
    created_at: datetime

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return the row of a memory."""
        return cls.model_validate(memory, from_attributes=True)


class MemoryObject(BaseModel):
    """Response with one memory."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"examples": [_A_MEMORY]})

    id: str
    content: str
    summary: str | None
    category: str | None
    source_type: str
    source_chat_id: str | None
    workspace_id: str | None
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return the object of a memory."""
        return cls(**_object_values(memory))


class SavedMemoryObject(MemoryObject):
    """The memory after a save.

    Attributes:
        deduplicated: True if a memory already says the same; the service then saved nothing and returns that memory.
        degraded: Parts of the request that failed or were reduced, with the reason; omitted if there are none.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{**_A_MEMORY, "deduplicated": False}]})

    deduplicated: bool
    degraded: list[str] | None = Field(None, exclude_if=lambda value: value is None)

    @classmethod
    def of_receipt(cls, saved: SavedMemory) -> Self:
        """Return the object of a receipt."""
        return cls(
            **_object_values(saved.memory),
            deduplicated=saved.outcome is SaveOutcome.DEDUPLICATED,
            degraded=list(saved.degraded) or None,
        )


class MemoryPage(BaseModel):
    """A page of memories, the newest first; the last page has no cursor."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={"examples": [{"items": [_A_ROW], "next_cursor": None, "has_more": False}]},
    )

    items: list[ListedMemory]
    next_cursor: str | None
    has_more: bool


class NewMemory(BaseModel):
    """A memory to save; the category is the caller's own label."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"content": "Prefers responses in bullet-point format", "category": "preference"}]
        },
    )

    content: Content
    category: Name | None = None


class NewContent(BaseModel):
    """New text of a memory."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"content": "Prefers short answers in bullet points"}]},
    )

    content: Content


async def memory_page(
    memories: Memories,
    workspace_id: str,
    *,
    cursor: str | None = None,
    limit: int = DEFAULT_PAGE,
) -> MemoryPage:
    """Return a page of a workspace's live memories, the newest first.

    Args:
        memories: The use cases.
        workspace_id: Workspace of the memories.
        cursor: ``next_cursor`` of the previous page.
        limit: Maximum number of rows, 1 to 200.

    Raises:
        InvalidInput: ``cursor`` or ``limit`` is invalid; the error names it.
    """
    with named_as(_SPOKEN):
        page = await memories.page(workspace_id, MemoryFilter(), first=limit, after=cursor)
    return MemoryPage(
        items=[ListedMemory.of(memory) for memory in page.items],
        next_cursor=page.cursors[-1].encode() if page.has_more else None,
        has_more=page.has_more,
    )


def _object_values(memory: Memory) -> dict[str, object]:
    return {
        "id": memory.id,
        "content": memory.content,
        "summary": memory.summary,
        "category": memory.category,
        "source_type": memory.source_type,
        "source_chat_id": memory.source_conversation_id,
        "workspace_id": memory.workspace_id,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }


MemoryId = Annotated[str, Parameter(max_length=128, description="Id of the memory: a UUID or `mem_…`.")]
RestRequest = Request[Any, Any, State]


class MemoryRoutes(Controller):
    """Routes that list, change and delete a workspace's memories, for two families of routes.

    Attributes:
        spoken: The family's names of fields in errors, by the engine's names.
    """

    spoken: ClassVar[Mapping[str, str]] = {}

    async def workspace(
        self, request: RestRequest, services: Services, scope: Scope, workspace_id: str
    ) -> str:
        """Return the workspace in the path if the caller has the scope there; see :func:`workspace_in_path`."""
        return await workspace_in_path(services, request.auth, scope, workspace_id)

    @get(summary="List memories")
    async def page(
        self,
        request: RestRequest,
        state: State,
        workspace_id: WorkspaceId,
        cursor: PageCursor = None,
        limit: PageSize = DEFAULT_PAGE,
    ) -> MemoryPage:
        """Return a page of memories, the newest first."""
        services: Services = state.services
        workspace = await self.workspace(request, services, Scope.READ, workspace_id)
        return await memory_page(services.memories.store, workspace, cursor=cursor, limit=limit)

    @patch("/{memory_id:str}", summary="Change a memory's text")
    async def change(
        self,
        request: RestRequest,
        state: State,
        workspace_id: WorkspaceId,
        memory_id: MemoryId,
        data: JSONBody[NewContent],
    ) -> MemoryObject:
        """Change the text of a memory; category and source stay, and the replaced text stays as a version."""
        services: Services = state.services
        workspace = await self.workspace(request, services, Scope.WRITE, workspace_id)
        with named_as(self.spoken):
            change = MemoryChange(content=data.content)
            return MemoryObject.of(await services.memories.store.update(workspace, memory_id, change))

    @delete("/{memory_id:str}", summary="Delete a memory")
    async def remove(
        self, request: RestRequest, state: State, workspace_id: WorkspaceId, memory_id: MemoryId
    ) -> None:
        """Delete a memory, restorably; a repeated call succeeds too."""
        services: Services = state.services
        workspace = await self.workspace(request, services, Scope.WRITE, workspace_id)
        if await services.memories.deletion.remove(workspace, memory_id) is Deletion.UNKNOWN:
            missing = f"there is no memory {memory_id!r} in this workspace"
            raise NotFound(missing, field=self.spoken.get("id", "id"))


class WorkspaceMemories(MemoryRoutes):
    """Routes of a workspace's memories."""

    path = "/v1/workspaces/{workspace_id:str}/memories"
    tags = ("memories",)

    @post(summary="Save a memory")
    async def save(
        self, request: RestRequest, state: State, workspace_id: WorkspaceId, data: JSONBody[NewMemory]
    ) -> SavedMemoryObject:
        """Save a memory, or return the memory that already says the same."""
        services: Services = state.services
        workspace = await self.workspace(request, services, Scope.WRITE, workspace_id)
        draft = MemoryDraft(content=data.content, category=data.category, api_key_id=request.auth.key_id)
        return SavedMemoryObject.of_receipt(await services.memories.store.save(workspace, draft))


_PROFILE_VARY: Final = "Authorization, X-API-Key, X-Recollect-User-Id, X-Recollect-Agent-Id"


class ProfileObject(ProfileFields, ResponseModel):
    """Profile of a user, composed of current facts without a language model.

    Attributes:
        user_id: User; null: memories without a user.
        text: Facts as lines for a model to read.
        entries: Slots, preferences, projects and people, in that order.
        tokens: Tokens of the text.
        left_out: Number of facts that exceed `max_tokens`.
    """

    model_config = ConfigDict(json_schema_extra=shown_by("ProfileObject"))


@get(
    "/v1/profile",
    tags=["memories"],
    summary="Who a user is",
    responses={304: ResponseSpec(None, description="The profile has not changed.", generate_examples=False)},
)
async def read_profile(
    request: RestRequest,
    state: State,
    max_tokens: Annotated[
        int,
        Parameter(ge=0, description="Token budget of the text, 8000 at most."),
    ] = DEFAULT_TOKENS,
    if_none_match: Annotated[
        str | None, HeaderParameter(name="If-None-Match", description="`ETag` of an earlier answer.")
    ] = None,
) -> Response[ProfileObject | None]:
    """Return the profile of the user, which changes only when its facts do; so does its `ETag`.

    Without a user, the profile describes memories without a user.
    """
    services: Services = state.services
    workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
    found = await services.retrieval.profiles.get(workspace_id, max_tokens=max_tokens)
    headers = {"ETag": f'"{found.etag}"', "Cache-Control": "private, no-cache", "Vary": _PROFILE_VARY}
    if _is_known(found.etag, if_none_match):
        return Response(None, status_code=304, headers=headers)
    return Response(ProfileObject.model_validate(found, from_attributes=True), headers=headers)


def _is_known(etag: str, if_none_match: str | None) -> bool:
    """Tell whether a caller has this version of a profile; ``*`` matches any."""
    known = [each.strip().removeprefix("W/") for each in (if_none_match or "").split(",")]
    return "*" in known or f'"{etag}"' in known
