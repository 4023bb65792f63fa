"""AutoMem's routes over many memories: by a query, and by tags."""

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get
from litestar.datastructures import State
from litestar.params import Parameter, QueryParameter

from app.surfaces.http.answer_headers import NOTICE_HEADER
from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.refusals import named_as
from app.surfaces.http.shapes import cut_notice
from app.surfaces.rest.automem.models import DeletedMemories
from app.surfaces.rest.automem.parameters import (
    SPOKEN,
    ExcludedTags,
    GivenTags,
    MaybeTags,
    Moment,
    Offset,
    moment,
    refuse_unknown_parameters,
    tags_in,
)
from app.surfaces.rest.automem.recalled import (
    DisplayFormat,
    RecallAnswer,
    TaggedAnswer,
    TagMode,
    TimeWindow,
)
from app.surfaces.rest.automem.time_query import SPAN_PATTERN, span_of
from graph.core.text.checks import QUERY_CHARS
from graph.memories.bulk.service import Selection
from graph.memories.filtering import having_any
from graph.memories.models import MemoryFilter, MemoryType
from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.service import SortOrder, recall_several
from graph.tenancy.models import Scope

_DEFAULT_TAGGED = 50
_MOST_TAGGED = 100
_DEFAULT_RECALLED = 5
_MOST_RECALLED = 50
_MOST_QUERIES = 10

Query = Annotated[
    str | None,
    QueryParameter(
        name="query",
        description=f"What is looked for; of a long text the last {QUERY_CHARS:,} characters are read, as the header "
        f"`{NOTICE_HEADER}` says then.",
    ),
]
Queries = Annotated[
    list[str] | None,
    Parameter(
        max_items=_MOST_QUERIES,
        description="Further queries, whose results come among the others.",
    ),
]
TimeQuery = Annotated[
    str | None,
    Parameter(
        max_length=64,
        description="A span of time in words, in UTC: `yesterday`, `last week`, `last 30 days`.",
        schema_extra={"pattern": SPAN_PATTERN},
    ),
]
ShownAs = Annotated[
    DisplayFormat, QueryParameter(name="format", description="How the client shows them; the answer is JSON.")
]
Expanded = Annotated[bool, Parameter(description="Whether the results tell what they are related to.")]
Fraction = Annotated[float | None, Parameter(ge=0, le=1)]


class Finding(Controller):
    """Thin: each route hands over to the services and puts their answers into AutoMem's words."""

    tags = ("automem",)
    opt = {CREDENTIAL: Credential.KEY_OR_QUERY}  # noqa: RUF012 - Litestar's own declaration
    guards = [refuse_unknown_parameters]  # noqa: RUF012 - Litestar's own declaration

    @get("/memory/by-tag", summary="List memories by tag")
    async def by_tag(
        self,
        request: Request[Any, Any, State],
        state: State,
        given_tags: GivenTags,
        limit: Annotated[int, Parameter(ge=1, le=_MOST_TAGGED)] = _DEFAULT_TAGGED,
        offset: Offset = 0,
    ) -> TaggedAnswer:
        """List memories with any of the tags, most important first, then latest; the score is the importance."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        wanted = having_any(tags_in(given_tags))
        with named_as(SPOKEN):
            found = await services.retrieval.recall.recall(
                workspace_id, RecallQuery(filter=wanted, limit=limit, offset=offset)
            )
            total = await services.memories.store.count(workspace_id, wanted)
        answer = await RecallAnswer.of(found.hits, services.memories.store, workspace_id, query=None)
        return TaggedAnswer.paged(answer, limit=limit, offset=offset, total=total)

    @delete("/memory/by-tag", status_code=200, summary="Delete memories by tag")
    async def remove_by_tag(
        self, request: Request[Any, Any, State], state: State, given_tags: GivenTags
    ) -> DeletedMemories:
        """Delete memories with any of the tags permanently."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        wanted = having_any(tags_in(given_tags))
        with named_as(SPOKEN):
            report = await services.memories.bulk.delete(workspace_id, Selection(filter=wanted), hard=True)
        return DeletedMemories(tags=list(wanted.any_tags), deleted_count=report.changed)

    @get("/recall", summary="Find memories")
    async def recall(
        self,
        request: Request[Any, Any, State],
        state: State,
        text: Query = None,
        queries: Queries = None,
        limit: Annotated[int, Parameter(ge=1, le=_MOST_RECALLED)] = _DEFAULT_RECALLED,
        offset: Offset = 0,
        given_tags: MaybeTags = None,
        tag_mode: Annotated[TagMode, Parameter(description="Whether any of the tags will do.")] = TagMode.ANY,
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
        sort: Annotated[SortOrder, Parameter(description="How the results are ordered.")] = SortOrder.SCORE,
        shown_as: ShownAs = DisplayFormat.JSON,
    ) -> Response[RecallAnswer]:
        """Return the best memories for a query; without one those with the tags, or else the newest.

        ``since`` and ``until``, or ``start`` and ``end``, or ``time_query`` bound the memories' timestamps;
        ``valid_at`` selects memories that were true at that moment.
        """
        del shown_as  # which is for the client
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        tags = tags_in(given_tags or [])
        now = services.core.clock.now()
        window = TimeWindow.of(span_of(time_query, now)) if time_query is not None else None
        wanted = MemoryFilter(
            types=(memory_type,) if memory_type else (),
            any_tags=tags if tag_mode is TagMode.ANY else (),
            all_tags=tags if tag_mode is TagMode.ALL else (),
            min_importance=min_importance,
            valid_at=moment("valid_at", valid_at),
            since=moment("since", since) or moment("start", start) or (window and window.start),
            until=moment("until", until) or moment("end", end) or (window and window.last),
            excluded_tags=tags_in(excluded or []),
        )
        asked = RecallQuery(
            query=text, limit=limit, offset=offset, filter=wanted, expand_relations=expand_relations
        )
        with named_as(SPOKEN):
            found = await recall_several(
                services.retrieval.recall,
                workspace_id,
                asked,
                queries or (),
                least_score=min_score,
                order=sort,
            )
        answer = await RecallAnswer.of(found.hits, services.memories.store, workspace_id, query=found.query)
        answer = answer.model_copy(update={"time_window": window, "queries": queries or None})
        return Response(answer, headers=cut_notice([text, *(queries or ())]))
