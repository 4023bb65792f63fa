"""Users of a workspace, with counts of their memories, conversations and runs."""

from graph.core.database import Database
from graph.core.pages import Cursor, Page, Paging
from graph.core.scope import SHARED, current_scope
from graph.core.text.checks import short_text
from graph.memories import queries
from graph.memories.models import User


class Users:
    """Lists the users of a workspace; lives as long as the process.

    A caller bound to a user sees only that user.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, workspace_id: str, *, first: int = 50, after: str | None = None) -> Page[User]:
        """Return a page of the users, ordered by id.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        paging = Paging.of(first, after)
        after_id = paging.id or SHARED
        visible = current_scope().users
        if visible is None:
            found = await queries.list_users(
                self._database, workspace_id=workspace_id, after_id=after_id, limit=paging.limit
            )
        else:
            users = [await self._find(workspace_id, id_) for id_ in sorted(visible) if id_ > after_id]
            found = [user for user in users if user is not None]
        return paging.page(found, lambda user: Cursor(id=user.id))

    async def find(self, workspace_id: str, id_: str) -> User | None:
        """Return one user, or None if the workspace stores nothing of theirs.

        Raises:
            InvalidInput: The id is blank or too long.
        """
        checked = short_text("id", id_)
        return None if checked is None else await self._find(workspace_id, checked)

    async def _find(self, workspace_id: str, id_: str) -> User | None:
        return await queries.find_user(self._database, workspace_id=workspace_id, id=id_)
