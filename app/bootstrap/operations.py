"""Builds the room of operations: status, readiness, and settings that change while running."""

from contextlib import AsyncExitStack

from app.adapters.webhook_sender import HttpWebhookSender
from app.bootstrap.dependencies import Dependencies
from app.bootstrap.memories import MemoryParts
from app.bootstrap.recall import recall_rules
from app.bootstrap.running_adapters import RunningAdapters
from app.bootstrap.vectors import VectorParts
from graph.knowledge.merging.service import Merging
from graph.operations.archive.service import Archives
from graph.operations.automatic_changes import AutomaticChanges
from graph.operations.erasure.service import Erasure
from graph.operations.services import (
    OperationServices,
    RetrievalServices,
    TelemetryServices,
    TenancyServices,
    VectorServices,
)
from graph.operations.settings.service import Defaults, RunningSettings
from graph.operations.status.round_trip import RoundTrip
from graph.operations.status.service import Status
from graph.operations.webhooks.outbox import Outbox
from graph.operations.webhooks.service import Webhooks


def build_operations(
    on: Dependencies,
    stack: AsyncExitStack,
    *,
    tenancy: TenancyServices,
    parts: VectorParts,
    vectors: VectorServices,
    memories: MemoryParts,
    retrieval: RetrievalServices,
    erasure: Erasure,
    merging: Merging,
    telemetry: TelemetryServices,
) -> OperationServices:
    """Return the room; the stack closes what changed settings open."""
    settings, database, recall = on.settings, on.database, retrieval.recall
    workspaces, webhooks = tenancy.workspaces, _webhooks(on, stack)
    store, deletion = memories.store, memories.deletion
    defaults = Defaults(
        strategy=recall_rules(settings.recall).strategy,
        retention=store.retention,
    )
    adapters = RunningAdapters(settings, parts.registry, vectors.embeddings, recall, stack)
    status = Status(database, vectors.embeddings, on.signals.wake_up, vectors.external)
    return OperationServices(
        status=status,
        readiness=RoundTrip(database, store, deletion, retrieval.pages, recall, status, on.clock),
        webhooks=webhooks,
        settings=RunningSettings(database, workspaces, vectors.external, adapters, on.clock, defaults),
        archives=Archives(
            database, workspaces, vectors.embeddings, parts.tier.mirroring, telemetry.promoter, on.clock
        ),
        erasure=erasure,
        changes=AutomaticChanges(
            database,
            store,
            deletion,
            merging,
            on.signals.announcer,
            on.signals.wake_up,
            on.clock,
        ),
    )


def _webhooks(on: Dependencies, stack: AsyncExitStack) -> Webhooks:
    """Return the webhooks, and subscribe their outbox to the events of this process."""
    allow_private = on.settings.webhooks.allow_private
    sender = HttpWebhookSender(allow_private=allow_private)
    stack.push_async_callback(sender.close)
    outbox = Outbox(on.database, on.signals.wake_up, on.clock)
    on.signals.announcer.noted_by(outbox.take)
    return Webhooks(on.database, on.clock, outbox, sender, allow_private=allow_private)
