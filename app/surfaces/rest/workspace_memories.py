"""``/v1/workspaces/{workspaceId}/memories``: Xerotier's memory routes for programs, with an API key."""

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, patch, post
from litestar.datastructures import State
from litestar.params import JSONBody, Parameter

from app.surfaces.rest.memory_pages import (
    DEFAULT_PAGE,
    MemoryObject,
    MemoryPage,
    NewContent,
    NewMemory,
    PageCursor,
    PageSize,
    SavedMemoryObject,
    memory_page,
)
from app.surfaces.rest.path_workspace import WorkspaceId, workspace_in_path
from graph.core.errors import NotFound
from graph.memories.models import Deletion, MemoryChange, MemoryDraft
from graph.operations.services import Services
from graph.tenancy.models import Scope

MemoryId = Annotated[str, Parameter(max_length=128)]


class WorkspaceMemories(Controller):
    """Routes of a workspace's memories."""

    path = "/v1/workspaces/{workspace_id:str}/memories"
    tags = ("memories",)

    @post(summary="Save a memory")
    async def save(
        self,
        request: Request[Any, Any, State],
        state: State,
        workspace_id: WorkspaceId,
        data: JSONBody[NewMemory],
    ) -> SavedMemoryObject:
        """Save a memory, or return the memory that already says the same."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.WRITE, workspace_id)
        draft = MemoryDraft(content=data.content, category=data.category, api_key_id=request.auth.key_id)
        return SavedMemoryObject.of_receipt(await services.memories.store.save(workspace, draft))

    @get(summary="List memories")
    async def page(
        self,
        request: Request[Any, Any, State],
        state: State,
        workspace_id: WorkspaceId,
        cursor: PageCursor = None,
        limit: PageSize = DEFAULT_PAGE,
    ) -> MemoryPage:
        """Return a page of memories, the newest first."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.READ, workspace_id)
        return await memory_page(services.memories.store, workspace, cursor=cursor, limit=limit)

    @patch("/{memory_id:str}", summary="Change a memory's text")
    async def change(
        self,
        request: Request[Any, Any, State],
        state: State,
        workspace_id: WorkspaceId,
        memory_id: MemoryId,
        data: JSONBody[NewContent],
    ) -> MemoryObject:
        """Change the text of a memory; category and source stay, and the replaced text stays as a version."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.WRITE, workspace_id)
        change = MemoryChange(content=data.content)
        return MemoryObject.of(await services.memories.store.update(workspace, memory_id, change))

    @delete("/{memory_id:str}", summary="Delete a memory")
    async def remove(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId, memory_id: MemoryId
    ) -> None:
        """Delete a memory, restorably; a repeated call succeeds too."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.WRITE, workspace_id)
        if await services.memories.deletion.remove(workspace, memory_id) is Deletion.UNKNOWN:
            raise NotFound(f"there is no memory {memory_id!r} in this workspace", field="id")
