"""Reports memories saved automatically from a conversation during its stream, in comments of the stream."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager

import structlog

from app.surfaces.proxy.event_stream import ends_an_event
from graph.core.errors import RecollectError
from graph.core.models import MemoryEventType
from graph.memories.models import Memory
from graph.memories.policy import AUTOMATIC_SOURCES, SourceType
from graph.memories.subscriptions import MemoryEvent

AUTO_SAVED = "x_memory.auto_saved"
_NOTED = frozenset({MemoryEventType.SAVED, MemoryEventType.AUTO_SAVED})
_BY_ITSELF = frozenset({SourceType.MODEL, *AUTOMATIC_SOURCES})
_log = structlog.get_logger("recollect.proxy")

Subscribe = Callable[[str], AbstractAsyncContextManager[AsyncIterator[MemoryEvent]]]
AsJson = Callable[[Memory], str]


class SavedNotes:
    """Memories saved since the last call; lives as long as one stream."""

    def __init__(self) -> None:
        self._waiting: list[str] = []

    def add(self, saved: str) -> None:
        """Note a memory, as JSON in one line."""
        self._waiting.append(saved)

    def comments(self) -> bytes:
        """Return a comment for each memory noted since the last call.

        A line that begins with a colon is a comment of server-sent events, which clients skip.
        """
        waiting, self._waiting = self._waiting, []
        return b"".join(f": {AUTO_SAVED} {saved}\n\n".encode() for saved in waiting)


class SavedMeanwhile:
    """Listens for saved memories while answers are streamed; lives as long as the process.

    Nothing waits for it: memories that are saved or reported after the answer's end appear in the lists and in ``GET
    /chat/api/events``.
    """

    def __init__(self, subscribe: Subscribe, as_json: AsJson) -> None:
        """Take the subscription to a workspace's memories, and their format as JSON in one line."""
        self._subscribe = subscribe
        self._as_json = as_json

    async def with_notes(
        self, workspace_id: str, conversation_id: str | None, stream: AsyncGenerator[bytes]
    ) -> AsyncGenerator[bytes]:
        """Yield a stream of events with notes of saved memories between them; without a conversation, the stream."""
        notes, is_between = SavedNotes(), True
        async with self._noting(workspace_id, conversation_id, notes), aclosing(stream):
            async for events in stream:
                yield notes.comments() + events if is_between else events
                is_between = ends_an_event(events)

    @asynccontextmanager
    async def _noting(
        self, workspace_id: str, conversation_id: str | None, notes: SavedNotes
    ) -> AsyncIterator[None]:
        if conversation_id is None:
            yield
            return
        listening = asyncio.create_task(self._listen(workspace_id, conversation_id, notes))
        try:
            yield
        finally:
            listening.cancel()

    async def _listen(self, workspace_id: str, conversation_id: str, notes: SavedNotes) -> None:
        try:
            async with self._subscribe(workspace_id) as events:
                async for event in events:
                    saved = event.memory
                    if event.type not in _NOTED or saved is None or saved.source_type not in _BY_ITSELF:
                        continue
                    if saved.source_conversation_id == conversation_id:
                        notes.add(self._as_json(saved))
        except RecollectError as error:
            _log.info("proxy.saved_not_told", reason=error.code)
