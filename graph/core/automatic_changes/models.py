"""Shapes of automatic changes."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from pydantic import field_validator
from pydantic.alias_generators import to_camel
from pydantic_core import from_json

from graph.core.models import Frozen

SAVED: Final = "saved"
"""Field of a merged save's entry that holds the fields that were saved."""


class ChangeKind(StrEnum):
    """Kind of an automatic change.

    LEARNT: extraction or distillation saved or changed a memory. MERGED: a save or an entity became part of another.
    CLOSED: a newer statement ended an older one. COMPACTED: a summary or a shorter text replaced memories. ARCHIVED: an
    episode replaced messages. FORGOTTEN: retention or an erasure removed something.
    """

    LEARNT = "LEARNT"
    MERGED = "MERGED"
    CLOSED = "CLOSED"
    COMPACTED = "COMPACTED"
    ARCHIVED = "ARCHIVED"
    FORGOTTEN = "FORGOTTEN"


class SubjectKind(StrEnum):
    """Kind of the changed node."""

    MEMORY = "MEMORY"
    ENTITY = "ENTITY"
    CONVERSATION = "CONVERSATION"
    USER = "USER"


class NewChange(Frozen):
    """A change as its transaction records it.

    Attributes:
        subject_id: Id of the changed node; None where nothing may name it any more.
        rule: Rule that decided, as a short token such as ``slot:home``.
        cause_id: Id of the node that took the subject's place.
        other_ids: Ids of further changed nodes, such as the originals of a summary.
        user_id: Owner of the subject; None: the whole workspace. ``agent_id`` likewise.
        words: Words that decided, cut to 500 characters; None where the source message says them.
        conversation_id: Conversation of that message.
        message_id: Id of that message.
        version: Version of the subject's text after the change.
        before: Fields as they were, under their stored names; None: there was nothing.
        after: The same fields as the change left them.
        count: Number of nodes that it concerns.
        is_final: True if there is nothing to restore.
        job: Kind of the job that did it; None: a request.
    """

    kind: ChangeKind
    subject_id: str | None
    rule: str
    subject_kind: SubjectKind = SubjectKind.MEMORY
    cause_id: str | None = None
    other_ids: tuple[str, ...] = ()
    user_id: str | None = None
    agent_id: str | None = None
    words: str | None = None
    conversation_id: str | None = None
    message_id: str | None = None
    version: int | None = None
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    count: int = 1
    is_final: bool = False
    job: str | None = None

    @classmethod
    def of_messages(
        cls, kind: ChangeKind, conversation_id: str, *, rule: str, count: int, **others: str | None
    ) -> "NewChange":
        """Return the permanent change that took away messages of a conversation."""
        return cls(
            kind=kind,
            subject_kind=SubjectKind.CONVERSATION,
            subject_id=conversation_id,
            rule=rule,
            count=count,
            is_final=True,
            **others,
        )


class AutomaticChange(NewChange):
    """A recorded change.

    Attributes:
        created_at: Time of the change.
        undone_at: Time at which it was undone or ceased to apply; None: it stands.
    """

    id: str
    created_at: datetime
    undone_at: datetime | None = None

    @field_validator("before", "after", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        # Neo4j cannot store maps, so fields are kept as JSON text.
        return from_json(value) if isinstance(value, str) else value

    @field_validator("user_id", "agent_id", mode="before")
    @classmethod
    def _shared_is_nobodys(cls, value: object) -> object:
        return value or None

    @property
    def before_in_camel_case(self) -> dict[str, Any] | None:
        """The fields as they were under the names that surfaces give them."""
        return None if self.before is None else _in_camel_case(self.before)

    @property
    def can_be_undone(self) -> bool:
        """True if the change is in effect and its former state is stored."""
        return self.undone_at is None and not self.is_final


def _in_camel_case(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields under camel-case names; the fields of metadata keep theirs."""
    return {
        to_camel(name): _in_camel_case(value) if name == SAVED else value for name, value in fields.items()
    }
