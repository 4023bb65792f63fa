"""Computes the timeline of a slot: which statement is current, and which newer one closed each older one."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pydantic import field_validator

from graph.core.models import Frozen
from graph.core.scope import SHARED
from graph.memories.changes.questions import AskedSlot
from graph.memories.changes.slots import SELF, SlotStatement
from graph.memories.changes.statements import ending_words, says_more, slot_statements

_SEPARATOR = "\x1f"
_KEY_CHARS = 32
# The user's role stands for the user in every conversation; other roles state nothing about themselves.
_PEOPLE = frozenset({"user", "human"})
OTHER_PARTS = frozenset({"assistant", "system", "tool"})
"""Speakers, in lower case, whose statements are never about a slot."""


class Closing(Frozen):
    """An edge from a memory to the newer one that closed it for a slot.

    Attributes:
        key: Key of the slot.
        at: Start of the newer memory's validity.
    """

    id: str
    key: str
    newer_id: str
    at: datetime


class Member(Frozen):
    """A memory that states, or stated in an earlier text, a value of a slot.

    Attributes:
        t_invalid: End of its validity, set by a caller or a newer statement.
        slot_closed_at: End set by newer statements; if it differs from ``t_invalid``, a caller has set the end.
        slot_keys: Keys of its slots, including those of an earlier text.
        state_keys: Keys of the slots of which it states a value.
        slot_refused: Ids of newer memories that must not close it again, because somebody reopened it.
    """

    id: str
    content: str
    speaker: str | None
    user_id: str | None
    agent_id: str | None
    timestamp: datetime
    created_at: datetime
    t_valid: datetime | None
    t_invalid: datetime | None
    slot_closed_at: datetime | None
    slot_keys: tuple[str, ...] = ()
    state_keys: tuple[str, ...] = ()
    slot_refused: tuple[str, ...] = ()
    closings: tuple[Closing, ...] = ()

    @field_validator("slot_keys", "state_keys", "slot_refused", mode="before")
    @classmethod
    def _absent_is_empty(cls, value: object) -> object:
        return () if value is None else value

    @property
    def is_decided(self) -> bool:
        """True if a caller set or cleared its end."""
        return self.t_invalid != self.slot_closed_at

    @property
    def holds_from(self) -> datetime:
        """Start of its validity: the later of ``timestamp`` and ``t_valid``."""
        return max(self.timestamp, self.t_valid or self.timestamp)


@dataclass(frozen=True)
class Drawn:
    """An edge to create: the newer memory, its words that close the older one, and the older one's words."""

    newer_id: str
    slot: str
    key: str
    words: str
    ended: str
    at: datetime


