"""How memories, runs and patterns read in structured results."""

from datetime import date, datetime
from typing import Any

from pydantic import Field

from app.surfaces.mcp.tool import Result
from graph.core.tiers import RecallTier
from graph.memories.models import Memory, MemoryKind, MemoryState, MemoryType
from graph.retrieval.recall.models import RecallHit, RecallResolution, RecallStrategy
from graph.telemetry import models as telemetry
from graph.telemetry.benchmarks import models as benchmarks
from graph.telemetry.models import Outcome, PatternState
from graph.telemetry.wording import pattern_line


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
        """Return the form of a memory."""
        return cls(**_of(cls, memory, metadata=dict(memory.metadata)))


class RelationShape(Result):
    """What a memory has to do with another."""

    type: str
    direction: str = Field(description="Whether the edge leads out of the memory or into it.")
    strength: float | None
    memory_id: str


class HitShape(Result):
    """A memory that a recall found."""

    memory: MemoryShape
    score: float = Field(description="Orders the results of one recall.")
    relevance: float | None = Field(
        description="How probable it is that it is evidence for the query, 0 to 1; null where there was no query."
    )
    tokens: int
    why: tuple[str, ...]
    relations: tuple[RelationShape, ...]
    superseded_by: tuple[str, ...] = Field(description="Ids of the memories that took its place.")
    disagrees_with: tuple[str, ...] = Field(
        description="Ids of memories found as well that say of the same thing what cannot both hold; compare dates."
    )

    @classmethod
    def of(cls, hit: RecallHit) -> "HitShape":
        """Return the form of a hit."""
        relations = (
            RelationShape(
                type=each.type, direction=each.direction, strength=each.strength, memory_id=each.other_id
            )
            for each in hit.relations
        )
        return cls(
            memory=MemoryShape.of(hit.memory),
            score=hit.score,
            relevance=hit.relevance,
            tokens=hit.tokens,
            why=tuple(hit.why),
            relations=tuple(relations),
            superseded_by=tuple(hit.superseded_by),
            disagrees_with=tuple(hit.disagrees_with),
        )


class ResolutionShape(Result):
    """How an answer came about."""

    strategy: RecallStrategy
    tier: RecallTier
    fallback: str | None = Field(description="Why a lesser tier served, where one did.")
    merged: int = Field(description="How many were left out because a better result says the same.")
    calibration: str | None = Field(
        description="Which embedder's calibration the relevance is measured with."
    )
    degraded: tuple[str, ...] = Field(description="What was cut, approximated or skipped, and why.")

    @classmethod
    def of(cls, resolution: RecallResolution) -> "ResolutionShape":
        """Return the form of an account."""
        return cls(**_of(cls, resolution, degraded=tuple(resolution.degraded)))


class ActionShape(Result):
    """One thing an agent did."""

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
    """A way an action on a type of node keeps failing."""

    id: str
    action_type: str
    node_type: str
    error_code: str | None
    state: PatternState
    sequences: int = Field(description="How many runs failed this way.")
    attempts: int = Field(description="How many runs did this action on this type of node at all.")
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
    """A metric on one day of UTC."""

    day: date
    value: float
    samples: int
    is_complete: bool = Field(description="False for today.")

    @classmethod
    def of(cls, point: benchmarks.BenchmarkPoint) -> "PointShape":
        """Return the form of a point."""
        return cls(**_of(cls, point))


def _of(shape: type[Result], source: object, **made: Any) -> dict[str, Any]:
    """Return the values of a shape's fields: those made, and of the source the others of the same names."""
    return {name: made[name] if name in made else getattr(source, name) for name in shape.model_fields}
