"""Parameters of AutoMem's routes, and their parsing."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import Parameter, ParameterKwarg, QueryParameter

from app.surfaces.http.credentials import OWNER_HEADERS
from graph.core.errors import InvalidInput
from graph.core.exact import read_untyped_time
from graph.core.ids import is_own_memory_id
from graph.memories.tags import normalize_tag_list

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


_OF_LITESTAR = frozenset({"self", "request", "state", "data"})
_DIVIDED = "Repeated, or divided by commas"
_MOST_TAGS: Final = 100
_FOUND = f"{_DIVIDED}; `slack` finds `slack:channel:general` too."

SPOKEN: Final[Mapping[str, str]] = {
    "allTags": "tags",
    "anyTags": "tags",
    "excludedTags": "exclude_tags",
    "fromId": "memory1_id",
    "lastAccessedAt": "last_accessed",
    "minImportance": "min_importance",
    "tInvalid": "t_invalid",
    "tValid": "t_valid",
    "toId": "memory2_id",
    "updatedAt": "updated_at",
    "validAt": "valid_at",
}
"""AutoMem's names of fields that the engine calls otherwise."""

MemoryId = Annotated[
    str,
    Parameter(
        max_length=128,
        description="The memory's id: a UUID, or `mem_` and 24 letters or digits.",
        schema_extra={"pattern": ID_PATTERN},
    ),
]
GivenTags = Annotated[
    list[str],
    QueryParameter(
        name="tags",
        max_items=_MOST_TAGS,
        description=f"{_FOUND} At least one.",
        schema_extra={"contains": Schema(type=OpenAPIType.STRING, pattern=r"[^\s,]")},
    ),
]
MaybeTags = Annotated[list[str] | None, QueryParameter(name="tags", max_items=_MOST_TAGS, description=_FOUND)]
ExcludedTags = Annotated[
    list[str] | None, QueryParameter(name="exclude_tags", max_items=_MOST_TAGS, description=f"{_DIVIDED}.")
]
Moment = Annotated[
    str | None,
    Parameter(
        max_length=64,
        description="A time in ISO 8601, UTC without an offset, or seconds or milliseconds since 1970.",
        schema_extra={"format": "date-time"},
    ),
]
Offset = Annotated[int, Parameter(ge=0, le=10_000, description="How many are passed over.")]


def refuse_unknown_parameters(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuse a query that names what the route does not take.

    Raises:
        InvalidInput: It does; the error names the first.
    """
    known = {"api_key", *OWNER_HEADERS}
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        if name not in _OF_LITESTAR and name not in connection.path_params:
            known.add((kwarg.name if isinstance(kwarg, ParameterKwarg) else None) or name)
    for name in connection.query_params:
        if name not in known:
            shown = name[:100]
            raise InvalidInput(
                shown, f"there is no parameter {shown!r}; known are {', '.join(sorted(known))}"
            )


def moment(field: str, text: str | None) -> datetime | None:
    """Return the time that a parameter names.

    Raises:
        InvalidInput: It names none.
    """
    if text is None:
        return None
    try:
        return read_untyped_time(text)
    except ValueError as error:
        raise InvalidInput(field, f"{field}: {error}") from None


def tags_in(given: list[str]) -> tuple[str, ...]:
    """Return the tags of parameters that were repeated or divided by commas."""
    return tuple(tag for each in given for tag in normalize_tag_list(each))
