"""Promotes recurring failures to patterns incrementally, counting each sequence once.

The cost depends only on the new actions. A sequence stores the number of its counted actions. Nodes for kinds of
attempts and kinds of failures count their sequences and have an edge to each counted one. A label marks a kind of
failure as a pattern. All of it is one transaction, so a job that dies or runs twice leaves no partial count.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.background import portions
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput, NotFound
from graph.core.events import Announcer
from graph.core.ids import new_id
from graph.core.models import JobKind
from graph.core.ports import Clock
from graph.core.queries import ClaimJobsRow, enqueue_jobs
from graph.core.rows import Runner
from graph.core.text.checks import storable
from graph.telemetry import queries
from graph.telemetry.models import AgentPattern, PatternChange, PatternState
from graph.telemetry.queries import OpenUntalliedRow, count_outcomes, forget_outcomes
from graph.telemetry.rules import MIN_SEQUENCES, MOST_NOTE_CHARS, settlements

MOST_RETURNED = 200
_TALLIED_TOGETHER = 200
_DELETED_TOGETHER = 5000
"""Maximum number of actions, and of uses of memories, that one transaction deletes, as for messages."""
_MOST_PREVIEWED = 5000

Attempt = tuple[str, str]
"""Action type and node type."""


class _RolledBack(Exception):
    """Raised inside a transaction to roll it back after its result is known."""

    def __init__(self, patterns: list[AgentPattern]) -> None:
        super().__init__()
        self.patterns = patterns


class PatternPromoter:
    """The use cases of patterns: promote, annotate, withdraw evidence; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock, announcer: Announcer | None = None) -> None:
        self._database = database
        self._clock = clock
        self._announcer = announcer

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Count the sequences of claimed jobs.

        Raises:
            Unavailable: The graph does not answer; some workspaces of the batch may be complete.
        """
        by_workspace: dict[str, list[str]] = defaultdict(list)
        for job in jobs:
            by_workspace[job.workspace_id].append(job.subject_id)
        for workspace_id, ids in by_workspace.items():
            await self._promote(workspace_id, ids)

    @takes_long
    async def promote(self, workspace_id: str, *, dry_run: bool = False) -> list[AgentPattern]:
        """Count the actions that are not yet counted, and promote patterns; workers also do this automatically.

        Returns:
            Promoted and demoted patterns of this run, at most 200, most confident first; ``change`` is the effect on
            each. A dry run changes nothing and returns the same, if at most 5000 runs are pending.
        """
        if dry_run:
            return await self._preview(workspace_id)
        changes: dict[str, PatternChange] = {}
        after_id = ""
        while ids := await self._waiting(self._database, workspace_id, after_id, _TALLIED_TOGETHER):
            changes |= await self._promote(workspace_id, ids)
            after_id = ids[-1]
        return await _patterns(self._database, workspace_id, changes)

    async def _preview(self, workspace_id: str) -> list[AgentPattern]:
        """Return the result of :meth:`promote`, by running it and rolling it back."""

        async def work(tx: Runner) -> None:
            ids = await self._waiting(tx, workspace_id, "", _MOST_PREVIEWED)
            changes = await _Promotion(tx, workspace_id, self._clock.now()).promote(ids)
            raise _RolledBack(await _patterns(tx, workspace_id, changes))

        try:
            await self._database.transaction(work)
        except _RolledBack as done:
            return done.patterns
        raise AssertionError("a preview always rolls back")

    async def annotate(
        self, workspace_id: str, id_: str, *, note: str | None = None, suppressed: bool | None = None
    ) -> AgentPattern:
        """Set an operator's note of a pattern, or hide it from agents; None keeps a value, an empty note removes it.

        Raises:
            InvalidInput: The note is longer than 500 characters.
            NotFound: The pattern does not exist in the workspace.
        """
        properties: dict[str, Any] = {}
        if note is not None:
            properties["note"] = _note(note)
        if suppressed is not None:
            properties["suppressed"] = suppressed
        pattern = await queries.annotate_pattern(
            self._database,
            workspace_id=workspace_id,
            id=id_,
            properties=properties,
            now=self._clock.now(),
        )
        if pattern is None:
            raise NotFound(f"there is no pattern {id_!r} in this workspace", field="id")
        return pattern

    async def delete_sequence(self, workspace_id: str, id_: str) -> bool:
        """Delete a sequence with its actions, and update its patterns; return whether it existed."""
        return bool(await self.forget(workspace_id, [id_]))

    @takes_long
    async def forget(self, workspace_id: str, ids: Sequence[str]) -> list[str]:
        """Delete sequences within the scope with their actions, and update the patterns that counted them.

        Returns:
            Ids of the deleted sequences; those of another owner, or continued by another agent, stay.

        Raises:
            Unavailable: The graph does not answer; the call may be repeated.
        """
        while (gone := await self._forget_part(workspace_id, sorted(ids))) is None:
            pass
        return gone

    async def _forget_part(self, workspace_id: str, ids: Sequence[str]) -> list[str] | None:
        """Delete as many actions and uses of sequences as one transaction may; the last part deletes the sequences.

        Returns:
            Ids of the deleted sequences; None if actions may remain, so that no sequence is deleted yet.
        """

        async def work(tx: Runner) -> tuple[list[str], dict[str, PatternChange]] | None:
            there = await queries.lock_sequences(tx, workspace_id=workspace_id, ids=ids)
            forgotten = await forget_outcomes(
                tx, workspace_id=workspace_id, sequence_ids=there, limit=_DELETED_TOGETHER
            )
            deleted = await queries.delete_actions(
                tx, workspace_id=workspace_id, sequence_ids=there, limit=_DELETED_TOGETHER
            )
            await self._measure_again(tx, workspace_id, deleted.days)
            if _DELETED_TOGETHER in (forgotten, deleted.deleted):
                return None
            rows = await queries.delete_sequences(tx, workspace_id=workspace_id, ids=there)
            lost = {(tally["action_type"], tally["node_type"]) for row in rows for tally in row.tallies}
            changes = await _Promotion(tx, workspace_id, self._clock.now()).settle_without(lost)
            return [row.id for row in rows], changes

        done = await self._database.transaction(work)
        if done is None:
            return None
        gone, changes = done
        self._announce(workspace_id, changes)
        return gone

    async def _measure_again(self, tx: Runner, workspace_id: str, days: Sequence[str]) -> None:
        """Enqueue a new measurement of earlier days that lost actions."""
        now = self._clock.now()
        await enqueue_jobs(
            tx,
            workspace_id=workspace_id,
            kind=JobKind.BENCHMARK,
            subject_ids=sorted(day for day in days if day < now.date().isoformat()),
            now=now,
            due_at=now,
        )

    @takes_long
    async def recount(self, workspace_id: str, attempts: Collection[Attempt]) -> None:
        """Recount kinds of attempts and failures by their edges, and update the patterns.

        Needed for edges that a restore has written. Unknown kinds are skipped.
        """
        for some in portions(sorted(attempts)):
            await self._recount(workspace_id, some)

    async def _recount(self, workspace_id: str, attempts: Sequence[Attempt]) -> None:
        named = [{"action_type": action_type, "node_type": node_type} for action_type, node_type in attempts]

        async def work(tx: Runner) -> None:
            rows = await queries.recount_attempts(tx, workspace_id=workspace_id, attempts=named)
            touched = {(row.action_type, row.node_type): set(row.error_codes) for row in rows}
            await _Promotion(tx, workspace_id, self._clock.now()).settle(touched)

        await self._database.transaction(work)

    async def _promote(self, workspace_id: str, ids: Sequence[str]) -> dict[str, PatternChange]:
        async def work(tx: Runner) -> dict[str, PatternChange]:
            return await _Promotion(tx, workspace_id, self._clock.now()).promote(ids)

        changes = await self._database.transaction(work)
        self._announce(workspace_id, changes)
        return changes

    def _announce(self, workspace_id: str, changes: Mapping[str, PatternChange]) -> None:
        promoted = sorted(id_ for id_, change in changes.items() if change is PatternChange.PROMOTED)
        if promoted and self._announcer is not None:
            self._announcer.patterns_promoted(workspace_id, promoted)

    async def _waiting(self, runner: Runner, workspace_id: str, after_id: str, limit: int) -> list[str]:
        return await queries.list_untallied(runner, workspace_id=workspace_id, after_id=after_id, limit=limit)


class _Promotion:
    """The counting of some sequences in one transaction."""

    def __init__(self, tx: Runner, workspace_id: str, now: datetime) -> None:
        self._tx = tx
        self._workspace_id = workspace_id
        self._now = now

    async def promote(self, ids: Sequence[str]) -> dict[str, PatternChange]:
        """Count the new actions of the sequences; return the changes by pattern."""
        ids = sorted(ids)  # all writers take locks in the same order
        rows = await queries.open_untallied(self._tx, workspace_id=self._workspace_id, ids=ids)
        scope = {"workspace_id": self._workspace_id}
        for attempts in portions(_attempts(rows)):
            await queries.count_attempts(self._tx, **scope, attempts=attempts)
        for failures in portions(_failures(rows)):
            await queries.count_failures(self._tx, **scope, failures=failures)
        await count_outcomes(self._tx, workspace_id=self._workspace_id, sequence_ids=ids)
        await queries.close_tallies(self._tx, workspace_id=self._workspace_id, ids=ids)
        touched: dict[Attempt, set[str]] = defaultdict(set)
        for row in rows:
            touched[row.action_type, row.node_type] |= (
                {row.error_code} if row.error_code is not None else set()
            )
        return await self.settle(touched)

    async def settle_without(self, lost: Iterable[Attempt]) -> dict[str, PatternChange]:
        """Update patterns after the loss of attempts of these kinds; the remaining ones may form a pattern."""
        touched = {attempt: set[str]() for attempt in lost}
        rows = await queries.list_repeated_failures(
            self._tx,
            workspace_id=self._workspace_id,
            attempts=[
                {"action_type": action_type, "node_type": node_type} for action_type, node_type in touched
            ],
            least=MIN_SEQUENCES,
        )
        for row in rows:
            touched[row.action_type, row.node_type].add(row.error_code)
        return await self.settle(touched)

    async def settle(self, touched: Mapping[Attempt, set[str]]) -> dict[str, PatternChange]:
        """Promote, update or demote the patterns that changed attempts and failures affect."""
        rows = await queries.list_unsettled(
            self._tx,
            workspace_id=self._workspace_id,
            attempts=[
                {"action_type": action_type, "node_type": node_type, "error_codes": sorted(codes)}
                for (action_type, node_type), codes in touched.items()
            ],
        )
        updates = settlements(rows, self._now)
        await queries.settle_patterns(
            self._tx,
            workspace_id=self._workspace_id,
            patterns=[settlement.as_parameter() for settlement in updates],
            now=self._now,
        )
        return {settlement.id: settlement.change for settlement in updates}


def _attempts(rows: Sequence[OpenUntalliedRow]) -> list[dict[str, Any]]:
    distinct = {(row.action_type, row.node_type, row.sequence_id) for row in rows}
    return [
        {"action_type": action_type, "node_type": node_type, "sequence_id": sequence_id}
        for action_type, node_type, sequence_id in sorted(distinct)
    ]


def _failures(rows: Sequence[OpenUntalliedRow]) -> list[dict[str, Any]]:
    failed = [row for row in rows if row.failed]
    failed.sort(key=lambda row: (row.action_type, row.node_type, row.error_code or "", row.sequence_id))
    fields = {"sequence_id", "action_type", "node_type", "error_code", "first_at", "last_at"}
    return [row.model_dump(include=fields) | {"id": new_id("pat")} for row in failed]


async def _patterns(
    runner: Runner, workspace_id: str, changes: Mapping[str, PatternChange]
) -> list[AgentPattern]:
    """Return the promoted patterns and the newly demoted ones, the most confident first."""
    rows = await queries.list_patterns(
        runner,
        workspace_id=workspace_id,
        node_types=[],
        action_type=None,
        error_code=None,
        suppressed=None,
        states=list(PatternState),
        after_rank=None,
        after_id=None,
        limit=MOST_RETURNED,
    )
    found = [row.pattern.model_copy(update={"change": changes.get(row.pattern.id)}) for row in rows]
    return [pattern for pattern in found if pattern.state is PatternState.PROMOTED or pattern.change]


def _note(note: str) -> str | None:
    text = " ".join(storable("note", note).split())
    if len(text) > MOST_NOTE_CHARS:
        raise InvalidInput("note", f"note must have at most {MOST_NOTE_CHARS} characters, got {len(text)}")
    return text or None
