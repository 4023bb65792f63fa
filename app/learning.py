"""Builds what learns from agents' runs: telemetry, benchmarks and memories' outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph.benchmarks.service import Benchmarks
from graph.core.database import Database
from graph.embeddings.service import Embeddings
from graph.jobs.models import JobKind
from graph.jobs.service import JobRunner
from graph.memories.service import Memories
from graph.outcomes.service import Outcomes
from graph.ports import Clock, WakeUp
from graph.telemetry.service import Telemetry
from graph.workspaces.service import Workspaces


@dataclass(frozen=True)
class Learning:
    """The three services, and the jobs they do."""

    telemetry: Telemetry
    benchmarks: Benchmarks
    outcomes: Outcomes

    @property
    def runners(self) -> Mapping[JobKind, JobRunner]:
        """Who does the jobs that capture asks for."""
        return {
            JobKind.PROMOTE: JobRunner(self.telemetry.run_promotion_jobs),
            JobKind.BENCHMARK: JobRunner(self.benchmarks.run_jobs),
        }


def build_learning(
    database: Database,
    embeddings: Embeddings,
    workspaces: Workspaces,
    memories: Memories,
    wake_up: WakeUp,
    clock: Clock,
) -> Learning:
    """Return the services over one store."""
    return Learning(
        telemetry=Telemetry(database, embeddings, workspaces, wake_up, clock),
        benchmarks=Benchmarks(database, wake_up, clock),
        outcomes=Outcomes(database, memories, clock),
    )
