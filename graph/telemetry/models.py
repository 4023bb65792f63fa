"""Models of telemetry: actions, sequences of actions, and failure patterns.

No field can contain a user's text: there are only types, outcomes, codes, ids, numbers and times. The only free text is
a pattern's note, which an operator writes.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, field_validator

from graph.core.models import Frozen
from graph.core.scope import SHARED
from graph.core.text.prompts import as_data
from graph.memories.models import Memory


class Outcome(StrEnum):
    """Outcome of an action, or of the run that it ends."""

    SUCCESS = "SUCCESS"
    ERROR = "ERROR"
    DEAD_END = "DEAD_END"

    @property
    def is_failure(self) -> bool:
        """True if it counts towards a pattern."""
        return self is not Outcome.SUCCESS


class PatternState(StrEnum):
    """State of a pattern: promoted, or demoted if its evidence no longer suffices."""

    PROMOTED = "PROMOTED"
    DEMOTED = "DEMOTED"


class PatternChange(StrEnum):
    """Effect of a promotion on a pattern, or its expected effect."""

    PROMOTED = "PROMOTED"
    UPDATED = "UPDATED"
    DEMOTED = "DEMOTED"


class ActionDraft(BaseModel):
    """An action to record; ``graph.telemetry.rules`` has the rules of each field.

    Attributes:
        session_id: Session whose sequence it joins.
        target_id: Target entity, by id or key.
        latency_ms: Duration in milliseconds.
        occurred_at: End of the action; None: now.
        id: Id that makes a repetition harmless; None: a new id each time.
        user_id: Owner; None: the user of the current scope, or everybody. ``agent_id`` likewise.
        also_touched: Ids of other touched nodes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    action_type: str
    node_type: str
    outcome: Outcome
    target_id: str | None = None
    error_code: str | None = None
    latency_ms: float | None = None
    occurred_at: datetime | None = None
    id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    also_touched: tuple[str, ...] = ()


class _Owned(Frozen):
    """Base of data owned by a user and an agent; None: shared in the workspace."""

    user_id: str | None = None
    agent_id: str | None = None

    @field_validator("user_id", "agent_id", mode="before")
    @classmethod
    def _shared_is_nobodys(cls, value: object) -> object:
        return value or None


class AgentAction(_Owned):
    """One action of an agent; ``position`` is its index in the sequence by order of arrival, from 0."""

    id: str
    workspace_id: str
    session_id: str
    sequence_id: str
    position: int
    action_type: str
    node_type: str
    target_id: str | None
    outcome: Outcome
    error_code: str | None
    latency_ms: float | None
    occurred_at: datetime
    recorded_at: datetime


class AgentSequence(_Owned):
    """The actions of one user in one session, with the agent of the first action.

    Attributes:
        intent_summary: Attempted steps and outcome, only as types, outcomes and codes.
        outcome: Outcome of the last action by time; None without actions.
        total_latency_ms: Sum of the known durations of its actions, in milliseconds.
    """

    id: str
    workspace_id: str
    session_id: str
    intent_summary: str
    outcome: Outcome | None
    action_count: int
    success_count: int
    error_count: int
    dead_end_count: int
    total_latency_ms: float
    started_at: datetime | None
    ended_at: datetime | None
    created_at: datetime
    updated_at: datetime


class FoundSequence(Frozen):
    """A sequence in a list; ``score`` is set if a query found it, and only orders the hits of this query."""

    sequence: AgentSequence
    score: float | None = None


class AgentPattern(Frozen):
    """A recurring failure of an action on a type of node.

    Attributes:
        error_code: Error code; None for failures without one, such as dead ends.
        sequences: Number of sequences with this failure.
        attempts: Number of sequences with this action on this type of node.
        confidence: ``sequences / attempts``.
        note: An operator's note; injected with the pattern.
        suppressed: True if it is hidden from agents.
        change: Effect of the promotion that returned it; None without a change, and outside of promotions.
    """

    id: str
    workspace_id: str
    action_type: str
    node_type: str
    error_code: str | None
    state: PatternState
    sequences: int
    attempts: int
    confidence: float
    note: str | None
    suppressed: bool
    first_seen_at: datetime
    last_seen_at: datetime
    promoted_at: datetime
    demoted_at: datetime | None
    updated_at: datetime
    change: PatternChange | None = None

    @field_validator("error_code")
    @classmethod
    def _empty_is_none(cls, value: str | None) -> str | None:
        return value or None  # a node's key cannot hold null


class ActionFilter(BaseModel):
    """Filter of an action list; None matches everything.

    Attributes:
        sequence_id: Sequence of the actions; a session has one sequence for each of its users.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str | None = None
    sequence_id: str | None = None
    action_type: str | None = None
    node_type: str | None = None
    target_id: str | None = None
    outcome: Outcome | None = None
    error_code: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class SequenceFilter(BaseModel):
    """Filter of a sequence list; None matches everything."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str | None = None
    outcome: Outcome | None = None


