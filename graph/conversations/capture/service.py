"""Use cases of conversations: capture, read, list, delete."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from graph.conversations import queries
from graph.conversations.capture.alignment import (
    Gone,
    Placement,
    Text,
    is_addressed,
    placed,
    placed_behind,
    repeated_beside,
    text_at,
    text_key,
    text_of,
    text_of_stored,
)
from graph.conversations.capture.models import (
    CaptureDraft,
    CaptureReport,
    Conversation,
    ConversationCounts,
    Message,
    MessageDraft,
)
from graph.conversations.capture.rules import validated
from graph.conversations.extraction.scheduling import Cursors, Scheduler
from graph.core.audit import note_act
from graph.core.current_call import ACTING_KEY, touches
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import Conflict, InvalidInput
from graph.core.models import AuditAction
from graph.core.pages import Cursor, Page, Paging, page_of, page_size
from graph.core.ports import Clock, SecretDetector
from graph.core.rows import Runner
from graph.core.scope import SHARED, owner_named
from graph.core.working_set import WorkingSet
from graph.memories.deletion import Deleter
from graph.memories.deletion_marks import note_deleted, noted_deleted
from graph.tenancy.models import MEMORY_OFF

WAS_DELETED = "it was deleted in this workspace; restoreDeleted brings it back"
_ATTEMPTS = 3


class Capturer:
    """The use case of capture; lives as long as the process.

    Args:
        database: The graph.
        clock: The time.
        secrets: Detects credentials in messages; None: the deployment stores credentials.
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
        """Write the messages; retry if another writer creates the conversation at the same time."""
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
        # The lock waited while another transaction moved the conversation away; a retry creates a new one here.
        if opened.has_left:
            raise Conflict(f"conversation {self._id!r} is being moved to another workspace; try again")
        self._check_owner(opened)
        platform = self._draft.platform
        if platform and opened.platform and platform != opened.platform:
            raise Conflict(
                f"conversation {self._id!r} belongs to {opened.platform}: give the one of {platform} another id",
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
        """Tell whether the conversation was deleted and this capture must not restore it."""
        if self._draft.restores_deleted:
            return False
        if not await noted_deleted(self._tx, self._workspace_id, "conversation", [self._id]):
            return False
        existing = await queries.get_conversations(self._tx, workspace_id=self._workspace_id, ids=[self._id])
        return not existing

    def _check_owner(self, opened: queries.OpenConversationRow) -> None:
        """Check that the draft names no user or agent other than the conversation's.

        Raises:
            Conflict: It names another one.
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
        stored_texts = {row.position: (row.content_hash, row.role) for row in same}
        first_turn = next((row.turn_ends or next_position for row in same if row.position == 0), 0)
        at_the_end = await queries.find_captured(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._id,
            ids=[],
            positions=[next_position - 1],
        )
        last = next((message for message in at_the_end if message.content is not None), None)
        gone = await self._gone(texts=messages)
        return placed_behind(messages, gone.texts | stored_texts, next_position, last, first_turn)

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
            stored_texts = {row.position: (row.content_hash, row.role) for row in await self._same(texts)}
            repeated = repeated_beside(messages, stored, gone.texts | stored_texts, next_position)
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
        """Return the addressed messages that an episode replaced or that lost their text after extraction."""
        rows = await queries.list_gone_messages(
            self._tx,
            workspace_id=self._workspace_id,
            conversation_id=self._id,
            ids=ids,
            positions=positions,
            texts=sorted({text_key(text_of(message)) for message in texts}),
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
        """Schedule the extraction of new messages; return the changed properties of the conversation.

        A worker may be reading the old text of a message that changes here. It compares ``rereads`` before it saves,
        so a change before the end of the conversation increments that number.
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


_AMBIGUOUS = 2
_BEHIND_ALL = 2**53
_FORGOTTEN_TOGETHER = 500
_DELETED_TOGETHER = 5000


class Conversations:
    """The use cases of conversations; lives as long as the process.

    Every method reads and writes one workspace only.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        deletion: Deleter,
        working_set: WorkingSet,
        capturer: Capturer,
    ) -> None:
        self._database = database
        self._clock = clock
        self._deletion = deletion
        self._working_set = working_set
        self._capturer = capturer

    async def append(self, workspace_id: str, draft: CaptureDraft) -> Conversation:
        """Capture messages; each message is stored once, however often it is sent.

        Messages with an id or a position may arrive late, in any order and from several writers at once. Messages
        without either are recognized by their texts and order. So a caller can send the whole transcript or its last
        messages again, and only new messages are added.

        If memory is off, nothing is stored, and ``capture`` of the result reports it. Messages without text,
        unreadable messages and messages with a credential are skipped; a deployment may allow credentials. Of a
        message that is too long, the beginning and the end are stored.

        Raises:
            InvalidInput: A field of the whole batch breaks a rule; nothing was stored.
            Forbidden: A message or the conversation names a user or agent outside the scope; nothing was stored.
            Conflict: The conversation has another user, agent or platform, or is just being moved; nothing was stored.
            Unavailable: The graph does not answer; nothing was stored.
        """
        id_, report = await self._capturer.capture(workspace_id, draft)
        touches(id_)
        found = await self.find(workspace_id, id_) or Conversation(id=id_, workspace_id=workspace_id)
        return found.model_copy(update={"capture": report})

    async def find(self, workspace_id: str, id_: str) -> Conversation | None:
        """Return one conversation, or None."""
        return (await self.find_all(workspace_id, [id_])).get(id_)

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Conversation]:
        """Return the existing conversations by their ids."""
        conversations = await queries.get_conversations(self._database, workspace_id=workspace_id, ids=ids)
        return {conversation.id: conversation for conversation in conversations}

    async def page(
        self, workspace_id: str, *, platform: str | None = None, first: int = 50, after: str | None = None
    ) -> Page[Conversation]:
        """Return a page of conversations, the most recently updated first."""
        paging = Paging.of(first, after)
        found = await queries.list_conversations(
            self._database,
            workspace_id=workspace_id,
            platform=platform,
            after_updated=paging.date,
            after_id=paging.id,
            limit=paging.limit,
        )
        return paging.page(found, lambda each: Cursor(date=each.updated_at, id=each.id))

    async def messages_of(
        self, workspace_id: str, conversation_ids: Sequence[str], *, first: int = 50, after: str | None = None
    ) -> dict[str, Page[Message]]:
        """Return a page of messages for each conversation, ordered by position."""
        paging = Paging.of(first, after)
        rows = await queries.list_messages(
            self._database,
            workspace_id=workspace_id,
            conversation_ids=conversation_ids,
            after_position=int(paging.rank) if paging.rank is not None else -1,
            after_id=paging.id or "",
            limit=paging.limit,
        )
        return _pages_of(conversation_ids, rows, paging.size)

    async def messages_before(
        self, workspace_id: str, conversation_ids: Sequence[str], *, last: int = 50, before: str | None = None
    ) -> dict[str, Page[Message]]:
        """Return the last messages of each conversation, or the last before a cursor, ordered by position.

        ``has_more`` tells whether earlier messages exist.
        """
        size = page_size(last, field="last")
        start = Cursor.decode(before, field="before") if before else None
        rows = await queries.list_messages_before(
            self._database,
            workspace_id=workspace_id,
            conversation_ids=conversation_ids,
            before_position=int(start.rank) if start and start.rank is not None else _BEHIND_ALL,
            before_id=start.id if start else "",
            limit=size + 1,
        )
        return {
            id_: replace(page, items=page.items[::-1], cursors=page.cursors[::-1])
            for id_, page in _pages_of(conversation_ids, rows, size).items()
        }

    async def counts_of(self, workspace_id: str, ids: Sequence[str]) -> dict[str, ConversationCounts]:
        """Return the numbers of messages and memories of each conversation."""
        rows = await queries.count_of_conversations(self._database, workspace_id=workspace_id, ids=ids)
        return {row.id: ConversationCounts(messages=row.messages, memories=row.memories) for row in rows}

    async def find_message(
        self, workspace_id: str, id_: str, *, conversation_id: str | None = None
    ) -> Message | None:
        """Return a message, or None if no message has that id.

        Raises:
            InvalidInput: Several conversations have a message with that id, and the caller named none of them.
        """
        messages = await queries.find_messages(
            self._database,
            workspace_id=workspace_id,
            id=id_,
            conversation_id=conversation_id,
            limit=_AMBIGUOUS,
        )
        if len(messages) == _AMBIGUOUS:
            raise InvalidInput(
                "conversationId", f"several conversations have a message {id_!r}: name one in conversationId"
            )
        return messages[0] if messages else None

    @takes_long
    async def delete(self, workspace_id: str, id_: str, *, is_act: bool = True) -> bool:
        """Delete a conversation with all of its messages permanently; return whether there was one.

        Turns, episodes, the summary and the working set are deleted with it. Memories learnt from the conversation
        stay, without their edges to it.

        Args:
            workspace_id: Workspace of the conversation.
            id_: Id of the conversation.
            is_act: Whether a person or client requested the deletion. The audit then records it, and a capture with
                ``restores_deleted`` off skips the conversation.

        Raises:
            Unavailable: The graph does not answer; the call may be repeated.
        """
        touches(id_)
        now = self._clock.now()

        async def work(tx: Runner) -> tuple[str | None, list[str]]:
            user_id = await queries.delete_conversation(tx, workspace_id=workspace_id, id=id_)
            if user_id is None:
                return None, []
            if is_act:
                await note_deleted(tx, workspace_id, "conversation", id_, now=now)
                await note_act(tx, AuditAction.CONVERSATION_REMOVED, workspace_id, subject_id=id_, now=now)
            return user_id, await self._delete_late_turns(tx, workspace_id, id_, is_act=is_act)

        while True:
            await self._delete_parts(workspace_id, id_, is_act=is_act)
            with suppress(_ManyLateTurns):
                user_id, late_ids = await self._database.transaction(work)
                break
        self._deletion.on_deleted(workspace_id, late_ids)
        if user_id is None:
            return False
        await self._working_set.end(workspace_id, id_, user_id=user_id)
        return True

    async def _delete_parts(self, workspace_id: str, id_: str, *, is_act: bool) -> None:
        """Delete the turns, and all but the last messages, in bounded transactions."""
        while ids := await self._some_turns(self._database, workspace_id, id_):
            await self._deletion.forget(workspace_id, ids, is_act=is_act)
        while await queries.delete_messages(
            self._database, workspace_id=workspace_id, conversation_id=id_, limit=_DELETED_TOGETHER
        ):
            pass

    async def _delete_late_turns(self, tx: Runner, workspace_id: str, id_: str, *, is_act: bool) -> list[str]:
        """Delete the turns that somebody saved during the deletion; return their ids.

        The deleted conversation is locked, so nobody saves another turn before the commit.

        Raises:
            _ManyLateTurns: There may be more of them than one transaction deletes.
        """
        ids = await self._some_turns(tx, workspace_id, id_)
        if len(ids) == _FORGOTTEN_TOGETHER:
            raise _ManyLateTurns
        if not ids:
            return []
        return await self._deletion.remove_within(tx, workspace_id, ids, hard=True, is_act=is_act)

    async def _some_turns(self, runner: Runner, workspace_id: str, id_: str) -> Sequence[str]:
        return await queries.list_turns(
            runner, workspace_id=workspace_id, conversation_id=id_, limit=_FORGOTTEN_TOGETHER
        )


class _ManyLateTurns(Exception):
    """Raised to roll back the last transaction of a deletion, so that bounded ones delete the turns first."""


def _pages_of(
    conversation_ids: Sequence[str], rows: Sequence[Message], size: int
) -> dict[str, Page[Message]]:
    found: dict[str, list[Message]] = {id_: [] for id_ in conversation_ids}
    for message in rows:
        found[message.conversation_id].append(message)
    return {
        id_: page_of(messages, [Cursor(rank=each.position, id=each.id) for each in messages], size)
        for id_, messages in found.items()
    }


async def draw_messages(
    tx: Runner, workspace_id: str, *, conversation_id: str, since: int, until: int
) -> None:
    """Link the messages between two positions in their order; the caller holds the conversation's lock."""
    await queries.chain_messages(
        tx, workspace_id=workspace_id, conversation_id=conversation_id, since=since, until=until
    )
