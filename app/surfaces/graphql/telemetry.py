"""Telemetry: agents' actions and sequences, failure patterns, and the recording of mutations as actions."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from inspect import isawaitable
from typing import Any

import strawberry
from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema

from app.observability.action_notes import is_left_out, outcome_of, place_of, session_of, target_of
from app.surfaces.graphql.context import Context, Info, WorkspaceId
from app.surfaces.graphql.errors import INTERNAL
from app.surfaces.graphql.inputs import Shown, build, or_default, set_fields
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.core.current_call import CurrentCall, answering
from graph.core.errors import InvalidInput, RecollectError
from graph.core.models import RecallTier
from graph.core.text.checks import note_of_cut
from graph.telemetry import models
from graph.telemetry.models import Outcome, PatternChange, PatternState, pattern_line
from graph.telemetry.reading import SequencePage
from graph.tenancy.models import Scope

DEFAULT_ROWS = 20

for _vocabulary in (Outcome, PatternState, PatternChange):
    strawberry.enum(_vocabulary)


@strawberry.type
class Action(Shown[models.AgentAction]):
    """One action of an agent: types, outcome and numbers, without any content."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    session_id: strawberry.ID
    user_id: strawberry.ID | None = strawberry.field(description="Owning user; null: everybody.")
    agent_id: strawberry.ID | None
    sequence_id: strawberry.ID
    position: int = strawberry.field(description="Intended index in its sequence, from 0.")
    action_type: str
    node_type: str
    target_id: strawberry.ID | None
    outcome: Outcome
    error_code: str | None
    latency_ms: float | None
    occurred_at: datetime
    recorded_at: datetime


@strawberry.type
class Sequence:
    """The actions of one user in one session."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    session_id: strawberry.ID
    user_id: strawberry.ID | None = strawberry.field(description="Owning user; null: everybody.")
    agent_id: strawberry.ID | None
    intent_summary: str = strawberry.field(
        description="Summary of attempt and result, from types, outcomes and codes only."
    )
    outcome: Outcome | None = strawberry.field(description="Outcome of the latest action.")
    action_count: int
    success_count: int
    error_count: int
    dead_end_count: int
    total_latency_ms: float
    started_at: datetime | None
    ended_at: datetime | None
    created_at: datetime
    updated_at: datetime
    score: float | None = strawberry.field(
        default=None, description="Rank score within one query, the best highest; null without a query."
    )

    @strawberry.field
    async def actions(self, info: Info, first: int | None = DEFAULT_PAGE) -> list[Action]:
        """Actions of the sequence, in order."""
        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_PAGE))
        return [Action.of(action) for action in await info.context.loaders.actions.load(key) or ()]

    @classmethod
    def of(cls, sequence: models.AgentSequence, *, score: float | None = None) -> "Sequence":
        """Return the GraphQL form of a sequence."""
        return cls(**sequence.model_dump(), score=score)

    @classmethod
    def found(cls, hit: models.FoundSequence) -> "Sequence":
        """Return the GraphQL form of a listed or found sequence."""
        return cls.of(hit.sequence, score=hit.score)


@strawberry.type
class Pattern:
    """A recurring failure of an action on a type of node, with the sequences that are its evidence."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    action_type: str
    node_type: str
    error_code: str | None = strawberry.field(
        description="Error code of the failures; null if they had none."
    )
    state: PatternState
    sequences: int = strawberry.field(description="Number of sequences that failed this way.")
    attempts: int = strawberry.field(description="Number of sequences with this action on this type of node.")
    confidence: float = strawberry.field(description="Share of failed sequences: sequences / attempts.")
    note: str | None
    suppressed: bool
    first_seen_at: datetime
    last_seen_at: datetime
    promoted_at: datetime
    demoted_at: datetime | None
    updated_at: datetime
    change: PatternChange | None = strawberry.field(
        description="Effect of the promotion that returned it, or its expected effect; null elsewhere."
    )
    text: str = strawberry.field(description="Pattern in one line, in the form that agents receive.")

    @strawberry.field
    async def evidence(self, info: Info, first: int | None = DEFAULT_ROWS) -> list[Sequence]:
        """Sequences that failed this way, the latest first."""
        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_ROWS))
        return [Sequence.of(sequence) for sequence in await info.context.loaders.evidence.load(key) or ()]

    @classmethod
    def of(cls, pattern: models.AgentPattern) -> "Pattern":
        """Return the GraphQL form of a pattern."""
        return cls(**pattern.model_dump(), text=pattern_line(pattern))


@strawberry.type
class ActionConnection(Connection[Action]):
    """A page of actions."""


