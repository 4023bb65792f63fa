"""Use cases of webhooks, and their delivery."""

import base64
import hashlib
import hmac
import json
import secrets
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from itertools import starmap
from typing import Any, Protocol
from urllib.parse import urlsplit

import structlog

from graph.core.background import side_by_side
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput, LimitExceeded, NotFound, Unavailable
from graph.core.ids import new_id
from graph.core.jobs import JobFailed
from graph.core.models import JobKind, Occurrence
from graph.core.ports import Clock, WakeUp
from graph.core.queries import ClaimJobsRow, enqueue_jobs
from graph.core.rows import Runner
from graph.core.text.checks import short_name
from graph.operations import queries
from graph.operations.models import TEST_EVENT, Webhook, WebhookEvent


class DeliveryFailed(Exception):
    """Raised if a delivery failed; its message does not contain the server's response."""


class WebhookSender(Protocol):
    """Sends bodies to addresses."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        """Post a body.

        Raises:
            DeliveryFailed: The address is not allowed, does not answer in time, or answers with a status other than
                2xx.
        """
        ...


MOST_WEBHOOKS = 20
"""Maximum number of webhooks in a workspace."""
_MOST_URL_CHARS = 2048
_SECRET_PREFIX = "whsec_"  # noqa: S105 - what secrets begin with, as Standard Webhooks has it
_SECRET_BYTES = 32
_EMBEDDING = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""IPv6 prefixes of addresses that lead to an embedded IPv4 address (RFC 6052, RFC 4291)."""


def validated_url(url: str, *, allow_private: bool) -> str:
    """Return a valid address for a webhook.

    A host name is resolved at delivery, which fails if the name leads to a private address.

    Raises:
        InvalidInput: The address is not valid.
    """
    expected = "http:// or https://" if allow_private else "https://"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    schemes = ("http", "https") if allow_private else ("https",)
    is_form = host and parts.scheme in schemes and url.isascii() and url.isprintable() and " " not in url
    if not is_form or len(url) > _MOST_URL_CHARS or port == 0:
        stated = "an address with '@'" if "@" in url else repr(url[:100])  # a password stays secret
        raise InvalidInput("url", f"url must begin with {expected} and name a host, in ASCII, got {stated}")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise InvalidInput("url", "url must not contain a user, password or fragment: deliveries are signed")
    if not allow_private and is_local_name(host or ""):
        raise InvalidInput("url", f"url must not lead to a private address, such as {host}")
    return url


