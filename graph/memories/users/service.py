"""Users of a workspace, with counts of their memories, conversations and runs."""

from graph.core.database import Database
from graph.core.pages import Cursor, Page, Paging
from graph.core.scope import SHARED, current_scope
from graph.core.text.checks import short_text
from graph.memories.users import queries
from graph.memories.users.models import User


class Users:
    """Reads who the users of a workspace are; lives as long as the process. Who is bound to one user sees no other."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, workspace_id: str, *, first: int = 50, after: str | None = None) -> Page[User]:
        """Return a page of the users, by their ids.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        paging = Paging.of(first, after)
        after_id = paging.id or SHARED
        seen = current_scope().users
        if seen is None:
            found = await queries.list_users(
                self._database, workspace_id=workspace_id, after_id=after_id, limit=paging.limit
            )
        else:
            kept = [await self._kept(workspace_id, id_) for id_ in sorted(seen) if id_ > after_id]
            found = [user for user in kept if user is not None]
        return paging.page(found, lambda user: Cursor(id=user.id))

    async def find(self, workspace_id: str, id_: str) -> User | None:
        """Return one user, or None where nothing of theirs is kept.

        Raises:
            InvalidInput: The id is blank or too long.
        """
        checked = short_text("id", id_)
        return None if checked is None else await self._kept(workspace_id, checked)

    async def _kept(self, workspace_id: str, id_: str) -> User | None:
        return await queries.find_user(self._database, workspace_id=workspace_id, id=id_)
