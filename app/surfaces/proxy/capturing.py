"""Captures turns after they were answered, in the background: no turn waits for it or fails by it."""

import asyncio
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog

from app.surfaces.proxy.dialects import Turn, key_of
from graph.conversations.capture.models import CaptureDraft, MessageDraft, MessageRole
from graph.conversations.capture.service import Conversations
from graph.conversations.capture.statements import without_injected
from graph.core.acting import ACTING_KEY
from graph.core.errors import RecollectError
from graph.core.scope import ReadScope, seeing

MOST_WAITING: Final = 1000
"""Maximum number of queued turns, so that they do not fill the memory while the graph is away; more are dropped."""
_LANES = 4
_CLOSING_SECONDS = 5.0
_log = structlog.get_logger("recollect.proxy")


@dataclass(frozen=True)
class AnsweredTurn:
    """Messages of a turn as the caller wrote and read them; the caller's scope is their owner."""

    workspace_id: str
    key_id: str
    scope: ReadScope
    conversation_id: str
    turn: Turn
    answer: str


def conversation_of_day(key_id: str, scope: ReadScope, now: datetime) -> str:
    """Return the id of the conversation that what a key's callers say in a day goes to where they name none.

    Captured data belongs to one user and agent, so each of them has a separate conversation.
    """
    owner = (scope.user_id if scope.user_id != key_id else None, scope.agent_id)
    whose = f":{key_of(*owner)}" if any(owner) else ""
    return f"{key_id}:{now:%Y-%m-%d}{whose}"


class TurnCapture:
    """Appends turns to their conversations, those of one conversation in order; lives as long as the process.

    The messages of a request identify its turn, so a repeated request, after a failure or for another answer, is the
    same turn with its last answer. A first message alone is ambiguous: in a conversation that has continued it is a new
    message, because some callers send only the latest.
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

    async def settled(self) -> None:
        """Return once every queued turn is captured."""
        await asyncio.gather(*(lane.join() for lane in self._lanes))

    async def close(self) -> None:
        """Capture the queued turns for a few seconds, then stop."""
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self.settled()
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
            except Exception as error:  # noqa: BLE001 - the next turn is captured all the same
                _log.error("proxy.capture_failed", reason=type(error).__name__, exc_info=error)
            finally:
                self._waiting -= 1
                lane.task_done()

    async def _capture(self, answered: AnsweredTurn) -> None:
        ACTING_KEY.set(answered.key_id)
        key = await self._key(answered)
        said = [await asyncio.to_thread(without_injected, text) for text in answered.turn.texts]
        messages = [
            MessageDraft(id=f"{key}:u{place}", role=MessageRole.USER, content=text)
            for place, text in enumerate(said)
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
