"""Webhooks created through GraphQL and delivered to a server (15.10)."""

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from graph.core.errors import LimitExceeded, NotFound
from graph.core.jobs import JobFailed
from graph.core.models import JobChange, JobState
from graph.core.rows import Runner
from graph.operations import queries
from graph.operations.models import WebhookEvent
from graph.operations.webhooks import DeliveryFailed, Webhooks
from tests.fixtures.graphs import NOW, run
from tests.fixtures.locks import overtaken_by
from tests.fixtures.memories import MovingClock
from tests.fixtures.telemetry import claimed
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import background, until
from tests.fixtures.webhook_server import WebhookServer, taking_webhooks

CREATE = """mutation($ws: ID, $url: String!, $events: [WebhookEvent!]!) {
  createWebhook(input: {url: $url, events: $events}, workspaceId: $ws) { secret webhook { id url events } }
}"""
LIST = "query($ws: ID) { webhooks(workspaceId: $ws) { id url events lastDeliveredAt lastError } }"
SAVE = """mutation($ws: ID, $content: String!, $key: String) {
  saveMemory(input: {content: $content, key: $key, userId: "alice"}, workspaceId: $ws) { memory { id } }
}"""
DELIVERY = """CYPHER 25
CREATE (:EventWebhook {workspace_id: $ws, id: 'whk_' + $ws, url: 'https://x.example', events: [], created_at: $now,
                       secret: 'whsec_c2VjcmV0'})
CREATE (:EventWebhookDelivery {workspace_id: $ws, id: 'evt_' + $ws, webhook_id: 'whk_' + $ws, data: '{}',
                               type: 'webhook.test', occurred_at: $now})"""
TWENTIETH = """CYPHER 25
MATCH (workspace:Workspace {id: $ws}) SET workspace.locked = true REMOVE workspace.locked
CREATE (:EventWebhook {workspace_id: $ws, id: 'whk_twentieth', url: 'https://x.example', events: [], secret: 's',
                       created_at: $now})"""
WITHOUT_WEBHOOK = "CYPHER 25 MATCH (webhook:EventWebhook {workspace_id: $ws}) DELETE webhook"
DELIVERIES = """CYPHER 25
MATCH (delivery:EventWebhookDelivery {workspace_id: $ws}) RETURN count(delivery) AS count"""
ALL = ["MEMORY_SAVED", "MEMORY_UPDATED", "MEMORY_DELETED", "PATTERN_PROMOTED", "JOB_FAILED"]


@pytest.fixture
def server() -> Iterator[WebhookServer]:
    with taking_webhooks() as running:
        yield running


async def create(admin, workspace_id: str, server: WebhookServer, *events: str) -> dict[str, Any]:
    data = await admin.ok(CREATE, ws=workspace_id, url=server.url, events=list(events or ALL))
    return data["createWebhook"]


async def taken(server: WebhookServer, count: int) -> list[dict[str, Any]]:
    """Return the payloads once the server has so many."""

    async def are_taken() -> bool:
        return len(server.taken) >= count

    await until(are_taken)
    return [json.loads(body) for _, body in server.taken]


