"""Taking memories away: softly, for good, in bulk, and out of sight once they have expired."""

from collections.abc import Sequence

from graph.core.database import Database
from graph.core.rows import Runner
from graph.forgetting import queries as forgetting
from graph.memories import queries, rules
from graph.memories.applying import PlanRunner
from graph.memories.models import Deletion, MemoryClearing
from graph.memories.policy import MemoryPolicy
from graph.memories.writing import TurnPlace
from graph.ports import Clock

_CLEARED_TOGETHER = 500
_SWEPT_TOGETHER = 1000


class Deleter:
    """The use cases of deleting; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock, policy: MemoryPolicy) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy

    async def remove(self, workspace_id: str, id_: str, *, hard: bool) -> Deletion:
        """See ``Memories.remove``."""
        if await self._remove(workspace_id, [id_], hard=self._policy.is_hard(asked_hard=hard)):
            return Deletion.DELETED
        return await self._why_not(workspace_id, id_)

    async def clear(self, workspace_id: str, clearing: MemoryClearing, *, hard: bool) -> int:
        """See ``Memories.clear``."""
        is_hard = self._policy.is_hard(asked_hard=hard)
        removed = 0
        while True:
            rows = await forgetting.list_memories_to_clear(
                self._database,
                workspace_id=workspace_id,
                api_key_id=clearing.api_key_id,
                types=list(clearing.types),
                kinds=list(clearing.kinds),
                facets=list(clearing.facets),
                created_before=rules.in_utc(clearing.older_than),
                include_deleted=is_hard,
                limit=_CLEARED_TOGETHER,
            )
            if rows:
                removed += len(await self._remove(workspace_id, [row.id for row in rows], hard=is_hard))
            if len(rows) < _CLEARED_TOGETHER:
                return removed

    async def sweep_expired(self) -> int:
        """Take expired memories of every workspace out of the vector index's reach; return how many.

        Raises:
            Unavailable: The graph does not answer.
        """
        total = 0
        while True:
            row = await forgetting.sweep_expired(self._database, now=self._clock.now(), limit=_SWEPT_TOGETHER)
            total += row.swept
            if row.swept < _SWEPT_TOGETHER:
                return total

    async def _remove(self, workspace_id: str, ids: Sequence[str], *, hard: bool) -> list[str]:
        forget = forgetting.delete_memories if hard else forgetting.archive_memories

        async def work(tx: Runner) -> list[str]:
            now = self._clock.now()
            rows = await forget(tx, workspace_id=workspace_id, ids=ids, now=now)
            places = [
                TurnPlace(row.turn_scope, row.position)
                for row in rows
                if row.turn_scope is not None and row.position is not None
            ]
            await PlanRunner(tx, workspace_id, None, now).refresh_turns(places)
            return [row.id for row in rows]

        return await self._database.transaction(work)

    async def _why_not(self, workspace_id: str, id_: str) -> Deletion:
        """Tell an id that is gone from one that never was."""
        stored = await queries.get_memories(
            self._database, workspace_id=workspace_id, ids=[id_], include_deleted=True, now=self._clock.now()
        )
        tombs = await forgetting.find_tombstones(self._database, workspace_id=workspace_id, ids=[id_])
        return Deletion.GONE_BEFORE if stored or tombs else Deletion.UNKNOWN
