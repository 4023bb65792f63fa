"""The generated client for callers with or without an event loop, in one or several threads."""

from collections.abc import Callable, Coroutine
from typing import Any, Self, TypeVar

from .generated import RecollectClient
from .loop_thread import LoopThread

T = TypeVar("T")
Work = Callable[[RecollectClient], Coroutine[Any, Any, T]]


class SharedClient:
    """One client whose requests run on an event loop in a separate thread; lives until it is closed.

    A connection pool belongs to one event loop, but LangGraph, LangChain and LlamaIndex call from any loop or none. It
    has the arguments of ``Client`` in ``transport``.
    """

    def __init__(self, base_url: str, api_key: str | None, **options: Any) -> None:
        self._client = RecollectClient(base_url, api_key, **options)
        self._loop = LoopThread()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, work: Work[T]) -> T:
        """Return the result of ``work`` with the client; the calling thread waits for it.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return self._loop.run(work(self._client))

    async def arun(self, work: Work[T]) -> T:
        """Return the result of ``work`` with the client, without blocking other tasks of the caller.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return await self._loop.arun(work(self._client))

    def close(self) -> None:
        """Close the connections and end the thread; closing again does nothing."""
        if not self._loop.is_closed:
            self._loop.run(self._client.__aexit__(None, None, None))
            self._loop.close()
