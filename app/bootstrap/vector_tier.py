"""The external vector tier as the settings give it."""

import secrets
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta

from app.bootstrap.dependencies import Dependencies
from app.settings import Settings
from graph.core.jobs.failing import failing_as_job
from graph.core.jobs.models import JobKind
from graph.core.jobs.service import JobRunner
from graph.core.ports import TierFailed, VectorTier
from graph.vectors.external.connection import REQUEST_SECONDS, StoreConnection, TierOpener
from graph.vectors.external.mirror import Mirror
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.external.models import TierSettings
from graph.vectors.external.reconciler import TierReconciler
from graph.vectors.index.service import Embeddings

_IN_PROCESS = ":memory:"
_GRACE_ROUNDS = 5  # so often has every process looked around by then, and tells the store of what it writes
_NOT_INSTALLED = "qdrant-client is not installed: `make extra NAME=qdrant` installs it"


def tier_settings(settings: Settings) -> TierSettings:
    """Return what the engine is handed; an in-process store is another one in every process."""
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
    """Open Qdrant without asking it.

    Raises:
        TierFailed: The extra is not installed, or the address cannot be one.
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


@dataclass(frozen=True)
class Tier:
    """The parts that the others are built with."""

    mirroring: Mirroring
    reconciler: TierReconciler
    runners: Mapping[JobKind, JobRunner]


def build_tier(on: Dependencies, embeddings: Embeddings, opener: TierOpener, stack: AsyncExitStack) -> Tier:
    """Return the parts; the store is opened at the first refresh, only where it is enabled, and closed by ``stack``."""
    database, clock = on.database, on.clock
    own = tier_settings(on.settings)
    grace = timedelta(seconds=_GRACE_ROUNDS * on.refresh_seconds)
    mirroring = Mirroring()
    connection = StoreConnection(own, opener, clock)
    stack.push_async_callback(connection.close)
    reconciler = TierReconciler(database, embeddings, mirroring, connection, clock, own=own, grace=grace)
    batch_size = on.job_rules.batch_size
    mirror = Mirror(database, embeddings, mirroring, reconciler, clock, batch_size=batch_size)
    return Tier(mirroring, reconciler, _runners(mirror, reconciler))


def _runners(mirror: Mirror, reconciler: TierReconciler) -> dict[JobKind, JobRunner]:
    """Return who keeps the store up to date; it may be away for long, so these jobs are never given up."""
    runs = {
        JobKind.MIRROR: (mirror.mirror, lambda: reconciler.can_mirror),
        JobKind.MIRROR_ALL: (mirror.mirror_all, lambda: reconciler.can_mirror_all),
        JobKind.UNMIRROR: (mirror.remove_workspaces, lambda: reconciler.can_remove),
    }
    return {
        kind: JobRunner(failing_as_job(run), is_ready=is_ready, gives_up=False)
        for kind, (run, is_ready) in runs.items()
    }
