"""Completes a restore after all nodes and edges: recounts, and schedules pending work."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from graph.core.background import portions
from graph.core.database import Database
from graph.core.deadlines import long_work
from graph.core.jobs import queries as jobs
from graph.core.jobs.models import JobKind
from graph.operations.archive import queries
from graph.operations.archive.format import EdgeLine
from graph.telemetry.promoting import Attempt, PatternPromoter

_COUNTED: Final = frozenset({"AgentTally", "AgentFailure"})
_FROM_SEQUENCES: Final = frozenset({"TRIED", "USED"})
_TO_SEQUENCES: Final = "EVIDENCED_BY"
_ASKED_TOGETHER: Final = 500


@dataclass
class Completion:
    """Remaining work of one restore, recorded while nodes and edges are written.

    Jobs are scheduled at the end, because a worker that reads a conversation without its messages finds nothing, and
    one that counts a run would draw edges that the restore is about to write.
    """

    database: Database
    promoter: PatternPromoter
    workspace_id: str
    now: datetime
    _owed: dict[JobKind, list[str]] = field(default_factory=lambda: defaultdict(list))
    _attempts: dict[int, Attempt] = field(default_factory=dict)
    _touched: set[int] = field(default_factory=set)

    def note_counted(self, number: int, label: str, properties: Mapping[str, Any]) -> None:
        """Note a node of the archive that counts sequences, if it is one."""
        if label in _COUNTED:
            self._attempts[number] = properties["action_type"], properties["node_type"]

    def note_owed(self, label: str, properties: Mapping[str, Any]) -> None:
        """Note what a worker still owes a restored node."""
        if (kind := _owed_to(label, properties)) is not None:
            self._owed[kind].append(properties["id"])
        if label == "Memory":
            self._owed[JobKind.TIMELINE] += properties.get("slot_keys") or ()

    def note_touched(self, number: int) -> None:
        """Note a node whose count is no longer that of its edges."""
        self._touched.add(number)

    async def run(self, refs: Mapping[int, str]) -> None:
        """Recount and schedule pending work; idempotent.

        Args:
            refs: Element ids of the archive's nodes by their numbers.
        """
        attempts = {self._attempts[number] for number in self._touched if number in self._attempts}
        await self.promoter.recount(self.workspace_id, attempts)
        memories = sorted(refs[number] for number in self._touched if number not in self._attempts)
        with long_work():
            for some in portions(memories):
                await queries.recount_runs(self.database, workspace_id=self.workspace_id, refs=some)
        for kind, ids in self._owed.items():
            for subject_ids in portions(sorted(set(ids)), _ASKED_TOGETHER):  # in the order of other writers
                await jobs.enqueue_jobs(
                    self.database,
                    workspace_id=self.workspace_id,
                    kind=kind,
                    subject_ids=subject_ids,
                    now=self.now,
                    due_at=self.now,
                )


def ends_of_evidence(edge: EdgeLine) -> tuple[int, int] | None:
    """Return the sequence, and what counts it, of an edge that says that it is counted; None for any other."""
    if edge.type in _FROM_SEQUENCES:
        return edge.source, edge.target
    if edge.type == _TO_SEQUENCES:
        return edge.target, edge.source
    return None


def _owed_to(label: str, properties: Mapping[str, Any]) -> JobKind | None:
    if label == "Distillation":
        return JobKind.DISTILL
    if label == "AgentSequence" and properties.get("untallied"):
        return JobKind.PROMOTE
    if label == "Conversation" and _is_unread(properties):
        return JobKind.EXTRACT  # which also finds what the rules alone would, as EXTRACT_FACTS
    return None


def _is_unread(conversation: Mapping[str, Any]) -> bool:
    """Tell whether a conversation has messages that are not extracted yet, or a requested extraction."""
    last = (conversation.get("next_position") or 0) - 1
    read = conversation.get("extracted_up_to")
    return (-1 if read is None else read) < last or conversation.get("extraction_wished_at") is not None
