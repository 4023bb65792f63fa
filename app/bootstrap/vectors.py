"""Builds the parts of the room of vectors that other rooms need."""

import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta

from app.bootstrap.dependencies import Dependencies
from app.bootstrap.embedders import EmbedderRegistry, build_embeddings
from app.settings import Settings
from graph.core.jobs import JobRunner, failing_as_job
from graph.core.models import JobKind
from graph.core.ports import Embedder, EmbedderCatalogue, TierFailed, VectorTier
from graph.vectors.external.connection import REQUEST_SECONDS, StoreConnection, TierOpener
from graph.vectors.external.mirror import Mirror
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.external.models import TierSettings
from graph.vectors.index.reembedding import Reembedding
from graph.vectors.index.service import Embeddings

_IN_PROCESS = ":memory:"
_NOT_INSTALLED = "qdrant-client is not installed: `make extra NAME=qdrant` installs it"


def tier_settings(settings: Settings) -> TierSettings:
    """Return the settings of the external tier; an in-process store is separate in every process."""
    chosen = settings.qdrant
    return TierSettings(
        enabled=chosen.enabled,
        host=chosen.host,
        port=chosen.port,
        api_key=chosen.api_key,
        collection=chosen.collection,
        instance=f"#{secrets.token_hex(4)}" if chosen.host == _IN_PROCESS else "",
    )


def open_tier(settings: TierSettings, namespace: str) -> VectorTier:
    """Open Qdrant without a request to it.

    Raises:
        TierFailed: The extra is not installed, or the address is invalid.
    """
    try:
        from app.adapters.qdrant_tier import QdrantTier, open_qdrant  # noqa: PLC0415 - an extra, half a second to load
    except ModuleNotFoundError as error:
        raise TierFailed(_NOT_INSTALLED) from error
    key = settings.api_key.get_secret_value() if settings.api_key else None
    client, url = open_qdrant(settings.host, settings.port, api_key=key, timeout_seconds=REQUEST_SECONDS)
    return QdrantTier(
        client,
        collection=settings.collection,
        namespace=namespace,
        quantization=settings.quantization,
        url=url,
        api_key=key,
    )


def mirror_runners(mirror: Mirror) -> dict[JobKind, JobRunner]:
    """Return the runners that update the store; their jobs are never parked, because the store may be away for long."""
    runs = {
        JobKind.MIRROR: (mirror.mirror, lambda: mirror.can_mirror),
        JobKind.MIRROR_ALL: (mirror.mirror_all, lambda: mirror.can_mirror_all),
        JobKind.UNMIRROR: (mirror.remove_workspaces, lambda: mirror.can_remove),
    }
    return {
        kind: JobRunner(failing_as_job(run), is_ready=is_ready, gives_up=False)
        for kind, (run, is_ready) in runs.items()
    }


_GRACE_ROUNDS = 5  # a replaced index stays until every process has read the change


@dataclass(frozen=True)
class VectorParts:
    """The embedder, the reindexer, and the external store's schedule and background work."""

    embeddings: Embeddings
    registry: EmbedderRegistry
    reembedding: Reembedding
    mirroring: Mirroring
    mirror: Mirror


def build_vectors(
    on: Dependencies,
    stack: AsyncExitStack,
    *,
    embedder: Embedder | None,
    catalogue: EmbedderCatalogue | None,
    tier_opener: TierOpener,
) -> VectorParts:
    """Return the parts; ``stack`` closes their resources. The first refresh opens the external store if it is enabled.

    Raises:
        InvalidInput: The settings name a model that is not available.
    """
    embeddings, registry = build_embeddings(on, stack, embedder=embedder, catalogue=catalogue)
    grace = timedelta(seconds=_GRACE_ROUNDS * on.refresh_seconds)
    database, clock, batch_size = on.database, on.clock, on.job_rules.batch_size
    reembedding = Reembedding(database, embeddings, clock, batch_size=batch_size, grace=grace)
    mirroring, own = Mirroring(), tier_settings(on.settings)
    connection = StoreConnection(own, tier_opener, clock)
    stack.push_async_callback(connection.close)
    mirror = Mirror(
        database, embeddings, mirroring, connection, clock, own=own, grace=grace, batch_size=batch_size
    )
    return VectorParts(embeddings, registry, reembedding, mirroring, mirror)
