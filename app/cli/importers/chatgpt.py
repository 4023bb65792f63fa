"""Reads ChatGPT's data export: ``conversations.json``, a list of conversations, each a tree of messages.

Of each tree it takes the branch that the user saw last: from ``current_node`` up to the root. It skips instructions,
tool calls and tool results, except documents that the assistant writes.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.cli.importers.chats import Chat, ChatMessage, count_others, read_chats, started_at
from app.cli.importers.json_records import objects, read_document, text_of
from app.cli.importers.models import Contents, UnreadableFileError

_ROLES = frozenset({"user", "assistant"})
_WORDS = frozenset({"text", "multimodal_text"})
_DOCUMENTS = "canmore.create_textdoc"
"""To whom the assistant sends a document that it writes."""
_MARK = re.compile("[ \t]?\ue200(?P<kind>[a-zA-Z0-9_-]{1,40})(?P<rest>[^\ue200\ue201]{0,10000})(?:\ue201|$)")
_REST_OF_MARKS = re.compile("[\ue200-\ue20f]")
_SOURCES = re.compile(
    r"[ \t]?(?:【[\d:]{1,20}†[^】\n]{0,200}】|:contentReference\[[^\]\n]{1,100}\]\{[^}\n]{1,100}\})"
)


def read_chatgpt(path: Path, max_chars: int, *, is_extracted: bool = False) -> Contents:
    """Return the one part of an export: a memory for each message, or conversations whose facts are extracted.

    Raises:
        UnreadableFileError: The file holds no ChatGPT conversation.
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
    """Return the document that a message writes, below its name; None where it writes none."""
    if message.get("recipient") != _DOCUMENTS:
        return None
    try:
        given = json.loads(written)
    except (ValueError, RecursionError):
        return None
    content = text_of(given.get("content")) if isinstance(given, dict) else ""
    return f"{text_of(given.get('name'))}\n\n{content}".strip() if content.strip() else None


def _part_texts(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a message, and the transcripts of its audio."""
    content = _content(message)
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else [content.get("text")]:
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
        if not kind.startswith("image/"):  # which is a part as well
            yield "attachment without text"


def _without_marks(text: str) -> str:
    """Return a text without the marks of its sources; what a mark shows to readers stays."""
    return _SOURCES.sub("", _REST_OF_MARKS.sub("", _MARK.sub(_shown, text)))


def _shown(mark: re.Match[str]) -> str:
    """Return what the app shows for a mark: the name of a thing, or the words of a link."""
    fields = mark["rest"].split("\ue202")[1:]
    if mark["kind"] == "entity" and fields:
        try:
            named = json.loads(fields[0])
        except (ValueError, RecursionError):
            named = None
        shown = text_of(named[1]) if isinstance(named, list) and len(named) > 1 else ""
    else:
        shown = fields[0] if mark["kind"] in ("url", "video") and fields else ""
    space = mark[0][: len(mark[0]) - len(mark[0].lstrip(" \t"))]
    return f"{space}{shown}" if shown else ""
