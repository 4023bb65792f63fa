"""Reads exports of chats: ChatGPT's and Claude's."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from app.cli.importers.json_records import objects, read_document, text_of
from app.cli.importers.models import (
    ChatItem,
    Contents,
    ImportItem,
    Record,
    Remark,
    UnreadableFileError,
    read_item,
    read_moment,
)
from graph.conversations.capture.rules import without_reasoning

_TICK = timedelta(milliseconds=1)
_MOST_SENT_CHARS = 1_000_000
"""Maximum length of a message to send, below the service's body limit; the service truncates it further."""


@dataclass(frozen=True)
class ChatMessage:
    """One message of an export.

    Attributes:
        time: Time in the form of the export.
        reason: Reason to skip it, if any.
        left_out: Kinds of its skipped parts.
    """

    id: str
    speaker: str
    text: str
    time: Any = None
    reason: str | None = None
    left_out: Sequence[str] = ()


@dataclass(frozen=True)
class Chat:
    """One conversation of an export.

    Attributes:
        source: First part of the keys of its memories.
        platform: Platform.
    """

    source: str
    platform: str
    id: str
    title: str
    started: datetime | None
    messages: Iterable[ChatMessage]


def count_others(document: Any, chats: Sequence[Any]) -> int:
    """Return the number of values in an export that are not conversations."""
    return len(document) - len(chats) if isinstance(document, list) else 0


def read_chats(
    chats: Iterable[Chat], max_chars: int, *, is_extracted: bool, others: int = 0
) -> Iterator[Record]:
    """Yield a record for each message in order and, after these, one for each conversation.

    Keys are the same in a later export. With extraction, a conversation is one record with its messages. ``others`` is
    the number of values in the export that are not conversations.
    """
    for _ in range(others):
        yield Remark("export", "not a conversation")
    named: list[ChatItem] = []
    for chat in chats:
        messages: list[dict[str, Any]] = []
        where = chat.title or _id_of(chat)
        for record in _read_messages(chat, _MOST_SENT_CHARS if is_extracted else max_chars):
            if isinstance(record, ImportItem):
                messages.append(_message(record, is_whole=is_extracted))
                if is_extracted:
                    continue
            yield record
        if messages:
            named.append(
                ChatItem(where, _id_of(chat), chat.platform, chat.title or None, messages, is_extracted)
            )
    yield from named


def _message(item: ImportItem, *, is_whole: bool) -> dict[str, Any]:
    """Return the input of ``appendMessages``; a message already stored as a memory needs only id and text."""
    fields = item.memory.to_input()
    message = {"id": fields["sourceMessageId"], "content": fields["content"]}
    if is_whole:
        message["role"] = fields["speaker"].upper()
        if "timestamp" in fields:
            message["saidAt"] = fields["timestamp"]
    return message


def _read_messages(chat: Chat, max_chars: int) -> Iterator[Record]:
    chat_id = _id_of(chat)
    clock = _RisingClock(chat.started)
    for position, message in enumerate(chat.messages, start=1):
        message_id = message.id or f"{chat_id}.{position}"
        where = f"{chat.title or chat_id} #{position}"
        if message.reason:
            yield Remark(where, message.reason)
            continue
        for kind in message.left_out:
            yield Remark(where, f"{kind} left out", "changed")
        try:
            time = read_moment(message.time)
        except ValueError as error:
            yield Remark(where, f"time left out: {error}", "changed")
            time = None
        fields = {
            "content": without_reasoning(message.text, message.speaker),
            "speaker": message.speaker,
            "key": f"{chat.source}/{message_id}",
            "timestamp": clock.next(time),
            "source_conversation_id": chat_id,
            "source_message_id": message_id,
            "metadata": {"conversation_title": chat.title} if chat.title else None,
            "dedup": False,
        }
        yield from read_item(where, fields, max_chars=max_chars)


def _id_of(chat: Chat) -> str:
    return chat.id or _stand_in_id(chat.title, chat.started)


def started_at(value: Any) -> datetime | None:
    """Return the start of a conversation or message; None if the export has no readable time."""
    try:
        return read_moment(value)
    except ValueError:
        return None


class _RisingClock:
    """Assigns increasing times to messages, even if an export lacks or repeats times."""

    def __init__(self, started: datetime | None) -> None:
        self._last = _moved(started, -_TICK)

    def next(self, time: datetime | None) -> datetime | None:
        following = _moved(self._last, _TICK)
        self._last = max(time, following) if time and following else time or following
        return self._last


