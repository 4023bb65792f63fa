"""Validates webhook URLs and signs payloads."""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Protocol
from urllib.parse import urlsplit

from graph.core.errors import InvalidInput


class DeliveryFailed(Exception):
    """Raised when an address did not take a delivery; its text holds no answer of the server."""


class WebhookSender(Protocol):
    """Sends bodies to addresses."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> None:
        """Post a body.

        Raises:
            DeliveryFailed: The address may not be connected to, does not answer in time, or answers other than 2xx.
        """
        ...


MOST_WEBHOOKS = 20
"""Maximum number of webhooks in a workspace."""
_MOST_URL_CHARS = 2048
_SECRET_PREFIX = "whsec_"  # noqa: S105 - what secrets begin with, as Standard Webhooks has it
_SECRET_BYTES = 32
_EMBEDDING = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""Prefixes before an IPv4 address that is connected to (RFC 6052, RFC 4291)."""


def validated_url(url: str, *, allow_private: bool) -> str:
    """Return an address that a webhook may have.

    A name is resolved when it is connected to, and refused then if it leads to a private address.

    Raises:
        InvalidInput: It is none.
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
        stated = "an address with '@'" if "@" in url else repr(url[:100])  # a password is repeated to nobody
        raise InvalidInput("url", f"url must begin with {expected} and name a host, in ASCII, got {stated}")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise InvalidInput("url", "url must hold no user, password or fragment: deliveries are signed")
    if not allow_private and is_local_name(host or ""):
        raise InvalidInput("url", f"url must not lead to a private address, which {host} is")
    return url


def is_local_name(host: str) -> bool:
    """Tell whether a host is, without being resolved, this machine or a private address."""
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
        ValueError: It is no IP address.
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
    """Return the headers of a delivery, as Standard Webhooks has them.

    The signature is HMAC-SHA256 over ``id.timestamp.body``, keyed with the bytes behind the secret's prefix.
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
    """Return the payload of an event: the same bytes each time."""
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
        InvalidInput: There is none.
    """
    if not events:
        raise InvalidInput("events", "events must name at least one event")
    return sorted({str(event) for event in events})
