"""Use cases of conversations: capture, read, list, delete."""

from collections.abc import Sequence
from dataclasses import replace

from graph.conversations.capture import queries
from graph.conversations.capture.capturing import Capturer
from graph.conversations.capture.models import CaptureDraft, Conversation, ConversationCounts, Message
from graph.core.acting import touches
from graph.core.audit.models import AuditAction
from graph.core.audit.service import note_act
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import InvalidInput
from graph.core.pages import Cursor, Page, Paging, page_of, page_size
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.working_set.service import WorkingSet
from graph.memories.deletion.service import Deleter
from graph.memories.deletion.withholding import note_deleted

_AMBIGUOUS = 2
_BEHIND_ALL = 2**53
_FORGOTTEN_TOGETHER = 500
_DELETED_TOGETHER = 5000


class Conversations:
    """The use cases of conversations; lives as long as the process.

    Every method concerns one workspace; data of another workspace does not exist for it.
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

        Messages with an id or a position may arrive late and in any order, from several writers at once. Without
        either, texts that already follow each other in the conversation count as the same, so that a page can send its
        whole transcript, or its last messages again, and only new ones are added.

        If memory is off, nothing is stored, and ``capture`` of the result reports it. Messages without text, unreadable
        ones, and ones with a credential (unless the deployment stores credentials) are skipped. A message that is too
        long keeps its beginning and its end.

        Raises:
            InvalidInput: A field of the whole batch breaks a rule; nothing was stored.
            Conflict: The conversation takes place on another platform.
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
        """Return those of the conversations that there are, by their ids."""
        conversations = await queries.get_conversations(self._database, workspace_id=workspace_id, ids=ids)
        return {conversation.id: conversation for conversation in conversations}

    async def page(
        self, workspace_id: str, *, platform: str | None = None, first: int = 50, after: str | None = None
    ) -> Page[Conversation]:
        """Return a page of conversations, the one last added to first."""
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
        """Return a page of each conversation's messages, in their order."""
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
        """Return the last messages of each conversation, or the last before a cursor, in the order of ``messages_of``.

        ``has_more`` tells whether there are others before them.
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
        """Return how much there is of each conversation."""
        rows = await queries.count_of_conversations(self._database, workspace_id=workspace_id, ids=ids)
        return {row.id: ConversationCounts(messages=row.messages, memories=row.memories) for row in rows}

    async def find_message(
        self, workspace_id: str, id_: str, *, conversation_id: str | None = None
    ) -> Message | None:
        """Return a message, or None where there is none of that id.

        Raises:
            InvalidInput: Several conversations have a message of that id, and none of them was named.
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

        Memories that are its turns are what was said, so they go too, and so do its episodes and its working set. What
        was learnt from it stays, and loses its edges to it. The audit names what is an act of somebody, and importers
        do not bring that back.

        Raises:
            Unavailable: The graph does not answer; the call may be repeated.
        """
        touches(id_)
        while ids := await queries.list_turns(
            self._database, workspace_id=workspace_id, conversation_id=id_, limit=_FORGOTTEN_TOGETHER
        ):
            await self._deletion.forget(workspace_id, ids, is_act=is_act)
        while await queries.delete_messages(
            self._database, workspace_id=workspace_id, conversation_id=id_, limit=_DELETED_TOGETHER
        ):
            pass
        now = self._clock.now()

        async def work(tx: Runner) -> str | None:
            user_id = await queries.delete_conversation(tx, workspace_id=workspace_id, id=id_)
            if user_id is not None and is_act:
                await note_deleted(tx, workspace_id, "conversation", id_, now=now)
                await note_act(tx, AuditAction.CONVERSATION_REMOVED, workspace_id, subject_id=id_, now=now)
            return user_id

        user_id = await self._database.transaction(work)
        if user_id is None:
            return False
        await self._working_set.end(workspace_id, id_, user_id=user_id)
        return True


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
    """Link the messages from one position to another in their order; the conversation is locked by the caller."""
    await queries.chain_messages(
        tx, workspace_id=workspace_id, conversation_id=conversation_id, since=since, until=until
    )
