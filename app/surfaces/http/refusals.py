"""Error responses of the REST routes, as the OpenAPI document describes them."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from litestar.openapi.datastructures import ResponseSpec
from pydantic import BaseModel, ConfigDict

from graph.core.errors import RecollectError


class Refusal(BaseModel):
    """Error message, and the field that caused it, if there is one."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [{"error": "limit must be between 1 and 100, got 500", "field": "limit"}]
        },
    )

    error: str
    field: str | None


class AutoMemRefusal(Refusal):
    """The same, with a copy of the message where AutoMem's client reads it."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "error": "limit must be between 1 and 50, got 500",
                    "field": "limit",
                    "message": "limit must be between 1 and 50, got 500",
                }
            ]
        },
    )

    message: str


class OpenAIError(BaseModel):
    """The object under ``error`` in OpenAI's protocol."""

    model_config = ConfigDict(frozen=True)

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAIRefusal(BaseModel):
    """Error response of the chat proxy's routes."""

    model_config = ConfigDict(frozen=True)

    error: OpenAIError


BODY: Final = "body"
"""The option by which a route that reads its body itself names the media type of it."""
REASONS: Final[Mapping[int, str]] = {
    400: "A field is missing or has a value it cannot have, or the body cannot be read.",
    401: "There is no valid credential.",
    403: "The credential does not allow it.",
    404: "There is none, or it is in another workspace.",
    408: "The body did not come in time.",
    409: "What is asked contradicts what is stored.",
    413: "The body is larger than the route takes.",
    415: "The body is compressed or otherwise encoded; it must come as it is.",
    429: "Too many requests; `Retry-After` tells when to come back.",
    503: "The graph does not answer; `Retry-After` tells when to come back.",
}
"""Meaning of an error, by its status."""
NOTHING_OF_THAT_ID: Final = {404: ResponseSpec(Refusal, description=REASONS[404], generate_examples=False)}
"""The answer of routes whose body or parameters, and not whose path, name a thing that may not be there."""


def reasons_of(
    *, has_key: bool, has_parameters: bool, has_body: bool, changes: bool, names_something: bool
) -> list[int]:
    """Return the statuses a route may refuse with.

    Args:
        has_key: Whether it needs a credential.
        has_parameters: Whether it reads parts of the address or headers.
        has_body: Whether it reads a body, which can be invalid.
        changes: Whether it changes data, which can conflict with stored data.
        names_something: Whether its path names an object that may not exist.
    """
    statuses = [429, 503]
    statuses += [400] if has_parameters or has_body else []
    statuses += [401, 403] if has_key else []
    statuses += [404] if names_something else []
    statuses += [408, 413, 415] if has_body else []
    statuses += [409] if changes else []
    return sorted(statuses)


@contextmanager
def named_as(names: Mapping[str, str]) -> Iterator[None]:
    """Rename the field of an error that leaves the block, in its message too.

    Args:
        names: The dialect's name of a field, by the engine's name; others stay unchanged.
    """
    try:
        yield
    except RecollectError as error:
        spoken = names.get(error.field or "")
        if error.field and spoken:
            error.message = re.sub(rf"(?<!\w){re.escape(error.field)}(?!\w)", spoken, error.message)
            error.field = spoken
        raise
