"""Entities under their locks, for whoever reads and then writes them in one transaction."""

from collections.abc import Sequence

from graph.core.errors import Conflict
from graph.core.rows import Runner
from graph.knowledge.ontology import queries
from graph.knowledge.ontology.queries import LockEntitiesRow

ATTEMPTS = 5
"""How often a transaction that locks entities is tried: the next attempt is led to what one was merged into."""


async def locked_entities(tx: Runner, workspace_id: str, names: Sequence[str]) -> list[LockEntitiesRow]:
    """Lock the entities of ids and keys, those that were merged as what they were merged into.

    Raises:
        Conflict: One was merged while its lock was waited for; the transaction may be tried again.
    """
    rows = await queries.lock_entities(tx, workspace_id=workspace_id, names=names)
    for row in rows:
        if row.has_left:
            raise Conflict(f"entity {row.entity.id} is just merged into another; try again")
    return rows
