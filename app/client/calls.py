"""What the methods of the generated client are made of: typed values in, JSON out, and events as they come."""

from collections.abc import AsyncGenerator, Mapping
from types import TracebackType
from typing import Any, ClassVar, Self

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from .subscriptions import subscribe
from .transport import ApiError, Client


class Calls:
    """Sends what generated methods give it over a ``Client``, whose arguments it takes.

    An asynchronous context manager, safe for concurrent calls of one event loop. Every method raises
    ``ApiError`` where the service refuses or cannot be reached.
    """

    unset: ClassVar[object] = None
    """What stands for an argument that was left out."""

    def __init__(self, base_url: str, api_key: str | None, **options: Any) -> None:
        self.transport = Client(base_url, api_key, **options)

    async def __aenter__(self) -> Self:
        await self.transport.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.transport.__aexit__(kind, error, trace)

    async def execute(
        self, *, query: str, operation_name: str, variables: Mapping[str, object]
    ) -> dict[str, Any]:
        """Send one operation and return its ``data``.

        Raises:
            ApiError: A value cannot be written as JSON, or as for ``Client.execute``.
        """
        return await self.transport.execute(query, self._given(operation_name, variables))

    def get_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return what ``execute`` returned: the transport has read the answer already."""
        return data

    async def execute_ws(
        self, *, query: str, operation_name: str, variables: Mapping[str, object]
    ) -> AsyncGenerator[dict[str, Any]]:
        """Yield the ``data`` of each event of a subscription; see ``subscribe`` of ``subscriptions``."""
        async for data in subscribe(self.transport, query, self._given(operation_name, variables)):
            yield data

    def _given(self, operation_name: str, variables: Mapping[str, object]) -> dict[str, Any]:
        given = {name: value for name, value in variables.items() if value is not self.unset}
        try:
            return {name: _as_json(value) for name, value in given.items()}
        except ValueError as error:
            raise ApiError("INVALID_INPUT", f"{operation_name} cannot be written as JSON: {error}") from error


def _as_json(value: object) -> Any:
    """Return what JSON can hold; of an input only what its caller has set, so that defaults stay the service's."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    return to_jsonable_python(value)