@dataclass(frozen=True)
class Settlement:
    """New state of a member.

    Attributes:
        closed_at: End set by newer statements; None if there is none, or if a caller has decided.
        changes_validity: True if its validity changes.
        slot_refused: Ids of newer memories that must not close it again.
        drawn: Edges to create.
        dropped: Ids of edges to delete.
    """

    member: Member
    slot_keys: tuple[str, ...]
    state_keys: tuple[str, ...]
    slot_refused: tuple[str, ...]
    closed_at: datetime | None
    changes_validity: bool
    drawn: tuple[Drawn, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """True if it differs from the stored state."""
        known = self.member
        noted = (known.slot_keys, known.state_keys, known.slot_refused, known.slot_closed_at)
        is_noted = (self.slot_keys, self.state_keys, self.slot_refused, self.closed_at) == noted
        return bool(self.changes_validity or self.drawn or self.dropped or not is_noted)


class StatedSlots(Frozen):
    """Slots of which a memory states a value, with their owner."""

    speaker: str | None
    user_id: str | None
    agent_id: str | None
    state_keys: tuple[str, ...]

    def has(self, asked: AskedSlot) -> bool:
        """Tell whether the memory states a value of a slot, for the user or for the person that the question names."""
        speaker = (self.speaker or "").casefold()
        is_users = speaker in ("", *_PEOPLE, (self.user_id or "").casefold())
        subjects = {asked.subject} if is_users or asked.subject != SELF else set()
        if speaker and speaker == asked.subject:
            subjects.add(SELF)
        owner = _owner_of(self)
        return any(_key(owner, subject, asked.slot) in self.state_keys for subject in subjects)


class Owned(Protocol):
    """A statement with its owner: a memory or a draft."""

    @property
    def content(self) -> str:
        """Text of the statement."""

    @property
    def speaker(self) -> str | None:
        """Speaker, by name or role."""

    @property
    def user_id(self) -> str | None:
        """User that owns it."""

    @property
    def agent_id(self) -> str | None:
        """Agent that owns it."""

    @property
    def timestamp(self) -> datetime | None:
        """Time of the statement."""


def slots_of(memory: Owned) -> dict[str, SlotStatement]:
    """Return the last statement of a memory about each slot, by key; empty for an assistant's memory.

    A key is a hash of owner, subject and slot; it has only letters and digits.
    """
    if (memory.speaker or "").lower() in OTHER_PARTS:
        return {}
    owner = _owner_of(memory)
    stated_on = memory.timestamp.date() if memory.timestamp else None
    own_names = tuple(sorted({name for name in (memory.speaker, memory.user_id) if name}))
    return {
        _key(owner, each.subject, each.slot): each
        for each in slot_statements(memory.content, stated_on=stated_on, own_names=own_names)
    }


def state_keys(slots: Mapping[str, SlotStatement]) -> tuple[str, ...]:
    """Return the sorted keys of the slots of which a memory states a value; an end has none.

    Args:
        slots: As :func:`slots_of` returns them.
    """
    return tuple(sorted(key for key, stated in slots.items() if stated.value is not None))


def own_keys(memory: Owned, slots: Iterable[str]) -> frozenset[str]:
    """Return the keys of the speaker's own slots, without reading the text of the memory."""
    owner = _owner_of(memory)
    return frozenset(_key(owner, SELF, slot) for slot in slots)


def _owner_of(memory: Owned | StatedSlots) -> Sequence[str]:
    owner = "" if (memory.speaker or "").lower() in _PEOPLE else memory.speaker or ""
    return (owner, memory.user_id or SHARED, memory.agent_id or SHARED)


def _key(owner: Iterable[str], subject: str, slot: str) -> str:
    parts = _SEPARATOR.join([*owner, subject, slot])
    return hashlib.sha256(parts.encode()).hexdigest()[:_KEY_CHARS]


def settlements(members: Sequence[Member], key: str) -> list[Settlement]:
    """Return the changed members of a slot with their new states.

    A statement ends at the time of the next one that closes it, unless a caller has set another end. If a caller has
    cleared an end, the same newer memory does not close that statement again. A memory of several clauses ends with
    its last clause; one that also states something lasting about no slot does not end.
    """
    slots = {each.id: slots_of(each) for each in members}
    stated = {id_: found[key] for id_, found in slots.items() if key in found}
    ordered = sorted(
        (each for each in members if each.id in stated),
        key=lambda each: (each.holds_from, each.created_at, each.id),
    )
    closers = dict(_closers(ordered, stated))
    found = [_settlement(each, key, slots[each.id], closers.get(each.id)) for each in members]
    return [each for each in found if each.is_new]


def _closers(
    ordered: Sequence[Member], stated: Mapping[str, SlotStatement]
) -> Iterator[tuple[str, tuple[Member, str]]]:
    """Yield the id of each closed member, its closer and the words; members come in order of validity."""
    for place, older in enumerate(ordered):
        refused = _refused(older)
        for newer in ordered[place + 1 :]:
            words = (
                None
                if newer.id in refused
                else _ending_words(older, stated[older.id], newer, stated[newer.id])
            )
            if words is not None:
                yield older.id, (newer, words)
                break


def _refused(member: Member) -> tuple[str, ...]:
    is_opened = member.slot_closed_at is not None and member.t_invalid is None
    known = [each.newer_id for each in member.closings] if is_opened else []
    return tuple(sorted({*member.slot_refused, *known}))


def _ending_words(older: Member, state: SlotStatement, newer: Member, change: SlotStatement) -> str | None:
    """Return the words of a newer statement that end an older one; on the same day, only a change ends it."""
    if state.value is None or newer.holds_from <= older.holds_from:
        return None
    is_another_day = newer.holds_from.date() != older.holds_from.date()
    if not (is_another_day or change.is_change):
        return None
    return ending_words(change, state, older_stated_on=older.timestamp.date())


def _settlement(
    member: Member,
    key: str,
    slots: Mapping[str, SlotStatement],
    closer: tuple[Member, str] | None,
) -> Settlement:
    is_known = closer is not None and _is_known_end(member, key, slots, closer[0])
    is_callers = member.t_invalid is not None and member.is_decided and not is_known
    is_opened = member.t_invalid is None and member.is_decided
    allowed = None if is_callers or closer is None else closer
    standing = [] if is_opened else [each for each in member.closings if each.key in {*slots, key}]
    remaining = [each for each in standing if each.key != key or (allowed and _says(each, allowed[0]))]
    drawn: tuple[Drawn, ...] = ()
    if allowed is not None and not any(each.key == key for each in remaining):
        newer, words = allowed
        drawn = (Drawn(newer.id, slots[key].slot, key, words, slots[key].words, newer.holds_from),)
    ends = {each.key: each.at for each in remaining} | {each.key: each.at for each in drawn}
    closed_at = None if is_callers else _end_of_all(member, slots, ends)
    gone = {each.id for each in member.closings} - {each.id for each in remaining}
    return Settlement(
        member,
        tuple(sorted(slots)),
        state_keys(slots),
        _refused(member),
        closed_at,
        changes_validity=not is_callers and closed_at != member.t_invalid,
        drawn=drawn,
        dropped=tuple(sorted(gone)),
    )


def _is_known_end(member: Member, key: str, slots: Mapping[str, SlotStatement], newer: Member) -> bool:
    """Tell whether a memory was saved with the same end that a newer one gives it, as a restored export is."""
    is_unsettled = member.t_invalid is not None and member.slot_closed_at is None
    ends = {each.key: each.at for each in member.closings} | {key: newer.holds_from}
    return is_unsettled and _end_of_all(member, slots, ends) == member.t_invalid


def _says(closing: Closing, newer: Member) -> bool:
    return closing.newer_id == newer.id and closing.at == newer.holds_from


def _end_of_all(
    member: Member, slots: Mapping[str, SlotStatement], ends: Mapping[str, datetime]
) -> datetime | None:
    """Return the time at which the last part of a memory ended, or None if a part is still valid.

    A part ends when the first of its slots is closed. Statements of an end have no value and do not count.
    """
    parts: dict[int, list[datetime]] = {}
    for key, stated in slots.items():
        if stated.value is not None:
            closed = parts.setdefault(stated.part, [])
            closed += [ends[key]] if key in ends else []
    if not parts or not all(parts.values()) or says_more(member.content, slots.values()):
        return None
    return max(map(min, parts.values()))