@strawberry.type
class SequenceConnection(Connection[Sequence]):
    """A page of sequences, with a report on the search."""

    tier: RecallTier | None = strawberry.field(
        description="Tier that served the query, KEYWORD if it compared only words; null without a query."
    )
    fallback: str | None = strawberry.field(
        description="Reason why a less capable tier served; null if the best one did."
    )
    degraded: list[str] = strawberry.field(
        description="Truncated, approximated or skipped parts of the search, with the reason."
    )

    @classmethod
    def of(cls, found: SequencePage, after: str | None) -> "SequenceConnection":
        """Return the GraphQL form of a page."""
        edges, page_info = connection_parts(found.page, Sequence.found, after)
        return cls(
            edges=edges,
            page_info=page_info,
            tier=found.tier,
            fallback=found.fallback,
            degraded=list(found.degraded),
        )


@strawberry.type
class PatternConnection(Connection[Pattern]):
    """A page of patterns."""


@strawberry.input
class ActionInput:
    """An action to record. Types and codes are short identifiers; there is no field for content."""

    session_id: strawberry.ID = strawberry.field(description="Session of the action.")
    action_type: str = strawberry.field(description="Type of the action, such as deploy_service.")
    node_type: str = strawberry.field(description="Type of the action's target, such as Service.")
    outcome: Outcome
    target_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Id of the target node, or key of the target entity. An unknown id without spaces is recorded, "
        "without an edge.",
    )
    error_code: str | None = strawberry.UNSET
    latency_ms: float | None = strawberry.UNSET
    occurred_at: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Time of the action; defaults to now."
    )
    id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Caller's own id, unique in the workspace; an action with a known id is not recorded again.",
    )
    user_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Owning user; omitted: the request's user, or everybody."
    )
    agent_id: strawberry.ID | None = strawberry.UNSET


@strawberry.input
class ActionFilter:
    """Filter of actions; an omitted field admits everything."""

    session_id: strawberry.ID | None = None
    sequence_id: strawberry.ID | None = strawberry.field(
        default=None, description="Only actions of this run; a session has one for each of its users."
    )
    action_type: str | None = None
    node_type: str | None = None
    target_id: strawberry.ID | None = None
    outcome: Outcome | None = None
    error_code: str | None = None
    since: datetime | None = strawberry.field(default=None, description="Earliest time, inclusive.")
    until: datetime | None = strawberry.field(default=None, description="Latest time, exclusive.")


@strawberry.input
class SequenceFilter:
    """Filter of sequences; an omitted field admits everything."""

    session_id: strawberry.ID | None = None
    outcome: Outcome | None = None


@strawberry.input
class PatternFilter:
    """Filter of patterns; an omitted field admits all but demoted patterns."""

    node_types: list[str] = strawberry.field(default_factory=list)
    target_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="Entities by id or key; adds their types to nodeTypes."
    )
    action_type: str | None = None
    error_code: str | None = strawberry.field(
        default=None,
        description="Only failures with this code; an empty text: failures without a code; omitted: all.",
    )
    suppressed: bool | None = None
    states: list[PatternState] = strawberry.field(
        default_factory=list, description="Empty: promoted patterns only."
    )


async def list_actions(
    info: Info,
    workspace_id: WorkspaceId = None,
    filter: ActionFilter | None = None,
    first: int | None = DEFAULT_PAGE,
    after: str | None = None,
) -> ActionConnection:
    """Actions of agents, the latest first; with a targetId, that node's agent history."""
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    page = await info.context.services.telemetry.reader.actions(
        workspace,
        build(models.ActionFilter, _filter_fields(filter)),
        first=or_default(first, DEFAULT_PAGE),
        after=after,
    )
    edges, page_info = connection_parts(page, Action.of, after)
    return ActionConnection(edges=edges, page_info=page_info)


async def list_sequences(
    info: Info,
    workspace_id: WorkspaceId = None,
    query: str | None = None,
    filter: SequenceFilter | None = None,
    first: int | None = DEFAULT_ROWS,
    after: str | None = None,
) -> SequenceConnection:
    """Action sequences that match a query by meaning and words; without a query, the latest end first."""
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    filter_ = build(models.SequenceFilter, _filter_fields(filter))
    size = or_default(first, DEFAULT_ROWS)
    reader = info.context.services.telemetry.reader
    if query is None:
        found = await reader.sequences(workspace, filter_, first=size, after=after)
    else:
        found = await reader.search_sequences(workspace, query, filter_, first=size, after=after)
    return SequenceConnection.of(found, after)


async def list_patterns(
    info: Info,
    workspace_id: WorkspaceId = None,
    filter: PatternFilter | None = None,
    first: int | None = DEFAULT_ROWS,
    after: str | None = None,
) -> PatternConnection:
    """Failure patterns, the most confident first, suppressed ones included."""
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    page = await info.context.services.telemetry.reader.patterns(
        workspace,
        build(models.PatternFilter, _filter_fields(filter)),
        first=or_default(first, DEFAULT_ROWS),
        after=after,
    )
    edges, page_info = connection_parts(page, Pattern.of, after)
    return PatternConnection(edges=edges, page_info=page_info)


