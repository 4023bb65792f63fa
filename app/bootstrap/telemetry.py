"""Builds what learns from agents' runs: telemetry, benchmarks and memories' outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph.core.database import Database
from graph.core.jobs.models import JobKind
from graph.core.jobs.service import JobRunner
from graph.core.measuring import Measurements
from graph.core.ports import Clock, WakeUp
from graph.memories.service import Memories
from graph.telemetry.benchmarks.service import Benchmarks
from graph.telemetry.noting import ActionNotes
from graph.telemetry.outcomes.service import Outcomes
from graph.telemetry.service import Telemetry
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class Learning:
    """The services, the jobs they do, and what is noted without being told."""

    telemetry: Telemetry
    benchmarks: Benchmarks
    outcomes: Outcomes
    notes: ActionNotes

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
    measurements: Measurements,
    *,
    most_notes: int,
) -> Learning:
    """Return the services over one store; ``most_notes`` wait to be recorded at most."""
    telemetry = Telemetry(database, embeddings, workspaces, wake_up, clock)
    return Learning(
        telemetry=telemetry,
        benchmarks=Benchmarks(database, wake_up, clock),
        outcomes=Outcomes(database, memories, clock),
        notes=ActionNotes(telemetry, measurements, clock, most_waiting=most_notes),
    )
