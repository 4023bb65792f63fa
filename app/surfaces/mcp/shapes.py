"""Structured results: memories, runs, patterns and metrics."""

from datetime import date, datetime
from typing import Any

from pydantic import Field

from app.surfaces.mcp.tool import Result
from graph.memories.changes.relative_times import dated_content, text_time, with_day
from graph.memories.models import Memory, MemoryKind, MemoryState, MemoryType
from graph.telemetry import models as benchmarks
from graph.telemetry import models as telemetry
from graph.telemetry.models import Outcome, PatternState, pattern_line


class MemoryShape(Result):
    """A memory."""

    id: str
    content: str
    summary: str | None
    category: str | None
    type: MemoryType
    kind: MemoryKind
    key: str | None
    tags: tuple[str, ...]
    importance: float
    confidence: float
    metadata: dict[str, Any]
    speaker: str | None
    source_type: str
    source_conversation_id: str | None
    session_id: str | None
    timestamp: datetime
    created_at: datetime
    updated_at: datetime
    t_valid: datetime | None
    t_invalid: datetime | None
    expires_at: datetime | None
    state: MemoryState

    @classmethod
    def of(cls, memory: Memory) -> "MemoryShape":
        """Return the form of a memory, with its texts as models see them."""
        summary = memory.summary and with_day(memory.summary, text_time(memory))
        shown = {"content": dated_content(memory), "summary": summary}
        return cls(**_of(cls, memory, **shown, metadata=dict(memory.metadata)))


class ActionShape(Result):
    """One action of an agent."""

    action_type: str
    node_type: str
    target_id: str | None
    outcome: Outcome
    error_code: str | None
    latency_ms: float | None
    occurred_at: datetime

    @classmethod
    def of(cls, action: telemetry.AgentAction) -> "ActionShape":
        """Return the form of an action."""
        return cls(**_of(cls, action))


class SequenceShape(Result):
    """The actions of one session; ``score`` orders the results of one search."""

    id: str
    session_id: str
    intent_summary: str
    outcome: Outcome | None
    action_count: int
    error_count: int
    started_at: datetime | None
    ended_at: datetime | None
    score: float | None

    @classmethod
    def of(cls, found: telemetry.FoundSequence) -> "SequenceShape":
        """Return the form of a sequence."""
        return cls(**_of(cls, found.sequence, score=found.score))


class PatternShape(Result):
    """A recurring failure of an action on a type of node."""

    id: str
    action_type: str
    node_type: str
    error_code: str | None
    state: PatternState
    sequences: int = Field(description="Number of runs that failed this way.")
    attempts: int = Field(description="Number of runs with this action on this type of node.")
    confidence: float
    note: str | None
    suppressed: bool
    last_seen_at: datetime
    text: str = Field(description="The pattern in one line.")

    @classmethod
    def of(cls, pattern: telemetry.AgentPattern) -> "PatternShape":
        """Return the form of a pattern."""
        return cls(**_of(cls, pattern, text=pattern_line(pattern)))


class PointShape(Result):
    """The value of a metric on one day, in UTC."""

    day: date
    value: float
    samples: int
    is_complete: bool = Field(description="False for today.")

    @classmethod
    def of(cls, point: benchmarks.BenchmarkPoint) -> "PointShape":
        """Return the form of a point."""
        return cls(**_of(cls, point))


def _of(shape: type[Result], source: object, **made: Any) -> dict[str, Any]:
    """Return the values of a shape's fields: from ``made``, otherwise the source's attributes of the same names."""
    return {name: made[name] if name in made else getattr(source, name) for name in shape.model_fields}