def _moved(moment: datetime | None, by: timedelta) -> datetime | None:
    """Return a shifted time; None if it is outside the supported years."""
    try:
        return moment + by if moment else None
    except OverflowError:
        return None


def _stand_in_id(title: str, started: datetime | None) -> str:
    return hashlib.sha256(f"{title}\0{started}".encode()).hexdigest()[:24]


_ROLES = frozenset({"user", "assistant"})
_WORDS = frozenset({"text", "multimodal_text"})
_DOCUMENTS = "canmore.create_textdoc"
"""Recipient of documents that the assistant writes."""
# A mark without an end takes no words with it.
_MARK = re.compile(
    "[ \t]?\ue200(?P<kind>[a-zA-Z0-9_-]{1,40})"
    "(?:(?P<rest>[^\ue200\ue201]{0,10000})\ue201|[^\\s\ue200\ue201]{0,10000})"
)
_REST_OF_MARKS = re.compile("[\ue200-\ue20f]")
_NAMED = frozenset({"entity", "product_entity"})
"""Marks whose first field is a list with the name of an object as its second item."""
_LINKED = frozenset({"url", "video"})
_SOURCES = re.compile(
    r"[ \t]?(?:【[\d:]{1,20}†[^】\n]{0,200}】|:contentReference\[[^\]\n]{1,100}\]\{[^}\n]{1,100}\})"
)


def read_chatgpt(path: Path, max_chars: int, *, is_extracted: bool = False) -> Contents:
    """Return the records of an export: a memory for each message, or conversations whose facts are extracted.

    Raises:
        UnreadableFileError: The file has no ChatGPT conversation.
    """
    document = read_document(path)
    chats = [c for c in objects(document) if isinstance(c.get("mapping"), dict)]
    if not chats:
        raise UnreadableFileError(
            "no conversation found; a ChatGPT export is a list of {title, mapping, current_node}"
        )
    branches = [(chat, _current_branch(chat)) for chat in chats]
    found = (_chat(chat, branch) for chat, branch in branches)
    records = read_chats(found, max_chars, is_extracted=is_extracted, others=count_others(document, chats))
    return Contents(records, sum(len(chat["mapping"]) for chat in chats))


def _chat(chat: Mapping[str, Any], branch: Sequence[Mapping[str, Any]]) -> Chat:
    return Chat(
        "chatgpt",
        "ChatGPT",
        id=text_of(chat.get("conversation_id")) or text_of(chat.get("id")),
        title=text_of(chat.get("title")),
        started=started_at(chat.get("create_time")),
        messages=[*map(_read_message, branch), *_other_branches(chat["mapping"], branch)],
    )


def _other_branches(mapping: Mapping[str, Any], branch: Sequence[Mapping[str, Any]]) -> Iterator[ChatMessage]:
    """Yield replaced messages and those of other branches, as skipped."""
    shown = {message["node"] for message in branch}
    for name, node in mapping.items():
        message = node.get("message") if isinstance(node, dict) else None
        if name not in shown and isinstance(message, dict) and _reason_to_skip(message) is None:
            yield ChatMessage(
                id="", speaker="", text="", reason="message of a branch that was not shown last"
            )


