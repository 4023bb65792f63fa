"""AutoMem's routes that keep memories: the key comes by either header or as ``?api_key=``."""

from typing import Any

from litestar import Controller, Request, delete, get, patch, post
from litestar.datastructures import State
from litestar.params import JSONBody

from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.refusals import NOTHING_OF_THAT_ID, named_as
from app.surfaces.rest.automem.models import (
    AssociationToMake,
    AutoMemMemory,
    ChangedMemory,
    DeletedMemory,
    MadeAssociation,
    MemoriesToStore,
    MemoryChanges,
    MemoryToStore,
    StoredMemories,
    StoredMemory,
)
from app.surfaces.rest.automem.parameters import (
    SPOKEN,
    MemoryId,
    checked_id,
    refuse_unknown_parameters,
)
from graph.core.errors import InvalidInput, NotFound
from graph.memories.models import Deletion, MemoryChange, MemoryDraft
from graph.memories.policy import IdFormat
from graph.operations.services import Services
from graph.tenancy.models import Scope


class AutoMem(Controller):
    """Thin: each route hands over to the services and puts their answers into AutoMem's words."""

    tags = ("automem",)
    opt = {CREDENTIAL: Credential.KEY_OR_QUERY}  # noqa: RUF012 - Litestar's own declaration
    guards = [refuse_unknown_parameters]  # noqa: RUF012 - Litestar's own declaration

    @post("/memory", summary="Store a memory")
    async def store(
        self, request: Request[Any, Any, State], state: State, data: JSONBody[MemoryToStore]
    ) -> StoredMemory:
        """Store a memory at once, and have its vector and its links made in the background.

        With a stored ``id`` that memory is updated; without ``type`` the content tells it.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        draft = _draft(data, request.auth.key_id, services)
        with named_as(SPOKEN):
            return StoredMemory.of(
                await services.memories.store.save(workspace_id, draft, id_format=IdFormat.UUID)
            )

    @post("/memory/batch", summary="Store memories")
    async def store_batch(
        self, request: Request[Any, Any, State], state: State, data: JSONBody[MemoriesToStore]
    ) -> StoredMemories:
        """Store up to 500 memories in one transaction: all of them, or where one breaks a rule none."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        drafts = [_draft(each, request.auth.key_id, services) for each in data.memories]
        with named_as(SPOKEN):
            saved = await services.memories.store.save_all(workspace_id, drafts, id_format=IdFormat.UUID)
        return StoredMemories.of(saved)

    @get("/memory/{memory_id:str}", summary="One memory")
    async def one(
        self, request: Request[Any, Any, State], state: State, memory_id: MemoryId
    ) -> ChangedMemory:
        """Return a memory."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        memory = await services.memories.store.get(workspace_id, checked_id(memory_id))
        return ChangedMemory(memory=AutoMemMemory.of(memory))

    @patch("/memory/{memory_id:str}", summary="Change a memory")
    async def change(
        self,
        request: Request[Any, Any, State],
        state: State,
        memory_id: MemoryId,
        data: JSONBody[MemoryChanges],
    ) -> ChangedMemory:
        """Change the given fields; tags are replaced, metadata is merged, and a changed text is embedded again."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        given = data.given()
        if not given:
            raise InvalidInput("body", "the body must name at least one field to change")
        with named_as(SPOKEN):
            memory = await services.memories.store.update(
                workspace_id, checked_id(memory_id), MemoryChange(**given)
            )
        return ChangedMemory(memory=AutoMemMemory.of(memory))

    @delete("/memory/{memory_id:str}", status_code=200, summary="Delete a memory")
    async def remove(
        self, request: Request[Any, Any, State], state: State, memory_id: MemoryId
    ) -> DeletedMemory:
        """Delete a memory permanently, with its vector and its relations; again is as good as once."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        found = await services.memories.deletion.remove(workspace_id, checked_id(memory_id), hard=True)
        if found is Deletion.UNKNOWN:
            raise NotFound(f"there is no memory {memory_id!r} in this workspace", field="id")
        return DeletedMemory(message=f"Memory {memory_id} deleted")

    @post(
        "/associate",
        summary="Relate two memories",
        responses=NOTHING_OF_THAT_ID,
    )
    async def associate(
        self, request: Request[Any, Any, State], state: State, data: JSONBody[AssociationToMake]
    ) -> MadeAssociation:
        """Say what one memory has to do with another; both must be in the workspace."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        with named_as(SPOKEN):
            association = await services.memories.associations.associate(
                workspace_id,
                from_id=checked_id(data.memory1_id, field="memory1_id"),
                to_id=checked_id(data.memory2_id, field="memory2_id"),
                type_=data.type,
                strength=data.strength,
            )
        return MadeAssociation.of(association)


def _draft(data: MemoryToStore, key_id: str, services: Services) -> MemoryDraft:
    return MemoryDraft(
        content=data.content,
        type=data.type,
        confidence=data.confidence,
        tags=None if data.tags is None else tuple(data.tags),
        importance=data.importance,
        metadata=data.metadata,
        timestamp=data.timestamp,
        updated_at=data.updated_at,
        last_accessed_at=data.last_accessed,
        embedding=None if data.embedding is None else tuple(data.embedding),
        id=data.id,
        t_valid=data.t_valid,
        t_invalid=data.t_invalid,
        api_key_id=key_id,
        dedup=services.memories.store.dedup_on_post,
        merges=True,
        reembeds_on_mismatch=True,
        user_id=data.user_id,
        agent_id=data.agent_id,
    )
