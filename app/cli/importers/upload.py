"""Brings records to a running service, in batches and in order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from app.cli.importers.models import (
    ChatItem,
    EntityItem,
    ImportItem,
    Item,
    LinkItem,
    Record,
    RelationItem,
    Remark,
)
from app.cli.importers.report import UploadReport
from app.cli.importers.target import Target
from app.cli.importers.uploading_chats import OF_DELETED, WAS_DELETED, upload_chat
from app.client.transport import ApiError

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

BATCH_ITEMS = 100
BATCH_CHARS = 1_000_000
"""Contents are cut at 32,000 characters, so a batch of long ones must stay below the service's body limit."""

_REFUSALS = frozenset({"INVALID_INPUT", "CONFLICT", "TOO_LARGE", "TOO_COMPLEX"})
"""Codes that speak of the items sent, so that the others of the batch may still be saved."""

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
    """Save every item of ``records`` in their order and enter everything else into ``report``.

    Args:
        client: Connected to the service.
        target: Workspace and owner.
        records: Read as they are needed.
        report: Counts saved and skipped records.
        on_progress: Called with the number of records that were dealt with since the last call.
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
    """Yield items of one type that follow each other."""
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
        """Save items of one type together; where that is refused, halve until the refused ones stand alone."""
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
        """Note a message that was not saved, so that its conversation does not bring it either."""
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
            self.report.add(Remark(item.where, str(error)))

    async def _send_chat(self, chat: ChatItem) -> None:
        """Send a conversation without its refused messages; if messages are memories, one of them has the title."""
        kept = [
            message
            for message in chat.messages
            if (chat.conversation_id, message["id"]) not in self.refused_messages
        ]
        if kept:
            messages = kept if chat.is_extracted else kept[:1]
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
        await self.client.associate(sent, self.target.workspace_id)
        self.report.others["associations"] += 1


def _reason(error: ApiError, *, is_of_end: bool = False) -> str:
    if is_of_end:
        return _WITHOUT_END
    return WAS_DELETED if error.field == OF_DELETED else str(error)
