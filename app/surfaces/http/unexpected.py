"""The response to callers after an unexpected error."""

import uuid
from typing import Any

import structlog


def masked(log: structlog.stdlib.BoundLogger, event: str, error: Exception, **noted: Any) -> str:
    """Log an unexpected error and return the sentence that says where, never the error's own text.

    Args:
        log: Of the surface.
        event: Event of the log entry.
        error: Raised error.
        noted: Further fields of the log entry.
    """
    reference = uuid.uuid4().hex[:12]
    log.error(event, reference=reference, exc_info=error, **noted)
    return f"an unexpected error occurred; the log has it under {reference}"
