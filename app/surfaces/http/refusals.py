"""Models of error responses for the OpenAPI document, and renaming of fields in errors to a dialect's names."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Final

from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from pydantic import BaseModel, ConfigDict

from graph.core.errors import RecollectError
from graph.operations.services import Services
from graph.tenancy.models import Principal, Scope


class Refusal(BaseModel):
    """An error response: the message, and the field that caused it, if any."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [{"error": "limit must be between 1 and 100, got 500", "field": "limit"}]
        },
    )

    error: str
    field: str | None


class AutoMemRefusal(Refusal):
    """An error response with a copy of the message in the field that AutoMem's client reads."""

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
    """The value of ``error`` in OpenAI's protocol."""

    model_config = ConfigDict(frozen=True)

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAIRefusal(BaseModel):
    """An error response of OpenAI's routes."""

    model_config = ConfigDict(frozen=True)

    error: OpenAIError


BODY: Final = "body"
"""Route option with the media type of a body that the route reads itself."""
REASONS: Final[Mapping[int, str]] = {
    400: "A field is missing or invalid, or the body cannot be read.",
    401: "The request has no valid credential.",
    403: "The credential does not allow the operation.",
    404: "The object does not exist, or belongs to another workspace.",
    408: "The body did not arrive in time.",
    409: "The request conflicts with stored data.",
    413: "The body is larger than the route accepts.",
    415: "The body is compressed or otherwise encoded; send it without Content-Encoding.",
    429: "Too many requests; retry after `Retry-After` seconds.",
    503: "The graph does not answer; retry after `Retry-After` seconds.",
}
"""Descriptions of error responses by status."""
NOTHING_OF_THAT_ID: Final = {404: ResponseSpec(Refusal, description=REASONS[404], generate_examples=False)}
"""Error response of routes whose body or parameters, rather than the path, name an object that may not exist."""


def reasons_of(
    *, has_key: bool, has_parameters: bool, has_body: bool, changes: bool, names_something: bool
) -> list[int]:
    """Return the error statuses of a route.

    Args:
        has_key: Whether the route needs a credential.
        has_parameters: Whether the route has parameters in the URL or headers.
        has_body: Whether the route reads a body, which can be invalid.
        changes: Whether the route changes data, which can conflict with stored data.
        names_something: Whether the path names an object that may not exist.
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
    """Rename the field of an error raised in the block, also in its message.

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


WorkspaceId = Annotated[
    str,
    Parameter(
        max_length=128, description="Id of the key's workspace; an administrator's key may name another."
    ),
]
_SPOKEN: Final = {"workspaceId": "workspace_id"}


async def workspace_in_path(services: Services, principal: Principal, scope: Scope, workspace_id: str) -> str:
    """Return the workspace in a path if the principal has the scope there.

    Raises:
        Forbidden: The key lacks the scope.
        InvalidInput: The id is blank.
        NotFound: The workspace does not exist, or the principal may not see it.
    """
    with named_as(_SPOKEN):
        return await services.tenancy.access.authorize(principal, scope, workspace_id)
