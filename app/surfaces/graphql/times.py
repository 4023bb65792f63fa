"""Times as GraphQL takes them: by the rule of the other surfaces, where Strawberry's own knows fewer forms."""

from dataclasses import replace

from strawberry.exceptions import StrawberryInputCoercionError
from strawberry.schema.types.base_scalars import DateTimeDefinition

from graph.core.exact import read_time

_MOST_CHARS = 40  # of what was given that an error repeats


def _parsed(value: object) -> object:
    try:
        return read_time(value)
    except ValueError as error:
        raise StrawberryInputCoercionError(f"DateTime {error}, not {str(value)[:_MOST_CHARS]!r}") from None


DATE_TIME = replace(DateTimeDefinition, parse_value=_parsed)
