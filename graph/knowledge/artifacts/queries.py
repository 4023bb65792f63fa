"""The typed functions over ``cypher/knowledge/artifacts``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, fetch_many, fetch_one, fetch_optional
from graph.knowledge.artifacts.models import Artifact


class DeleteArtifactRow(Row):
    id: str


async def delete_artifact(runner: Runner, *, workspace_id: str, id: str) -> DeleteArtifactRow | None:
    return await fetch_optional(
        runner, load("delete_artifact"), DeleteArtifactRow, {"workspace_id": workspace_id, "id": id}
    )


class GetArtifactsRow(Row):
    artifact: Artifact


async def get_artifacts(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[GetArtifactsRow]:
    return await fetch_many(
        runner, load("get_artifacts"), GetArtifactsRow, {"workspace_id": workspace_id, "ids": ids}
    )


class ListArtifactsRow(Row):
    artifact: Artifact


async def list_artifacts(
    runner: Runner,
    *,
    workspace_id: str,
    kind: str | None,
    session_id: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListArtifactsRow]:
    return await fetch_many(
        runner,
        load("list_artifacts"),
        ListArtifactsRow,
        {
            "workspace_id": workspace_id,
            "kind": kind,
            "session_id": session_id,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


class LockArtifactRow(Row):
    id: str
    artifact: Artifact | None
    revision: int


async def lock_artifact(
    runner: Runner, *, workspace_id: str, key: str, id: str, now: datetime
) -> LockArtifactRow:
    return await fetch_one(
        runner,
        load("lock_artifact"),
        LockArtifactRow,
        {"workspace_id": workspace_id, "key": key, "id": id, "now": now},
    )


class UpdateArtifactRow(Row):
    artifact: Artifact


async def update_artifact(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> UpdateArtifactRow:
    return await fetch_one(
        runner,
        load("update_artifact"),
        UpdateArtifactRow,
        {"workspace_id": workspace_id, "id": id, "properties": properties},
    )
