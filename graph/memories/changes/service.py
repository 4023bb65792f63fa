"""Updates the timelines of slots in background jobs of kind ``TIMELINE``."""

from collections.abc import Sequence
from typing import Any

from graph.core.automatic_changes import record_changes, withdraw_changes
from graph.core.database import Database
from graph.core.events import Announcer
from graph.core.ids import new_id
from graph.core.models import ChangeKind, MemoryEventType, NewChange
from graph.core.ports import Clock
from graph.core.queries import ClaimJobsRow
from graph.core.rows import Runner
from graph.core.text.language import spaced_stems
from graph.core.text.lucene import slot_query
from graph.core.text.work import TextWork
from graph.memories.changes import queries
from graph.memories.changes.timeline import Settlement, settlements
from graph.vectors.external.mirroring import Mirroring

_MOST_MEMBERS = 500  # latest statements of a slot that are compared


class Timelines:
    """Closes states that newer statements end; lives as long as the process.

    It computes a timeline from stored memories and writes only differences, so that a repetition changes nothing.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        mirroring: Mirroring,
        announcer: Announcer,
        text_work: TextWork,
    ) -> None:
        self._database = database
        self._clock = clock
        self._mirroring = mirroring
        self._announcer = announcer
        self._text_work = text_work

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Update the slots of claimed jobs."""
        for job in jobs:
            await self.settle(job.workspace_id, job.subject_id)

    async def settle(self, workspace_id: str, key: str) -> None:
        """Close the states of a slot that newer statements end; reopen those that no statement ends any more."""

        async def work(tx: Runner) -> list[str]:
            now = self._clock.now()
            members = await queries.lock_slot(
                tx,
                workspace_id=workspace_id,
                slot_query=slot_query(key, workspace_id),
                now=now,
                limit=_MOST_MEMBERS,
            )
            chars = sum(len(member.content) for member in members)
            changed = await self._text_work.run(settlements, members, key, chars=chars)
            if not changed:
                return []
            await queries.settle_memories(
                tx, workspace_id=workspace_id, rows=[_row(each) for each in changed], now=now
            )
            ids = [each.member.id for each in changed if each.changes_validity]
            await withdraw_changes(tx, workspace_id, ChangeKind.CLOSED, ids, now=now)
            closed = [_closed(each) for each in changed if each.changes_validity and each.closed_at]
            await record_changes(tx, workspace_id, closed, now=now)
            await self._mirroring.enqueue(tx, workspace_id, ids, now)
            return ids

        ids = await self._database.transaction(work)
        if ids:
            self._announcer.memories_changed(workspace_id, MemoryEventType.UPDATED, ids)


def _closed(settlement: Settlement) -> NewChange:
    """Return the entry of automatic changes for a memory that a newer one closed.

    An undo reopens the memory, even if an earlier statement had closed it before.
    """
    member, drawn = settlement.member, settlement.drawn
    return NewChange(
        kind=ChangeKind.CLOSED,
        subject_id=member.id,
        cause_id=drawn[0].newer_id if drawn else None,
        user_id=member.user_id or None,
        agent_id=member.agent_id or None,
        rule=f"slot:{drawn[0].slot}" if drawn else "slot",
        words=drawn[0].words if drawn else None,
        before={"t_invalid": None},
        after={"t_invalid": settlement.closed_at},
    )


def _row(settlement: Settlement) -> dict[str, Any]:
    return {
        "id": settlement.member.id,
        "t_invalid": settlement.closed_at,
        "slot_closed_at": settlement.closed_at,
        "slot_keys": list(settlement.slot_keys),
        "state_keys": list(settlement.state_keys) or None,
        "changes_validity": settlement.changes_validity,
        "dropped": list(settlement.dropped),
        "slot_refused": list(settlement.slot_refused) or None,
        "drawn": [
            {
                "id": new_id("rel"),
                "newer_id": each.newer_id,
                "slot": each.slot,
                "key": each.key,
                "words": each.words,
                "ended_terms": spaced_stems(each.ended),
                "at": each.at,
            }
            for each in settlement.drawn
        ],
    }
