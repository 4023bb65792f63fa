"""Oxagen's telemetry tools, and the tool that records an agent's actions."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from app.surfaces.mcp.shapes import ActionShape, PatternShape, PointShape, SequenceShape
from app.surfaces.mcp.tool import ADDS, READS, SETS, Arguments, BriefArguments, Call, Result, Tool
from app.surfaces.tools import Count, Measure, Time
from graph.core.errors import InvalidInput
from graph.telemetry.benchmarks import MOST_DAYS
from graph.telemetry.models import ActionDraft, MetricAggregate, MetricDraft, Outcome
from graph.telemetry.rules import MOST_NOTE_CHARS, MOST_TARGET_CHARS
from graph.tenancy.models import Scope

MOST_FOUND = 50
MOST_ACTIONS = 1000
_SHOWN_ACTIONS = 20

TaskQuery = Annotated[
    str,
    Field(
        min_length=1,
        description="Attempted task, such as: rolling out a service.",
    ),
]
Identifier = Annotated[str, Field(max_length=64)]


class SearchRuns(Arguments):
    """Arguments of ``memory.search``."""

    query: TaskQuery
    limit: Count = Field(10, ge=1, le=MOST_FOUND, description="Most patterns, and most runs.")


class RunContext(Arguments):
    """Arguments of ``memory.context``."""

    query: TaskQuery
    limit: Count = Field(5, ge=1, le=MOST_FOUND)


class AnnotatePattern(Arguments):
    """Arguments of ``memory.annotate``."""

    takes_empty = frozenset({"note"})

    pattern_id: str = Field(description="The pattern's id, from memory.search.")
    note: str | None = Field(
        None, max_length=MOST_NOTE_CHARS, description="Note for agents; an empty text removes it."
    )
    suppressed: bool | None = Field(
        None, description="True hides the pattern from agents, false shows it again."
    )


class MetricDefinition(Arguments):
    """The aggregate of a metric, and its filter of actions; an omitted field admits every action."""

    aggregate: MetricAggregate = Field(
        description="COUNT, RATE (share of actions with the outcome and error code) or MEAN_LATENCY in milliseconds."
    )
    action_type: Identifier | None = Field(None, description="Such as deploy.")
    node_type: Identifier | None = Field(None, description="Such as Service.")
    outcome: Outcome | None = None
    error_code: Identifier | None = Field(None, description="Such as E_QUOTA.")


class CreateMetric(Arguments):
    """Arguments of ``memory.metric_create``."""

    name: str = Field(max_length=64, description="Short identifier, unique in the workspace.")
    definition: MetricDefinition


class GetBenchmark(Arguments):
    """Arguments of ``memory.benchmark_get``."""

    metric: str = Field(
        description="success_rate, error_rate, dead_end_rate, mean_latency_ms, sequence_count, pattern_count, or a "
        "metric from memory.metric_create."
    )
    days: Count = Field(30, ge=1, le=MOST_DAYS, description="Number of days, including today.")


class DoneAction(BriefArguments):
    """One action of an agent."""

    session_id: str = Field(max_length=128, description="Id of this run.")
    action_type: Identifier = Field(description="Such as deploy.")
    node_type: Identifier = Field(description="Such as Service.")
    outcome: Outcome = Field(description="Outcome.")
    target_id: str | None = Field(None, max_length=MOST_TARGET_CHARS, description="Id or key.")
    error_code: Identifier | None = Field(None, description="Such as E_QUOTA.")
    latency_ms: Measure | None = Field(None, ge=0, description="Duration, ms.")
    occurred_at: Time | None = Field(None, description="ISO 8601.")
    id: str | None = Field(None, max_length=128, description="Unique.")


class RecordActions(BriefArguments):
    """Arguments of ``record``."""

    actions: list[DoneAction] = Field(min_length=1, max_length=MOST_ACTIONS, description="In order.")


class FoundRuns(Result):
    """Result of ``memory.search``, best first."""

    patterns: tuple[PatternShape, ...] = Field(
        description="Failure patterns of similar runs, including suppressed ones."
    )
    sequences: tuple[SequenceShape, ...]
    fallback: str | None = Field(description="Reason why the search compared only words.")
    degraded: tuple[str, ...] = Field(description="Truncated parts, with the reason.")


class Run(Result):
    """A run with its actions."""

    sequence: SequenceShape
    actions: tuple[ActionShape, ...] = Field(description=f"First {_SHOWN_ACTIONS} actions, in order.")


class FoundContext(Result):
    """Result of ``memory.context``, best first."""

    runs: tuple[Run, ...]
    fallback: str | None = Field(description="Reason why the search compared only words.")
    degraded: tuple[str, ...] = Field(description="Truncated parts, with the reason.")


class AnnotatedPattern(Result):
    """Result of ``memory.annotate``."""

    pattern: PatternShape


class CreatedMetric(Result):
    """Result of ``memory.metric_create``."""

    id: str
    name: str
    aggregate: MetricAggregate
    action_type: str | None
    node_type: str | None
    outcome: Outcome | None
    error_code: str | None
    created_at: datetime


class Benchmark(Result):
    """Result of ``memory.benchmark_get``, oldest day first."""

    metric: str
    days: int
    points: tuple[PointShape, ...] = Field(description="Values by day; days without a value are omitted.")
    mean: float | None
    change: float | None = Field(description="Value of the last day minus that of the first.")


class RecordedActions(Result):
    """Result of ``record``."""

    recorded: int = Field(description="Number of new actions.")
    targets_unknown: int = Field(description="Number of new actions whose target_id names no node.")
    skipped: str | None = Field(None, description="Reason why nothing is recorded.")


async def _search(call: Call, arguments: SearchRuns) -> FoundRuns:
    reader = call.services.telemetry.reader
    found = await reader.search_sequences(call.workspace_id, arguments.query, first=arguments.limit)
    patterns = await reader.search_patterns(call.workspace_id, arguments.query, first=arguments.limit)
    return FoundRuns(
        patterns=tuple(PatternShape.of(pattern) for pattern in patterns),
        sequences=tuple(SequenceShape.of(each) for each in found.page.items),
        fallback=found.fallback,
        degraded=tuple(found.degraded),
    )


async def _context(call: Call, arguments: RunContext) -> FoundContext:
    reader = call.services.telemetry.reader
    found = await reader.search_sequences(call.workspace_id, arguments.query, first=arguments.limit)
    ids = [each.sequence.id for each in found.page.items]
    actions = await reader.actions_of(call.workspace_id, ids, first=_SHOWN_ACTIONS) if ids else {}
    runs = (
        Run(
            sequence=SequenceShape.of(each),
            actions=tuple(ActionShape.of(action) for action in actions.get(each.sequence.id, ())),
        )
        for each in found.page.items
    )
    return FoundContext(runs=tuple(runs), fallback=found.fallback, degraded=tuple(found.degraded))


async def _annotate(call: Call, arguments: AnnotatePattern) -> AnnotatedPattern:
    if arguments.note is None and arguments.suppressed is None:
        raise InvalidInput("note", "note or suppressed is required: there is nothing else to change")
    pattern = await call.services.telemetry.promoter.annotate(
        call.workspace_id, arguments.pattern_id, note=arguments.note, suppressed=arguments.suppressed
    )
    return AnnotatedPattern(pattern=PatternShape.of(pattern))


async def _create_metric(call: Call, arguments: CreateMetric) -> CreatedMetric:
    draft = MetricDraft(name=arguments.name, **arguments.definition.model_dump())
    made = await call.services.telemetry.benchmarks.create_metric(call.workspace_id, draft)
    return CreatedMetric(**{name: getattr(made, name) for name in CreatedMetric.model_fields})


async def _benchmark(call: Call, arguments: GetBenchmark) -> Benchmark:
    trend = await call.services.telemetry.benchmarks.trend(
        call.workspace_id, arguments.metric, days=arguments.days
    )
    return Benchmark(
        metric=trend.metric,
        days=trend.days,
        points=tuple(PointShape.of(point) for point in trend.points),
        mean=trend.mean,
        change=trend.change,
    )


async def _record(call: Call, arguments: RecordActions) -> RecordedActions:
    drafts = [ActionDraft(**action.model_dump()) for action in arguments.actions]
    captured = await call.services.telemetry.recorder.capture(call.workspace_id, drafts)
    workspaces = call.services.tenancy.workspaces
    skipped = None if captured.recorded else await workspaces.why_nothing_is_stored(call.workspace_id)
    return RecordedActions(
        recorded=captured.recorded, targets_unknown=captured.targets_unknown, skipped=skipped
    )


TOOLS = (
    Tool(
        "memory.search",
        "Search runs and patterns",
        "Use it when you plan something that agents may have tried before: finds similar runs and their failure "
        "patterns. For memories of facts, use recall.",
        SearchRuns,
        FoundRuns,
        Scope.READ,
        READS,
        _search,
        aliases=("memory_search",),
    ),
    Tool(
        "memory.context",
        "How similar runs went",
        "Use it when you want to see step by step how agents did something similar: returns the most similar runs, "
        "each with its actions and their outcomes.",
        RunContext,
        FoundContext,
        Scope.READ,
        READS,
        _context,
        aliases=("memory_context",),
    ),
    Tool(
        "memory.annotate",
        "Annotate or suppress a pattern",
        "Use it when you know more about a pattern than its evidence: adds a note for agents, or hides the pattern "
        "from them. The evidence stays.",
        AnnotatePattern,
        AnnotatedPattern,
        Scope.WRITE,
        SETS,
        _annotate,
        names={"id": "pattern_id"},
        aliases=("memory_annotate",),
    ),
    Tool(
        "memory.metric_create",
        "Define a metric",
        "Use it when somebody wants to watch a number about agents' actions: the service measures it every night, and "
        "for past days too.",
        CreateMetric,
        CreatedMetric,
        Scope.WRITE,
        SETS,
        _create_metric,
        names={
            "actionType": "definition.action_type",
            "nodeType": "definition.node_type",
            "outcome": "definition.outcome",
            "errorCode": "definition.error_code",
        },
        aliases=("memory_metric_create",),
    ),
    Tool(
        "memory.benchmark_get",
        "A metric's trend",
        "Use it when you want to know whether agents get better or worse: returns the values of a metric over the last "
        "days.",
        GetBenchmark,
        Benchmark,
        Scope.READ,
        READS,
        _benchmark,
        aliases=("memory_benchmark_get",),
    ),
    Tool(
        "record",
        "Record",
        "Use it after you acted, well or not: context warns others of repeated failures.",
        RecordActions,
        RecordedActions,
        Scope.WRITE,
        ADDS,
        _record,
        aliases=("memory.record_actions",),
    ),
)
