"""Captures messages: validates them, compares them with the stored ones, and writes them in one transaction."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from graph.conversations.capture import queries
from graph.conversations.capture.models import CaptureDraft, CaptureReport, MessageDraft
from graph.conversations.capture.placing import (
    Gone,
    Placement,
    Text,
    as_kept,
    is_addressed,
    placed,
    placed_behind,
    repeated_beside,
    text_at,
    text_of,
    text_of_stored,
)
from graph.conversations.capture.rules import validated
from graph.conversations.extraction.scheduling import Cursors, Scheduler
from graph.core.acting import ACTING_KEY
from graph.core.database import Database
from graph.core.errors import Conflict
from graph.core.ports import Clock, SecretDetector
from graph.core.rows import Runner
from graph.core.scope import SHARED, owner_named
from graph.memories.deletion.withholding import noted_deleted
from graph.tenancy.workspaces.models import MEMORY_OFF

WAS_DELETED = "it was deleted in this workspace; restoreDeleted brings it back"
_ATTEMPTS = 3


class Capturer:
    """The use case of capture; lives as long as the process.

    Args:
        database: The graph.
        clock: The time.
        secrets: Finds what must not be stored; None: everything may be.
        scheduler: Schedules the extraction from captured messages.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        secrets: SecretDetector | None,
        scheduler: Scheduler,
    ) -> None:
        self._database = database
        self._clock = clock
        self._secrets = secrets
        self._scheduler = scheduler

    async def capture(self, workspace_id: str, draft: CaptureDraft) -> tuple[str, CaptureReport]:
        """Return the id of the conversation and the capture report; see ``Conversations.append``."""
        user_id, agent_id = owner_named(draft.user_id, draft.agent_id)
        draft = draft.model_copy(update={"user_id": user_id, "agent_id": agent_id})
        draft, left_out = await asyncio.to_thread(validated, draft, self._why_not)
        if not draft.messages:
            return draft.conversation_id, CaptureReport(left_out=left_out)
        report = await self._write(workspace_id, draft)
        if report.skipped is None:
            report = report.model_copy(update={"left_out": left_out})
        return draft.conversation_id, report

    def _why_not(self, content: str) -> str | None:
        kinds = self._secrets.kinds_in(content) if self._secrets else ()
        return f"content seems to hold a credential ({', '.join(kinds)})" if kinds else None

    async def _write(self, workspace_id: str, draft: CaptureDraft) -> CaptureReport:
        """Write the messages; a conversation that another writer begins in the same moment is known the next time."""
        now = self._clock.now()

        async def work(tx: Runner) -> CaptureReport:
            return await _Capture(tx, workspace_id, draft, self._scheduler, now).write()

        return await self._database.transaction(work, attempts=_ATTEMPTS)


