"""Bounds that neither Litestar nor pydantic writes into the OpenAPI document as JSON Schema has them."""

from collections.abc import Mapping
from typing import Any, Final

from litestar.handlers import HTTPRouteHandler
from litestar.params import ParameterKwarg

from app.surfaces.rest.texts import SOMETHING

Json = dict[str, Any]

_NULL: Final[Json] = {"type": "null"}
_BOUNDS: Final[Mapping[str, str]] = {
    "ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum",
}  # fmt: skip


def declare_bounds(value: Any) -> None:
    """Give the bounds of numbers their names in JSON Schema, and take away a default that the schema does not take."""
    if isinstance(value, dict):
        for own, name in _BOUNDS.items():
            if isinstance(value.get(own), int | float):
                value[name] = value.pop(own)
        if "default" in value and value["default"] is None and not _may_be_null(value):
            del value["default"]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            declare_bounds(part)


def declare_bounds_of_parameter(parameter: Json, handler: HTTPRouteHandler) -> None:
    """Say of a parameter that it is never null, whether it may be 0, and in a path never blank."""
    _never_null(parameter)
    _from_zero(parameter, handler)
    schema = parameter["schema"]
    if parameter["in"] == "path" and schema.get("type") == "string":
        parameter["schema"] = {"minLength": 1, "pattern": SOMETHING, **schema}


def _may_be_null(schema: Json) -> bool:
    kinds: list[Json] = schema.get("anyOf", [])
    return _NULL in kinds or not (kinds or {"type", "$ref", "enum"} & schema.keys())


def _never_null(parameter: Json) -> None:
    """Remove null from an optional parameter's type: an address or header cannot have it."""
    schema = parameter.get("schema", {})
    kinds = [kind for kind in schema.get("oneOf", []) if kind != _NULL]
    if len(kinds) == 1:
        del schema["oneOf"]
        parameter["schema"] = {**kinds[0], **schema}


def _from_zero(parameter: Json, handler: HTTPRouteHandler) -> None:
    """Say the lower bound of a parameter that may be 0, which Litestar takes for none."""
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        if isinstance(kwarg, ParameterKwarg) and kwarg.ge == 0 and parameter["name"] == (kwarg.name or name):
            parameter["schema"]["minimum"] = 0
