"""Records the calls of every surface as actions, automatically and in the background."""

import asyncio
import hashlib
from collections import defaultdict, deque
from collections.abc import Iterable
from itertools import islice

import structlog

from graph.core.current_call import Touched
from graph.core.ids import new_id
from graph.core.measuring import Measurements
from graph.core.ports import Clock
from graph.core.scope import current_scope, owner_named
from graph.core.text.checks import is_identifier
from graph.telemetry.models import ActionDraft, Outcome
from graph.telemetry.noted import NOTED_SESSION, NOTED_TYPE, NotedAction
from graph.telemetry.recording import MAX_BATCH, ActionRecorder
from graph.telemetry.rules import is_type

_CLOSING_SECONDS = 5.0
_MOST_NODES = 5000  # maximum number of touched nodes in one transaction
_log = structlog.get_logger("recollect.telemetry")


class ActionNotes:
    """Queues actions and records them in batches; lives as long as the process.

    It records nothing for a workspace whose memory is off. If the queue is full, it drops and counts actions.
    """

    def __init__(
        self, recorder: ActionRecorder, measurements: Measurements, clock: Clock, *, most_waiting: int
    ) -> None:
        self._recorder = recorder
        self._measurements = measurements
        self._clock = clock
        self._most_waiting = most_waiting
        self._waiting: deque[tuple[str, NotedAction]] = deque()
        self._flushing = asyncio.Lock()

    def note(
        self,
        workspace_id: str,
        *,
        session_id: str,
        action_type: str,
        node_type: str,
        outcome: Outcome,
        error_code: str | None,
        seconds: float,
        touched: Iterable[Touched] = (),
    ) -> None:
        """Queue an action that has just ended, with the current scope; returns immediately and never fails.

        Args:
            workspace_id: Workspace of the caller.
            session_id: Conversation, session or trace of the caller; stored as a digest if it is not an identifier.
            action_type: Name of the call; the action is skipped if this is not an identifier.
            node_type: Type of the target, if no node is known.
            outcome: Outcome.
            error_code: Code of the error, if any.
            seconds: Duration.
            touched: Nodes that the call touched.
        """
        if not self._most_waiting or not is_type(action_type):
            return
        if len(self._waiting) >= self._most_waiting:
            self._measurements.fallback("telemetry", "no_room")
            return
        user_id, agent_id = owner_named(None, None)
        draft = ActionDraft(
            session_id=_session(session_id),
            user_id=user_id,
            agent_id=agent_id,
            action_type=action_type,
            node_type=NOTED_TYPE + node_type,
            outcome=outcome,
            error_code=error_code,
            latency_ms=seconds * 1000,
            occurred_at=self._clock.now(),
            id=new_id("act"),
        )
        noted = NotedAction(draft, tuple(touched), current_scope())
        self._waiting.append((workspace_id, noted))

    async def flush(self) -> None:
        """Record the queued actions; log and drop those that cannot be recorded.

        An action leaves the queue after it is recorded, so that a cancellation loses none. Each has an id, so that none
        is recorded twice.
        """
        async with self._flushing:
            batch: list[tuple[str, NotedAction]] = []
            nodes = 0
            for each in islice(self._waiting, MAX_BATCH):
                nodes += len(each[1].touched)
                if batch and nodes > _MOST_NODES:
                    break
                batch.append(each)
            by_workspace: dict[str, list[NotedAction]] = defaultdict(list)
            for workspace_id, noted in batch:
                by_workspace[workspace_id].append(noted)
            for workspace_id, some in by_workspace.items():
                await self._recorder.try_record_noted(workspace_id, some)
            for _ in batch:
                self._waiting.popleft()

    async def close(self) -> None:
        """Record the queued actions, within a few seconds."""
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                while self._waiting:
                    await self.flush()
        except TimeoutError:
            _log.warning("telemetry.capture_failed", reason="TimeoutError", actions=len(self._waiting))


def _session(named: str) -> str:
    session = NOTED_SESSION + named
    return (
        session if is_identifier(session) else NOTED_SESSION + hashlib.sha256(named.encode()).hexdigest()[:32]
    )