class _Capture:
    """One batch in one transaction."""

    def __init__(
        self, tx: Runner, workspace_id: str, draft: CaptureDraft, scheduler: Scheduler, now: datetime
    ) -> None:
        self._scheduler = scheduler
        self._tx = tx
        self._workspace_id = workspace_id
        self._draft = draft
        self._id = draft.conversation_id
        self._now = now

    async def write(self) -> CaptureReport:
        if await self._is_deleted():
            return CaptureReport(skipped=WAS_DELETED)
        opened = await queries.open_conversation(
            self._tx,
            workspace_id=self._workspace_id,
            id=self._id,
            user_id=self._draft.user_id or SHARED,
            agent_id=self._draft.agent_id or SHARED,
            api_key_id=ACTING_KEY.get(),
            now=self._now,
        )
        if opened is None:
            return CaptureReport(skipped=MEMORY_OFF)
        if opened.has_left:  # tried again, which begins another conversation here
            raise Conflict(f"conversation {self._id!r} is just moved to another workspace; try again")
        self._check_owner(opened)
        given = self._draft.platform
        if given and opened.platform and given != opened.platform:
            raise Conflict(
                f"conversation {self._id!r} takes place on {opened.platform}: give one of {given} another id",
                field="platform",
            )
        placement = await self._placed(opened.next_position)
        if placement.rows:
            await self._store(placement)
        properties = self._properties(placement) | await self._scheduled(placement, opened)
        if properties:
            await queries.update_conversation(
                self._tx, workspace_id=self._workspace_id, id=self._id, properties=properties
            )
        return CaptureReport(added=placement.added, changed=placement.changed, known=placement.known)

    async def _is_deleted(self) -> bool:
        """Tell whether somebody deleted the conversation, and whoever captures it must not bring it back."""
        if self._draft.restores_deleted:
            return False
        if not await noted_deleted(self._tx, self._workspace_id, "conversation", [self._id]):
            return False
        there = await queries.get_conversations(self._tx, workspace_id=self._workspace_id, ids=[self._id])
        return not there

    def _check_owner(self, opened: queries.OpenConversationRow) -> None:
        """Check that the messages do not come from another user or agent than the conversation's.

        Raises:
            Conflict: They do.
        """
        draft = self._draft
        for field, named, own in (
            ("userId", draft.user_id, opened.user_id),
            ("agentId", draft.agent_id, opened.agent_id),
        ):
            if named is not None and named != own:
                raise Conflict(
                    f"conversation {self._id!r} has another {field}: choose another conversationId",
                    field=field,
                )

    async def _placed(self, next_position: int) -> Placement:
        messages = self._draft.messages
        addressed = [message for message in messages if is_addressed(message)]
        if addressed:
            return await self._placed_by_address(addressed, next_position)
        same = await self._same({text_of(message) for message in messages})
        said = {row.position: (row.content_hash, row.role) for row in same}
        first_turn = next((row.turn_ends or next_position for row in same if row.position == 0), 0)
        ends = await queries.find_captured(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._id,
            ids=[],
            positions=[next_position - 1],
        )
        last = next((message for message in ends if message.content is not None), None)
        gone = await self._gone(texts=messages)
        return placed_behind(messages, gone.texts | said, next_position, last, first_turn)

    async def _placed_by_address(self, addressed: Sequence[MessageDraft], next_position: int) -> Placement:
        messages = self._draft.messages
        ids = [message.id for message in addressed if message.id is not None]
        positions = [message.position for message in addressed if message.position is not None]
        stored = await queries.find_captured(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._id,
            ids=ids,
            positions=positions,
        )
        others = [message for message in messages if not is_addressed(message)]
        gone = await self._gone(ids=ids, positions=positions, texts=others)
        repeated: set[int] = set()
        if others:
            texts = {text_of(message) for message in messages} | {text_of_stored(each) for each in stored}
            said = {row.position: (row.content_hash, row.role) for row in await self._same(texts)}
            repeated = repeated_beside(messages, stored, gone.texts | said, next_position)
        return placed(messages, stored, next_position, gone, repeated=repeated)

    async def _same(self, texts: Collection[Text]) -> list[queries.FindSameTextsRow]:
        return await queries.find_same_texts(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._id,
            hashes=sorted({hashed for hashed, _ in texts}),
        )

    async def _gone(
        self,
        *,
        ids: Sequence[str] = (),
        positions: Sequence[int] = (),
        texts: Sequence[MessageDraft] = (),
    ) -> Gone:
        """Return which of these an episode took the place of, or lost their text once they were read."""
        rows = await queries.list_gone_messages(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._id,
            ids=ids,
            positions=positions,
            texts=sorted({as_kept(text_of(message)) for message in texts}),
        )
        return Gone(
            ids=frozenset(row.id for row in rows), texts={row.position: text_at(row.text) for row in rows}
        )

    async def _store(self, placement: Placement) -> None:
        await queries.write_messages(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._id,
            messages=placement.rows,
            now=self._now,
        )
        if placement.places:
            await queries.chain_messages(
                self._tx,
                workspace_id=self._workspace_id,
                conversation_id=self._id,
                since=min(placement.places),
                until=max(placement.places),
            )

    async def _scheduled(self, placement: Placement, opened: queries.OpenConversationRow) -> dict[str, Any]:
        """Schedule the extraction from new messages; return the resulting reading state.

        A changed message before the end may be under extraction in its old form; the reader detects that by
        ``rereads``.
        """
        if placement.earliest is None:
            return {}
        is_late = placement.earliest < opened.next_position
        rereads = {"rereads": opened.rereads + 1} if is_late else {}
        return rereads | await self._scheduler.schedule(
            self._tx,
            self._workspace_id,
            self._id,
            settings=opened.settings,
            read=Cursors(facts_up_to=opened.facts_up_to, extracted_up_to=opened.extracted_up_to),
            earliest=placement.earliest,
            last=placement.next_position - 1,
            now=self._now,
        )

    def _properties(self, placement: Placement) -> dict[str, Any]:
        named = {"platform": self._draft.platform, "title": self._draft.title}
        properties: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        if placement.rows:
            properties |= {"next_position": placement.next_position, "updated_at": self._now}
        return properties
