"""Builds the room of memories."""

from app.bootstrap.dependencies import Dependencies
from app.bootstrap.memory_policy import memory_policy
from graph.memories.service import Memories
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.service import Embeddings


def build_memory_store(on: Dependencies, *, embeddings: Embeddings, mirroring: Mirroring) -> Memories:
    """Return the use cases of memories; the rest of the room needs the queue of jobs."""
    return Memories(
        on.database,
        embeddings,
        on.signals.wake_up,
        on.signals.announcer,
        on.clock,
        memory_policy(on.settings.memory),
        secrets=on.secrets,
        language_model=on.language_model,
        mirroring=mirroring,
        measurements=on.measurements,
        text_work=on.text_work,
    )
