"""Notes whose things of earlier releases are, once in the life of a store."""

from graph.core.data_versions.once import once_in_a_store
from graph.core.database import Database
from graph.core.scope import search_term
from graph.operations.earlier_owners import queries

_TOGETHER = 5000


@once_in_a_store("runs have users")
async def own_earlier_runs(database: Database) -> None:
    """Note of every run and answer whose it is.

    A run is the user's whose memories, messages or key its session is; where that is nobody or several, everybody's.
    """
    for workspace_id in await queries.list_workspaces_of_earlier_runs(database):
        rows = await queries.list_owners_of_earlier_runs(database, workspace_id=workspace_id)
        owners = {row.session_id: row.user_id for row in rows}
        while await queries.own_earlier_runs(
            database, workspace_id=workspace_id, owners=owners, limit=_TOGETHER
        ):
            pass
        while await queries.own_earlier_answers(database, workspace_id=workspace_id, limit=_TOGETHER):
            pass


@once_in_a_store("texts are searched by user")
async def let_search_know_users(database: Database) -> None:
    """Note on every memory, episode and run what the full-text indexes know its user by."""
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


@once_in_a_store("keys open workspaces")
async def join_earlier_keys(database: Database) -> None:
    """Join every key to its workspace, so that both are seen together in Neo4j Browser."""
    await queries.join_earlier_keys(database)
