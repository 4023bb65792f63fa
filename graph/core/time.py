"""Moments as they are stored."""

from datetime import UTC, datetime


def in_utc(moment: datetime | None) -> datetime | None:
    """Return the moment in UTC; one without an offset is taken as UTC."""
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
