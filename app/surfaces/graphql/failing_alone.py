"""Root fields that fail separately: a failed field is null, and the others keep their results."""

from typing import TypeVar

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.schema_directive import Location
from strawberry.types.base import StrawberryOptional, get_object_definition
from strawberry.types.field import StrawberryField
from strawberry.types.unset import UNSET

RootT = TypeVar("RootT", bound=type)


@strawberry.schema_directive(
    locations=[Location.FIELD_DEFINITION], description="Null only where there is an error for it."
)
class SemanticNonNull:
    """Marks fields that clients which throw on errors may treat as non-null.

    Defined by Relay, Apollo Kotlin and GraphQL's working group on nullability:
    https://specs.apollo.dev/nullability/v0.4/#@semanticNonNull
    """

    levels: list[int | None] | None = strawberry.directive_field(name="levels", default=(0,))


def failing_alone(root: RootT) -> RootT:
    """Make every field of a root type nullable that is not, and say by ``@semanticNonNull`` that only errors do it.

    Resolvers keep the annotations of their results.
    """
    definition = get_object_definition(root, strict=True)
    definition.fields = [_failing_alone(field) for field in definition.fields]
    return root


def _failing_alone(field: StrawberryField) -> StrawberryField:
    if isinstance(field.type, StrawberryOptional):
        return field
    alone = field.__copy__()
    alone.type_annotation = StrawberryAnnotation(StrawberryOptional(field.type))
    alone.directives = [*field.directives, SemanticNonNull(levels=UNSET)]  # its default goes without saying
    return alone
