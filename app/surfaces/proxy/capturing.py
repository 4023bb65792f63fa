"""Captures answered turns in the background, so that no turn waits for it or fails because of it."""

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import structlog
from pydantic import TypeAdapter, ValidationError

from app.surfaces.proxy.dialects import Dialect, Json, Round, Turn, key_of
from app.surfaces.proxy.event_stream import ends_an_event
from app.surfaces.proxy.tools import DoneCall, ToolResult
from graph.conversations.capture.models import CaptureDraft, MessageDraft, MessageRole
from graph.conversations.capture.service import Conversations
from graph.conversations.capture.statements import without_injected
from graph.core.current_call import ACTING_KEY
from graph.core.errors import InvalidInput, RecollectError
from graph.core.models import MemoryEventType
from graph.core.scope import ReadScope, seeing
from graph.core.working_set import MOST_TTL_SECONDS, WorkingSet
from graph.memories.models import Memory
from graph.memories.policy import AUTOMATIC_SOURCES, SourceType
from graph.memories.subscriptions import MemoryEvent

MOST_WAITING: Final = 1000
"""Maximum number of queued turns, which limits RAM while the graph is unavailable; further turns are dropped."""
_LANES = 4
_CLOSING_SECONDS = 5.0
_log = structlog.get_logger("recollect.proxy")


@dataclass(frozen=True)
class AnsweredTurn:
    """A turn with its answer, in the caller's view; the scope determines the owner."""

    workspace_id: str
    key_id: str
    scope: ReadScope
    conversation_id: str
    turn: Turn
    answer: str


def conversation_of_day(key_id: str, scope: ReadScope, now: datetime) -> str:
    """Return the id of a key's conversation for one day, for turns that name no conversation.

    A conversation belongs to one user and agent, so each of them has a separate one.
    """
    owner = (scope.user_id if scope.user_id != key_id else None, scope.agent_id)
    whose = f":{key_of(*owner)}" if any(owner) else ""
    return f"{key_id}:{now:%Y-%m-%d}{whose}"


