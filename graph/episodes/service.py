"""What can be done with episodes: roll turns up into one, read, list."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from pydantic_core import from_json

from graph.conversations.queries import chain_messages
from graph.conversations.retention import RawRetention
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.ids import new_id
from graph.core.pages import Cursor, Page, page_of, page_size
from graph.core.rows import Runner
from graph.episodes import queries
from graph.episodes.models import Episode
from graph.episodes.summarising import turn_summary
from graph.episodes.wording import MOST_TOLD
from graph.jobs.models import JobKind
from graph.jobs.queries import enqueue_jobs
from graph.ports import Clock, WakeUp
from graph.workspaces.settings import WorkspaceSettings

DEFAULT_RETAIN_LAST = 20
DEFAULT_MAX_AGE_DAYS = 30
_FEWEST_TURNS = 2
_MOST_TURNS = 2000  # of one episode; the next call goes on from there
_MOST_RETAINED = 10_000
_MOST_DAYS = 36_500


class Episodes:
    """The use cases of episodes; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        wake_up: WakeUp,
        clock: Clock,
        retention: RawRetention = RawRetention.UNTIL_CONSOLIDATED,
    ) -> None:
        """Take how long messages are kept, where a workspace does not say."""
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self._retention = retention

    async def consolidate(
        self,
        workspace_id: str,
        conversation_id: str,
        *,
        retain_last: int = DEFAULT_RETAIN_LAST,
        max_age_days: int = DEFAULT_MAX_AGE_DAYS,
    ) -> Episode | None:
        """Put a summary in the place of a conversation's old messages, in one transaction (F2-F5).

        Messages are rolled up that are both older than ``max_age_days`` and not among the ``retain_last`` newest, at
        most 2000 at once. They are deleted for good unless the workspace keeps what was said (D10), and known for
        ever where they are captured again. Repeated, it finds nothing left to do.

        Returns:
            The episode, or None where fewer than two messages are old enough, memory is off, or there is no such
            conversation.

        Raises:
            InvalidInput: A number is out of range.
            Unavailable: The graph does not answer; nothing was changed.
        """
        _check("retainLast", retain_last, _MOST_RETAINED)
        _check("maxAgeDays", max_age_days, _MOST_DAYS)
        now = self._clock.now()
        id_ = new_id("epi")

        async def work(tx: Runner) -> Episode | None:
            rolling = _RollingUp(tx, workspace_id, conversation_id, now, self._retention)
            old = await rolling.old_messages(retain_last, now - timedelta(days=max_age_days))
            return await rolling.replace(old, id_) if len(old) >= _FEWEST_TURNS else None

        episode = await self._database.transaction(work)
        if episode is not None:
            await self._wake_up.signal()
        return episode

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Episode]:
        """Return those of the episodes that there are, by their ids."""
        rows = await queries.get_episodes(self._database, workspace_id=workspace_id, ids=ids)
        return {row.episode.id: row.episode for row in rows}

    async def latest(self, workspace_id: str, conversation_id: str) -> list[Episode]:
        """Return what an agent is told of a conversation: its five latest episodes, the newest first (F7).

        Raises:
            Unavailable: The graph does not answer.
        """
        rows = await queries.list_latest_episodes(
            self._database, workspace_id=workspace_id, conversation_id=conversation_id, limit=MOST_TOLD
        )
        return [row.episode for row in rows]

    async def page(
        self,
        workspace_id: str,
        *,
        conversation_id: str | None = None,
        first: int = 5,
        after: str | None = None,
    ) -> Page[Episode]:
        """Return a page of episodes, of one conversation or of all, the newest first.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        size = page_size(first)
        cursor = Cursor.decode(after) if after else None
        rows = await queries.list_episodes(
            self._database,
            workspace_id=workspace_id,
            conversation_id=conversation_id,
            after_created=cursor.date if cursor else None,
            after_id=cursor.id if cursor else None,
            limit=size + 1,
        )
        found = [row.episode for row in rows]
        return page_of(found, [Cursor(date=each.created_at, id=each.id) for each in found], size)


class _RollingUp:
    """One episode in one transaction."""

    def __init__(
        self, tx: Runner, workspace_id: str, conversation_id: str, now: datetime, retention: RawRetention
    ) -> None:
        self._retention = retention
        self._tx = tx
        self._workspace_id = workspace_id
        self._conversation_id = conversation_id
        self._now = now

    async def old_messages(
        self, retain_last: int, older_than: datetime
    ) -> Sequence[queries.ListOldMessagesRow]:
        """Return what is to be rolled up, with the conversation locked; nothing where memory is off."""
        locked = await queries.lock_conversation(
            self._tx, workspace_id=self._workspace_id, id=self._conversation_id, now=self._now
        )
        if locked is None:
            return []
        settings = WorkspaceSettings.of(from_json(locked.settings))
        self._retention = settings.raw_retention or self._retention
        return await queries.list_old_messages(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._conversation_id,
            retain_last=retain_last,
            older_than=older_than,
            limit=_MOST_TURNS,
        )

    async def replace(self, old: Sequence[queries.ListOldMessagesRow], id_: str) -> Episode:
        """Put an episode in the place of messages."""
        messages = [row.message for row in old]
        summary = await asyncio.to_thread(turn_summary, messages)
        ids = [message.id for message in messages]
        positions = [message.position or 0 for message in messages]
        row = await queries.create_episode(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._conversation_id,
            id=id_,
            message_ids=ids,
            keeps_messages=self._retention is RawRetention.KEEP,
            properties={
                "summary": summary,
                "search_text": summary,
                "search_keys": "",
                "source_message_ids": ids,
                "source_positions": positions,
                "source_texts": [f"{each.content_hash or ''} {each.message.role or ''}" for each in old],
                "turn_count": len(ids),
            },
            now=self._now,
        )
        await chain_messages(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._conversation_id,
            since=positions[0],
            until=positions[-1],
        )
        await enqueue_jobs(
            self._tx,
            workspace_id=self._workspace_id,
            kind=JobKind.EMBED,
            subject_ids=[id_],
            now=self._now,
            due_at=self._now,
        )
        return row.episode


def _check(field: str, number: int, most: int) -> None:
    if not 0 <= number <= most:
        raise InvalidInput(field, f"{field} must be between 0 and {most}, got {number}")
