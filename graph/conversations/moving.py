"""Moves a conversation to another workspace; the caller has checked write access to both."""

from graph.conversations import queries
from graph.conversations.capture.models import Conversation
from graph.conversations.capture.service import Conversations
from graph.core import queries as jobs
from graph.core.audit import note_act
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.events import Announcer
from graph.core.ids import default_key_id
from graph.core.models import AuditAction, JobKind, MemoryEventType
from graph.core.ports import Clock, WakeUp
from graph.core.rows import Runner
from graph.core.working_set import WorkingSet
from graph.vectors.external.mirroring import Mirroring

MOST_MOVED = 20_000
"""Maximum number of nodes of one move. Measured with the smallest supported heap, 512 MB: one transaction can move
30,000 nodes and fails with 55,000."""


class ConversationMoves:
    """The use case of moving; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        capture: Conversations,
        *,
        mirroring: Mirroring,
        working_set: WorkingSet,
        announcer: Announcer,
        wake_up: WakeUp,
    ) -> None:
        self._database = database
        self._clock = clock
        self._capture = capture
        self._mirroring = mirroring
        self._working_set = working_set
        self._announcer = announcer
        self._wake_up = wake_up

    @takes_long
    async def move(self, workspace_id: str, id_: str, target_id: str) -> Conversation:
        """Move a conversation with its messages, episodes and summary, and the memories that come from it.

        Vectors and versions move along, pending jobs run in the new workspace, and its entities are linked to the
        memories. Edges to nodes of the old workspace are deleted. A memory loses its key if the new workspace uses
        that key. The working set is deleted. A move to the current workspace changes nothing.

        Args:
            workspace_id: Current workspace.
            id_: Id of the conversation.
            target_id: Target workspace.

        Raises:
            NotFound: The workspace has no such conversation.
            InvalidInput: The conversation exceeds 20,000 messages, memories, versions and passages together.
            Conflict: The target has a conversation or a memory with the same id; nothing was moved.
            Unavailable: The graph does not answer; either everything or nothing was moved.
        """
        touches(id_)
        if workspace_id != target_id:
            moved = await self._moved(workspace_id, id_, target_id)
            self._announcer.memories_changed(workspace_id, MemoryEventType.DELETED, moved.live_ids)
            self._announcer.memories_changed(target_id, MemoryEventType.SAVED, moved.live_ids)
            await self._wake_up.signal()
            await self._working_set.end(workspace_id, id_, user_id=moved.user_id)
        found = await self._capture.find(target_id, id_)
        if found is None:
            raise _no_conversation(id_)
        return found

    async def _moved(self, workspace_id: str, id_: str, target_id: str) -> queries.MoveConversationRow:
        now = self._clock.now()

        async def work(tx: Runner) -> queries.MoveConversationRow:
            nodes = await queries.count_what_moves(tx, workspace_id=workspace_id, id=id_)
            if nodes is not None and nodes > MOST_MOVED:
                raise InvalidInput(
                    "id",
                    f"conversation {id_!r} has {nodes} nodes: messages, memories, versions and passages; "
                    f"at most {MOST_MOVED} can be moved",
                )
            moved = await queries.move_conversation(
                tx,
                workspace_id=workspace_id,
                id=id_,
                target_id=target_id,
                api_key_id=default_key_id(target_id),
                now=now,
            )
            if moved is None:
                raise _no_conversation(id_)
            # Locking in a fixed order prevents deadlocks between two transactions with the same slots.
            slot_keys = sorted(set(moved.slot_keys))
            for place in sorted((workspace_id, target_id)):
                await jobs.enqueue_jobs(
                    tx,
                    workspace_id=place,
                    kind=JobKind.TIMELINE,
                    subject_ids=slot_keys,
                    now=now,
                    due_at=now,
                )
                await self._mirroring.enqueue(tx, place, moved.memory_ids, now)
                await note_act(tx, AuditAction.CONVERSATION_MOVED, place, subject_id=id_, now=now)
            return moved

        try:
            return await self._database.transaction(work)
        except Conflict:
            raise Conflict(
                "the other workspace already has this conversation or a memory of it; nothing was moved",
                field="id",
            ) from None


def _no_conversation(id_: str) -> NotFound:
    return NotFound(f"there is no conversation {id_!r} in this workspace", field="id")