class TurnCapture:
    """Appends turns to their conversations, in order within each conversation; lives as long as the process.

    The messages of a request identify its turn. So a repeated request, after a failure or for a new answer, updates the
    same turn with the last answer. A first message without history is ambiguous: some callers send only their latest
    message. In a conversation with further messages, it counts as a new message.
    """

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._lanes: list[asyncio.Queue[AnsweredTurn]] = [asyncio.Queue() for _ in range(_LANES)]
        self._waiting = 0
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the workers that capture queued turns."""
        self._workers = [asyncio.create_task(self._work_off(lane)) for lane in self._lanes]

    def note(self, answered: AnsweredTurn) -> None:
        """Queue a turn for capture; returns immediately and never fails."""
        if self._waiting >= MOST_WAITING:
            _log.warning("proxy.capture_dropped", waiting=self._waiting)
            return
        self._waiting += 1
        owner = f"{answered.workspace_id} {answered.conversation_id}"
        self._lanes[zlib.crc32(owner.encode()) % _LANES].put_nowait(answered)

    async def drain(self) -> None:
        """Return once every queued turn is captured."""
        await asyncio.gather(*(lane.join() for lane in self._lanes))

    async def close(self) -> None:
        """Capture the queued turns for a few seconds, then stop."""
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self.drain()
        except TimeoutError:
            _log.warning("proxy.capture_dropped", waiting=self._waiting)
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    async def _work_off(self, lane: asyncio.Queue[AnsweredTurn]) -> None:
        while True:
            answered = await lane.get()
            try:
                with seeing(answered.scope):
                    await self._capture(answered)
            except RecollectError as error:
                _log.warning("proxy.capture_failed", reason=error.code, field=error.field)
            except Exception as error:  # noqa: BLE001 - one failure must not stop the capture of other turns
                _log.error("proxy.capture_failed", reason=type(error).__name__, exc_info=error)
            finally:
                self._waiting -= 1
                lane.task_done()

    async def _capture(self, answered: AnsweredTurn) -> None:
        ACTING_KEY.set(answered.key_id)
        key = await self._key(answered)
        texts = [await asyncio.to_thread(without_injected, text) for text in answered.turn.texts]
        messages = [
            MessageDraft(id=f"{key}:u{place}", role=MessageRole.USER, content=text)
            for place, text in enumerate(texts)
        ]
        answer = answered.answer.strip()
        id_ = f"{key}:a{answered.turn.answers}"
        messages.append(MessageDraft(id=id_, role=MessageRole.ASSISTANT, content=answer))
        draft = CaptureDraft(conversation_id=answered.conversation_id, messages=messages)
        await self._conversations.append(answered.workspace_id, draft)

    async def _key(self, answered: AnsweredTurn) -> str:
        turn = answered.turn
        if not turn.is_first or turn.answers:
            return turn.key
        counts = await self._conversations.counts_of(answered.workspace_id, [answered.conversation_id])
        known = counts.get(answered.conversation_id)
        most = len(turn.texts) + 1
        return turn.key if known is None or known.messages <= most else f"{turn.key}-{known.messages}"


_RESULTS = "x_tool_results"
_LAST_ANSWER = "x_last_answer"
_USER_TEXT = "x_asked"
_TEXT_TTL_SECONDS = 86_400  # short, because deleting the conversation does not delete this text
_MOST_CALLS = 32
_DONE = TypeAdapter(list[DoneCall])


class OwedResults:
    """Stores results until the caller sends its own; lives as long as the process.

    The working set stores three kinds of data, so that any process finds them:

    - Results of the proxy's calls, for the maximum lifetime, because people continue a chat days later. Without them,
      the model would only miss the results and may call again. Their key combines the id of one of the caller's calls
      with the turn, the continued response or the upstream's conversation: some upstreams number calls from 0 in
      every chat.
    - The upstream's id of the last round, under the response id that the caller knows. The next request must continue
      that round.
    - The user's text, for a day, because a request with results only does not contain it.
    """

    def __init__(self, working_set: WorkingSet) -> None:
        self._working_set = working_set

    async def keep(
        self, workspace_id: str, turn: Turn, response: Round, results: Sequence[ToolResult]
    ) -> None:
        """Store the results of calls that were executed together with the caller's."""
        done = [
            DoneCall(id=call.id, name=call.name, arguments=call.arguments, text=result.text).model_dump()
            for call, result in zip(response.calls, results, strict=True)
        ]
        for origin in filter(None, (turn.key, turn.stored_in, response.answer_id)):
            name = key_of(origin, response.others[0])
            await self._working_set.write(workspace_id, name, _RESULTS, done, ttl_seconds=MOST_TTL_SECONDS)

    async def keep_id(self, workspace_id: str, renamed: tuple[str, str]) -> None:
        """Store the upstream's id of the last round under the response id that the caller knows."""
        await self._working_set.write(
            workspace_id, renamed[0], _LAST_ANSWER, renamed[1], ttl_seconds=MOST_TTL_SECONDS
        )

    async def keep_user_text(self, workspace_id: str, turn: Turn, response: Round, user_text: str) -> None:
        """Store the user's text for a next request that contains only results of calls."""
        for origin in filter(None, (turn.stored_in, response.answer_id)):
            await self._working_set.write(
                workspace_id, origin, _USER_TEXT, user_text, ttl_seconds=_TEXT_TTL_SECONDS
            )

    async def with_user_text(self, dialect: Dialect, workspace_id: str, turn: Turn, body: Json) -> Turn:
        """Return the turn, with the stored user's text if the request contains only results of calls."""
        origin = dialect.goes_on_from(body) or turn.stored_in
        if turn.texts or origin is None or not dialect.answered_calls(body):
            return turn
        return replace(turn, user_text=await self._text(workspace_id, origin, _USER_TEXT) or "")

    async def with_owed(self, dialect: Dialect, workspace_id: str, turn: Turn, body: Json) -> Json:
        """Return the request with stored results added to the caller's; the same object if there are none."""
        before = dialect.goes_on_from(body)
        origin = before or turn.stored_in or turn.key
        if before is not None and (last := await self._text(workspace_id, before, _LAST_ANSWER)) is not None:
            body = dialect.going_on_from(body, last)
        ids = list(dict.fromkeys(dialect.answered_calls(body)))[:_MOST_CALLS]
        found = await asyncio.gather(*(self._found(workspace_id, key_of(origin, id_)) for id_ in ids))
        for id_, done in zip(ids, found, strict=True):
            if done:
                body = dialect.with_results(body, id_, done)
        return body

    async def _text(self, workspace_id: str, id_: str, slot: str) -> str | None:
        try:
            found = await self._working_set.read(workspace_id, id_, slot)
        except InvalidInput:
            return None
        return found if isinstance(found, str) else None

    async def _found(self, workspace_id: str, name: str) -> Sequence[DoneCall]:
        try:
            return _DONE.validate_python(await self._working_set.read(workspace_id, name, _RESULTS) or [])
        except ValidationError:
            return []


