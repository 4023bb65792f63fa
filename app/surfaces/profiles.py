"""Shapes of a profile that REST and tools answer with."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from graph.retrieval.profile.models import ProfileSection


class ProfileEntryObject(BaseModel):
    """A current fact with its source.

    Attributes:
        slots: Slots that it fills, such as `home`; empty in other sections.
        name: Name of the project or person.
        date: Start of its validity, or else the time of the statement.
    """

    model_config = ConfigDict(frozen=True)

    section: ProfileSection
    slots: tuple[str, ...]
    name: str | None
    text: str
    date: datetime
    memory_id: str
    source_type: str
    source_conversation_id: str | None
    source_message_id: str | None


class ProfileFields(BaseModel):
    """Fields of a profile."""

    user_id: str | None
    text: str
    entries: tuple[ProfileEntryObject, ...]
    tokens: int
    left_out: int
