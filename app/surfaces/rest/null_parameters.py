"""Refuses ``null`` in an address: Litestar treats it as an omitted parameter, which would ignore a filter."""

from functools import cache
from typing import Any

from litestar import Request
from litestar.handlers import BaseRouteHandler
from litestar.params import ParameterKwarg

from graph.core.errors import InvalidInput

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
