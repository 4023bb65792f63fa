"""What can be done with webhooks, and how they are delivered."""

import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import starmap
from typing import Any

from graph.core.database import Database
from graph.core.errors import LimitExceeded, NotFound
from graph.core.ids import new_id
from graph.core.jobs.queries import ClaimJobsRow
from graph.core.jobs.service import JobFailed
from graph.core.ports import Clock
from graph.core.side_by_side import side_by_side
from graph.core.text.checks import short_text
from graph.operations.webhooks import queries
from graph.operations.webhooks.models import TEST_EVENT, Webhook, WebhookEvent
from graph.operations.webhooks.outbox import Outbox
from graph.operations.webhooks.ports import DeliveryFailed, WebhookSender
from graph.operations.webhooks.rules import (
    MOST_WEBHOOKS,
    body_of,
    new_secret,
    signed_headers,
    validated_events,
    validated_url,
)

DELIVERED_TOGETHER = 8
"""How many deliveries are under way at once in one worker."""


class Webhooks:
    """The use cases of webhooks; lives as long as the process."""

    def __init__(
        self, database: Database, clock: Clock, outbox: Outbox, sender: WebhookSender, *, allow_private: bool
    ) -> None:
        self.outbox = outbox
        self._database = database
        self._clock = clock
        self._sender = sender
        self._allow_private = allow_private

    async def create(
        self,
        workspace_id: str,
        *,
        url: str,
        events: Sequence[WebhookEvent],
        description: str | None = None,
    ) -> tuple[Webhook, str]:
        """Register an address and return it with its secret, which nothing returns again.

        Other processes note events for it within 5 seconds.

        Raises:
            InvalidInput: The address or the events are none.
            LimitExceeded: The workspace has 20 already.
        """
        secret = new_secret()
        properties = {
            "id": new_id("whk"),
            "url": validated_url(url, allow_private=self._allow_private),
            "events": validated_events(events),
            "description": short_text("description", description),
            "secret": secret,
            "created_at": self._clock.now(),
        }
        webhook = await queries.create_webhook(
            self._database, workspace_id=workspace_id, properties=properties, most=MOST_WEBHOOKS
        )
        if webhook is None:
            raise LimitExceeded(f"a workspace has at most {MOST_WEBHOOKS} webhooks; delete one first")
        self.outbox.include(workspace_id)
        return webhook, secret

    async def list_all(self, workspace_id: str) -> list[Webhook]:
        """Return the webhooks of a workspace, the oldest first."""
        return await queries.list_webhooks(self._database, workspace_id=workspace_id)

    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Delete a webhook with what was not delivered to it yet; False where there is none."""
        return await queries.delete_webhook(self._database, workspace_id=workspace_id, id=id_) is not None

    async def test(self, workspace_id: str, id_: str) -> str:
        """Deliver an event of the type ``webhook.test`` and return its id.

        Raises:
            NotFound: There is no such webhook in the workspace.
        """
        data = json.dumps({"webhookId": id_})
        event = {"type": TEST_EVENT, "occurred_at": self._clock.now(), "data": data, "user_ids": []}
        ids = await self.outbox.write(workspace_id, [event], webhook_id=id_)
        if not ids:
            raise NotFound(f"there is no webhook {id_!r} in this workspace", field="id")
        return ids[0]

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Deliver what claimed jobs name; what was delivered before, or whose webhook is gone, is passed over.

        Raises:
            JobFailed: One was not taken; those that were are not sent again.
            Unavailable: The graph does not answer.
        """
        by_workspace: dict[str, list[str]] = defaultdict(list)
        for job in jobs:
            by_workspace[job.workspace_id].append(job.subject_id)
        deliveries = [
            (workspace_id, delivery)
            for workspace_id, ids in by_workspace.items()
            for delivery in await queries.get_webhook_deliveries(
                self._database, workspace_id=workspace_id, ids=ids
            )
        ]
        failures = filter(None, await side_by_side(starmap(self._deliver, deliveries)))
        if failure := next(failures, None):
            raise JobFailed(failure)

    async def _deliver(self, workspace_id: str, delivery: queries.GetWebhookDeliveriesRow) -> str | None:
        """Send one and note what became of it; return why it failed."""
        body = body_of(
            id_=delivery.id,
            type_=delivery.type,
            workspace_id=workspace_id,
            occurred_at=delivery.occurred_at,
            data=delivery.data,
        )
        now = self._clock.now()
        headers = {
            "content-type": "application/json",
            "user-agent": "Recollect-Webhooks",
            **signed_headers(delivery.secret, delivery.id, body, now),
        }
        failure: str | None = None
        try:
            await self._sender.send(delivery.url, headers, body)
        except DeliveryFailed as error:
            failure = str(error)
        noted: dict[str, Any] = (
            {"last_delivered_at": now} if failure is None else {"last_failed_at": now, "last_error": failure}
        )
        await queries.settle_webhook_delivery(
            self._database,
            workspace_id=workspace_id,
            id=delivery.id,
            properties=noted,
            is_delivered=failure is None,
        )
        return failure
