"""Use cases of associations between memories."""

from collections.abc import Sequence

from graph.core.acting import touches
from graph.core.database import Database
from graph.core.errors import InvalidInput, NotFound
from graph.core.ids import new_id
from graph.core.pages import page_size
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.memories.associations import queries
from graph.memories.associations.models import Association, AssociationType
from graph.memories.changes.queries import enqueue_timelines
from graph.memories.queries import get_memories
from graph.memories.rules import fraction

MOST_LISTED = 100


class Associations:
    """The use cases of associations; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def associate(
        self,
        workspace_id: str,
        *,
        from_id: str,
        to_id: str,
        type_: AssociationType | str,
        strength: float | None = None,
    ) -> Association:
        """Draw an edge, or change the strength of the one there is of this type between the two.

        Args:
            workspace_id: Workspace of both memories.
            from_id: The memory that is, for example, invalidated.
            to_id: The memory it is invalidated by.
            type_: One of ``AssociationType``.
            strength: 0..1; None keeps the strength there is, 0.5 for a new edge.

        Raises:
            InvalidInput: Unknown type, a strength outside 0..1, or both ends are the same.
            NotFound: One of the memories does not exist in this workspace, was deleted or has expired.
        """
        if from_id == to_id:
            raise InvalidInput("toId", "toId must name another memory than fromId")
        touches(from_id, to_id)
        association = await queries.upsert_association(
            self._database,
            workspace_id=workspace_id,
            from_id=from_id,
            to_id=to_id,
            type=_known(type_),
            id=new_id("rel"),
            strength=fraction("strength", strength),
            now=self._clock.now(),
        )
        if association is None:
            raise await self._missing(workspace_id, from_id=from_id, to_id=to_id)
        return association

    async def _missing(self, workspace_id: str, *, from_id: str, to_id: str) -> NotFound:
        """Return an error that names the end which is not there."""
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
        """Remove an edge; return whether there was one.

        Removing the edge of a closing makes the older statement current again, and the newer one does not close it a
        second time.
        """

        async def work(tx: Runner) -> bool:
            row = await queries.delete_association(tx, workspace_id=workspace_id, id=id_)
            if row is not None and row.is_of_slot:
                ids = [row.source_id]
                await enqueue_timelines(tx, workspace_id=workspace_id, ids=ids, now=self._clock.now())
            return row is not None

        return await self._database.transaction(work)

    async def of_memories(
        self, workspace_id: str, ids: Sequence[str], *, first: int
    ) -> dict[str, list[Association]]:
        """Return the edges of memories to and from live ones, the strongest first.

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


def _known(type_: AssociationType | str) -> AssociationType:
    try:
        return AssociationType(type_)
    except ValueError:
        known = ", ".join(AssociationType)
        raise InvalidInput("type", f"type must be one of {known}, got {str(type_)[:60]!r}") from None
