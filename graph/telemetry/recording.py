"""Records agents' actions: checks them, adds them to their sequences, and enqueues embedding and counting."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import structlog

from graph.core.background import portions
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, RecollectError
from graph.core.ids import new_id
from graph.core.models import JobKind
from graph.core.ports import Clock, WakeUp
from graph.core.queries import enqueue_jobs
from graph.core.rows import Runner
from graph.core.scope import SHARED, ReadScope, seeing
from graph.telemetry import queries
from graph.telemetry.models import ActionDraft
from graph.telemetry.noted import TARGET_KINDS, NotedAction, TargetRow, with_targets
from graph.telemetry.rules import owned, validated
from graph.telemetry.sequencing import Extension, OpenSequence, extended, sessions_to_open

MAX_BATCH = 1000
_ATTEMPTS = 3

_log = structlog.get_logger("recollect.telemetry")


class Captured(NamedTuple):
    """Number of new actions, and of those whose target is not a node of the workspace."""

    recorded: int
    targets_unknown: int

    @property
    def unknown(self) -> str | None:
        """Notice about unknown targets for a response; None if there are none."""
        if not self.targets_unknown:
            return None
        return f"actions that name no node of this workspace as their target: {self.targets_unknown}"


class ActionRecorder:
    """The use case of recording actions; lives as long as the process."""

    def __init__(self, database: Database, wake_up: WakeUp, clock: Clock) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock

    async def record(self, workspace_id: str, drafts: Sequence[ActionDraft]) -> int:
        """Record 1 to 1000 actions, all or none; return the number of new ones, 0 while memory is off.

        An id that the session already has is skipped. An action with an unknown target is recorded without the edge.

        Raises:
            InvalidInput: A field breaks a rule (see ``graph.telemetry.rules``).
            Conflict: An action of another session or user has the id.
            Forbidden: An action has an owner outside of the current scope.
        """
        return (await self.capture(workspace_id, drafts)).recorded

    async def capture(self, workspace_id: str, drafts: Sequence[ActionDraft]) -> Captured:
        """Record actions as :meth:`record` does; also return the number of unknown targets."""
        if not 1 <= len(drafts) <= MAX_BATCH:
            raise InvalidInput("inputs", f"inputs must hold 1 to {MAX_BATCH} actions, got {len(drafts)}")
        now = self._clock.now()
        batch = await asyncio.to_thread(_checked, drafts, now)
        captured = await self._write(workspace_id, batch, now)
        if captured.recorded:
            await self._wake_up.signal()
        return captured

    async def try_record(self, workspace_id: str, drafts: Sequence[ActionDraft]) -> int:
        """Record actions if possible; logs every error and never raises."""
        return await _tried(self.record(workspace_id, drafts), len(drafts))

    async def try_record_noted(self, workspace_id: str, noted: Sequence[NotedAction]) -> int:
        """Record actions of surfaces with their touched nodes, as :meth:`try_record` does."""
        return await _tried(self._record_noted(workspace_id, noted), len(noted))

    async def _record_noted(self, workspace_id: str, noted: Sequence[NotedAction]) -> int:
        by_scope: dict[ReadScope, list[NotedAction]] = defaultdict(list)
        for each in noted:
            by_scope[each.scope].append(each)
        recorded = 0
        for scope, some in by_scope.items():
            with seeing(scope):
                drafts = await self._targeted(workspace_id, some)
                recorded += sum(
                    [await self.record(workspace_id, each) for each in portions(drafts, MAX_BATCH)]
                )
        return recorded

    async def _targeted(self, workspace_id: str, noted: Sequence[NotedAction]) -> list[ActionDraft]:
        """Return the actions with those touched nodes that the caller could see."""
        touched = dict.fromkeys(each for action in noted for each in action.touched)
        known: dict[str, TargetRow] = {}
        for names in portions(list(dict.fromkeys(each.id for each in touched if each.id))):
            rows = await queries.find_targets(
                self._database, workspace_id=workspace_id, names=names, kinds=TARGET_KINDS
            )
            known |= {row.name: row for row in rows}
        types: list[str] = []
        if named := list(dict.fromkeys(each.type for each in touched if each.type)):
            types = await queries.list_known_types(self._database, workspace_id=workspace_id, names=named)
        return [draft for each in noted for draft in with_targets(each, known, frozenset(types))]

    async def _write(self, workspace_id: str, batch: dict[str, ActionDraft], now: datetime) -> Captured:
        """Write the batch; a retry finds an id that another writer has claimed concurrently."""

        async def work(tx: Runner) -> Captured:
            return await _Capture(tx, workspace_id, now).write(batch)

        captured = await self._database.transaction(work, attempts=_ATTEMPTS)
        if captured.targets_unknown:
            _log.info("telemetry.targets_unknown", count=captured.targets_unknown)
        return captured


class _Capture:
    """One batch in one transaction."""

    def __init__(self, tx: Runner, workspace_id: str, now: datetime) -> None:
        self._tx = tx
        self._workspace_id = workspace_id
        self._now = now

    async def write(self, batch: dict[str, ActionDraft]) -> Captured:
        sequences = await self._open(batch.values())
        if not sequences:  # memory is off
            return Captured(0, 0)
        known = await self._known(batch)
        joining: dict[tuple[str, str], list[tuple[str, ActionDraft]]] = defaultdict(list)
        for id_, draft in batch.items():
            if id_ not in known:
                joining[_session_of(draft)].append((id_, draft))
        extensions = await asyncio.to_thread(_extended, sequences, joining, self._now)
        return Captured(len(batch) - len(known), await self._extend(extensions) if extensions else 0)

    async def _known(self, batch: dict[str, ActionDraft]) -> set[str]:
        """Return the ids of the batch that are already recorded.

        Raises:
            Conflict: An id belongs to an action of another session or user.
        """
        found = await queries.find_actions(self._tx, workspace_id=self._workspace_id, ids=list(batch))
        for row in found:
            if (row.user_id, row.session_id) != _session_of(batch[row.id]):
                raise _taken(row.id)
        return {row.id for row in found}

    async def _open(self, drafts: Iterable[ActionDraft]) -> list[OpenSequence]:
        sessions: dict[tuple[str, str], str] = {}
        for draft in drafts:
            sessions.setdefault(_session_of(draft), draft.agent_id or SHARED)
        return await queries.open_sequences(
            self._tx,
            workspace_id=self._workspace_id,
            sessions=sessions_to_open(sessions),
            now=self._now,
        )

    async def _extend(self, extensions: Sequence[Extension]) -> int:
        scope = {"workspace_id": self._workspace_id}
        targets_unknown = 0
        for actions in portions([action for extension in extensions for action in extension.actions]):
            targets_unknown += await queries.create_actions(self._tx, **scope, actions=actions)
        for some in portions(extensions):
            chains = [
                {"sequence_id": each.sequence_id, "since": min(each.moments), "until": max(each.moments)}
                for each in some
            ]
            await queries.chain_actions(self._tx, **scope, chains=chains)
            sequences = [{"id": each.sequence_id, "properties": each.properties} for each in some]
            await queries.update_sequences(self._tx, **scope, sequences=sequences, now=self._now)
        await self._enqueue(JobKind.PROMOTE, [each.sequence_id for each in extensions])
        await self._enqueue(
            JobKind.EMBED, [each.sequence_id for each in extensions if each.says_something_new]
        )
        await self._enqueue(JobKind.BENCHMARK, self._days_over(extensions))
        return targets_unknown

    def _days_over(self, extensions: Sequence[Extension]) -> list[str]:
        """Return the earlier days that gained actions, so that their measurements are outdated."""
        days = {moment.date() for extension in extensions for moment in extension.moments}
        return [day.isoformat() for day in days if day < self._now.date()]

    async def _enqueue(self, kind: JobKind, ids: Sequence[str]) -> None:
        await enqueue_jobs(
            self._tx,
            workspace_id=self._workspace_id,
            kind=kind,
            subject_ids=sorted(ids),
            now=self._now,
            due_at=self._now,
        )


async def _tried(recording: Awaitable[int], actions: int) -> int:
    try:
        return await recording
    except RecollectError as error:
        _log.warning("telemetry.capture_failed", reason=error.code, field=error.field, actions=actions)
    except Exception as error:  # noqa: BLE001 - recording an action must not make it fail
        reason = type(error).__name__
        _log.error("telemetry.capture_failed", reason=reason, actions=actions, exc_info=error)
    return 0


def _checked(drafts: Sequence[ActionDraft], now: datetime) -> dict[str, ActionDraft]:
    """Return the validated drafts with their owners, by id."""
    return _identified([owned(validated(draft, now)) for draft in drafts])


def _extended(
    sequences: Sequence[OpenSequence],
    joining: Mapping[tuple[str, str], Sequence[tuple[str, ActionDraft]]],
    now: datetime,
) -> list[Extension]:
    """Return the extension of each sequence by its new actions."""
    return [
        extended(sequence, joining[sequence.user_id, sequence.session_id], now=now)
        for sequence in sequences
        if (sequence.user_id, sequence.session_id) in joining
    ]


def _identified(drafts: Sequence[ActionDraft]) -> dict[str, ActionDraft]:
    """Return the drafts by id; of drafts with the same id, the first.

    Raises:
        Conflict: Two drafts of different sessions or users have the same id.
    """
    batch: dict[str, ActionDraft] = {}
    for draft in drafts:
        first = batch.setdefault(draft.id or new_id("act"), draft)
        if _session_of(first) != _session_of(draft):
            raise _taken(draft.id or "")
    return batch


def _session_of(draft: ActionDraft) -> tuple[str, str]:
    """Return the user and the session of an action."""
    return draft.user_id or SHARED, draft.session_id


def _taken(id_: str) -> Conflict:
    return Conflict(
        f"id {id_!r} is that of an action of another session; ids are unique in a workspace", field="id"
    )