async def test_memory_events_are_delivered_with_ids_and_a_signature(
    admin, workspace_id: str, server: WebhookServer
) -> None:
    made = await create(admin, workspace_id, server)

    saved = await admin.ok(SAVE, ws=workspace_id, content="Alice likes tea", key="drink")
    id_ = saved["saveMemory"]["memory"]["id"]
    (first,) = await taken(server, 1)
    await admin.ok(
        "mutation($ws: ID, $id: ID!) { deleteMemory(id: $id, workspaceId: $ws) }", ws=workspace_id, id=id_
    )
    second = (await taken(server, 2))[1]

    headers, body = server.taken[0]
    key = base64.b64decode(made["secret"].removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert first.keys() == {"id", "type", "workspaceId", "occurredAt", "data"}
    assert (first["id"], first["type"]) == (headers["webhook-id"], "memory.saved")
    assert first["workspaceId"] == workspace_id
    (memory,) = first["data"]["memories"]
    assert (memory["id"], memory["key"], memory["userId"]) == (id_, "drink", "alice")
    assert b"likes tea" not in body
    assert (second["type"], second["data"]["memories"][0]["id"]) == ("memory.deleted", id_)


async def test_a_webhook_receives_only_its_events_of_its_workspace(
    admin, workspace_id: str, other_workspace_id: str, server: WebhookServer
) -> None:
    await create(admin, workspace_id, server, "MEMORY_DELETED")
    made = await create(admin, other_workspace_id, server, "MEMORY_DELETED")
    await admin.ok(SAVE, ws=workspace_id, content="one")

    tested = await admin.ok(
        "mutation($ws: ID, $id: ID!) { testWebhook(id: $id, workspaceId: $ws) }",
        ws=other_workspace_id,
        id=made["webhook"]["id"],
    )

    (only,) = await taken(server, 1)
    assert (only["id"], only["type"]) == (tested["testWebhook"], "webhook.test")
    assert only["workspaceId"] == other_workspace_id


async def test_a_failed_delivery_is_retried_with_the_same_id(
    admin, services, workspace_id: str, server: WebhookServer
) -> None:
    server.faults = [500]
    await create(admin, workspace_id, server)

    await admin.ok(SAVE, ws=workspace_id, content="one")
    first, second = await taken(server, 2)

    assert first == second

    async def delivered() -> dict[str, Any] | None:
        (webhook,) = (await admin.ok(LIST, ws=workspace_id))["webhooks"]
        return webhook if webhook["lastDeliveredAt"] else None

    async def is_done() -> bool:
        return "WEBHOOK" not in {job.kind for job in (await services.core.jobs.page(workspace_id)).items}

    assert (await until(delivered))["lastError"] == "answered 500"
    await until(is_done)


async def test_an_unresponsive_address_does_not_delay_other_work(
    admin, services, workspace_id: str, server: WebhookServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Formerly all embeddings waited until each delivery was given up."""
    asked, over = asyncio.Event(), asyncio.Event()

    async def stuck(*_: object) -> None:
        asked.set()
        await over.wait()

    async def is_done() -> bool:
        jobs = (await services.core.jobs.page(workspace_id)).items
        return {job.kind for job in jobs} == {"WEBHOOK"}

    monkeypatch.setattr(services.operations.webhooks._sender, "send", stuck)
    await create(admin, workspace_id, server, "MEMORY_SAVED")
    await admin.ok(SAVE, ws=workspace_id, content="one")
    try:
        with background.awaited():
            await asked.wait()
        await admin.ok(SAVE, ws=workspace_id, content="two")
        await until(is_done)
    finally:
        over.set()


async def test_deliveries_of_several_workspaces_are_sent_concurrently(
    services, workspace_id: str, other_workspace_id: str, graph_driver
) -> None:
    """Formerly the second workspace's deliveries waited for the first one's responses."""
    meeting = asyncio.Barrier(2)

    class Meeting:
        async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
            async with asyncio.timeout(scaled_timeout(90)):
                await meeting.wait()

    core = services.core
    webhooks = Webhooks(
        core.database, core.clock, services.operations.webhooks.outbox, Meeting(), allow_private=True
    )
    for ws in (workspace_id, other_workspace_id):
        await run(graph_driver, DELIVERY, ws=ws, now=core.clock.now())

    await webhooks.run_jobs([claimed(ws, f"evt_{ws}") for ws in (workspace_id, other_workspace_id)])

    for ws in (workspace_id, other_workspace_id):
        left = await queries.get_webhook_deliveries(core.database, workspace_id=ws, ids=[f"evt_{ws}"])
        assert left == []


async def test_a_slow_address_is_paused(services, workspace_id: str, graph_driver) -> None:
    """Formerly each of its deliveries occupied a place until it was given up."""
    clock = MovingClock()
    asked: list[str] = []

    class Silent:
        async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
            asked.append(url)
            clock.move(seconds=10)
            raise DeliveryFailed("no answer within 10 s")

    database, outbox = services.core.database, services.operations.webhooks.outbox
    webhooks = Webhooks(database, clock, outbox, Silent(), allow_private=True)
    await run(graph_driver, DELIVERY, ws=workspace_id, now=clock.now())

    for seconds, times in ((0, 1), (29, 1), (1, 2)):
        clock.move(seconds=seconds)
        with pytest.raises(JobFailed):
            await webhooks.run_jobs([claimed(workspace_id, f"evt_{workspace_id}")])
        assert len(asked) == times


async def test_a_webhook_that_refuses_once_receives_the_delivery_later(
    services, workspace_id: str, graph_driver
) -> None:
    asked: list[str] = []

    class Refusing:
        async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
            asked.append(url)
            raise DeliveryFailed("answered 500")

    core = services.core
    webhooks = Webhooks(
        core.database, core.clock, services.operations.webhooks.outbox, Refusing(), allow_private=True
    )
    await run(graph_driver, DELIVERY, ws=workspace_id, now=core.clock.now())

    for _ in range(2):
        with pytest.raises(JobFailed):
            await webhooks.run_jobs([claimed(workspace_id, f"evt_{workspace_id}")])

    assert len(asked) == 2


async def test_deliveries_written_while_their_webhook_is_deleted_are_removed(
    services, workspace_id: str, graph_driver
) -> None:
    await run(graph_driver, DELIVERY, ws=workspace_id, now=services.core.clock.now())
    await run(graph_driver, WITHOUT_WEBHOOK, ws=workspace_id)

    await services.operations.webhooks.run_jobs([claimed(workspace_id, f"evt_{workspace_id}")])

    (left,) = (await run(graph_driver, DELIVERIES, ws=workspace_id)).records
    assert left["count"] == 0


async def test_a_webhook_of_a_deleted_workspace_is_refused(services, workspace_id: str, graph_driver) -> None:
    """Nobody could find or delete a webhook there."""
    await services.tenancy.workspaces.delete(workspace_id, hard=True)

    with pytest.raises(NotFound):
        await services.operations.webhooks.create(
            workspace_id, url="https://x.example", events=[WebhookEvent.MEMORY_SAVED]
        )

    assert await services.operations.webhooks.list_all(workspace_id) == []


async def test_a_failed_job_is_delivered_unless_it_is_a_delivery(
    admin, services, workspace_id: str, server: WebhookServer
) -> None:
    await create(admin, workspace_id, server, "JOB_FAILED")
    common = {"workspace_id": workspace_id, "subject_id": "s", "attempts": 5, "due_at": None}
    times = {"created_at": NOW, "updated_at": NOW}

    services.core.announcer.jobs_changed(
        [
            JobChange(id="job_1", kind="WEBHOOK", state=JobState.FAILED, **common, **times),
            JobChange(id="job_2", kind="EMBED", state=JobState.FAILED, **common, **times),
            JobChange(id="job_3", kind="EMBED", state=JobState.PENDING, **common, **times),
        ]
    )

    (payload,) = await taken(server, 1)
    assert payload["type"] == "job.failed"
    assert payload["data"] == {"jobId": "job_2", "kind": "EMBED", "subjectId": "s", "attempts": 5}


async def test_a_webhook_created_during_a_refresh_misses_no_event(
    admin, services, workspace_id: str, server: WebhookServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refresh's outdated list does not remove the new webhook."""
    outbox, read = services.operations.webhooks.outbox, queries.list_webhook_workspaces

    async def read_then_made(runner: Runner) -> list[str]:
        workspace_ids = await read(runner)
        await create(admin, workspace_id, server)
        return workspace_ids

    monkeypatch.setattr(queries, "list_webhook_workspaces", read_then_made)
    await outbox.refresh()
    monkeypatch.undo()
    services.core.announcer.patterns_promoted(workspace_id, ["pat_1"])

    (payload,) = await taken(server, 1)
    assert payload["type"] == "pattern.promoted"


async def test_a_promoted_pattern_is_delivered(
    admin, services, workspace_id: str, server: WebhookServer
) -> None:
    await create(admin, workspace_id, server, "PATTERN_PROMOTED")

    services.core.announcer.patterns_promoted(workspace_id, ["pat_1"])

    (payload,) = await taken(server, 1)
    assert (payload["type"], payload["data"]) == ("pattern.promoted", {"patternIds": ["pat_1"]})


async def test_a_secret_appears_once_and_a_deleted_webhook_receives_nothing(
    admin, services, workspace_id: str, server: WebhookServer, graph_driver
) -> None:
    made = await create(admin, workspace_id, server)
    assert made["secret"].startswith("whsec_")

    listed = await admin.post(LIST, ws=workspace_id)
    delete = "mutation($ws: ID, $id: ID!) { deleteWebhook(id: $id, workspaceId: $ws) }"
    first = await admin.ok(delete, ws=workspace_id, id=made["webhook"]["id"])
    again = await admin.ok(delete, ws=workspace_id, id=made["webhook"]["id"])
    await admin.ok(SAVE, ws=workspace_id, content="one")
    await services.operations.webhooks.outbox.flush()
    (left,) = (await run(graph_driver, DELIVERIES, ws=workspace_id)).records

    assert made["secret"] not in listed.text
    assert (first["deleteWebhook"], again["deleteWebhook"]) == (True, False)
    assert (await admin.ok(LIST, ws=workspace_id))["webhooks"] == []
    assert (left["count"], server.taken) == (0, [])


async def test_an_invalid_webhook_is_refused_by_field(admin, workspace_id: str) -> None:
    refused = await admin.error(CREATE, ws=workspace_id, url="ftp://x.example", events=ALL)
    empty = await admin.error(CREATE, ws=workspace_id, url="https://x.example", events=[])

    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "url")
    assert (empty["code"], empty["field"]) == ("INVALID_INPUT", "events")


async def test_a_workspace_has_at_most_twenty_webhooks(admin, workspace_id: str) -> None:
    for _ in range(20):
        await admin.ok(CREATE, ws=workspace_id, url="https://x.example", events=ALL)

    refused = await admin.error(CREATE, ws=workspace_id, url="https://x.example", events=ALL)

    assert "at most 20" in refused["message"]


async def test_concurrent_requests_cannot_exceed_twenty_webhooks(
    services, admin, graph_driver, workspace_id: str
) -> None:
    """Formerly two concurrent requests did not count each other."""
    webhooks = services.operations.webhooks
    one = {"url": "https://x.example", "events": [WebhookEvent.MEMORY_SAVED]}
    for _ in range(19):
        await webhooks.create(workspace_id, **one)

    with pytest.raises(LimitExceeded):
        await overtaken_by(
            graph_driver, TWENTIETH, webhooks.create(workspace_id, **one), ws=workspace_id, now=NOW
        )
    assert len((await admin.ok(LIST, ws=workspace_id))["webhooks"]) == 20
