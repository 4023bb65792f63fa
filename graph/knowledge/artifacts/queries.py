"""The typed functions over ``cypher/knowledge/artifacts``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.artifacts.models import Artifact


@query
async def delete_artifact(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def get_artifacts(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Artifact]: ...


@query
async def list_artifacts(
    runner: Runner,
    *,
    workspace_id: str,
    kind: str | None,
    session_id: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Artifact]: ...


class LockArtifactRow(Row):
    id: str
    artifact: Artifact | None
    revision: int


@query
async def lock_artifact(
    runner: Runner, *, workspace_id: str, key: str, id: str, now: datetime
) -> LockArtifactRow: ...


@query
async def update_artifact(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> Artifact: ...
