"""Statements about slots, which hold one value at a time, and their changes.

The slots, verbs and wordings lie in ``english.toml`` and ``chinese.toml``, one table for each language.
"""

from datetime import date
from functools import lru_cache

from graph.core.text.language import contains_cjk, is_chinese
from graph.memories.changes.chinese import statements_in_chinese
from graph.memories.changes.english import statements_in_english
from graph.memories.changes.slots import SlotStatement, is_block, town_of
from graph.memories.deduplication.attributes import is_known_place, lies_elsewhere, may_be_one_place

_UNMARRIED = {"single", "divorced"}
_OF_KINDS = frozenset(("phone", "e-mail", "version", "project"))
_MOST_CHARS = 400  # what is longer is a document rather than a statement


@lru_cache(maxsize=4096)
def slot_statements(text: str, *, said_on: date | None = None) -> tuple[SlotStatement, ...]:
    """Return the statements of a text about slots, at most one for each subject and slot.

    Args:
        text: As said ("I moved to Berlin") or as extraction writes it ("The user moved to Berlin").
        said_on: Day on which it was said; dates such as "last year" count from it.
    """
    if len(text) > _MOST_CHARS:
        return ()
    if is_chinese(text):
        return tuple(statements_in_chinese(text, said_on))
    if contains_cjk(text):
        return ()
    return tuple(statements_in_english(text, said_on))


def closes(newer: SlotStatement, older: SlotStatement, *, older_said_on: date | None = None) -> bool:
    """Return whether a newer statement ends the state that an older one tells.

    Args:
        newer: The statement that was said later.
        older: The statement that was said earlier.
        older_said_on: Day on which it was said: a change before that day does not end it.
    """
    if (newer.slot, newer.subject) != (older.slot, older.subject) or older.value is None or newer.is_weak:
        return False
    if newer.until is not None and older_said_on is not None and newer.until < older_said_on:
        return False
    if older.is_weak and not newer.is_change:
        return False
    if newer.value is None:
        return newer.ended is None or _is_ended(newer, newer.ended, older.value)
    return not _may_both_hold(newer, newer.value, older, older.value)


def _may_both_hold(newer: SlotStatement, value: str, older: SlotStatement, former: str) -> bool:
    """Return whether two values of a slot may hold at a time."""
    if newer.slot in _OF_KINDS and _is_other_kind(newer, older):
        return newer.of != "renamed" or not _is_part(newer.ended or "", former)
    if newer.slot == "spouse" and {value, former} == _UNMARRIED:
        return True
    if newer.slot == "spouse" and _is_part(value, former):
        return not (newer.is_change and older.of and newer.of != older.of)
    if newer.slot == "role" and newer.is_change:
        return value == former
    if newer.slot == "home":
        return _is_part(value, former) or _may_be_one_home(newer, value, former)
    return _is_part(value, former)


def _is_ended(newer: SlotStatement, ended: str, former: str) -> bool:
    """Return whether the end of a value is that of a former one; a piece of work is named by its first or last word."""
    if newer.slot != "project" or contains_cjk(former):
        return _is_part(ended, former)
    words, named = former.split(), set(ended.split())
    return named <= set(words) and (bool(newer.of) or not named.isdisjoint((words[0], words[-1])))


def _is_part(one: str, other: str) -> bool:
    """Return whether one of two values has all the words of the other."""
    first, second = set(one.replace(",", " ").split()), set(other.replace(",", " ").split())
    if first <= second or second <= first:
        return True
    return contains_cjk(one) and (one in other or other in one)


def _is_other_kind(newer: SlotStatement, older: SlotStatement) -> bool:
    """Return whether both values may hold at a time: those of other products, a landline beside a mobile."""
    if newer.of == older.of:
        return False
    return bool(newer.of and older.of) or not newer.is_change or (bool(newer.of) and newer.slot != "version")


def _may_be_one_home(newer: SlotStatement, value: str, former: str) -> bool:
    """Return whether one of two places may lie in the other.

    A place that is not known may lie in one that is, unless somebody moves there; a block of flats lies in any.
    """
    place, before = town_of(value), town_of(former)
    is_known = is_known_place(place) and not is_block(place)
    was_known = is_known_place(before) and not is_block(before)
    if newer.ended is not None or newer.of == "abroad":
        return place == before
    if is_known and was_known:
        return may_be_one_place(place, before) and not (newer.is_change and lies_elsewhere(place, before))
    return (is_block(value) or not newer.is_change) and is_known != was_known
