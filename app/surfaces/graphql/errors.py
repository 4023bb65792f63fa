"""Error codes of GraphQL responses: shows domain errors, and masks unexpected ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import strawberry
import structlog
from graphql import GraphQLError
from strawberry.annotation import StrawberryAnnotation
from strawberry.exceptions import MissingQueryError
from strawberry.extensions import SchemaExtension
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.schema_directive import Location
from strawberry.types import StreamExecutionResult
from strawberry.types.base import StrawberryOptional, get_object_definition
from strawberry.types.field import StrawberryField
from strawberry.types.unset import UNSET

from app.surfaces.graphql.limits import TOO_COMPLEX
from app.surfaces.http.errors import masked
from graph.core.errors import LimitExceeded, RecollectError, Unavailable

_log = structlog.get_logger("recollect.graphql")

INTERNAL = "INTERNAL"
_INVALID = "INVALID_INPUT"
# Messages of graphql-core's parser limits, which have no error class of their own.
_LIMIT = re.compile(r"contains more than \d+ (tokens|code points)\.|Document is nested too deeply")
_NO_OPERATION = (CannotGetOperationTypeError, InvalidOperationTypeError, MissingQueryError)
_RETRY_STATUS = {Unavailable: 503, LimitExceeded: 429}


class ErrorCodes(SchemaExtension):
    """Gives each error ``extensions {code, field}``; only the log has the text of unexpected errors."""

    def on_operation(self) -> Iterator[None]:
        """Rewrite the errors of the result after execution."""
        yield
        result = self.execution_context.result
        errors = getattr(result, "errors", None)
        if errors:
            if not _answers_something(getattr(result, "data", None), errors):
                self._ask_to_retry(errors)
            result.errors = [self._coded(error) for error in errors]  # type: ignore[union-attr]

    def on_stream_result(self, result: StreamExecutionResult) -> Iterator[None]:
        """Rewrite the errors of one result of a subscription before it is sent."""
        errors = getattr(result, "errors", None)
        if errors:
            result.errors = [self._coded(error) for error in errors]  # type: ignore[union-attr]
        yield

    def _coded(self, error: GraphQLError) -> GraphQLError:
        expected = _expected(error)
        if expected is not None:
            return _with(error, expected.message, {"code": expected.code, "field": expected.field})
        if _is_about_query(error) or "code" in (error.extensions or {}):
            # The query itself is invalid, and graphql-core's message states where and why.
            code = TOO_COMPLEX if _LIMIT.search(error.message) else _INVALID
            return _with(error, error.message, {"code": code, "field": None, **(error.extensions or {})})
        message = masked(_log, "graphql.unexpected_error", error.original_error or error)
        return _with(error, message, {"code": INTERNAL, "field": None})

    def _ask_to_retry(self, errors: Sequence[GraphQLError]) -> None:
        response = getattr(self.execution_context.context, "response", None)
        for error in map(_expected, errors):
            if response is not None and isinstance(error, Unavailable | LimitExceeded):
                response.status_code = _RETRY_STATUS[type(error)]
                response.headers["Retry-After"] = str(error.retry_after_seconds)


def _answers_something(data: Mapping[str, Any] | None, errors: Sequence[GraphQLError]) -> bool:
    """Tell whether a root field has a result: a retry for the failed ones would then repeat a mutation."""
    failed = {error.path[0] for error in errors if error.path}
    return any(value is not None or name not in failed for name, value in (data or {}).items())


def _is_about_query(error: GraphQLError) -> bool:
    """Tell whether graphql-core refused the query rather than a value of the result, which its message would quote.

    Errors before execution have no path. Of later errors, only those about arguments refer to nodes of the query.
    """
    cause = error.original_error
    if cause is None or isinstance(cause, _NO_OPERATION):
        return True
    return isinstance(cause, GraphQLError) and (error.path is None or cause.nodes is not None)


def _expected(error: GraphQLError) -> RecollectError | None:
    """Return the domain error behind a GraphQL error at any depth of wrapping, or None."""
    cause: BaseException | None = error
    seen: set[int] = set()  # the Neo4j driver's errors may be their own cause
    while cause is not None and id(cause) not in seen:
        if isinstance(cause, RecollectError):
            return cause
        seen.add(id(cause))
        cause = getattr(cause, "original_error", None) or cause.__cause__
    return None


def _with(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions,
    )


RootT = TypeVar("RootT", bound=type)


@strawberry.schema_directive(
    locations=[Location.FIELD_DEFINITION], description="Null only if the response has an error for the field."
)
class SemanticNonNull:
    """Marks fields that a client may treat as non-null if it throws on errors.

    Defined by Relay, Apollo Kotlin and GraphQL's working group on nullability:
    https://specs.apollo.dev/nullability/v0.4/#@semanticNonNull
    """

    levels: list[int | None] | None = strawberry.directive_field(name="levels", default=(0,))


def failing_alone(root: RootT) -> RootT:
    """Make non-null fields of a root type nullable and mark them with ``@semanticNonNull``.

    So one failing root field does not null its siblings. The resolvers' annotations stay non-null.
    """
    definition = get_object_definition(root, strict=True)
    definition.fields = [_failing_alone(field) for field in definition.fields]
    return root


def _failing_alone(field: StrawberryField) -> StrawberryField:
    if isinstance(field.type, StrawberryOptional):
        return field
    alone = field.__copy__()
    alone.type_annotation = StrawberryAnnotation(StrawberryOptional(field.type))
    alone.directives = [
        *field.directives,
        SemanticNonNull(levels=UNSET),
    ]  # UNSET omits the default from the SDL
    return alone
