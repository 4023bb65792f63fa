"""``/api/memory``: memories one by one and in numbered pages."""

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, post, put
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter, QueryParameter

from app.surfaces.http.refusals import NOTHING_OF_THAT_ID
from app.surfaces.http.shapes import NOT_BLANK
from app.surfaces.rest.omniroute.memory_models import (
    OF_MEMORY,
    AsListed,
    CacheFigures,
    Deleted,
    EntryChange,
    EntryPage,
    MemoryEntry,
    NewEntry,
    OwnKey,
)
from graph.conversations.extraction.reference_form import out_of_reference_form
from graph.core.errors import NotFound
from graph.memories.derived_keys import spells_out
from graph.memories.models import Memory, MemoryChange, MemoryDraft, MemoryKind, SaveOutcome
from graph.memories.policy import IdFormat
from graph.operations.services import Services
from graph.retrieval.pages.service import MOST_LISTED, Listed
from graph.tenancy.models import Scope

_DEFAULT_LIMIT = 50
_FURTHEST = 10_000_000

Caller = Request[Any, Any, State]
MemoryId = Annotated[str, Parameter(max_length=512, description="Of either form: a UUID or `mem_…`.")]


class MemoryRoutes(Controller):
    """The memories of the key's workspace; what a key of another one saved does not exist."""

    path = "/api/memory"
    tags = ("omniroute",)
    opt = OF_MEMORY

    @get(summary="List memories, newest first")
    async def list_entries(
        self,
        request: Caller,
        state: State,
        api_key_id: OwnKey = None,
        kind: Annotated[MemoryKind | None, QueryParameter(name="type")] = None,
        session_id: Annotated[
            str | None, QueryParameter(name="sessionId", max_length=512, schema_extra=NOT_BLANK)
        ] = None,
        q: Annotated[
            str | None, Parameter(max_length=1000, description="What content or key contain.")
        ] = None,
        limit: Annotated[int, Parameter(ge=1, le=MOST_LISTED)] = _DEFAULT_LIMIT,
        page: Annotated[int, Parameter(ge=1, le=_FURTHEST)] = 1,
        offset: Annotated[
            int | None, Parameter(ge=0, le=_FURTHEST, description="Goes before `page`.")
        ] = None,
    ) -> EntryPage:
        """Return a page of memories of any age, with the totals of the whole list."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        await services.tenancy.access.enter_pool_of(workspace_id, api_key_id)
        listed = Listed(
            kinds=(kind,) if kind else (), api_key_id=api_key_id, session_id=session_id, text=q or None
        )
        found = await services.retrieval.pages.page(
            workspace_id,
            listed,
            limit=limit,
            page=page,
            offset=offset,
        )
        return EntryPage.of(found, CacheFigures.of(services.vectors.embeddings.cache_stats))

    @post(
        summary="Save a memory, or update the one of its key",
        status_code=201,
        responses={
            **NOTHING_OF_THAT_ID,
            200: ResponseSpec(
                MemoryEntry,
                description="There was one of that id or key; it was updated.",
                generate_examples=False,
            ),
        },
    )
    async def save_entry(
        self, request: Caller, state: State, data: JSONBody[NewEntry]
    ) -> Response[MemoryEntry]:
        """Return the memory: 201 where it is new, 200 where its id or key was there before."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        owner = request.auth.key_id
        if data.api_key_id is not None:
            owner = await services.tenancy.keys.require(workspace_id, data.api_key_id)
            await services.tenancy.access.enter_pool_of(workspace_id, owner)
        if data.id is not None and (known := await services.memories.store.find(workspace_id, data.id)):
            return Response(await _changed(services, known, data), status_code=200)
        draft = MemoryDraft(
            content=data.content,
            key=data.key,
            key_is_derived=data.key is not None and spells_out(data.key, data.content),
            kind=data.type,
            session_id=data.session_id,
            api_key_id=owner,
            metadata=data.metadata,
            expires_at=data.expires_at,
        )
        receipt = await services.memories.store.save(workspace_id, draft, id_format=IdFormat.UUID)
        status = 201 if receipt.outcome is SaveOutcome.CREATED else 200
        return Response(MemoryEntry.of(receipt.memory), status_code=status)

    @get("/{memory_id:str}", summary="One memory")
    async def get_entry(self, request: Caller, state: State, memory_id: MemoryId) -> MemoryEntry:
        """Return a memory."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        return MemoryEntry.of(await services.memories.store.get(workspace_id, memory_id))

    @put("/{memory_id:str}", summary="Change a memory")
    async def change_entry(
        self, request: Caller, state: State, memory_id: MemoryId, data: JSONBody[EntryChange]
    ) -> MemoryEntry:
        """Return the memory as it is now; a changed content is embedded again."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        known = await services.memories.store.get(workspace_id, memory_id)
        return await _changed(services, known, data)

    @delete("/{memory_id:str}", summary="Delete a memory permanently", status_code=200)
    async def delete_entry(self, request: Caller, state: State, memory_id: MemoryId) -> Deleted:
        """Delete a memory with its versions and vectors; 404 where there is none."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        if not await services.memories.deletion.delete(workspace_id, memory_id, hard=True):
            raise NotFound(f"there is no memory {memory_id!r} in this workspace", field="id")
        return Deleted(id=memory_id)


async def _changed(services: Services, known: Memory, given: AsListed) -> MemoryEntry:
    change = MemoryChange(**out_of_reference_form(known, given.changes))
    return MemoryEntry.of(await services.memories.store.update(known.workspace_id, known.id, change))