AUTO_SAVED = "x_memory.auto_saved"
_NOTED = frozenset({MemoryEventType.SAVED, MemoryEventType.AUTO_SAVED})
_BY_ITSELF = frozenset({SourceType.MODEL, *AUTOMATIC_SOURCES})

Subscribe = Callable[[str], AbstractAsyncContextManager[AsyncIterator[MemoryEvent]]]
AsJson = Callable[[Memory], str]


class SavedNotes:
    """Queue of memories to report in one stream, each once."""

    def __init__(self, as_json: AsJson) -> None:
        self._as_json = as_json
        self._known: set[str] = set()
        self._waiting: list[str] = []

    def add(self, saved: Memory) -> None:
        """Queue a memory."""
        if saved.id not in self._known:
            self._known.add(saved.id)
            self._waiting.append(self._as_json(saved))

    def comments(self) -> bytes:
        """Return a comment for each queued memory, and empty the queue.

        In server-sent events, a line that begins with a colon is a comment, which clients skip.
        """
        waiting, self._waiting = self._waiting, []
        return b"".join(f": {AUTO_SAVED} {saved}\n\n".encode() for saved in waiting)


class SavedMeanwhile:
    """Listens for saved memories while responses are streamed; lives as long as the process.

    No stream waits for it. Memories that are saved after a stream's end appear in the lists and in ``GET
    /chat/api/events``.
    """

    def __init__(self, subscribe: Subscribe, as_json: AsJson) -> None:
        """Create the listener.

        Args:
            subscribe: Subscribes to the memory events of a workspace.
            as_json: Formats a memory as one line of JSON.
        """
        self._subscribe = subscribe
        self._as_json = as_json

    def notes(self) -> SavedNotes:
        """Return an empty queue for one stream."""
        return SavedNotes(self._as_json)

    async def with_notes(
        self, workspace_id: str, conversation_id: str, notes: SavedNotes, stream: AsyncGenerator[bytes]
    ) -> AsyncGenerator[bytes]:
        """Yield a stream with comments about queued memories and those saved from a conversation."""
        is_between = True
        async with self._noting(workspace_id, conversation_id, notes), aclosing(stream):
            async for events in stream:
                yield notes.comments() + events if is_between else events
                is_between = ends_an_event(events)

    @asynccontextmanager
    async def _noting(
        self, workspace_id: str, conversation_id: str, notes: SavedNotes
    ) -> AsyncIterator[None]:
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
                        notes.add(saved)
        except RecollectError as error:
            _log.info("proxy.saved_not_told", reason=error.code)
