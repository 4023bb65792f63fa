"""AutoMem's routes that store, read and change memories; the key may be in a header or in ``?api_key=``."""

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.datastructures import State
from litestar.params import JSONBody, Parameter, QueryParameter

from app.surfaces.dialects.automem.models import (
    SPOKEN,
    AssociationToMake,
    AutoMemMemory,
    ChangedMemory,
    DeletedMemories,
    DeletedMemory,
    ExcludedTags,
    MadeAssociation,
    MaybeTags,
    MemoriesToStore,
    MemoryChanges,
    MemoryId,
    MemoryToStore,
    Moment,
    Offset,
    StoredMemories,
    StoredMemory,
    TagsParameter,
    checked_id,
    moment,
    refuse_unknown_parameters,
    tags_in,
)
from app.surfaces.dialects.automem.recalled import (
    SPAN_PATTERN,
    DisplayFormat,
    RecallAnswer,
    TaggedAnswer,
    TagMode,
    TimeWindow,
    span_of,
)
from app.surfaces.http.answer_headers import NOTICE_HEADER
from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.refusals import NOTHING_OF_THAT_ID, named_as
from app.surfaces.http.shapes import cut_notice
from graph.core.errors import InvalidInput, NotFound
from graph.core.text.checks import QUERY_CHARS
from graph.memories.bulk import Selection
from graph.memories.filtering import having_any
from graph.memories.models import Deletion, MemoryChange, MemoryDraft, MemoryFilter, MemoryType
from graph.memories.policy import IdFormat
from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.service import SortOrder, recall_several
from graph.tenancy.models import Scope


