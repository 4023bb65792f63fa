"""Base of the generated client's methods: typed values in, JSON out, and events as they arrive."""

from collections.abc import AsyncGenerator, Mapping
from functools import cache
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, Field, create_model
from pydantic_core import to_jsonable_python

from .subscriptions import subscribe
from .transport import ApiError, Client

T = TypeVar("T")


class UnsetType:
    """The type of ``UNSET``."""


UNSET = UnsetType()
"""Marks an omitted argument, so that the service's default applies."""
Maybe: TypeAlias = T | UnsetType | None


class Operation(NamedTuple):
    """A GraphQL operation with one field.

    Attributes:
        field: Name of the field in the response.
        text: Text of the operation and its fragments.
    """

    field: str
    text: str


class Result(Generic[T]):
    """Marks the type of an operation's field, such as ``Result[list[str]]``."""


class Calls:
    """Sends the operations of generated methods over a ``Client``, and has the same arguments.

    An asynchronous context manager, safe for concurrent calls of one event loop. Every method raises
    ``ApiError`` if the service refuses or cannot be reached.
    """

    def __init__(self, base_url: str, api_key: str | None, **options: Any) -> None:
        self.transport = Client(base_url, api_key, **options)

    async def __aenter__(self) -> Self:
        await self.transport.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.transport.__aexit__(kind, error, trace)

    async def call(self, operation: Operation, result: type[Result[T]], variables: Mapping[str, object]) -> T:
        """Send one operation and return the value of its field.

        Raises:
            ApiError: A value cannot be written as JSON, or ``Client.execute`` failed.
        """
        data = await self.transport.execute(operation.text, _variables(operation.field, variables))
        value: T = _read(operation.field, result, data)
        return value

    async def follow(
        self, operation: Operation, result: type[Result[T]], variables: Mapping[str, object]
    ) -> AsyncGenerator[T]:
        """Yield the value of the field in each event of a subscription; see ``subscribe`` of ``subscriptions``."""
        values = _variables(operation.field, variables)
        async for data in subscribe(self.transport, operation.text, values):
            yield _read(operation.field, result, data)


def _variables(field: str, variables: Mapping[str, object]) -> dict[str, Any]:
    try:
        return {name: _as_json(value) for name, value in variables.items() if value is not UNSET}
    except ValueError as error:
        raise ApiError("INVALID_INPUT", f"{field} cannot be written as JSON: {error}") from error


def _as_json(value: object) -> Any:
    """Return a value as JSON types; an input contains only set fields, so that the service's defaults apply."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    return to_jsonable_python(value)


def _read(field: str, result: Any, data: Mapping[str, Any]) -> Any:
    return _model_of(field, result).model_validate(data).value


@cache
def _model_of(field: str, result: object) -> Any:
    """Return the pydantic model of an operation's data."""
    (type_,) = get_args(result)
    return create_model(field, value=(type_, Field(alias=field)))
