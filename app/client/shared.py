"""The generated client for callers of any kind: with or without an event loop, from one thread or from many."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Self, TypeVar

from app.client.generated import RecollectClient

T = TypeVar("T")
Work = Callable[[RecollectClient], Coroutine[Any, Any, T]]


class SharedClient:
    """One client whose requests run on an event loop in a thread of its own; lives until it is closed.

    A connection pool belongs to one event loop, while LangGraph, LangChain and LlamaIndex call from any, and from none.
    It takes the arguments of :class:`~app.client.transport.Client`.
    """

    def __init__(self, base_url: str, api_key: str | None, **options: Any) -> None:
        self._client = RecollectClient(base_url, api_key, **options)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="recollect-client", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, work: Work[T]) -> T:
        """Return what ``work`` does with the client; the calling thread waits for it.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return asyncio.run_coroutine_threadsafe(work(self._client), self._loop).result()

    async def arun(self, work: Work[T]) -> T:
        """Return what ``work`` does with the client; other tasks of the caller go on meanwhile.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(self._client), self._loop))

    def close(self) -> None:
        """Close the connections and end the thread; closing again does nothing."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._client.__aexit__(None, None, None), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
