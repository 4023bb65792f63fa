"""Moments as they are stored."""

from datetime import UTC, datetime

from graph.core.errors import InvalidInput


def in_utc(field: str, moment: datetime | None) -> datetime | None:
    """Return the moment in UTC; one without an offset is taken as UTC.

    Raises:
        InvalidInput: Its offset moves it before the year 1 or behind the year 9999.
    """
    if moment is None:
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"{field} must lie in the years 1 to 9999 of UTC") from None
