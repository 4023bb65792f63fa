"""AutoMem's routes: the key comes by either header or as ``?api_key=``."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final

from litestar import Controller, Request, delete, get, patch, post
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.params import JSONBody, Parameter, ParameterKwarg, QueryParameter
from pydantic import TypeAdapter, ValidationError

from app.surfaces.http.credentials import CREDENTIAL, OWNER_HEADERS, Credential
from app.surfaces.rest.automem.models import (
    AssociationToMake,
    AutoMemMemory,
    ChangedMemory,
    DeletedMemories,
    DeletedMemory,
    MadeAssociation,
    MemoriesToStore,
    MemoryChanges,
    MemoryToStore,
    StoredMemories,
    StoredMemory,
)
from app.surfaces.rest.automem.recalled import RecallAnswer, SortOrder, TagMode
from app.surfaces.rest.field_names import named_as
from app.surfaces.rest.refusals import NOTHING_OF_THAT_ID
from graph.core.errors import InvalidInput, NotFound
from graph.memories.bulk.models import Selection
from graph.memories.models import Deletion, MemoryChange, MemoryDraft, MemoryFilter, MemoryType
from graph.memories.policy import IdFormat
from graph.memories.tags import normalize_tag_list
from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.service import DEFAULT_TAGGED
from graph.tenancy.access.models import Scope

_MOST_TAGGED = 100
_DEFAULT_RECALLED = 5
_MOST_RECALLED = 50

_OF_LITESTAR = frozenset({"self", "request", "state", "data"})
_SPOKEN: Final[Mapping[str, str]] = {
    "allTags": "tags",
    "anyTags": "tags",
    "excludedTags": "exclude_tags",
    "fromId": "memory1_id",
    "minImportance": "min_importance",
    "tInvalid": "t_invalid",
    "tValid": "t_valid",
    "toId": "memory2_id",
    "updatedAt": "updated_at",
    "validAt": "valid_at",
}
"""AutoMem's names of fields that the engine calls otherwise."""

MemoryId = Annotated[str, Parameter(max_length=128, description="The memory's id, in either form.")]
_TAGS = QueryParameter(
    name="tags",
    description="Repeated, or divided by commas; `slack` finds `slack:channel:general` too.",
)
GivenTags = Annotated[list[str], _TAGS]
MaybeTags = Annotated[list[str] | None, _TAGS]
Moment = Annotated[
    str | None,
    Parameter(
        max_length=64,
        description="A time in ISO 8601; UTC without an offset.",
        schema_extra={"format": "date-time"},
    ),
]
_MOMENT = TypeAdapter(datetime)  # takes any ISO form, where Litestar would take RFC 3339 only


