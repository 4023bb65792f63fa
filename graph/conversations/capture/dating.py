"""Dates of messages for language models, and instructions for using them."""

from datetime import datetime

from graph.conversations.capture.models import Message


def relative_times(what: str) -> str:
    """Return the instruction to write dates for relative times.

    Args:
        what: Kind of the objects with a "date" in the prompt, such as ``message``.
    """
    return (
        f'Write a relative time as the date that it means, counted from the "date" of its {what}: "tomorrow" in a '
        f"{what} of 2026-03-04 is 2026-03-05. A date that ends in UTC may be a day off where the user lives: prefer "
        f"what the {what}s say."
    )


def day_of(message: Message) -> str:
    """Return the local day of a message; without a known offset the UTC day, marked as such."""
    return f"{message.day} UTC" if message.utc_offset is None else f"{message.day}"


def utc_day(moment: datetime) -> str:
    """Return the UTC day of a moment in the same form."""
    return f"{moment:%Y-%m-%d} UTC"
