"""``/chat/api/workspaces/{workspaceId}/memories``: the memories of a workspace, page by page."""

from litestar import Controller, delete, get, patch, post
from litestar.datastructures import State
from litestar.params import JSONBody

from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.refusals import named_as
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
from app.surfaces.rest.path_workspace import WorkspaceId
from app.surfaces.rest.xerotier.chats import PATH, Asking, MemoryId
from graph.core.errors import NotFound
from graph.memories.models import Deletion, MemoryChange, MemoryDraft
from graph.memories.policy import SourceType
from graph.operations.services import Services
from graph.tenancy.models import Scope

_SPOKEN = {"id": "memoryId"}


class WorkspaceMemories(Controller):
    """Memories shared by every chat of a workspace."""

    path = f"{PATH}/workspaces/{{workspace_id:str}}/memories"
    opt = {CREDENTIAL: Credential.SESSION}  # noqa: RUF012 - Litestar's own is declared so
    tags = ("chats",)

    @post(status_code=201, summary="Save a memory")
    async def save(
        self, request: Asking, state: State, workspace_id: WorkspaceId, data: JSONBody[NewMemory]
    ) -> SavedMemoryObject:
        """Save a memory of no chat, unless one that says the same is stored."""
        services: Services = state.services
        workspace = await services.tenancy.access.authorize(request.auth, Scope.WRITE, workspace_id)
        draft = MemoryDraft(
            content=data.content,
            category=data.category,
            source_type=SourceType.USER,
            api_key_id=request.auth.key_id,
        )
        return SavedMemoryObject.of_receipt(await services.memories.store.save(workspace, draft))

    @get(summary="Memories of a workspace")
    async def page(
        self,
        request: Asking,
        state: State,
        workspace_id: WorkspaceId,
        cursor: PageCursor = None,
        limit: PageSize = DEFAULT_PAGE,
    ) -> MemoryPage:
        """Return a page of memories, the newest first."""
        services: Services = state.services
        workspace = await services.tenancy.access.authorize(request.auth, Scope.READ, workspace_id)
        return await memory_page(services.memories.store, workspace, cursor=cursor, limit=limit)

    @patch("/{memory_id:str}", summary="Change what a memory says")
    async def change(
        self,
        request: Asking,
        state: State,
        workspace_id: WorkspaceId,
        memory_id: MemoryId,
        data: JSONBody[NewContent],
    ) -> MemoryObject:
        """Change the content; its vector is made again, category and source stay."""
        services: Services = state.services
        workspace = await services.tenancy.access.authorize(request.auth, Scope.WRITE, workspace_id)
        with named_as(_SPOKEN):
            changed = await services.memories.store.update(
                workspace, memory_id, MemoryChange(content=data.content)
            )
        return MemoryObject.of(changed)

    @delete("/{memory_id:str}", status_code=204, summary="Delete a memory")
    async def remove(
        self, request: Asking, state: State, workspace_id: WorkspaceId, memory_id: MemoryId
    ) -> None:
        """Delete a memory so that it can be restored; again is as good as once."""
        services: Services = state.services
        workspace = await services.tenancy.access.authorize(request.auth, Scope.WRITE, workspace_id)
        if await services.memories.deletion.remove(workspace, memory_id) is Deletion.UNKNOWN:
            raise NotFound(f"there is no memory {memory_id!r} in this workspace", field="memoryId")
