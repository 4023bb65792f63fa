"""Base of the generated client's methods for programs without an event loop."""

from collections.abc import Iterator, Mapping
from typing import Any, Self, TypeVar

from .calls import Calls, Operation, Result
from .loop_thread import LoopThread

T = TypeVar("T")


class SyncCalls:
    """Sends the operations of generated methods and waits for the result; has the arguments of ``Client``.

    A context manager, safe for concurrent calls of any threads; lives until it is closed. Every method raises
    ``ApiError`` if the service refuses or cannot be reached.
    """

    def __init__(self, base_url: str, api_key: str | None, **options: Any) -> None:
        self._calls = Calls(base_url, api_key, **options)
        self._loop = LoopThread()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and end the thread; closing again does nothing."""
        if not self._loop.is_closed:
            self._loop.run(self._calls.__aexit__(None, None, None))
            self._loop.close()

    def call(self, operation: Operation, result: type[Result[T]], variables: Mapping[str, object]) -> T:
        """Send one operation and return the value of its field."""
        return self._loop.run(self._calls.call(operation, result, variables))

    def follow(
        self, operation: Operation, result: type[Result[T]], variables: Mapping[str, object]
    ) -> Iterator[T]:
        """Yield the value of the field in each event until the subscription ends or the caller leaves the loop."""
        events = self._calls.follow(operation, result, variables)
        over = object()

        async def following() -> T | object:
            return await anext(events, over)

        async def leaving() -> None:
            await events.aclose()

        try:
            while (event := self._loop.run(following())) is not over:
                yield event  # type: ignore[misc]
        finally:
            self._loop.run(leaving())