def is_local_name(host: str) -> bool:
    """Tell whether a host is this machine or a private address, without resolving names."""
    name = host.rstrip(".").lower()
    try:
        return not is_public(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def is_public(address: str) -> bool:
    """Tell whether an IP address is public, and does not embed a private one.

    >>> is_public("93.184.215.14"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1"), is_public("169.254.169.254")
    (True, False, False, False)

    Raises:
        ValueError: The text is not an IP address.
    """
    found = ip_address(address.split("%", maxsplit=1)[0])
    inner = _embedded(found)
    if inner is not None:
        return is_public(str(inner))
    return found.is_global and not found.is_multicast and not found.is_reserved


def _embedded(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if any(address in network for network in _EMBEDDING):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


def new_secret() -> str:
    """Return ``whsec_`` and 32 random bytes in base64."""
    return _SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def signed_headers(secret: str, id_: str, body: bytes, now: datetime) -> dict[str, str]:
    """Return the headers of a delivery according to Standard Webhooks.

    The signature is HMAC-SHA256 over ``id.timestamp.body``; its key is the bytes after the secret's prefix.
    """
    timestamp = str(int(now.timestamp()))
    key = base64.b64decode(secret.removeprefix(_SECRET_PREFIX))
    digest = hmac.digest(key, f"{id_}.{timestamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": id_,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def body_of(*, id_: str, type_: str, workspace_id: str, occurred_at: datetime, data: str) -> bytes:
    """Return the payload of an event; repeated calls return the same bytes."""
    payload: dict[str, Any] = {
        "id": id_,
        "type": type_,
        "workspaceId": workspace_id,
        "occurredAt": occurred_at.isoformat(),
        "data": json.loads(data),
    }
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def validated_events(events: Sequence[Any]) -> list[str]:
    """Return the types of events once each, in order.

    Raises:
        InvalidInput: There are no events.
    """
    if not events:
        raise InvalidInput("events", "events must name at least one event")
    return sorted({str(event) for event in events})


MOST_WAITING = 10_000
_log = structlog.get_logger("recollect.webhooks")


class Outbox:
    """Buffer of events for webhooks until they are written to the graph; lives as long as the process.

    Buffered events are lost if the process is killed, and so are events beyond 10,000 during an outage of the graph.
    """

    def __init__(self, database: Database, wake_up: WakeUp, clock: Clock) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self._waiting: deque[Occurrence] = deque()
        self._workspaces: set[str] = set()
        self._included: set[str] = set()

    def take(self, occurrence: Occurrence) -> None:
        """Buffer an event; never waits or raises."""
        if occurrence.workspace_id not in self._workspaces:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            _log.warning("webhooks.event_lost", workspace_id=occurrence.workspace_id)
        self._waiting.append(occurrence)

    def include(self, workspace_id: str) -> None:
        """Start recording the events of a workspace."""
        self._workspaces.add(workspace_id)
        self._included.add(workspace_id)

    async def refresh(self) -> None:
        """Read the workspaces with webhooks again, because another process may have created one."""
        self._included = set()
        workspace_ids = await queries.list_webhook_workspaces(self._database)
        # A workspace included during the read may be newer than the result.
        self._workspaces = set(workspace_ids) | self._included

    async def flush(self) -> None:
        """Write the deliveries of waiting events.

        Raises:
            Unavailable: The graph does not answer; unwritten events keep waiting.
        """
        while self._waiting:
            taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), 500))]
            by_workspace: dict[str, list[Occurrence]] = defaultdict(list)
            for occurrence in taken:
                by_workspace[occurrence.workspace_id].append(occurrence)
            try:
                while by_workspace:
                    workspace_id = next(iter(by_workspace))
                    await self.write(
                        workspace_id, await self._events(workspace_id, by_workspace[workspace_id])
                    )
                    del by_workspace[workspace_id]
            finally:
                self._waiting.extendleft([each for left in by_workspace.values() for each in left][::-1])

    async def close(self) -> None:
        """Write the buffered events if the graph answers."""
        try:
            await self.flush()
        except Unavailable:
            _log.warning("webhooks.events_lost", events=len(self._waiting))

    async def write(
        self, workspace_id: str, events: Sequence[Mapping[str, Any]], webhook_id: str | None = None
    ) -> list[str]:
        """Write deliveries with their jobs and return their ids.

        Raises:
            Unavailable: The graph does not answer; nothing was written.
        """
        now = self._clock.now()

        async def work(tx: Runner) -> list[str]:
            ids = await queries.create_webhook_deliveries(
                tx, workspace_id=workspace_id, events=events, webhook_id=webhook_id, now=now
            )
            if ids:
                await enqueue_jobs(
                    tx, workspace_id=workspace_id, kind=JobKind.WEBHOOK, subject_ids=ids, now=now, due_at=now
                )
            return ids

        ids = await self._database.transaction(work)
        if ids:
            await self._wake_up.signal()
        return ids

    async def _events(self, workspace_id: str, occurrences: Sequence[Occurrence]) -> list[dict[str, Any]]:
        ids = sorted({id_ for occurrence in occurrences for id_ in occurrence.memory_ids})
        known: dict[str, dict[str, Any]] = {}
        if ids:
            rows = await queries.describe_memories(self._database, workspace_id=workspace_id, ids=ids)
            known = {row.id: _described(row) for row in rows}
        return [
            {
                "type": occurrence.type.value,
                "occurred_at": occurrence.at,
                "data": json.dumps(_data(occurrence, known), ensure_ascii=False),
                "user_ids": sorted(
                    {known[id_]["userId"] for id_ in occurrence.memory_ids if "userId" in known.get(id_, {})}
                ),
            }
            for occurrence in occurrences
        ]


def _described(row: queries.DescribeMemoriesRow) -> dict[str, Any]:
    fields = {"id": row.id, "key": row.key, "type": row.type, "userId": row.user_id, "agentId": row.agent_id}
    return {name: value for name, value in fields.items() if value}


