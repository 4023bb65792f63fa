"""Whose memories and conversations a workspace keeps."""

from graph.core.database import Database
from graph.core.pages import Cursor, Page, Paging
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
        rows = await queries.list_users(
            self._database, workspace_id=workspace_id, only=None, after_id=paging.id or "", limit=paging.limit
        )
        return paging.page([row.user for row in rows], lambda user: Cursor(id=user.id))

    async def find(self, workspace_id: str, id_: str) -> User | None:
        """Return one user, or None where nothing of theirs is kept.

        Raises:
            InvalidInput: The id is blank or too long.
        """
        rows = await queries.list_users(
            self._database, workspace_id=workspace_id, only=short_text("id", id_), after_id="", limit=1
        )
        return rows[0].user if rows else None