class PatternFilter(BaseModel):
    """Filter of a pattern list; None and an empty list match everything except demoted patterns.

    Attributes:
        target_ids: Entities, by id or key; their types are added to ``node_types``.
        states: States of the patterns; empty: promoted ones only.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    node_types: Sequence[str] = ()
    target_ids: Sequence[str] = ()
    action_type: str | None = None
    error_code: str | None = None
    suppressed: bool | None = None
    states: Sequence[PatternState] = ()


_NO_CODE = "no error code"


def pattern_line(pattern: AgentPattern) -> str:
    """Return the failure in one line, ``deploy on Service → E_QUOTA (6 sequences, 66%)``, with the note, if any.

    The share is rounded down, so that it never overstates the evidence.
    """
    percent = pattern.sequences * 100 // pattern.attempts if pattern.attempts else 0
    count = "1 sequence" if pattern.sequences == 1 else f"{pattern.sequences} sequences"
    about = f"{as_data(pattern.action_type)} on {as_data(pattern.node_type)}"
    line = f"{about} → {as_data(pattern.error_code or _NO_CODE)} ({count}, {percent}%)"
    return f"{line}: {as_data(pattern.note)}" if pattern.note else line


def pattern_block(patterns: Iterable[AgentPattern]) -> str:
    """Return the block of a prompt that warns of patterns, grouped by node type in order; empty without patterns."""
    lines: dict[str, list[str]] = defaultdict(list)
    for pattern in patterns:
        lines[as_data(pattern.node_type)].append(f"- {pattern_line(pattern)}")
    return "\n".join(
        "\n".join([f"Known failure patterns for {node_type}:", *warnings])
        for node_type, warnings in lines.items()
    )


class BuiltInMetric(StrEnum):
    """The metrics every workspace has; rates are shares of a day's actions."""

    SUCCESS_RATE = "success_rate"
    ERROR_RATE = "error_rate"
    DEAD_END_RATE = "dead_end_rate"
    MEAN_LATENCY_MS = "mean_latency_ms"
    SEQUENCE_COUNT = "sequence_count"
    PATTERN_COUNT = "pattern_count"


class MetricAggregate(StrEnum):
    """Calculation of a custom metric over the actions that match its filter.

    COUNT is the number of these actions. RATE is the share of actions with the metric's action and node type that also
    have its outcome and error code. MEAN_LATENCY is the mean latency of actions that have one, in milliseconds.
    """

    COUNT = "COUNT"
    RATE = "RATE"
    MEAN_LATENCY = "MEAN_LATENCY"


class MetricDraft(BaseModel):
    """A custom metric to create: a filter and a calculation; there are no expressions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    aggregate: MetricAggregate
    action_type: str | None = None
    node_type: str | None = None
    outcome: Outcome | None = None
    error_code: str | None = None


class Metric(MetricDraft):
    """A custom metric of a workspace."""

    id: str
    workspace_id: str
    created_at: datetime


class Measurement(Frozen):
    """The value of a metric; ``samples`` is the number of underlying actions, sequences or patterns."""

    metric: str
    value: float
    samples: int


class BenchmarkPoint(Frozen):
    """A metric on one day, in UTC; ``is_complete`` is False for today."""

    day: date
    value: float
    samples: int
    is_complete: bool = True


class BenchmarkTrend(Frozen):
    """A metric over the last days, oldest first; days without a measurement are omitted."""

    metric: str
    days: int
    points: Sequence[BenchmarkPoint]

    @property
    def mean(self) -> float | None:
        """Mean of the days' values; None without values."""
        return sum(point.value for point in self.points) / len(self.points) if self.points else None

    @property
    def change(self) -> float | None:
        """Last value minus first value; None with fewer than two values."""
        return self.points[-1].value - self.points[0].value if len(self.points) > 1 else None


PRIOR_SUCCESSES = 2.0
PRIOR_RUNS = 4.0
"""Number of virtual runs of every memory: two successes and two failures.

Agresti and Coull, "Approximate is better than 'exact' for interval estimation of binomial proportions", The American
Statistician 52 (1998): the rate after adding two of each lies in the middle of the 95 % Wilson interval, so one lucky
run does not rank above nine out of ten, and a memory without runs ranks in the middle.
"""


class OutcomeOrder(StrEnum):
    """Sort order of memories: by successful or by unsuccessful runs."""

    BEST = "BEST"
    WORST = "WORST"


class MemoryUse(Frozen):
    """A memory that a recall returned to a session; ``rank`` begins at 1. An empty owner means everybody."""

    user_id: str = SHARED
    agent_id: str = SHARED
    session_id: str
    memory_id: str
    rank: int
    at: datetime

    def joined(self, other: "MemoryUse") -> "MemoryUse":
        """Merge two uses of the same memory by the same session."""
        return self.model_copy(update={"rank": min(self.rank, other.rank), "at": max(self.at, other.at)})


class RunOutcomes(Frozen):
    """Outcomes of the runs that used a memory; a run that ended in an error or a dead end counts as failed."""

    runs: int
    succeeded: int

    @property
    def failed(self) -> int:
        """Runs that did not succeed."""
        return self.runs - self.succeeded

    @property
    def success_rate(self) -> float | None:
        """Plain share of successes; None without runs."""
        return self.succeeded / self.runs if self.runs else None

    @property
    def score(self) -> float:
        """Smoothed rate for ranking memories, 0 to 1; 0.5 without runs."""
        return (self.succeeded + PRIOR_SUCCESSES) / (self.runs + PRIOR_RUNS)


class MemoryOutcomes(Frozen):
    """A memory with its outcomes."""

    memory: Memory
    outcomes: RunOutcomes
