"""Builds the room of telemetry: what agents did, benchmarks, and how memories turned out."""

from app.bootstrap.dependencies import Dependencies
from graph.memories.service import Memories
from graph.operations.services import TelemetryServices
from graph.telemetry.action_notes import ActionNotes
from graph.telemetry.benchmarks import Benchmarks
from graph.telemetry.outcomes import Outcomes
from graph.telemetry.promoting import PatternPromoter
from graph.telemetry.reading import TelemetryReader
from graph.telemetry.recording import ActionRecorder
from graph.telemetry.usage import Usage
from graph.tenancy.workspaces import Workspaces
from graph.vectors.index.service import Embeddings


def build_telemetry(
    on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces, memories: Memories
) -> TelemetryServices:
    """Return the room."""
    memory = on.settings.memory
    recorder = ActionRecorder(on.database, on.signals.wake_up, on.clock)
    outcomes = Outcomes(on.database, memories, on.clock)
    return TelemetryServices(
        recorder=recorder,
        reader=TelemetryReader(on.database, embeddings, workspaces),
        promoter=PatternPromoter(on.database, on.clock, on.signals.announcer),
        notes=ActionNotes(recorder, on.measurements, on.clock, most_waiting=memory.noted_actions),
        benchmarks=Benchmarks(on.database, on.signals.wake_up, on.clock),
        outcomes=outcomes,
        usage=Usage(on.database, on.clock, link=outcomes.link),
    )
