"""Webhook deliveries that never succeeded (15.10)."""

from collections.abc import Mapping
from typing import Any

import pytest

from graph.operations import queries
from graph.operations import webhooks as serving
from graph.operations.webhooks import Webhooks
from tests.fixtures.graphs import run
from tests.fixtures.memories import MovingClock

_WEBHOOK = """CYPHER 25
CREATE (:EventWebhook {workspace_id: $ws, id: 'whk_' + $ws, url: 'https://x.example', events: [], created_at: $now,
                       secret: 'whsec_c2VjcmV0'})"""
_PARKED = """CYPHER 25
UNWIND range(1, $count) AS number
WITH 'evt_' + number + $ws AS id
CREATE (:EventWebhookDelivery {workspace_id: $ws, id: id, webhook_id: 'whk_' + $ws, data: '{}',
                               type: 'webhook.test', occurred_at: $now, created_at: $now})
CREATE (:Job {id: 'job_' + id, workspace_id: $ws, kind: 'WEBHOOK', subject_id: id, state: 'FAILED', attempts: 5,
              revision: 1, created_at: $now, updated_at: $now})"""
_CHANGED = """CYPHER 25
MATCH (job:Job {workspace_id: $ws, subject_id: 'evt_' + $number + $ws}) SET job.state = $state, job.updated_at = $now"""
_WITHOUT_JOB = """CYPHER 25
MATCH (job:Job {workspace_id: $ws, subject_id: 'evt_' + $number + $ws}) DELETE job"""
_WAITING = """CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $ws}) RETURN delivery.id AS id ORDER BY id"""
_JOBS = """CYPHER 25
MATCH (job:Job {workspace_id: $ws, kind: 'WEBHOOK'}) RETURN job.subject_id AS id ORDER BY id"""


class Unused:
    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        raise NotImplementedError


async def left(driver, workspace_id: str) -> list[list[str]]:
    """Return the ids of the deliveries, and of those with a job."""
    found = [(await run(driver, text, ws=workspace_id)).records for text in (_WAITING, _JOBS)]
    return [[record["id"].removesuffix(workspace_id) for record in records] for records in found]


async def test_undelivered_events_are_deleted_with_their_webhook_in_batches(
    services, workspace_id: str, graph_driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy workspace's events of one day, in one transaction, would exceed the request's timeout."""
    webhooks, now = services.operations.webhooks, services.core.clock.now()
    await run(graph_driver, _WEBHOOK, ws=workspace_id, now=now)
    await run(graph_driver, _PARKED, ws=workspace_id, now=now, count=5)
    delete = queries.delete_deliveries_of_webhook
    parts: list[int] = []

    async def counted(*args: Any, **kwargs: Any) -> int:
        assert await webhooks.list_all(workspace_id) == []
        parts.append(await delete(*args, **kwargs))
        return parts[-1]

    monkeypatch.setattr(serving, "_DELETED_TOGETHER", 2)
    monkeypatch.setattr(queries, "delete_deliveries_of_webhook", counted)
    is_deleted = await webhooks.delete(workspace_id, f"whk_{workspace_id}")

    assert (is_deleted, parts) == (True, [2, 2, 1])
    assert await left(graph_driver, workspace_id) == [[], []]


async def test_deleting_a_webhook_again_deletes_the_remainder(
    services, workspace_id: str, graph_driver
) -> None:
    """A caller that got no response may repeat the request."""
    await run(graph_driver, _PARKED, ws=workspace_id, now=services.core.clock.now(), count=1)

    is_deleted = await services.operations.webhooks.delete(workspace_id, f"whk_{workspace_id}")

    assert not is_deleted
    assert await left(graph_driver, workspace_id) == [[], []]


async def test_deliveries_that_failed_a_week_ago_are_deleted(
    services, workspace_id: str, graph_driver
) -> None:
    """15.10: for addresses that never recover, and deliveries without a job."""
    clock = MovingClock()
    database, outbox = services.core.database, services.operations.webhooks.outbox
    webhooks = Webhooks(database, clock, outbox, Unused(), allow_private=True)
    await run(graph_driver, _PARKED, ws=workspace_id, now=clock.now(), count=4)
    await run(graph_driver, _CHANGED, ws=workspace_id, number=2, state="PENDING", now=clock.now())
    await run(graph_driver, _WITHOUT_JOB, ws=workspace_id, number=4)
    clock.move(days=1)
    await run(graph_driver, _CHANGED, ws=workspace_id, number=3, state="FAILED", now=clock.now())

    clock.move(days=6)
    await webhooks.delete_parked()
    at_a_week = await left(graph_driver, workspace_id)
    clock.move(seconds=1)
    await webhooks.delete_parked()

    assert at_a_week == [["evt_1", "evt_2", "evt_3", "evt_4"], ["evt_1", "evt_2", "evt_3"]]
    assert await left(graph_driver, workspace_id) == [["evt_2", "evt_3"]] * 2
