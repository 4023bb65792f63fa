"""Statements about slots: what somebody or something can have only one of at a time, and what of it changes.

The slots, verbs and wordings lie in ``english.toml`` and ``chinese.toml``, one table for each language.
"""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class SlotStatement:
    """A clause that states the value of a slot, or that a value has ended.

    Attributes:
        slot: Name of the slot: ``home``, ``employer``, ``port`` …
        subject: Person or thing that has the value, in canonical form; ``~self`` is the user.
        value: The value in canonical form; None if the state ended without a successor.
        words: The words of the text that say so.
        is_change: Whether the words tell a change ("moved to") rather than a state ("lives in").
        of: Kind of the value, where known: the product of a version, the relationship of a spouse, a landline.
        ended: The former value in canonical form, where the words name it.
        until: Last day on which the change can have happened, where the words tell it.
        part: Number of the clause. Statements of one part are one proposition: it is over once one of them is.
    """

    slot: str
    subject: str
    value: str | None
    words: str
    is_change: bool
    of: str = ""
    ended: str | None = None
    until: date | None = None
    part: int = 0


def slot_statements(text: str, *, said_on: date | None = None) -> tuple[SlotStatement, ...]:
    """Return the statements of a text about slots, at most one for each subject and slot.

    Args:
        text: As said ("I moved to Berlin") or as extraction writes it ("The user moved to Berlin").
        said_on: Day on which it was said; dates such as "last year" count from it.
    """
    del text, said_on
    return ()


def closes(newer: SlotStatement, older: SlotStatement, *, older_said_on: date | None = None) -> bool:
    """Return whether a newer statement ends the state that an older one tells.

    Args:
        newer: The statement that was said later.
        older: The statement that was said earlier.
        older_said_on: Day on which it was said: a change before that day does not end it.
    """
    if (newer.slot, newer.subject) != (older.slot, older.subject) or older.value is None:
        return False
    if newer.until is not None and older_said_on is not None and newer.until < older_said_on:
        return False
    return newer.value != older.value
