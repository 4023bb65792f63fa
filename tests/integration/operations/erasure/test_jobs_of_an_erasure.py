"""Jobs during an erasure: other jobs continue, jobs of erased data are deleted (issue 15, point 7)."""

import asyncio

import pytest

from graph.memories.models import MemoryDraft
from graph.operations import erasure as erasing
from graph.operations.erasure import Erasure
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import claimed
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import background, until

_PARKED = """CYPHER 25
CREATE (:EventWebhookDelivery {workspace_id: $ws, id: 'evt_' + $ws, webhook_id: 'whk', user_ids: [$user]})
CREATE (:Job {id: 'job_' + $ws, workspace_id: $ws, kind: 'WEBHOOK', subject_id: 'evt_' + $ws, state: 'FAILED',
              attempts: 5, revision: 1, created_at: $now, updated_at: $now})"""


@pytest.fixture
def erasure(services) -> Erasure:
    return services.operations.erasure


async def test_a_failed_delivery_is_erased_with_its_job(
    erasure, services, workspace_id, graph_driver
) -> None:
    """Otherwise the job stays parked forever, because nothing runs parked jobs."""
    await run(graph_driver, _PARKED, ws=workspace_id, user="alice", now=services.core.clock.now())

    await erasure.run_jobs([claimed(workspace_id, "alice")])

    assert (await services.core.jobs.page(workspace_id)).items == []


async def test_other_work_continues_during_an_erasure(erasure, services, workspace_id, monkeypatch) -> None:
    """Embedding and linking in all workspaces must not wait for it."""
    has_begun, may_end = asyncio.Event(), asyncio.Event()

    async def held(*_: object) -> None:
        has_begun.set()
        await may_end.wait()

    async def kinds() -> list[str]:
        return [job.kind for job in (await services.core.jobs.page(workspace_id)).items]

    async def is_the_only_one_left() -> bool:
        return await kinds() == ["ERASE"]

    async def is_done() -> bool:
        return await kinds() == []

    monkeypatch.setattr(erasing, "overwrite_freed", held)
    await erasure.begin(workspace_id, "alice")
    try:
        with background.awaited():
            await asyncio.wait_for(has_begun.wait(), scaled_timeout(60))
        await services.memories.store.save(workspace_id, MemoryDraft(content="bob keeps goats"))
        await until(is_the_only_one_left)
    finally:
        may_end.set()
    await until(is_done)
