"""Spares the first callers what a graph database that has just started is slow over."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from app.bootstrap.background import cancelled
from graph.core.background import in_background
from graph.core.deadlines import long_work
from graph.operations.services import Services

_MOST_SECONDS = 15.0

_log = structlog.get_logger("recollect.start")


@asynccontextmanager
async def warmed_up(services: Services) -> AsyncIterator[None]:
    """Have recall's statements planned before the block, which takes some seconds, and those of contexts beside it.

    Requests that came earlier would wait as long, and have the server plan the same statements once more.
    """
    with long_work():
        default = await services.tenancy.workspaces.ensure_default()
    await _warm_up_recall(services, default.id)
    task = in_background(_warm_up_contexts(services, default.id), name="warm_up_contexts")
    try:
        yield
    finally:
        await cancelled(task)
        gc.unfreeze()


async def _warm_up_recall(services: Services, workspace_id: str) -> None:
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            with long_work():
                await services.retrieval.recall.warm_up(workspace_id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong will show, and be answered, in a real request
        _log.warning("recall.not_warmed_up", reason=type(error).__name__)


async def _warm_up_contexts(services: Services, workspace_id: str) -> None:
    try:
        with long_work():
            await services.retrieval.context.warm_up(workspace_id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong will show, and be answered, in a real request
        _log.warning("context.not_warmed_up", reason=type(error).__name__)
    # What is there by now stays: a full collection that went through it would stop everybody for 0.2 s each time.
    gc.collect()
    gc.freeze()
