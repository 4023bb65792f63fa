"""Use cases of associations between memories."""

from collections.abc import Iterable, Sequence

from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.errors import InvalidInput, NotFound
from graph.core.events import Announcer
from graph.core.ids import new_id
from graph.core.models import MemoryEventType
from graph.core.pages import page_size
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.memories import queries
from graph.memories.changes.queries import enqueue_timelines
from graph.memories.deletion_marks import deleted_conflict, note_deleted, noted_deleted
from graph.memories.models import Association, AssociationType
from graph.memories.queries import DeleteAssociationRow, get_memories
from graph.memories.rules import fraction

MOST_LISTED = 100
_KIND = "association"
"""Kind of the marks of removed edges."""


class Associations:
    """Creates, removes and lists associations; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock, announcer: Announcer) -> None:
        self._database = database
        self._announcer = announcer
        self._clock = clock

    async def associate(
        self,
        workspace_id: str,
        *,
        from_id: str,
        to_id: str,
        type_: AssociationType | str,
        strength: float | None = None,
        restores_deleted: bool = True,
    ) -> Association:
        """Create an edge, or change the strength of an existing edge of this type between the two memories.

        Args:
            workspace_id: Workspace of both memories.
            from_id: Source of the edge, such as the invalidated memory.
            to_id: Target of the edge, such as the memory that invalidates it.
            type_: One of ``AssociationType``.
            strength: Strength, 0..1; None keeps the stored one, and means 0.5 for a new edge.
            restores_deleted: Create an edge again that somebody removed.

        Raises:
            Conflict: Somebody removed the edge, and ``restores_deleted`` is false.
            InvalidInput: Unknown type, a strength outside 0..1, or both ends are the same.
            NotFound: One of the memories does not exist in this workspace, was deleted or has expired.
        """
        if from_id == to_id:
            raise InvalidInput("toId", "toId and fromId must name different memories")
        touches(from_id, to_id)
        type_ = _known(type_)
        strength = fraction("strength", strength)
        id_ = new_id("rel")

        async def work(tx: Runner) -> Association | None:
            drawn = await queries.upsert_association(
                tx,
                workspace_id=workspace_id,
                from_id=from_id,
                to_id=to_id,
                type=type_,
                id=id_,
                strength=strength,
                now=self._clock.now(),
            )
            if drawn is not None and drawn.id == id_ and not restores_deleted:
                edge = _edge(from_id, type_, to_id)
                if await noted_deleted(tx, workspace_id, _KIND, [edge]):
                    raise deleted_conflict(f"the association {type_}")
            return drawn

        association = await self._database.transaction(work)
        if association is None:
            raise await self._missing(workspace_id, from_id=from_id, to_id=to_id)
        return association

    async def _missing(self, workspace_id: str, *, from_id: str, to_id: str) -> NotFound:
        """Return an error that names the missing end."""
        memories = await get_memories(
            self._database,
            workspace_id=workspace_id,
            ids=[from_id],
            include_deleted=False,
            now=self._clock.now(),
        )
        field, id_ = ("toId", to_id) if memories else ("fromId", from_id)
        return NotFound(f"there is no memory {id_!r} in this workspace", field=field)

    async def dissociate(self, workspace_id: str, id_: str) -> bool:
        """Remove an edge; return whether it existed.

        Removing the edge of a closing makes the older statement current again, and the newer one does not close it a
        second time. An import does not create the edge again.
        """

        async def work(tx: Runner) -> DeleteAssociationRow | None:
            now = self._clock.now()
            row = await queries.delete_association(tx, workspace_id=workspace_id, id=id_, now=now)
            if row is None:
                return None
            edge = _edge(row.source_id, row.type, row.target_id)
            await note_deleted(tx, workspace_id, _KIND, edge, now=now)
            if row.is_of_slot:
                await enqueue_timelines(tx, workspace_id=workspace_id, ids=[row.source_id], now=now)
            return row

        removed = await self._database.transaction(work)
        if removed is None:
            return False
        touches(removed.source_id, removed.target_id)
        if removed.is_opened:
            self._announcer.memories_changed(workspace_id, MemoryEventType.UPDATED, [removed.source_id])
        return True

    async def of_memories(
        self, workspace_id: str, ids: Sequence[str], *, first: int
    ) -> dict[str, list[Association]]:
        """Return the edges between these memories and live ones, the strongest first.

        Raises:
            InvalidInput: ``first`` is not between 1 and 100.
        """
        limit = page_size(first, most=MOST_LISTED)
        rows = await queries.list_associations(
            self._database, workspace_id=workspace_id, memory_ids=ids, limit=limit, now=self._clock.now()
        )
        found: dict[str, list[Association]] = {id_: [] for id_ in ids}
        for row in rows:
            found[row.memory_id].append(row.association)
        return found


async def removed_pairs(
    runner: Runner, workspace_id: str, type_: AssociationType, pairs: Iterable[tuple[str, str]]
) -> frozenset[tuple[str, str]]:
    """Return the pairs of memories between which somebody removed an edge of a type, each in both orders."""
    edges = {_edge(one, type_, other): (one, other) for pair in pairs for one, other in (pair, pair[::-1])}
    removed = [edges[edge] for edge in await noted_deleted(runner, workspace_id, _KIND, edges)]
    return frozenset(removed) | {(other, one) for one, other in removed}


def _edge(from_id: str, type_: AssociationType, to_id: str) -> str:
    return f"{from_id} {type_} {to_id}"


def _known(type_: AssociationType | str) -> AssociationType:
    try:
        return AssociationType(type_)
    except ValueError:
        known = ", ".join(AssociationType)
        raise InvalidInput("type", f"type must be one of {known}, got {str(type_)[:60]!r}") from None
