"""The typed functions over ``cypher/operations/earlier_owners``. The header of each file documents it."""

from collections.abc import Mapping, Sequence

from graph.core.query import query
from graph.core.rows import Row, Runner


@query
async def join_earlier_keys(runner: Runner) -> None: ...


@query
async def list_workspaces_of_earlier_runs(runner: Runner) -> list[str]: ...


class ListOwnersOfEarlierRunsRow(Row):
    session_id: str
    user_id: str


@query
async def list_owners_of_earlier_runs(
    runner: Runner, *, workspace_id: str
) -> list[ListOwnersOfEarlierRunsRow]: ...


@query
async def own_earlier_runs(
    runner: Runner, *, workspace_id: str, owners: Mapping[str, str], limit: int
) -> int: ...


@query
async def own_earlier_answers(runner: Runner, *, workspace_id: str, limit: int) -> int: ...


class ListSearchedWithoutUserRow(Row):
    workspace_id: str
    id: str
    place: str
    user_id: str


@query
async def list_searched_without_user(
    runner: Runner, *, after: str, limit: int
) -> list[ListSearchedWithoutUserRow]: ...


@query
async def note_search_users(runner: Runner, *, rows: Sequence[Mapping[str, str]]) -> None: ...
