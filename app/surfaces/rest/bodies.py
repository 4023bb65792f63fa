"""Refuses unreadable requests before their handlers run.

Refuses compressed bodies, because a few bytes could expand to gigabytes. Reads JSON bodies strictly, see
``app/surfaces/http/strict_json.py``.
"""

from functools import cache
from typing import Any

from litestar import Request
from litestar.exceptions import ClientException
from litestar.handlers import BaseRouteHandler
from litestar.params import ParameterKwarg
from litestar.status_codes import HTTP_415_UNSUPPORTED_MEDIA_TYPE
from litestar.utils.scope.state import ScopeState

from app.surfaces.http.strict_json import LARGE_BYTES, read_body
from graph.core.errors import InvalidInput
from graph.operations.services import Services

_NULL = "null"


def refuse_null(request: Request[Any, Any, Any]) -> None:
    """Refuse the text "null" for an optional parameter that is not a string, which Litestar would read as None.

    Raises:
        InvalidInput: A parameter is null; the error names it.
    """
    for name, value in request.query_params.multi_items():
        if value.lower() == _NULL and name in _read_as_none(request.route_handler):
            raise InvalidInput(name, f"{name}: must not be null; leave it out instead")


@cache
def _read_as_none(handler: BaseRouteHandler) -> frozenset[str]:
    """Return the optional parameters of a handler that are not strings."""
    found = set()
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        is_text = any(inner.annotation in (str, list[str]) for inner in field.inner_types)
        if isinstance(kwarg, ParameterKwarg) and field.is_optional and not is_text:
            found.add(kwarg.name or name)
    return frozenset(found)


_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


async def refuse_unreadable(request: Request[Any, Any, Any]) -> None:
    """Refuse null parameters, and bodies by encoding, size or JSON; Litestar calls this before a handler.

    Raises:
        ClientException: The body is encoded (415) or larger than the route accepts (413).
        InvalidInput: A parameter is null, or the body is null or no strict JSON.
    """
    refuse_null(request)
    if request.method not in _METHODS:
        return
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise ClientException(status_code=HTTP_415_UNSUPPORTED_MEDIA_TYPE)
    if "data" in request.route_handler.parsed_fn_signature.parameters:
        body = await request.body()
        if body:  # a missing body is valid for some routes
            services: Services = request.app.state.services
            read = await read_body(body, services.core.body_work)
            if read is None:
                raise InvalidInput("body", "body: must be a JSON object, not null")
            if len(body) > LARGE_BYTES:  # keeps Litestar from parsing a large body again
                ScopeState.from_scope(request.scope).json = read
