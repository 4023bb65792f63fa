"""Builds the room of telemetry: what agents did, benchmarks, and how memories turned out."""

from app.bootstrap.dependencies import Dependencies
from graph.memories.service import Memories
from graph.operations.services import TelemetryServices
from graph.telemetry.action_notes import ActionNotes
from graph.telemetry.benchmarks.service import Benchmarks
from graph.telemetry.outcomes.service import Outcomes
from graph.telemetry.service import Telemetry
from graph.telemetry.usage.service import Usage
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.index.service import Embeddings


def build_telemetry(
    on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces, memories: Memories
) -> TelemetryServices:
    """Return the room."""
    memory = on.settings.memory
    actions = Telemetry(on.database, embeddings, workspaces, on.signals.wake_up, on.clock)
    outcomes = Outcomes(on.database, memories, on.clock)
    return TelemetryServices(
        actions=actions,
        notes=ActionNotes(actions, on.measurements, on.clock, most_waiting=memory.noted_actions),
        benchmarks=Benchmarks(on.database, on.signals.wake_up, on.clock),
        outcomes=outcomes,
        usage=Usage(on.database, on.clock, link=outcomes.link),
    )
