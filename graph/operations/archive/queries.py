"""The typed functions over ``cypher/operations/archive``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from graph.core.query import query
from graph.core.rows import NO_TIMES, Row, Runner


class ListArchiveNodesRow(Row):
    label: str
    refs: list[str]


@query
async def list_archive_nodes(
    runner: Runner, *, workspace_id: str, user_id: str | None, labels: Sequence[str], filler_prefix: str
) -> list[ListArchiveNodesRow]: ...


class GetArchiveNodesRow(Row):
    ref: str
    labels: list[str]
    properties: Annotated[Mapping[str, Any], NO_TIMES]  # as the driver gives them: nothing of a time is lost
    vector: list[float] | None


@query
async def get_archive_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    refs: Sequence[str],
    label: str,
    user_id: str | None,
    vector_property: str | None,
) -> list[GetArchiveNodesRow]: ...


class GetArchiveIdentitiesRow(Row):
    ref: str
    properties: Annotated[Mapping[str, Any], NO_TIMES]


@query
async def get_archive_identities(
    runner: Runner, *, workspace_id: str, refs: Sequence[str], label: str
) -> list[GetArchiveIdentitiesRow]: ...


class ListArchiveEdgesRow(Row):
    source: str
    target: str
    target_labels: list[str]
    type: str
    properties: Annotated[Mapping[str, Any], NO_TIMES]


@query
async def list_archive_edges(
    runner: Runner, *, workspace_id: str, refs: Sequence[str], label: str, user_id: str | None
) -> list[ListArchiveEdgesRow]: ...


class CreateArchiveNodesRow(Row):
    number: int
    ref: str


@query
async def create_archive_nodes(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]], vector_property: str
) -> list[CreateArchiveNodesRow]: ...


@query
async def create_archive_edges(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]]
) -> int: ...


@query
async def note_restore(runner: Runner, *, workspace_id: str, digest: str | None) -> str | None: ...


@query
async def recount_runs(runner: Runner, *, workspace_id: str, refs: Sequence[str]) -> None: ...


@query
async def lock_restored_conversation(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...
