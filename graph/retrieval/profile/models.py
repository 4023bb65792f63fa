"""Models of profiles."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from pydantic import field_validator

from graph.core.models import Frozen

DEFAULT_TOKENS = 1000
"""Default token budget of a profile."""


class ProfileSection(StrEnum):
    """Section of a profile, in the order of its text."""

    SLOT = "slot"
    PREFERENCE = "preference"
    PROJECT = "project"
    PERSON = "person"


class MentionedEntity(Frozen):
    """A project or person that a fact mentions."""

    id: str
    name: str
    type: str


class Supersession(Frozen):
    """The edge from a fact to a live memory that supersedes it.

    Attributes:
        by: ``slot`` if a newer statement of the slot closed the fact; None: a caller created the edge.
        key: Key of that slot.
    """

    by: str | None
    key: str | None


class ProfileFact(Frozen):
    """The properties of a memory that profiles use.

    Attributes:
        slot_keys: Keys of the slots that it states values of.
        is_standing: True if it belongs into every context.
        has_ended: True if its validity has ended.
        is_closed: True if newer statements ended it.
        is_opened: True if somebody reopened it afterwards.
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
    closings: tuple[Supersession, ...] = ()
    is_standing: bool = False
    is_preference: bool = False
    mentions: tuple[MentionedEntity, ...] = ()

    @field_validator("slot_keys", mode="before")
    @classmethod
    def _absent_is_empty(cls, value: object) -> object:
        return () if value is None else value

    @property
    def date(self) -> datetime:
        """Start of its validity; else the time of the statement."""
        return self.t_valid or self.timestamp

    @property
    def is_current(self) -> bool:
        """True if it is valid and not superseded."""
        return not (self.has_ended or any(each.by is None or self.is_closed for each in self.closings))

    @property
    def closed_keys(self) -> frozenset[str]:
        """Keys of its slots that newer statements closed; its other slots may still be valid."""
        return frozenset(each.key for each in self.closings if each.key and not self.is_opened)


class ProfileEntry(Frozen):
    """One fact of a profile with its source.

    Attributes:
        slots: Slots of the entry, such as ``home``; empty in other sections.
        name: Name of the project or person.
        text: Text of the fact for models.
        date: Start of its validity; else the time of the statement.
        is_dated: True if the text ends with its date.
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
    """Profile of a user.

    Attributes:
        user_id: User; None: memories without a user.
        text: The entries as text for models, within the token budget; empty for none.
        left_out: Number of entries that exceed the budget.
    """

    user_id: str | None
    entries: tuple[ProfileEntry, ...] = ()
    text: str = ""
    tokens: int = 0
    left_out: int = 0

    @cached_property
    def etag(self) -> str:
        """Hash of the profile; it changes only with its facts."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:32]


SLOTS: Mapping[str, tuple[str, str]] = {
    "home": ("Home", "住处"),
    "employer": ("Employer", "工作单位"),
    "role": ("Role", "职业"),
    "manager": ("Manager", "上级"),
    "spouse": ("Spouse", "配偶"),
    "phone": ("Phone", "电话"),
    "e-mail": ("E-mail", "邮箱"),
}
"""Slots of a profile in their order, with labels in English and Chinese."""
