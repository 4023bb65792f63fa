"""Brings one conversation to a running service: its platform and title, its messages, and its facts if asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from app.cli.importers.models import ChatItem, Remark
from app.cli.importers.report import UploadReport
from app.cli.importers.target import Target

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

OF_DELETED = "restoreDeleted"
"""The field of the refusal of what somebody deleted."""
WAS_DELETED = "deleted in the workspace; --restore-deleted brings it back"
_MOST_MESSAGES = 500
_MOST_CHARS = 1_000_000


async def upload_chat(
    client: "RecollectClient", target: Target, chat: ChatItem, report: UploadReport
) -> None:
    """Append the messages that are not there yet.

    A chat for extraction is read like any captured one, once it is silent. If automatic extraction is off, so that
    appended messages count as read, the upload requests the extraction.

    Raises:
        ApiError: The service refuses the conversation, or does not answer.
    """
    read_before = await _read_up_to(client, target, chat) if chat.is_extracted else -1
    is_passed_over = False
    for messages in _batches(chat.messages):
        sent: Any = {
            "conversationId": chat.conversation_id,
            "platform": chat.platform,
            "title": chat.title,
            "messages": messages,
            "userId": target.user_id,
            "agentId": target.agent_id,
            "restoreDeleted": target.restores_deleted,
        }
        given: Any = {name: value for name, value in sent.items() if value is not None}
        appended = await client.append_messages(given, target.workspace_id)
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


def _batches(messages: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
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
