"""Takes note of events as they happen and writes deliveries of them, soon after and beside what made them happen."""

import json
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.events.models import Occurrence
from graph.core.jobs.models import JobKind
from graph.core.jobs.queries import enqueue_jobs
from graph.core.ports import Clock, WakeUp
from graph.core.rows import Runner
from graph.operations.webhooks import queries

MOST_WAITING = 10_000
_log = structlog.get_logger("recollect.webhooks")


class Outbox:
    """Events of workspaces that have a webhook, until they are in the graph; lives as long as the process.

    Events that wait when a process is killed are lost, and so are those above 10,000 during an outage of the graph.
    """

    def __init__(self, database: Database, wake_up: WakeUp, clock: Clock) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self._waiting: deque[Occurrence] = deque()
        self._workspaces: set[str] = set()
        self._included: set[str] = set()

    def take(self, occurrence: Occurrence) -> None:
        """Note an event; never waits, never raises."""
        if occurrence.workspace_id not in self._workspaces:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            _log.warning("webhooks.event_lost", workspace_id=occurrence.workspace_id)
        self._waiting.append(occurrence)

    def include(self, workspace_id: str) -> None:
        """Start recording the events of a workspace."""
        self._workspaces.add(workspace_id)
        self._included.add(workspace_id)

    async def refresh(self) -> None:
        """Learn which workspaces have webhooks by now; another process may have made one."""
        self._included = set()
        workspace_ids = await queries.list_webhook_workspaces(self._database)
        # What was included meanwhile may be younger than what was read.
        self._workspaces = set(workspace_ids) | self._included

    async def flush(self) -> None:
        """Write the deliveries of waiting events.

        Raises:
            Unavailable: The graph does not answer; unwritten events keep waiting.
        """
        while self._waiting:
            taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), 500))]
            by_workspace: dict[str, list[Occurrence]] = defaultdict(list)
            for occurrence in taken:
                by_workspace[occurrence.workspace_id].append(occurrence)
            try:
                while by_workspace:
                    workspace_id = next(iter(by_workspace))
                    await self.write(
                        workspace_id, await self._events(workspace_id, by_workspace[workspace_id])
                    )
                    del by_workspace[workspace_id]
            finally:
                self._waiting.extendleft([each for left in by_workspace.values() for each in left][::-1])

    async def close(self) -> None:
        """Write what waits, if the graph answers."""
        try:
            await self.flush()
        except Unavailable:
            _log.warning("webhooks.events_lost", events=len(self._waiting))

    async def write(
        self, workspace_id: str, events: Sequence[Mapping[str, Any]], webhook_id: str | None = None
    ) -> list[str]:
        """Write deliveries with their jobs and return their ids.

        Raises:
            Unavailable: The graph does not answer; nothing was written.
        """
        now = self._clock.now()

        async def work(tx: Runner) -> list[str]:
            ids = await queries.create_webhook_deliveries(
                tx, workspace_id=workspace_id, events=events, webhook_id=webhook_id, now=now
            )
            if ids:
                await enqueue_jobs(
                    tx, workspace_id=workspace_id, kind=JobKind.WEBHOOK, subject_ids=ids, now=now, due_at=now
                )
            return ids

        ids = await self._database.transaction(work)
        if ids:
            await self._wake_up.signal()
        return ids

    async def _events(self, workspace_id: str, occurrences: Sequence[Occurrence]) -> list[dict[str, Any]]:
        ids = sorted({id_ for occurrence in occurrences for id_ in occurrence.memory_ids})
        known: dict[str, dict[str, Any]] = {}
        if ids:
            rows = await queries.describe_memories(self._database, workspace_id=workspace_id, ids=ids)
            known = {row.id: _described(row) for row in rows}
        return [
            {
                "type": occurrence.type.value,
                "occurred_at": occurrence.at,
                "data": json.dumps(_data(occurrence, known), ensure_ascii=False),
                "user_ids": sorted(
                    {known[id_]["userId"] for id_ in occurrence.memory_ids if "userId" in known.get(id_, {})}
                ),
            }
            for occurrence in occurrences
        ]


def _described(row: queries.DescribeMemoriesRow) -> dict[str, Any]:
    fields = {"id": row.id, "key": row.key, "type": row.type, "userId": row.user_id, "agentId": row.agent_id}
    return {name: value for name, value in fields.items() if value}


def _data(occurrence: Occurrence, known: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    if not occurrence.memory_ids:
        return occurrence.data
    memories = [known.get(id_, {"id": id_}) for id_ in occurrence.memory_ids]
    return {**occurrence.data, "memories": memories}