def _data(occurrence: Occurrence, known: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    if not occurrence.memory_ids:
        return occurrence.data
    memories = [known.get(id_, {"id": id_}) for id_ in occurrence.memory_ids]
    return {**occurrence.data, "memories": memories}


DELIVERED_TOGETHER = 8
"""Number of concurrent deliveries in one worker."""
_DELETED_TOGETHER = 5000
_PARKED_FOR = timedelta(days=7)
_SILENCE = timedelta(seconds=2)
"""Time from which a failed delivery counts as slow, because it delays deliveries to other addresses."""
_PAUSE = timedelta(seconds=30)
"""Pause of a slow address, so that others wait for it at most a third of the time."""


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
        self._paused_until: dict[str, datetime] = {}

    async def create(
        self,
        workspace_id: str,
        *,
        url: str,
        events: Sequence[WebhookEvent],
        description: str | None = None,
    ) -> tuple[Webhook, str]:
        """Register an address; return it with its secret, which no other call returns.

        Other processes record events for it within 5 seconds.

        Raises:
            InvalidInput: The address or an event is not valid.
            LimitExceeded: The workspace already has 20 webhooks.
            NotFound: The workspace does not exist.
        """
        secret = new_secret()
        properties = {
            "id": new_id("whk"),
            "url": validated_url(url, allow_private=self._allow_private),
            "events": validated_events(events),
            "description": short_name("description", description),
            "secret": secret,
            "created_at": self._clock.now(),
        }
        row = await queries.create_webhook(
            self._database, workspace_id=workspace_id, properties=properties, most=MOST_WEBHOOKS
        )
        if row is None:
            raise NotFound(f"there is no workspace {workspace_id!r}", field="workspaceId")
        if row.webhook is None:
            raise LimitExceeded(f"a workspace has at most {MOST_WEBHOOKS} webhooks; delete one first")
        self.outbox.include(workspace_id)
        return row.webhook, secret

    async def list_all(self, workspace_id: str) -> list[Webhook]:
        """Return the webhooks of a workspace, the oldest first."""
        return await queries.list_webhooks(self._database, workspace_id=workspace_id)

    @takes_long
    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Delete a webhook, then its undelivered events in portions; False if there is none.

        Raises:
            Unavailable: The graph does not answer; the call may be repeated, even if the webhook itself is gone.
        """
        deleted = await queries.delete_webhook(self._database, workspace_id=workspace_id, id=id_)
        limit = _DELETED_TOGETHER
        while limit == await queries.delete_deliveries_of_webhook(
            self._database, workspace_id=workspace_id, webhook_id=id_, limit=limit
        ):
            pass
        return deleted is not None

    @takes_long
    async def delete_parked(self) -> None:
        """Delete deliveries of every workspace that were parked a week ago."""
        before, limit = self._clock.now() - _PARKED_FOR, _DELETED_TOGETHER
        while limit == await queries.delete_parked_deliveries(self._database, before=before, limit=limit):
            pass

    async def test(self, workspace_id: str, id_: str) -> str:
        """Deliver an event of the type ``webhook.test`` and return its id.

        Raises:
            NotFound: The webhook does not exist in the workspace.
        """
        data = json.dumps({"webhookId": id_})
        event = {"type": TEST_EVENT, "occurred_at": self._clock.now(), "data": data, "user_ids": []}
        ids = await self.outbox.write(workspace_id, [event], webhook_id=id_)
        if not ids:
            raise NotFound(f"there is no webhook {id_!r} in this workspace", field="id")
        return ids[0]

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Deliver the events of claimed jobs, except delivered ones and those of deleted webhooks.

        Raises:
            JobFailed: A delivery failed; successful ones are not sent again.
            Unavailable: The graph does not answer.
        """
        by_workspace: dict[str, list[str]] = defaultdict(list)
        for job in jobs:
            by_workspace[job.workspace_id].append(job.subject_id)
        deliveries = [
            (workspace_id, delivery)
            for workspace_id, ids in by_workspace.items()
            for delivery in await self._deliverable(workspace_id, ids)
        ]
        failures = filter(None, await side_by_side(starmap(self._deliver, deliveries)))
        if failure := next(failures, None):
            raise JobFailed(failure)

    async def _deliverable(
        self, workspace_id: str, ids: Sequence[str]
    ) -> list[queries.GetWebhookDeliveriesRow]:
        """Return the deliveries to send; deletes those written while their webhook was deleted."""
        found = await queries.get_webhook_deliveries(self._database, workspace_id=workspace_id, ids=ids)
        left = sorted(set(ids) - {delivery.id for delivery in found})
        if left:
            await queries.delete_webhook_deliveries(self._database, workspace_id=workspace_id, ids=left)
        return found

    async def _deliver(self, workspace_id: str, delivery: queries.GetWebhookDeliveriesRow) -> str | None:
        """Send one delivery and record the result; return the reason if it failed or was not sent."""
        now = self._clock.now()
        if now < self._paused_until.get(delivery.url, now):
            return "not sent: the address kept others waiting a moment ago"
        body = body_of(
            id_=delivery.id,
            type_=delivery.type,
            workspace_id=workspace_id,
            occurred_at=delivery.occurred_at,
            data=delivery.data,
        )
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
            self._pause(delivery.url, since=now)
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

    def _pause(self, url: str, *, since: datetime) -> None:
        """Pause deliveries to an address if it took long to fail."""
        now = self._clock.now()
        if now - since >= _SILENCE:
            self._paused_until = {each: until for each, until in self._paused_until.items() if now < until}
            self._paused_until[url] = now + _PAUSE
