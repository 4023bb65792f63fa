"""Times in their stored form."""

from datetime import MAXYEAR, UTC, datetime, timedelta

from graph.core.errors import InvalidInput

_TICK = timedelta(microseconds=1)


class Beginning(datetime):
    """The first moment of a year, month, week or day that a text names.

    Attributes:
        length: Time from the first moment to the last.
    """

    length: timedelta = timedelta()

    @classmethod
    def of(cls, first: datetime, last: datetime) -> "Beginning":
        """Return the beginning of an interval, with its length."""
        beginning = cls.combine(first.date(), first.timetz())
        beginning.length = last - first
        return beginning


def last_moment(moment: datetime) -> datetime:
    """Return the last moment of a year, month, week or day; return other times unchanged."""
    return _exactly(moment) + moment.length if isinstance(moment, Beginning) else moment


def in_utc(field: str, moment: datetime | None) -> datetime | None:
    """Return a time in UTC; a time without an offset counts as UTC.

    Raises:
        InvalidInput: In UTC the time is before the year 1 or after the year 9999.
    """
    if moment is None:
        return None
    try:
        exact = _exactly(moment)
        return exact.replace(tzinfo=UTC) if exact.tzinfo is None else exact.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"{field} must lie in the years 1 to 9999 of UTC") from None


def period_in_utc(
    since: datetime | None, until: datetime | None, *, excludes_until: bool = False
) -> tuple[datetime | None, datetime | None]:
    """Return the bounds of a time filter in UTC.

    For a year, month, week or day, ``since`` means its beginning and ``until`` its end.

    Args:
        since: First time of the period, inclusive.
        until: Last time of the period.
        excludes_until: True if ``until`` is exclusive.

    Raises:
        InvalidInput: A bound cannot be stored, or ``until`` is before ``since``.
    """
    last = None if until is None else last_moment(until)
    if excludes_until and isinstance(until, Beginning) and last is not None and last.year < MAXYEAR:
        last += _TICK
    start, end = in_utc("since", since), in_utc("until", last)
    if start is not None and end is not None and end < start:
        raise InvalidInput("until", "until must not be before since")
    return start, end


def _exactly(moment: datetime) -> datetime:
    """Return a plain datetime without length, because the driver accepts no subclass."""
    return datetime.combine(moment.date(), moment.timetz())
