"""The typed functions over ``cypher/vectors/external``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.ports import TierPoint
from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.vectors.external.models import TierMeta
from graph.vectors.index.models import EmbeddingSource


@query
async def begin_mirroring(
    runner: Runner, *, target: str, again: bool, grace_until: datetime, now: datetime
) -> bool | None: ...


@query
async def begin_mirroring_all(runner: Runner, *, target: str, signature: str) -> None: ...


@query
async def count_mirror_jobs(runner: Runner, *, workspace_ids: Sequence[str]) -> int: ...


@query
async def delete_mirror_jobs(runner: Runner, *, limit: int) -> int: ...


@query
async def enqueue_mirroring(runner: Runner, *, rows: Sequence[Mapping[str, Any]], now: datetime) -> None: ...


@query
async def ensure_mirroring_job(runner: Runner, *, workspace_id: str, again: bool, now: datetime) -> None: ...


@query
async def find_cleanup(runner: Runner, *, workspace_id: str) -> datetime | None: ...


@query
async def find_vector_tier(runner: Runner) -> TierMeta | None: ...


class ListMemoriesToMirrorRow(Row):
    workspace_id: str
    id: str
    active: bool


@query
async def list_memories_to_mirror(
    runner: Runner, *, after: str, limit: int
) -> list[ListMemoriesToMirrorRow]: ...


class ListMirrorSourcesRow(Row):
    source: EmbeddingSource
    point: TierPoint
    stamp: str

    @field_validator("point", mode="before")
    @classmethod
    def _read_json(cls, point: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**point, "metadata": from_json(point["metadata"] or "{}")}


@query
async def list_mirror_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]], slot: str, vector_property: str, now: datetime
) -> list[ListMirrorSourcesRow]: ...


@query
async def note_cleanup(runner: Runner, *, workspace_id: str, until: datetime) -> None: ...


@query
async def note_mirrored(
    runner: Runner, *, target: str, signature: str, cursor: str | None, count: int
) -> None: ...


@query
async def requeue_changed(
    runner: Runner, *, rows: Sequence[Mapping[str, Any]], vector_property: str, now: datetime
) -> None: ...


@query
async def select_vector_tier(runner: Runner, *, target: str | None, namespace: str) -> bool: ...