class AutoMem(Controller):
    """Routes over single memories, in AutoMem's form."""

    tags = ("automem",)
    opt = {CREDENTIAL: Credential.KEY_OR_QUERY}  # noqa: RUF012 - Litestar's own declaration
    guards = [refuse_unknown_parameters]  # noqa: RUF012 - Litestar's own declaration

    @post("/memory", summary="Store a memory")
    async def store(
        self, request: Request[Any, Any, State], state: State, data: JSONBody[MemoryToStore]
    ) -> StoredMemory:
        """Store a memory; background jobs compute its vector and its links.

        A stored ``id`` updates that memory. Without ``type``, the service classifies the content.
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
        """Store up to 500 memories in one transaction: all of them, or none if one is invalid."""
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
        changes = data.set_fields()
        if not changes:
            raise InvalidInput("body", "the body must name at least one field to change")
        with named_as(SPOKEN):
            memory = await services.memories.store.update(
                workspace_id, checked_id(memory_id), MemoryChange(**changes)
            )
        return ChangedMemory(memory=AutoMemMemory.of(memory))

    @delete("/memory/{memory_id:str}", status_code=200, summary="Delete a memory")
    async def remove(
        self, request: Request[Any, Any, State], state: State, memory_id: MemoryId
    ) -> DeletedMemory:
        """Delete a memory permanently, with its vector and its relations; a repeated call succeeds too."""
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
        """Associate one memory with another; both must be in the workspace."""
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


_DEFAULT_TAGGED = 50
_MOST_TAGGED = 100
_DEFAULT_RECALLED = 5
_MOST_RECALLED = 50
_MOST_QUERIES = 10

Query = Annotated[
    str | None,
    QueryParameter(
        name="query",
        description=f"Query; the service reads the last {QUERY_CHARS:,} characters of a long text and reports this in "
        f"the header `{NOTICE_HEADER}`.",
    ),
]
Queries = Annotated[
    list[str] | None,
    Parameter(
        max_items=_MOST_QUERIES,
        description="Further queries; their results are merged into the list.",
    ),
]
TimeQuery = Annotated[
    str | None,
    Parameter(
        max_length=64,
        description="A time span in words, in UTC: `yesterday`, `last week`, `last 30 days`.",
        schema_extra={"pattern": SPAN_PATTERN},
    ),
]
ShownAs = Annotated[
    DisplayFormat,
    QueryParameter(name="format", description="Display format of the client; the response is always JSON."),
]
Expanded = Annotated[bool, Parameter(description="Whether to include the relations of each result.")]
Fraction = Annotated[float | None, Parameter(ge=0, le=1)]


class Finding(Controller):
    """Routes over several memories, in AutoMem's form."""

    tags = ("automem",)
    opt = {CREDENTIAL: Credential.KEY_OR_QUERY}  # noqa: RUF012 - Litestar's own declaration
    guards = [refuse_unknown_parameters]  # noqa: RUF012 - Litestar's own declaration

    @get("/memory/by-tag", summary="List memories by tag")
    async def by_tag(
        self,
        request: Request[Any, Any, State],
        state: State,
        tag_parameters: TagsParameter,
        limit: Annotated[int, Parameter(ge=1, le=_MOST_TAGGED)] = _DEFAULT_TAGGED,
        offset: Offset = 0,
    ) -> TaggedAnswer:
        """List memories with any of the tags, by importance, then the latest first; the score is the importance."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        filter_ = having_any(tags_in(tag_parameters))
        with named_as(SPOKEN):
            found = await services.retrieval.recall.recall(
                workspace_id, RecallQuery(filter=filter_, limit=limit, offset=offset)
            )
            total = await services.memories.store.count(workspace_id, filter_)
        answer = await RecallAnswer.of(found.hits, services.memories.store, workspace_id, query=None)
        return TaggedAnswer.paged(answer, limit=limit, offset=offset, total=total)

    @delete("/memory/by-tag", status_code=200, summary="Delete memories by tag")
    async def remove_by_tag(
        self, request: Request[Any, Any, State], state: State, tag_parameters: TagsParameter
    ) -> DeletedMemories:
        """Delete memories with any of the tags permanently."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        filter_ = having_any(tags_in(tag_parameters))
        with named_as(SPOKEN):
            report = await services.memories.bulk.delete(workspace_id, Selection(filter=filter_), hard=True)
        return DeletedMemories(tags=list(filter_.any_tags), deleted_count=report.changed)

    @get("/recall", summary="Find memories")
    async def recall(
        self,
        request: Request[Any, Any, State],
        state: State,
        text: Query = None,
        queries: Queries = None,
        limit: Annotated[int, Parameter(ge=1, le=_MOST_RECALLED)] = _DEFAULT_RECALLED,
        offset: Offset = 0,
        tag_parameters: MaybeTags = None,
        tag_mode: Annotated[TagMode, Parameter(description="Match any tag or all tags.")] = TagMode.ANY,
        excluded: ExcludedTags = None,
        memory_type: Annotated[MemoryType | None, QueryParameter(name="type")] = None,
        min_importance: Fraction = None,
        min_score: Fraction = None,
        valid_at: Moment = None,
        since: Moment = None,
        until: Moment = None,
        start: Moment = None,
        end: Moment = None,
        time_query: TimeQuery = None,
        expand_relations: Expanded = True,
        sort: Annotated[SortOrder, Parameter(description="Order of the results.")] = SortOrder.SCORE,
        shown_as: ShownAs = DisplayFormat.JSON,
    ) -> Response[RecallAnswer]:
        """Return the best memories for a query; without a query, those with the tags, or else the newest.

        ``since`` and ``until``, or ``start`` and ``end``, or ``time_query`` bound the memories' timestamps;
        ``valid_at`` selects memories that were valid at that time.
        """
        del shown_as  # only the client uses it
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        tags = tags_in(tag_parameters or [])
        now = services.core.clock.now()
        window = TimeWindow.of(span_of(time_query, now)) if time_query is not None else None
        filter_ = MemoryFilter(
            types=(memory_type,) if memory_type else (),
            any_tags=tags if tag_mode is TagMode.ANY else (),
            all_tags=tags if tag_mode is TagMode.ALL else (),
            min_importance=min_importance,
            valid_at=moment("valid_at", valid_at),
            since=moment("since", since) or moment("start", start) or (window and window.start),
            until=moment("until", until) or moment("end", end) or (window and window.last),
            excluded_tags=tags_in(excluded or []),
        )
        query = RecallQuery(
            query=text, limit=limit, offset=offset, filter=filter_, expand_relations=expand_relations
        )
        with named_as(SPOKEN):
            found = await recall_several(
                services.retrieval.recall,
                workspace_id,
                query,
                queries or (),
                least_score=min_score,
                order=sort,
            )
        answer = await RecallAnswer.of(found.hits, services.memories.store, workspace_id, query=found.query)
        answer = answer.model_copy(update={"time_window": window, "queries": queries or None})
        return Response(answer, headers=cut_notice([text, *(queries or ())]))
