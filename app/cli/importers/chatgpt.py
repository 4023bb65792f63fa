"""Reads ChatGPT's data export: ``conversations.json``, a list of conversations, each a tree of messages.

Of each tree the branch that the user saw last is taken: from ``current_node`` up to the root. Instructions,
tool calls and tool answers are left out.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.cli.importers.chats import Chat, ChatMessage, read_chats, started_at
from app.cli.importers.document import objects, read_document, text_of
from app.cli.importers.models import Contents, UnreadableFileError

_ROLES = frozenset({"user", "assistant"})
_WORDS = frozenset({"text", "multimodal_text"})


def read_chatgpt(path: Path, max_chars: int, *, is_extracted: bool = False) -> Contents:
    """Return the one part of an export: a memory for each message, or conversations whose facts are extracted.

    Raises:
        UnreadableFileError: The file holds no ChatGPT conversation.
    """
    chats = [c for c in objects(read_document(path)) if isinstance(c.get("mapping"), dict)]
    if not chats:
        raise UnreadableFileError(
            "no conversation found; a ChatGPT export is a list of {title, mapping, current_node}"
        )
    branches = [(chat, _current_branch(chat)) for chat in chats]
    found = (_chat(chat, branch) for chat, branch in branches)
    records = read_chats(found, max_chars, is_extracted=is_extracted)
    return Contents(records, sum(len(branch) for _, branch in branches))


def _chat(chat: Mapping[str, Any], branch: list[dict[str, Any]]) -> Chat:
    return Chat(
        "chatgpt",
        "ChatGPT",
        id=text_of(chat.get("conversation_id")) or text_of(chat.get("id")),
        title=text_of(chat.get("title")),
        started=started_at(chat.get("create_time")),
        messages=[_read_message(message) for message in branch],
    )


def _current_branch(chat: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the messages from the root to the current node; nodes without message are left out."""
    mapping = chat["mapping"]
    node_id = text_of(chat.get("current_node"))
    if node_id not in mapping:
        node_id = _newest_leaf(mapping)
    found: list[dict[str, Any]] = []
    visited: set[str] = set()
    while isinstance(node := mapping.get(node_id), dict) and node_id not in visited:
        visited.add(node_id)
        if isinstance(node.get("message"), dict):
            found.append({"id": node_id, **node["message"]})
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
    return ChatMessage(
        id=text_of(message.get("id")),
        speaker=_role(message),
        text=_text(message),
        time=message.get("create_time"),
        reason=_reason_to_skip(message),
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
    if kind not in _WORDS or message.get("recipient") not in {None, "all"}:
        return f"{kind} message, not words of the conversation"
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        return "hidden message"
    return None


def _text(message: Mapping[str, Any]) -> str:
    parts = _content(message).get("parts")
    texts = (_part_text(part) for part in parts) if isinstance(parts, list) else ()
    return "\n".join(text for text in texts if text)


def _part_text(part: Any) -> str:
    """Return a text part, or the transcript of a spoken one; pictures have none."""
    return text_of(part.get("text")) if isinstance(part, dict) else text_of(part)
