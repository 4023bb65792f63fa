"""Ids of AutoMem's routes: UUIDs, and the ids of memories that another surface saved."""

import re
from typing import Final

from graph.core.errors import InvalidInput
from graph.core.ids import is_own_memory_id

AN_ID: Final = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
ID_PATTERN: Final = (
    "^([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}|mem_[0-9A-Za-z]{24})$"
)
"""The same as the OpenAPI document says it; :func:`checked_id` is what refuses others."""
_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def uuid_of(id_: str) -> str:
    """Return an id that a caller chose, if it is a UUID in its usual form of 36 characters.

    Raises:
        ValueError: It is none.
    """
    if not _UUID.fullmatch(id_):
        raise ValueError("must be a UUID, such as " + AN_ID)
    return id_


def checked_id(id_: str, *, field: str = "id") -> str:
    """Return the id of a memory, if it may be one on AutoMem's routes.

    Raises:
        InvalidInput: It is neither a UUID nor the id of a memory that another surface saved.
    """
    if not _UUID.fullmatch(id_) and not is_own_memory_id(id_):
        raise InvalidInput(field, f"{field} must be a UUID, such as {AN_ID}, got {id_[:60]!r}")
    return id_
