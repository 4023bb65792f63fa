"""Reads Claude's data export: ``conversations.json``, conversations with their ``chat_messages``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.cli.importers.chats import Chat, ChatMessage, read_chats, started_at
from app.cli.importers.document import objects, read_document, text_of
from app.cli.importers.models import Contents, UnreadableFileError

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}


def read_claude(path: Path, max_chars: int, *, is_extracted: bool = False) -> Contents:
    """Return the one part of an export: a memory for each message, or conversations whose facts are extracted.

    Raises:
        UnreadableFileError: The file holds no Claude conversation.
    """
    chats = [c for c in objects(read_document(path)) if isinstance(c.get("chat_messages"), list)]
    if not chats:
        raise UnreadableFileError(
            "no conversation found; a Claude export is a list of {uuid, name, chat_messages}"
        )
    records = read_chats(map(_chat, chats), max_chars, is_extracted=is_extracted)
    return Contents(records, sum(len(chat["chat_messages"]) for chat in chats))


def _chat(chat: Mapping[str, Any]) -> Chat:
    return Chat(
        "claude",
        "Claude",
        id=text_of(chat.get("uuid")),
        title=text_of(chat.get("name")),
        started=started_at(chat.get("created_at")),
        messages=[_read_message(message) for message in chat["chat_messages"]],
    )


def _read_message(message: Any) -> ChatMessage:
    if not isinstance(message, dict):
        return ChatMessage(id="", speaker="", text="", reason="not a message")
    sender = text_of(message.get("sender"))
    return ChatMessage(
        id=text_of(message.get("uuid")),
        speaker=_SPEAKERS.get(sender, ""),
        text=_text(message),
        time=message.get("created_at"),
        reason=None if sender in _SPEAKERS else f"message of the {sender or 'unknown'} role",
    )


def _text(message: Mapping[str, Any]) -> str:
    """Prefer the text blocks: ``text`` has placeholders where a tool was used, and may be empty."""
    blocks = message.get("content")
    found = [text_of(b.get("text")) for b in objects(blocks) if b.get("type") == "text"] if blocks else []
    return "\n".join(text for text in found if text) or text_of(message.get("text"))