def _refuse_unknown_parameters(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuse a query that names what the route does not take.

    Raises:
        InvalidInput: It does; the error names the first.
    """
    known = {"api_key", *OWNER_HEADERS}
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        if name not in _OF_LITESTAR and name not in connection.path_params:
            known.add((kwarg.name if isinstance(kwarg, ParameterKwarg) else None) or name)
    for name in connection.query_params:
        if name not in known:
            shown = name[:100]
            raise InvalidInput(
                shown, f"there is no parameter {shown!r}; known are {', '.join(sorted(known))}"
            )


class AutoMem(Controller):
    """Thin: each route hands over to the services and puts their answers into AutoMem's words."""

    tags = ("automem",)
    opt = {CREDENTIAL: Credential.KEY_OR_QUERY}  # noqa: RUF012 - Litestar's own declaration

    guards = [_refuse_unknown_parameters]  # noqa: RUF012 - Litestar's own declaration

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
        with named_as(_SPOKEN):
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
        with named_as(_SPOKEN):
            saved = await services.memories.store.save_all(workspace_id, drafts, id_format=IdFormat.UUID)
        return StoredMemories.of(saved)

    @get("/memory/by-tag", summary="List memories by tag")
    async def by_tag(
        self,
        request: Request[Any, Any, State],
        state: State,
        given_tags: GivenTags,
        limit: Annotated[int, Parameter(ge=1, le=_MOST_TAGGED)] = DEFAULT_TAGGED,
    ) -> RecallAnswer:
        """Return what has any of the tags, the most important first, then the latest; the score is the importance."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        with named_as(_SPOKEN):
            found = await services.retrieval.recall.by_tags(workspace_id, _tags(given_tags), limit=limit)
        return await RecallAnswer.of(found, services.memories.store, workspace_id, query=None)

    @delete("/memory/by-tag", status_code=200, summary="Delete memories by tag")
    async def remove_by_tag(
        self, request: Request[Any, Any, State], state: State, given_tags: GivenTags
    ) -> DeletedMemories:
        """Delete permanently what has any of the tags."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        tags = _tags(given_tags)
        if not tags:
            raise InvalidInput("tags", "tags must name at least one tag")
        with named_as(_SPOKEN):
            report = await services.memories.bulk.delete(
                workspace_id, Selection(filter=MemoryFilter(any_tags=tags)), hard=True
            )
        return DeletedMemories(tags=list(tags), deleted_count=report.changed)

    @get("/memory/{memory_id:str}", summary="One memory")
    async def one(
        self, request: Request[Any, Any, State], state: State, memory_id: MemoryId
    ) -> ChangedMemory:
        """Return a memory."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        return ChangedMemory(
            memory=AutoMemMemory.of(await services.memories.store.get(workspace_id, memory_id))
        )

    @patch("/memory/{memory_id:str}", summary="Change a memory")
    async def change(
        self,
        request: Request[Any, Any, State],
        state: State,
        memory_id: MemoryId,
        data: JSONBody[MemoryChanges],
    ) -> ChangedMemory:
        """Change what is given; tags are replaced, metadata is merged, and a changed text is embedded again."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        given = data.given()
        if not given:
            raise InvalidInput("body", "the body must name at least one field to change")
        with named_as(_SPOKEN):
            memory = await services.memories.store.update(workspace_id, memory_id, MemoryChange(**given))
        return ChangedMemory(memory=AutoMemMemory.of(memory))

    @delete("/memory/{memory_id:str}", status_code=200, summary="Delete a memory")
    async def remove(
        self, request: Request[Any, Any, State], state: State, memory_id: MemoryId
    ) -> DeletedMemory:
        """Delete a memory permanently, with its vector and its relations; again is as good as once."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        if await services.memories.deletion.remove(workspace_id, memory_id, hard=True) is Deletion.UNKNOWN:
            raise NotFound(f"there is no memory {memory_id!r} in this workspace", field="id")
        return DeletedMemory(message=f"Memory {memory_id} deleted")

    @get("/recall", summary="Find memories")
    async def recall(
        self,
        request: Request[Any, Any, State],
        state: State,
        text: Annotated[str | None, QueryParameter(name="query", description="What is looked for.")] = None,
        limit: Annotated[int, Parameter(ge=1, le=_MOST_RECALLED)] = _DEFAULT_RECALLED,
        given_tags: MaybeTags = None,
        tag_mode: Annotated[TagMode, Parameter(description="Whether any of the tags will do.")] = TagMode.ANY,
        memory_type: Annotated[MemoryType | None, QueryParameter(name="type")] = None,
        min_importance: Annotated[float | None, Parameter(ge=0, le=1)] = None,
        valid_at: Moment = None,
        since: Moment = None,
        until: Moment = None,
        start: Moment = None,
        end: Moment = None,
        excluded: Annotated[
            list[str] | None,
            QueryParameter(name="exclude_tags", description="Repeated, or divided by commas."),
        ] = None,
        sort: Annotated[SortOrder, Parameter(description="How the results are ordered.")] = SortOrder.SCORE,
    ) -> RecallAnswer:
        """Return the best memories for a query; without one what has the tags, and without these the newest.

        ``since`` and ``until``, or ``start`` and ``end``, bound the memories' timestamps; ``valid_at`` asks for what
        held at that moment.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        tags = _tags(given_tags or [])
        wanted = MemoryFilter(
            types=(memory_type,) if memory_type else (),
            any_tags=tags if tag_mode is TagMode.ANY else (),
            all_tags=tags if tag_mode is TagMode.ALL else (),
            min_importance=min_importance,
            valid_at=_moment("valid_at", valid_at),
            since=_moment("since", since) or _moment("start", start),
            until=_moment("until", until) or _moment("end", end),
            excluded_tags=_tags(excluded or []),
        )
        with named_as(_SPOKEN):
            found = await services.retrieval.recall.recall(
                workspace_id, RecallQuery(query=text, limit=limit, filter=wanted)
            )
        return (await RecallAnswer.of(found, services.memories.store, workspace_id, query=text)).sorted(sort)

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
        with named_as(_SPOKEN):
            association = await services.memories.associations.associate(
                workspace_id,
                from_id=data.memory1_id,
                to_id=data.memory2_id,
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
        user_id=data.user_id,
        agent_id=data.agent_id,
    )


def _moment(field: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return _MOMENT.validate_python(text)
    except ValidationError:
        raise InvalidInput(
            field, f"{field}: must be a time in ISO 8601, such as 2026-03-07T12:00:00Z"
        ) from None


def _tags(given: list[str]) -> tuple[str, ...]:
    """Return the tags of parameters that were repeated or divided by commas."""
    return tuple(tag for each in given for tag in normalize_tag_list(each))
