"""Numbers and times as tools take them: a model may write ``"5"`` or 5.0 for 5, but true is no number."""

from collections.abc import Collection
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from app.surfaces.http.strict_json import read_json
from graph.core.errors import InvalidInput
from graph.core.exact import Instant, number, whole


def _meant(value: Any) -> Any:
    if isinstance(value, str):
        with suppress(InvalidInput):
            value = read_json(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _whole_meant(value: Any) -> Any:
    return whole(_meant(value))


def _number_meant(value: Any) -> Any:
    return number(_meant(value))


def without_empty(of: type[BaseModel], given: Any, *, but: Collection[str] = ()) -> Any:
    """Return arguments without empty texts of optional ones, but for some; anything else as it is."""
    if not isinstance(given, dict):
        return given
    optional = {
        known.alias or name
        for name, known in of.model_fields.items()
        if not known.is_required() and name not in but
    }
    return {name: value for name, value in given.items() if value != "" or name not in optional}


Count = Annotated[int, BeforeValidator(_whole_meant)]
Measure = Annotated[float, BeforeValidator(_number_meant)]
Fraction = Annotated[float, Field(ge=0, le=1), BeforeValidator(_number_meant)]
Time = Annotated[
    Instant,
    Field(description="ISO 8601; without an offset it is taken as UTC."),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
