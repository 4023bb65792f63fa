"""Shapes of webhooks."""

from datetime import datetime
from enum import StrEnum

from graph.core.models import Frozen, Occurred


class WebhookEvent(StrEnum):
    """Events of webhooks."""

    MEMORY_SAVED = Occurred.MEMORY_SAVED
    MEMORY_UPDATED = Occurred.MEMORY_UPDATED
    MEMORY_DELETED = Occurred.MEMORY_DELETED
    PATTERN_PROMOTED = Occurred.PATTERN_PROMOTED
    JOB_FAILED = Occurred.JOB_FAILED


TEST_EVENT = "webhook.test"
"""Event type of ``testWebhook``, for any subscription."""


class Webhook(Frozen):
    """An address that receives what happens in a workspace, without the secret that signs it.

    Attributes:
        last_error: Why the last delivery that failed did; None where none has failed yet.
    """

    id: str
    workspace_id: str
    url: str
    events: tuple[WebhookEvent, ...]
    description: str | None = None
    created_at: datetime
    last_delivered_at: datetime | None = None
    last_failed_at: datetime | None = None
    last_error: str | None = None
