"""What the methods of the generated client for programs without an event loop are made of."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from .calls import Calls
from .loop_thread import LoopThread


class SyncCalls:
    """Sends what generated methods give it and waits for the answer; takes what ``Client`` of ``transport`` takes.

    A context manager, safe for concurrent calls of any threads; lives until it is closed. Every method raises
    ``ApiError`` where the service refuses or cannot be reached.
    """

    calls: ClassVar[type[Calls]] = Calls
    """What sends them."""

    def __init__(self, base_url: str, api_key: str | None, **options: Any) -> None:
        self._calls = self.calls(base_url, api_key, **options)
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

    def execute(self, *, query: str, operation_name: str, variables: Mapping[str, object]) -> dict[str, Any]:
        """Send one operation and return its ``data``."""
        return self._loop.run(
            self._calls.execute(query=query, operation_name=operation_name, variables=variables)
        )

    def get_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return what ``execute`` returned: the transport has read the answer already."""
        return data

    def execute_ws(
        self, *, query: str, operation_name: str, variables: Mapping[str, object]
    ) -> Iterator[dict[str, Any]]:
        """Yield the ``data`` of each event of a subscription until it ends or the caller leaves the loop."""
        events = self._calls.execute_ws(query=query, operation_name=operation_name, variables=variables)

        async def following() -> dict[str, Any] | None:
            return await anext(events, None)

        async def over() -> None:
            await events.aclose()

        try:
            while (data := self._loop.run(following())) is not None:
                yield data
        finally:
            self._loop.run(over())
