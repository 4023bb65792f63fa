"""The typed functions over ``cypher/memories/associations``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from cypher import load
from graph.core.rows import Row, Runner, fetch_many, fetch_optional
from graph.memories.associations.models import Association, AssociationType


class DeleteAssociationRow(Row):
    id: str


async def delete_association(runner: Runner, *, workspace_id: str, id: str) -> DeleteAssociationRow | None:
    return await fetch_optional(
        runner, load("delete_association"), DeleteAssociationRow, {"workspace_id": workspace_id, "id": id}
    )


class ListAssociationsRow(Row):
    memory_id: str
    association: Association


async def list_associations(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int, now: datetime
) -> list[ListAssociationsRow]:
    return await fetch_many(
        runner,
        load("list_associations"),
        ListAssociationsRow,
        {"workspace_id": workspace_id, "memory_ids": memory_ids, "limit": limit, "now": now},
    )


class UpsertAssociationRow(Row):
    association: Association


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
) -> UpsertAssociationRow | None:
    return await fetch_optional(
        runner,
        load("upsert_association"),
        UpsertAssociationRow,
        {
            "workspace_id": workspace_id,
            "from_id": from_id,
            "to_id": to_id,
            "type": type,
            "id": id,
            "strength": strength,
            "now": now,
        },
    )
