"""Network port of webhooks."""

from collections.abc import Mapping
from typing import Protocol


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
