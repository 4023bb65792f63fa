"""Memories that a language model proposes to delete: a person confirms or dismisses each."""

from contextlib import suppress

from graph.conversations.extraction import queries
from graph.conversations.extraction.models import DeletionSuggestion
from graph.core.database import Database
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.memories.deletion.service import Deleter


class _NotProposed(Exception):
    """Raised to leave a memory as it is."""


class DeletionSuggestions:
    """The use cases of such proposals; lives as long as the process."""

    def __init__(self, database: Database, deletion: Deleter, clock: Clock) -> None:
        self._database = database
        self._deletion = deletion
        self._clock = clock

    async def page(
        self, workspace_id: str, *, first: int = 50, after: str | None = None
    ) -> Page[DeletionSuggestion]:
        """Return a page of what is proposed and not decided, the latest first."""
        paging = Paging.of(first, after)
        found = await queries.list_deletion_suggestions(
            self._database,
            workspace_id=workspace_id,
            after_suggested=paging.date,
            after_id=paging.id,
            limit=paging.limit,
        )
        return paging.page(found, lambda each: Cursor(date=each.suggested_at, id=each.memory_id))

    async def confirm(self, workspace_id: str, memory_id: str) -> bool:
        """Delete a memory that is proposed for it, so that it can be restored; return whether there was one."""

        async def settle(tx: Runner) -> None:
            if not await self._settle(tx, workspace_id, memory_id, is_dismissed=False):
                raise _NotProposed

        with suppress(_NotProposed):
            return await self._deletion.delete(workspace_id, memory_id, first=settle)
        return False

    async def dismiss(self, workspace_id: str, memory_id: str) -> bool:
        """Keep a memory, which is not proposed again; return whether it was proposed."""
        return await self._settle(self._database, workspace_id, memory_id, is_dismissed=True)

    async def _settle(self, runner: Runner, workspace_id: str, memory_id: str, *, is_dismissed: bool) -> bool:
        id_ = await queries.settle_deletion_suggestion(
            runner,
            workspace_id=workspace_id,
            memory_id=memory_id,
            is_dismissed=is_dismissed,
            now=self._clock.now(),
        )
        return id_ is not None
