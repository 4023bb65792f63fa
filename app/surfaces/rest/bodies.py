"""Refuses bodies that must not be read any further, before anything is done with them.

A body comes as it is: compressed ones are refused, since a few bytes could become gigabytes. JSON is read strictly
where a route takes it (``app/surfaces/http/strict_json.py``).
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
    """Refuse a parameter that is null where no text is expected.

    Raises:
        InvalidInput: One is; the error names it.
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
    """Refuse a null in the address, and a body by its encoding, size or JSON; Litestar calls this before a handler.

    Raises:
        ClientException: It is encoded (415) or larger than the route takes (413).
        InvalidInput: A parameter is null; or the route takes JSON, and it is none, is null, or breaks a rule of
            :func:`read_json`.
    """
    refuse_null(request)
    if request.method not in _METHODS:
        return
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise ClientException(status_code=HTTP_415_UNSUPPORTED_MEDIA_TYPE)
    if "data" in request.route_handler.parsed_fn_signature.parameters:
        body = await request.body()
        if body:  # a route that can do without one takes none
            services: Services = request.app.state.services
            read = await read_body(body, services.core.body_work)
            if read is None:
                raise InvalidInput("body", "body: must be a JSON object, not null")
            if len(body) > LARGE_BYTES:  # what is large is not read twice
                ScopeState.from_scope(request.scope).json = read
