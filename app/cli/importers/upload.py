"""Uploads records to a running service, in batches and in order."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from app.cli.importers.models import (
    ChatItem,
    EntityItem,
    ImportItem,
    Item,
    LinkItem,
    Record,
    RelationItem,
    Remark,
    UploadReport,
)
from app.client.transport import ApiError

if TYPE_CHECKING:
    from app.client.generated import RecollectClient


POLL_SECONDS = 0.5
STALL_SECONDS = 300.0
"""Maximum time without progress: a worker may be busy with other workspaces."""
OBSTACLE_SECONDS = 60.0
"""Maximum wait while the embedder cannot work: loading takes less, and an unconfigured embedder never comes."""


@dataclass(frozen=True)
class EmbeddingCounts:
    """Progress of workspaces: stored and embedded memories, waiting and parked jobs.

    ``obstacle`` is the reason why the embedder cannot work now, if any.
    """

    memories: int
    embedded: int
    pending: int
    failed: int
    obstacle: str | None = None


@dataclass(frozen=True)
class WaitOutcome:
    """Outcome of waiting; ``is_complete`` is false if there was no progress within the time limit."""

    counts: EmbeddingCounts
    is_complete: bool


async def count_embedded(client: "RecollectClient", workspace_ids: Collection[str]) -> EmbeddingCounts:
    """Return the sums over workspaces.

    Raises:
        ApiError: The service refuses, or does not answer.
    """
    engine = await client.embedding_progress(list(workspace_ids))
    embedder, rows = engine.embedder, engine.workspaces
    return EmbeddingCounts(
        memories=sum(row.memories for row in rows),
        embedded=sum(row.embedded for row in rows),
        pending=sum(row.pending_jobs for row in rows),
        failed=sum(row.failed_jobs for row in rows),
        obstacle=None if embedder.ready else embedder.reason or "the embedder is not ready",
    )


async def wait_until_embedded(
    client: "RecollectClient",
    workspace_ids: Collection[str],
    *,
    on_progress: Callable[[EmbeddingCounts], None],
) -> WaitOutcome:
    """Poll the service until no job is pending, or until a time limit without progress.

    The limit is ``STALL_SECONDS``, or ``OBSTACLE_SECONDS`` while the embedder cannot work.

    Raises:
        ApiError: The service refuses, or does not answer.
    """
    last: EmbeddingCounts | None = None
    moved_at = time.monotonic()
    while True:
        counts = await count_embedded(client, workspace_ids)
        on_progress(counts)
        if counts.pending == 0:
            return WaitOutcome(counts, is_complete=True)
        if counts != last:
            last, moved_at = counts, time.monotonic()
        elif time.monotonic() - moved_at >= (OBSTACLE_SECONDS if counts.obstacle else STALL_SECONDS):
            return WaitOutcome(counts, is_complete=False)
        await asyncio.sleep(POLL_SECONDS)


@dataclass(frozen=True)
class Target:
    """Workspace and owner of imported records.

    Attributes:
        workspace_id: None means the workspace of the client's key.
        user_id: Owner of records without one.
        agent_id: Agent of records without one.
        restores_deleted: Save records again if somebody deleted them in the workspace.
    """

    workspace_id: str | None
    user_id: str | None = None
    agent_id: str | None = None
    restores_deleted: bool = False


OF_DELETED = "restoreDeleted"
"""Field of an error for a record that somebody deleted."""
WAS_DELETED = "deleted in the workspace; --restore-deleted brings it back"
_MOST_MESSAGES = 500
_MOST_CHARS = 1_000_000


async def upload_chat(
    client: "RecollectClient", target: Target, chat: ChatItem, report: UploadReport
) -> None:
    """Append the new messages of a conversation.

    Extraction reads the conversation after a silence, like any captured one. If automatic extraction is off, appended
    messages count as read, so the upload requests the extraction.

    Raises:
        ApiError: The service refuses the conversation, or does not answer.
    """
    read_before = await _read_up_to(client, target, chat) if chat.is_extracted else -1
    is_passed_over = False
    for messages in _message_batches(chat.messages):
        sent: Any = {
            "conversationId": chat.conversation_id,
            "platform": chat.platform,
            "title": chat.title,
            "messages": messages,
            "userId": target.user_id,
            "agentId": target.agent_id,
            "restoreDeleted": target.restores_deleted,
        }
        values: Any = {name: value for name, value in sent.items() if value is not None}
        appended = await client.append_messages(values, target.workspace_id)
        capture = appended.capture
        if capture is None:
            continue
        if capture.skipped and OF_DELETED in capture.skipped:
            report.deleted += 1
            report.add(Remark(chat.where, WAS_DELETED))
            return
        if capture.skipped:
            effect: Literal["skipped", "changed"] = "skipped" if chat.is_extracted else "changed"
            what = "conversation" if chat.is_extracted else "title and platform"
            report.add(Remark(chat.where, f"{what} left out: {capture.skipped}", effect))
            return
        for left_out in capture.left_out:
            kind: Literal["skipped", "changed"] = "changed" if left_out.is_stored else "skipped"
            report.add(Remark(f"{chat.where} #{left_out.place + 1}", left_out.reason, kind))
        if chat.is_extracted:
            report.others["messages"] += capture.added + capture.changed + capture.known
        read_up_to = -1 if appended.extracted_up_to is None else appended.extracted_up_to
        is_passed_over = is_passed_over or read_up_to > read_before
    if chat.is_extracted:
        report.others["conversations"] += 1
        if is_passed_over:
            await client.extract_memories(chat.conversation_id, target.workspace_id)


async def _read_up_to(client: "RecollectClient", target: Target, chat: ChatItem) -> int:
    conversation = await client.conversation(chat.conversation_id, target.workspace_id)
    read = conversation.extracted_up_to if conversation else None
    return -1 if read is None else read


def _message_batches(messages: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    chars = 0
    for message in messages:
        length = len(message["content"])
        if batch and (len(batch) == _MOST_MESSAGES or chars + length > _MOST_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(message)
        chars += length
    if batch:
        yield batch


BATCH_ITEMS = 100
BATCH_CHARS = 1_000_000
"""Maximum length of a batch: contents have up to 32,000 characters, and the service limits the size of a body."""

_REFUSALS = frozenset({"INVALID_INPUT", "CONFLICT", "TOO_LARGE", "TOO_COMPLEX"})
"""Codes of errors about single items, so that the other items of a batch may still be saved."""

_WITHOUT_END = "an entity of the relation is not in the workspace"


async def upload(
    client: "RecollectClient",
    target: Target,
    records: Iterable[Record],
    report: UploadReport,
    *,
    on_progress: Callable[[int], None],
    has_links: bool = False,
) -> None:
    """Save every item of ``records`` in order, and add remarks to ``report``.

    Args:
        client: Client of the service.
        target: Workspace and owner.
        records: Records, read lazily.
        report: Counts of saved and skipped records.
        on_progress: Callback with the number of records processed since its last call.
        has_links: Keep the ids of saved records for links that follow.

    Raises:
        ApiError: The service refuses more than single items, or does not answer.
    """
    uploader = _Uploader(client, target, report, ids={} if has_links else None)
    for batch in _batches(records, report, on_progress):
        await uploader.save(batch)
        on_progress(len(batch))


def _batches(
    records: Iterable[Record], report: UploadReport, on_progress: Callable[[int], None]
) -> Iterator[list[Item]]:
    """Yield batches of consecutive items of one type."""
    batch: list[Item] = []
    chars = 0
    for record in records:
        if isinstance(record, Remark):
            report.add(record)
            on_progress(int(record.effect == "skipped"))
            continue
        length = len(record.memory.content) if isinstance(record, ImportItem) else 0
        is_full = len(batch) == BATCH_ITEMS or chars + length > BATCH_CHARS
        if batch and (is_full or type(record) is not type(batch[0])):
            yield batch
            batch, chars = [], 0
        batch.append(record)
        chars += length
    if batch:
        yield batch


@dataclass(frozen=True)
class _Uploader:
    client: "RecollectClient"
    target: Target
    report: UploadReport
    ids: dict[str, str] | None = field(default_factory=dict)
    refused_messages: set[tuple[str, str]] = field(default_factory=set)

    async def save(self, items: Sequence[Any]) -> None:
        """Save items of one type together; after a refusal, halve the batch until only refused items are left."""
        try:
            await self._send(items)
        except ApiError as error:
            is_of_end = error.code == "NOT_FOUND" and isinstance(items[0], RelationItem)
            if error.code not in _REFUSALS and not is_of_end:
                raise
            if len(items) == 1:
                self._note_refused(items[0])
                is_deleted = error.field == OF_DELETED
                self.report.deleted += is_deleted
                self.report.add(Remark(items[0].where, _reason(error, is_of_end=is_of_end)))
                return
            middle = len(items) // 2
            await self.save(items[:middle])
            await self.save(items[middle:])

    async def _send(self, items: Sequence[Any]) -> None:
        match items[0]:
            case ImportItem():
                await self._send_memories(items)
            case EntityItem():
                sent: Any = [item.fields for item in items]
                await self.client.upsert_entities(
                    sent, self.target.workspace_id, restore_deleted=self.target.restores_deleted
                )
                self.report.others["entities"] += len(items)
            case RelationItem():
                sent = [item.fields for item in items]
                await self.client.upsert_relations(
                    sent, self.target.workspace_id, restore_deleted=self.target.restores_deleted
                )
                self.report.others["relations"] += len(items)
            case _:
                for item in items:
                    await self._send_alone(item)

    async def _send_memories(self, items: Sequence[ImportItem]) -> None:
        inputs: Any = [self._input(item) for item in items]
        batch = await self.client.import_memories(
            inputs, self.target.restores_deleted, self.target.workspace_id
        )
        for item, receipt in zip(items, batch.receipts, strict=True):
            memory = item.memory
            if receipt is None:
                self._note_refused(item)
                continue
            self.report.saved += 1
            self.report.unchanged += receipt.outcome.value == "UNCHANGED"
            if self.ids is not None:
                self.ids.update((name, receipt.memory.id) for name in (memory.key, memory.id) if name)
        for refusal in batch.errors:
            error = ApiError(refusal.code, refusal.message, field=refusal.field)
            if error.code not in _REFUSALS:
                raise error
            is_deleted = error.field == OF_DELETED
            self.report.deleted += is_deleted
            self.report.add(Remark(items[refusal.index].where, _reason(error)))

    def _note_refused(self, item: Any) -> None:
        """Record a refused message, so that its conversation is sent without it."""
        memory = item.memory if isinstance(item, ImportItem) else None
        if memory and memory.source_conversation_id and memory.source_message_id:
            self.refused_messages.add((memory.source_conversation_id, memory.source_message_id))

    def _input(self, item: ImportItem) -> dict[str, Any]:
        owner = {"userId": self.target.user_id, "agentId": self.target.agent_id}
        fields = {name: value for name, value in owner.items() if value is not None} | item.memory.to_input()
        if item.id_in and self.target.workspace_id:
            fields["id"] = item.id_in(self.target.workspace_id)
        return fields

    async def _send_alone(self, item: LinkItem | ChatItem) -> None:
        """Send a record that belongs to no batch; a refusal affects only this record."""
        try:
            if isinstance(item, LinkItem):
                await self._link(item)
            else:
                await self._send_chat(item)
        except ApiError as error:
            if error.code not in _REFUSALS | {"NOT_FOUND"}:
                raise
            self.report.deleted += error.field == OF_DELETED
            self.report.add(Remark(item.where, _reason(error)))

    async def _send_chat(self, chat: ChatItem) -> None:
        """Send a conversation without its refused messages; if its messages are memories, only for its title."""
        turns = [
            message
            for message in chat.messages
            if (chat.conversation_id, message["id"]) not in self.refused_messages
        ]
        if turns:
            messages = turns if chat.is_extracted else turns[:1]
            await upload_chat(self.client, self.target, replace(chat, messages=messages), self.report)

    async def _link(self, item: LinkItem) -> None:
        ids = self.ids or {}
        from_id, to_id = ids.get(item.from_name), ids.get(item.to_name)
        if from_id is None or to_id is None:
            self.report.add(Remark(item.where, "link to what was not imported"))
            return
        sent: Any = {"fromId": from_id, "toId": to_id, "type": item.type}
        if item.strength is not None:
            sent["strength"] = item.strength
        await self.client.associate(
            sent, self.target.workspace_id, restore_deleted=self.target.restores_deleted
        )
        self.report.others["associations"] += 1


def _reason(error: ApiError, *, is_of_end: bool = False) -> str:
    if is_of_end:
        return _WITHOUT_END
    return WAS_DELETED if error.field == OF_DELETED else str(error)
