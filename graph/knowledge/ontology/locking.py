"""Locked entities, for transactions that read and then write them."""

from collections.abc import Sequence

from graph.core.errors import Conflict
from graph.core.rows import Runner
from graph.knowledge.ontology import queries
from graph.knowledge.ontology.queries import LockEntitiesRow

ATTEMPTS = 5
"""Number of attempts of a transaction that locks entities: a retry resolves a merged one to its target."""


async def locked_entities(tx: Runner, workspace_id: str, names: Sequence[str]) -> list[LockEntitiesRow]:
    """Lock the entities of ids and keys; merged ones resolve to their target.

    Raises:
        Conflict: An entity was merged during the wait for its lock; the transaction may be retried.
    """
    rows = await queries.lock_entities(tx, workspace_id=workspace_id, names=names)
    for row in rows:
        if row.has_left:
            raise Conflict(f"entity {row.entity.id} is just merged into another; try again")
    return rows
