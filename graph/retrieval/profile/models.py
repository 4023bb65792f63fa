"""Shapes of profiles."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from pydantic import field_validator

from graph.core.models import Frozen

DEFAULT_TOKENS = 1000
"""Token budget of a profile whose caller names none."""


class ProfileSection(StrEnum):
    """Section of a profile, in the order of its text."""

    SLOT = "slot"
    PREFERENCE = "preference"
    PROJECT = "project"
    PERSON = "person"


class Mention(Frozen):
    """A project or person that a fact mentions."""

    id: str
    name: str
    type: str


class Successor(Frozen):
    """A live memory that took the place of a fact.

    Attributes:
        by: ``slot`` where a newer statement closed it; None: somebody said so.
        key: Key of that slot.
    """

    by: str | None
    key: str | None


class ProfileFact(Frozen):
    """A memory as profiles read it.

    Attributes:
        slot_keys: Keys of the slots that it speaks of.
        is_standing: Whether it belongs into every context.
        has_ended: Whether its validity is over.
        is_closed: Whether newer statements ended it.
        is_opened: Whether somebody has opened it again since.
    """

    id: str
    content: str
    speaker: str | None
    user_id: str | None
    agent_id: str | None
    timestamp: datetime
    t_valid: datetime | None
    version: int
    source_type: str
    source_conversation_id: str | None
    source_message_id: str | None
    slot_keys: tuple[str, ...] = ()
    importance: float = 0.5
    has_ended: bool = False
    is_closed: bool = False
    is_opened: bool = False
    closings: tuple[Successor, ...] = ()
    is_standing: bool = False
    is_preference: bool = False
    mentions: tuple[Mention, ...] = ()

    @field_validator("slot_keys", mode="before")
    @classmethod
    def _absent_is_empty(cls, value: object) -> object:
        return () if value is None else value

    @property
    def date(self) -> datetime:
        """Start of its validity, or else the time of the statement."""
        return self.t_valid or self.timestamp

    @property
    def is_current(self) -> bool:
        """Whether it holds, and nothing took its place."""
        return not (self.has_ended or any(each.by is None or self.is_closed for each in self.closings))

    @property
    def closed_keys(self) -> frozenset[str]:
        """Keys of slots that newer statements closed, although the memory may hold as a whole."""
        return frozenset(each.key for each in self.closings if each.key and not self.is_opened)


class ProfileEntry(Frozen):
    """One fact of a profile with its source.

    Attributes:
        slots: Slots that it fills, such as ``home``; empty in other sections.
        name: Name of the project or person.
        text: Text of the fact for a model to read.
        date: Start of its validity, or else the time of the statement.
        is_dated: Whether the text ends with its date.
    """

    section: ProfileSection
    slots: tuple[str, ...] = ()
    name: str | None = None
    text: str
    date: datetime
    is_dated: bool = False
    memory_id: str
    source_type: str
    source_conversation_id: str | None = None
    source_message_id: str | None = None


class Profile(Frozen):
    """Who a user is.

    Attributes:
        user_id: None: what belongs to no user.
        text: The entries for a model to read, within the token budget; empty for none.
        left_out: Number of entries that exceed the budget.
    """

    user_id: str | None
    entries: tuple[ProfileEntry, ...] = ()
    text: str = ""
    tokens: int = 0
    left_out: int = 0

    @cached_property
    def etag(self) -> str:
        """Hash of the profile, which changes only when its facts do."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:32]


SLOTS: Mapping[str, tuple[str, str]] = {
    "home": ("Home", "住处"),
    "employer": ("Employer", "工作单位"),
    "role": ("Role", "职业"),
    "spouse": ("Spouse", "配偶"),
    "phone": ("Phone", "电话"),
    "e-mail": ("E-mail", "邮箱"),
}
"""Slots of a user in the order of a profile, with their labels in English and Chinese."""
