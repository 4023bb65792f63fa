"""Shapes of conversations."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Message(BaseModel):
    """One thing that was said, as it was said.

    Attributes:
        index: Its place in the session, from 0; None where only its id is known yet.
        content: None where only its id is known yet.
        speaker: A name, or the role where there is no name.
        role: ``user``, ``assistant``, ``system`` or ``tool`` where the speaker is one of these.
        said_at: None where nobody told.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    workspace_id: str
    conversation_id: str
    session_id: str | None = None
    index: int | None = None
    content: str | None = None
    speaker: str | None = None
    role: str | None = None
    said_at: datetime | None = None
    created_at: datetime