async def search_patterns(
    info: Info, query: str, workspace_id: WorkspaceId = None, first: int | None = DEFAULT_ROWS
) -> list[Pattern]:
    """Failure patterns of the runs that match the query, suppressed ones included."""
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    found = await info.context.services.telemetry.reader.search_patterns(
        workspace, query, first=or_default(first, DEFAULT_ROWS)
    )
    for note in note_of_cut("query", query):
        info.context.notice(note)
    return [Pattern.of(pattern) for pattern in found]


@strawberry.type
class TelemetryQueries:
    """Queries of telemetry."""

    actions: ActionConnection = strawberry.field(resolver=list_actions)
    sequences: SequenceConnection = strawberry.field(resolver=list_sequences)
    patterns: PatternConnection = strawberry.field(resolver=list_patterns)
    search_patterns: list[Pattern] = strawberry.field(resolver=search_patterns)


@strawberry.type
class TelemetryMutations:
    """Mutations of actions, sequences and patterns."""

    @strawberry.mutation
    async def record_actions(
        self, info: Info, inputs: list[ActionInput], workspace_id: WorkspaceId = None
    ) -> int:
        """Record up to 1000 actions, all or none; returns the number of new ones.

        While memory is off, the service records nothing. `extensions.notices` reports this, and the number of unknown
        targets.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drafts = [build(models.ActionDraft, set_fields(input_)) for input_ in inputs]
        services = info.context.services
        captured = await services.telemetry.recorder.capture(workspace, drafts)
        info.context.notice(captured.unknown)
        if not captured.recorded:
            info.context.notice(await services.tenancy.workspaces.why_nothing_is_stored(workspace))
        return captured.recorded

    @strawberry.mutation
    async def promote_patterns(
        self, info: Info, workspace_id: WorkspaceId = None, dry_run: bool | None = False
    ) -> list[Pattern]:
        """Promote and demote patterns now instead of waiting for a worker; returns at most 200 changed patterns."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        patterns = await info.context.services.telemetry.promoter.promote(workspace, dry_run=bool(dry_run))
        return [Pattern.of(pattern) for pattern in patterns]

    @strawberry.mutation
    async def annotate_pattern(
        self,
        info: Info,
        id: strawberry.ID,
        note: str | None = None,
        suppressed: bool | None = None,
        workspace_id: WorkspaceId = None,
    ) -> Pattern:
        """Annotate a pattern, or hide it from agents; omitted fields keep their values."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return Pattern.of(
            await info.context.services.telemetry.promoter.annotate(
                workspace, id, note=note, suppressed=suppressed
            )
        )

    @strawberry.mutation
    async def delete_sequence(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete a sequence with its actions and its evidence for patterns; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.telemetry.promoter.delete_sequence(workspace, id)


def _filter_fields(filter_: ActionFilter | SequenceFilter | PatternFilter | None) -> dict[str, Any]:
    return set_fields(filter_) if filter_ else {}


def note_mutations(schema: GraphQLSchema) -> None:
    """Wrap the mutations' resolvers, so that each execution is recorded as an action."""
    mutations = schema.mutation_type
    for name, field in mutations.fields.items() if mutations is not None else ():
        if field.resolve is not None and not is_left_out(name):
            field.resolve = _noted(name, field.resolve)


def _noted(name: str, resolve: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(resolve)
    async def noted(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        start = time.perf_counter()
        with answering() as call:
            try:
                made = resolve(source, info, **arguments)
                answer = await made if isawaitable(made) else made
            except Exception as error:
                _note(info.context, name, call, _named(name, arguments), _code(error), start)
                raise
            _note(info.context, name, call, _named(name, arguments), None, start)
            return answer

    return noted


def _note(
    context: Context, name: str, call: CurrentCall, named: str | None, code: str | None, start: float
) -> None:
    if context.caller is None:
        return
    workspace_id = place_of(call, context.caller, named)
    if workspace_id is None:
        return
    request = context.request
    headers = {key.lower(): value for key, value in request.headers.items()} if request else {}
    context.services.telemetry.notes.note(
        workspace_id,
        session_id=session_of("graphql", headers, context.caller),
        action_type=name,
        node_type=target_of(name),
        outcome=outcome_of(name, call, code),
        error_code=code,
        seconds=time.perf_counter() - start,
        touched=call.touched,
    )


def _named(name: str, arguments: Mapping[str, Any]) -> str | None:
    """Return the workspace id in a mutation's arguments or in its input."""
    if name == "updateWorkspace":
        return arguments.get("id")
    input_ = arguments.get("input")
    within = input_.get("workspaceId") if isinstance(input_, Mapping) else None
    return arguments.get("workspaceId") or within


def _code(error: Exception) -> str:
    if isinstance(error, RecollectError):
        return error.code
    return InvalidInput.code if isinstance(error, GraphQLError) else INTERNAL
