"""Shapes of memories' outcomes."""

from datetime import datetime
from enum import StrEnum

from graph.core.models import Frozen
from graph.core.scope import SHARED
from graph.memories.models import Memory

PRIOR_SUCCESSES = 2.0
PRIOR_RUNS = 4.0
"""What a memory is credited with before any run: two successes and two failures.

Agresti and Coull, "Approximate is better than 'exact' for interval estimation of binomial proportions", The American
Statistician 52 (1998): the rate after adding two of each lies in the middle of the 95 % Wilson interval, so one lucky
run does not rank above nine out of ten, and a memory that no run has used stands between the good and the bad.
"""


class OutcomeOrder(StrEnum):
    """Sort order of memories: by successful or by unsuccessful runs."""

    BEST = "BEST"
    WORST = "WORST"


class MemoryUse(Frozen):
    """A memory that a recall returned to a session; ``rank`` counts from 1. An empty owner is everybody."""

    user_id: str = SHARED
    agent_id: str = SHARED
    session_id: str
    memory_id: str
    rank: int
    at: datetime

    def joined(self, other: "MemoryUse") -> "MemoryUse":
        """Return one use for two of the same memory by the same session."""
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
        """The plain share of successes; None without a run."""
        return self.succeeded / self.runs if self.runs else None

    @property
    def score(self) -> float:
        """The smoothed rate memories are ranked by, 0..1; 0.5 without a run."""
        return (self.succeeded + PRIOR_SUCCESSES) / (self.runs + PRIOR_RUNS)


class MemoryOutcomes(Frozen):
    """A memory with its outcomes."""

    memory: Memory
    outcomes: RunOutcomes
