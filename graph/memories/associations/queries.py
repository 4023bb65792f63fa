"""The typed functions over ``cypher/memories/associations``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.associations.models import Association, AssociationType


class DeleteAssociationRow(Row):
    source_id: str
    target_id: str
    type: AssociationType
    is_of_slot: bool
    is_opened: bool


@query
async def delete_association(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> DeleteAssociationRow | None: ...


class ListAssociationsRow(Row):
    memory_id: str
    association: Association


@query
async def list_associations(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int, now: datetime
) -> list[ListAssociationsRow]: ...


@query
async def upsert_association(
    runner: Runner,
    *,
    workspace_id: str,
    from_id: str,
    to_id: str,
    type: AssociationType,
    id: str,
    strength: float | None,
    now: datetime,
) -> Association | None: ...
