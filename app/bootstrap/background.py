"""Starts the periodic background tasks."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from typing import Any

from app.bootstrap.dependencies import Dependencies
from app.bootstrap.tenancy import ensure_chosen_keys
from app.bootstrap.vectors import VectorParts
from graph.core.background import in_background
from graph.core.deadlines import long_work
from graph.core.periodic import every
from graph.core.text import detection
from graph.operations.services import Services
from graph.tenancy.workspaces.models import Workspace

_USAGE_SECONDS = 1.5
_KEY_USE_SECONDS = 2.0
_NOTES_SECONDS = 1.0
_WEBHOOKS_SECONDS = 5.0
_EVENTS_SECONDS = 0.25


async def begin(
    on: Dependencies,
    vectors: VectorParts,
    services: Services,
    stack: AsyncExitStack,
    *,
    makes_keys: bool,
    on_first_key: Callable[[str], None],
) -> tuple[Workspace, str | None]:
    """Start the background work; return the default workspace and, if it was made just now, the first key's secret.

    See ``open_runtime`` for the arguments.
    """
    for closed in (
        vectors.embeddings,
        services.retrieval.context,
        services.operations.readiness,
        services.telemetry.notes,
    ):
        stack.push_async_callback(closed.close)
    reconciler = vectors.tier.reconciler
    refreshes = (services.operations.settings.refresh, vectors.reembedding.refresh, reconciler.refresh)
    await asyncio.to_thread(detection.load)  # 0.5 s, which the first text would stop everybody for
    with long_work():  # a server that has just started plans everything again
        for refresh in refreshes:
            await refresh()
        default = await services.tenancy.workspaces.ensure_default()
        first_key = None
        if makes_keys:
            first_key = await ensure_chosen_keys(on, services.tenancy.keys, default.id, on_first_key)
    # Another process may have changed which vectors are in use and where.
    seconds = on.refresh_seconds
    for refresh in (*refreshes, reconciler.watch):
        _until_closed(every(seconds, refresh, name="refresh"), "refresh", stack)
    telemetry, outbox = services.telemetry, services.operations.webhooks.outbox
    stack.push_async_callback(outbox.close)
    stack.push_async_callback(telemetry.usage.close)
    for seconds, flush, name in (
        (_USAGE_SECONDS, telemetry.usage.flush, "flush_usage"),
        (_KEY_USE_SECONDS, services.tenancy.access.use.flush, "flush_key_use"),
        (_NOTES_SECONDS, telemetry.notes.flush, "flush_notes"),
        (_WEBHOOKS_SECONDS, outbox.refresh, "refresh_webhooks"),
        (_EVENTS_SECONDS, outbox.flush, "flush_events"),
    ):
        _until_closed(every(seconds, flush, name=name), name, stack)
    return default, first_key


def _until_closed(work: Coroutine[Any, Any, None], name: str, stack: AsyncExitStack) -> None:
    """Run beside everything else what ends with the stack."""
    stack.push_async_callback(cancelled, in_background(work, name=name))


async def cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
