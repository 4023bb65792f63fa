"""Builds the room of memories."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.bootstrap.dependencies import Dependencies, memory_policy
from graph.core.database import Database
from graph.core.events import Announcer
from graph.core.measuring import Measurements
from graph.core.models import MemoryEventType
from graph.core.ports import Clock, LanguageModels, SecretDetector, WakeUp
from graph.core.text.work import TextWork
from graph.memories.bulk import BulkMemories
from graph.memories.changes.service import Timelines
from graph.memories.compaction.rewriting import Rewriter
from graph.memories.compaction.service import Compactor
from graph.memories.contradictions import Contradictions
from graph.memories.deduplication.service import Deduplicator
from graph.memories.deletion import Deleter
from graph.memories.policy import MemoryPolicy
from graph.memories.saving.preparing import Preparer
from graph.memories.saving.saver import Saver
from graph.memories.service import Changer, Memories
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class MemoryParts:
    """The use cases of memories that other rooms need; the rest of the room needs the queue of jobs."""

    store: Memories
    deletion: Deleter
    compaction: Compactor
    bulk: BulkMemories
    deduplicator: Deduplicator
    contradictions: Contradictions
    timelines: Timelines


def build_memories(
    on: Dependencies,
    *,
    workspaces: Workspaces,
    embeddings: Embeddings,
    mirroring: Mirroring,
    language_models: LanguageModels,
) -> MemoryParts:
    """Return the use cases of memories for the settings."""
    return memory_parts(
        on.database,
        embeddings,
        on.signals.wake_up,
        on.signals.announcer,
        on.clock,
        memory_policy(on.settings.memory),
        secrets=on.secrets,
        language_models=language_models,
        mirroring=mirroring,
        workspaces=workspaces,
        measurements=on.measurements,
        text_work=on.text_work,
    )


def memory_parts(
    database: Database,
    embeddings: Embeddings,
    wake_up: WakeUp,
    announcer: Announcer,
    clock: Clock,
    policy: MemoryPolicy,
    *,
    secrets: SecretDetector | None,
    language_models: LanguageModels,
    mirroring: Mirroring,
    workspaces: Workspaces,
    measurements: Measurements,
    text_work: TextWork,
) -> MemoryParts:
    """Return the use cases of memories under a policy."""
    preparer = Preparer(policy, secrets, language_models)
    deduplicator = Deduplicator(database, embeddings, clock, policy)

    def on_deleted(workspace_id: str, ids: Sequence[str]) -> None:
        announcer.memories_changed(workspace_id, MemoryEventType.DELETED, ids)

    def on_changed(workspace_id: str, ids: Sequence[str]) -> None:
        announcer.memories_changed(workspace_id, MemoryEventType.UPDATED, ids)

    deleter = Deleter(database, clock, policy, mirroring, on_deleted)
    rewriter = Rewriter(database, embeddings, clock, policy, mirroring, deleter, text_work, workspaces)
    return MemoryParts(
        store=Memories(
            database,
            wake_up,
            announcer,
            clock,
            policy,
            saver=Saver(database, embeddings, clock, preparer, deduplicator, policy, mirroring, workspaces),
            changer=Changer(database, embeddings, clock, preparer, policy, mirroring),
            measurements=measurements,
        ),
        deletion=deleter,
        compaction=Compactor(database, clock, rewriter, wake_up, announcer),
        bulk=BulkMemories(database, clock, policy, deleter, embeddings, mirroring, on_changed),
        deduplicator=deduplicator,
        contradictions=Contradictions(database, embeddings, clock),
        timelines=Timelines(database, clock, mirroring, announcer, text_work),
    )
