"""Notes whose things of earlier releases are, once in the life of a store."""

from graph.core.data_versions.queries import find_data_version, note_data_version
from graph.core.database import Database
from graph.core.ports import Clock
from graph.core.scope import search_term
from graph.operations.earlier_owners import queries

_RUNS_DONE = "runs have users"
_SEARCH_DONE = "texts are searched by user"
_KEYS_DONE = "keys open workspaces"
_TOGETHER = 5000


async def own_earlier_runs(database: Database, clock: Clock) -> None:
    """Note of every run and answer whose it is; done once, and harmless where it is done again.

    A run is the user's whose memories, messages or key its session is; where that is nobody or several, everybody's.
    """
    if await find_data_version(database, name=_RUNS_DONE) is not None:
        return
    for workspace_id in await queries.list_workspaces_of_earlier_runs(database):
        rows = await queries.list_owners_of_earlier_runs(database, workspace_id=workspace_id)
        owners = {row.session_id: row.user_id for row in rows}
        while await queries.own_earlier_runs(
            database, workspace_id=workspace_id, owners=owners, limit=_TOGETHER
        ):
            pass
        while await queries.own_earlier_answers(database, workspace_id=workspace_id, limit=_TOGETHER):
            pass
    await note_data_version(database, name=_RUNS_DONE, now=clock.now())


async def let_search_know_users(database: Database, clock: Clock) -> None:
    """Note on every memory, episode and run what the full-text indexes know its user by; done once, as above."""
    if await find_data_version(database, name=_SEARCH_DONE) is not None:
        return
    place = ""
    while rows := await queries.list_searched_without_user(database, after=place, limit=_TOGETHER):
        place = rows[-1].place
        await queries.note_search_users(
            database,
            rows=[
                {"workspace_id": row.workspace_id, "id": row.id, "term": search_term(row.user_id)}
                for row in rows
            ],
        )
    await note_data_version(database, name=_SEARCH_DONE, now=clock.now())


async def join_earlier_keys(database: Database, clock: Clock) -> None:
    """Join every key to its workspace, so that both are seen together in Neo4j Browser; done once, as above."""
    if await find_data_version(database, name=_KEYS_DONE) is not None:
        return
    await queries.join_earlier_keys(database)
    await note_data_version(database, name=_KEYS_DONE, now=clock.now())
