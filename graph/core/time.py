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


def period_in_utc(since: datetime | None, until: datetime | None) -> tuple[datetime | None, datetime | None]:
    """Return the bounds of a filter in UTC, as :func:`in_utc` takes them.

    Raises:
        InvalidInput: One cannot be stored, or ``until`` is before ``since``.
    """
    start, end = in_utc("since", since), in_utc("until", until)
    if start is not None and end is not None and end < start:
        raise InvalidInput("until", "until must not be before since")
    return start, end