def _current_branch(chat: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the messages from the root to the current node, without empty nodes."""
    mapping = chat["mapping"]
    node_id = text_of(chat.get("current_node"))
    if node_id not in mapping:
        node_id = _newest_leaf(mapping)
    found: list[dict[str, Any]] = []
    visited: set[str] = set()
    while isinstance(node := mapping.get(node_id), dict) and node_id not in visited:
        visited.add(node_id)
        if isinstance(node.get("message"), dict):
            found.append({"id": node_id, **node["message"], "node": node_id})
        node_id = text_of(node.get("parent"))
    return found[::-1]


def _newest_leaf(mapping: Mapping[str, Any]) -> str:
    leaves = [name for name, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
    return max(leaves, key=lambda name: _created(mapping[name]), default="")


def _created(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    created = message.get("create_time") if isinstance(message, dict) else None
    moment = started_at(created)
    return moment.timestamp() if moment else 0.0


def _read_message(message: Mapping[str, Any]) -> ChatMessage:
    written = "\n".join(_part_texts(message))
    document = _document(message, written)
    text = _without_marks(written) if document is None else document
    return ChatMessage(
        id=text_of(message.get("id")),
        speaker=_role(message),
        text=text,
        time=message.get("create_time"),
        reason=_reason_to_skip(message),
        left_out=[
            *_parts_without_text(message),
            *["citation marks"] * (document is None and text != written),
        ],
    )


def _role(message: Mapping[str, Any]) -> str:
    author = message.get("author")
    return text_of(author.get("role")) if isinstance(author, dict) else ""


def _content(message: Mapping[str, Any]) -> Mapping[str, Any]:
    content = message.get("content")
    if isinstance(content, str):
        return {"text": content}
    return content if isinstance(content, dict) else {}


def _reason_to_skip(message: Mapping[str, Any]) -> str | None:
    role, kind = _role(message), text_of(_content(message).get("content_type")) or "text"
    metadata = message.get("metadata")
    if role not in _ROLES:
        return f"message of the {role or 'unknown'} role"
    if message.get("recipient") == _DOCUMENTS and _document(message, "\n".join(_part_texts(message))):
        return None
    if kind not in _WORDS or message.get("recipient") not in {None, "all"}:
        return f"{kind} message, not words of the conversation"
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        return "hidden message"
    return None


def _document(message: Mapping[str, Any], written: str) -> str | None:
    """Return the document that a message writes, after its name as a heading; None if it writes none."""
    if message.get("recipient") != _DOCUMENTS:
        return None
    try:
        parsed = json.loads(written)
    except (ValueError, RecursionError):
        return None
    content = text_of(parsed.get("content")) if isinstance(parsed, dict) else ""
    return f"{text_of(parsed.get('name'))}\n\n{content}".strip() if content.strip() else None


def _part_texts(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a message, and the transcripts of its audio."""
    content = _content(message)
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else [parts or content.get("text")]:
        if text := text_of(part.get("text")) if isinstance(part, dict) else text_of(part):
            yield text


def _parts_without_text(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the kinds of parts without text in the export, such as pictures and attachments."""
    parts = _content(message).get("parts")
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, dict) and not text_of(part.get("text")):
            yield text_of(part.get("content_type")).replace("_", " ") or "part without text"
    metadata = message.get("metadata")
    attachments = metadata.get("attachments") if isinstance(metadata, dict) else None
    for attachment in attachments if isinstance(attachments, list) else ():
        kind = text_of(attachment.get("mime_type")) if isinstance(attachment, dict) else ""
        if not kind.startswith("image/"):  # an image is counted as a part already
            yield "attachment without text"


def _without_marks(text: str) -> str:
    """Return a text without the marks of its sources; the visible part of a mark stays."""
    return _SOURCES.sub("", _REST_OF_MARKS.sub("", _MARK.sub(_shown, text)))


def _shown(mark: re.Match[str]) -> str:
    """Return the visible part of a mark: the name of an object, or the text of a link."""
    fields = (mark["rest"] or "").split("\ue202")[1:]
    if mark["kind"] in _NAMED and fields:
        try:
            named = json.loads(fields[0])
        except (ValueError, RecursionError):
            named = None
        shown = text_of(named[1]) if isinstance(named, list) and len(named) > 1 else ""
    else:
        shown = fields[0] if mark["kind"] in _LINKED and fields else ""
    space = mark[0][: len(mark[0]) - len(mark[0].lstrip(" \t"))]
    return f"{space}{shown}" if shown else ""


_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}
_SPOKEN = frozenset({"text", "voice_note"})
_WRITING = frozenset({"artifacts", "create_file", "str_replace", "str_replace_based_edit_tool"})
"""Tools with which Claude writes and changes documents."""


def read_claude(path: Path, max_chars: int, *, is_extracted: bool = False) -> Contents:
    """Return the records of an export: a memory for each message, or conversations whose facts are extracted.

    Raises:
        UnreadableFileError: The file has no Claude conversation.
    """
    document = read_document(path)
    chats = [c for c in objects(document) if isinstance(c.get("chat_messages"), list)]
    if not chats:
        raise UnreadableFileError(
            "no conversation found; a Claude export is a list of {uuid, name, chat_messages}"
        )
    others = count_others(document, chats)
    records = read_chats(map(_claude_chat, chats), max_chars, is_extracted=is_extracted, others=others)
    return Contents(records, sum(len(chat["chat_messages"]) for chat in chats))


def _claude_chat(chat: Mapping[str, Any]) -> Chat:
    return Chat(
        "claude",
        "Claude",
        id=text_of(chat.get("uuid")),
        title=text_of(chat.get("name")),
        started=started_at(chat.get("created_at")),
        messages=_messages_of_claude(chat["chat_messages"]),
    )


def _messages_of_claude(messages: Sequence[Any]) -> Iterator[ChatMessage]:
    artifacts = _Artifacts(
        block for message in objects(messages) for block in objects(message.get("content"))
    )
    for message in messages:
        yield from _claude_messages(message, artifacts)


class _Artifacts:
    """Documents that Claude writes in one chat, each in its last version, in the place of its first.

    A later export has the last version in the same place, so that importing it updates the document.
    """

    def __init__(self, blocks: Iterable[Mapping[str, Any]]) -> None:
        self._last: dict[str, _Document] = {}
        self._of_blocks: dict[int, _Document] = {}
        for block in blocks:
            tool_input = block.get("input")
            is_written = block.get("type") == "tool_use" and block.get("name") in _WRITING
            if is_written and isinstance(tool_input, dict):
                self._write(id(block), tool_input)

    def version(self, block: Mapping[str, Any]) -> str | None:
        """Return the document that a block writes first; "" if it changes one, None for another block."""
        document = self._of_blocks.get(id(block))
        if document is None:
            return None
        return _titled(document.title, document.text) if document.first == id(block) else ""

    def _write(self, block_id: int, tool_input: Mapping[str, Any]) -> None:
        name = text_of(tool_input.get("id")) or text_of(tool_input.get("path")) or str(block_id)
        known, old = self._last.get(name), text_of(tool_input.get("old_str"))
        text = text_of(tool_input.get("content")) or text_of(tool_input.get("file_text"))
        if not text.strip():
            if known is None or known.text.count(old) != 1:  # Claude's tools refuse such a change
                return
            text = known.text.replace(old, text_of(tool_input.get("new_str")))
        document = known or self._last.setdefault(name, _Document(block_id))
        document.title = text_of(tool_input.get("title") or tool_input.get("path")) or document.title
        document.text = text
        self._of_blocks[block_id] = document


@dataclass
class _Document:
    """A document; ``first`` identifies the block that wrote it first."""

    first: int
    title: str = ""
    text: str = ""


def _claude_messages(message: Any, artifacts: _Artifacts) -> Iterator[ChatMessage]:
    """Yield a message, and after it the texts of its attachments and of the artifacts that it writes."""
    if not isinstance(message, dict):
        yield ChatMessage(id="", speaker="", text="", reason="not a message")
        return
    sender, message_id = text_of(message.get("sender")), text_of(message.get("uuid"))
    reason = None if sender in _SPEAKERS else f"message of the {sender or 'unknown'} role"
    blocks = list(objects(message.get("content")))
    texts, left_out = _attached(message)
    for block in blocks:
        if (artifact := artifacts.version(block)) is not None:
            if artifact:
                texts.append(artifact)
            else:
                left_out.append("earlier version of a document")
        elif block.get("type") not in _SPOKEN:
            left_out.append(
                f"{text_of(block.get('type'))} {text_of(block.get('name'))}".strip() or "block without type"
            )
    spoken = ChatMessage(
        id=message_id,
        speaker=_SPEAKERS.get(sender, ""),
        text=_claude_text(message, blocks),
        time=message.get("created_at"),
        reason=reason,
        left_out=left_out,
    )
    if reason:
        yield spoken
        return
    if texts and not spoken.text.strip():
        spoken = replace(spoken, text=texts[0])
    yield spoken
    for number, text in enumerate(texts, start=1):
        if text is not spoken.text:
            yield replace(spoken, id=message_id and f"{message_id}.{number}", text=text, left_out=())


def _claude_text(message: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the text blocks if possible: ``text`` has placeholders for tool calls, and may be empty."""
    found = [text_of(block.get("text")) for block in blocks if block.get("type") in _SPOKEN]
    return (
        "\n".join(text for text in found if text)
        or text_of(message.get("text"))
        or text_of(message.get("content"))
    )


def _attached(message: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the texts of attachments, each with its name, and the kinds of attachments without text."""
    texts: list[str] = []
    left_out: list[str] = []
    for attachment in objects(message.get("attachments") or []):
        text = text_of(attachment.get("extracted_content"))
        if text.strip():
            texts.append(_titled(attachment.get("file_name"), text))
        else:
            left_out.append("attachment without text")
    named = {text_of(each.get("file_name")) for each in objects(message.get("attachments") or [])}
    left_out += [
        "file without text"
        for name in dict.fromkeys(
            text_of(each.get("file_name"))
            for field in ("files", "files_v2")
            for each in objects(message.get(field) or [])
        )
        if name not in named
    ]
    return texts, left_out


def _titled(title: Any, text: str) -> str:
    return f"{text_of(title)}\n\n{text}".strip()
