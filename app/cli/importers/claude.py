"""Reads Claude's data export: ``conversations.json``, conversations with their ``chat_messages``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.importers.chats import Chat, ChatMessage, count_others, read_chats, started_at
from app.cli.importers.json_records import objects, read_document, text_of
from app.cli.importers.models import Contents, UnreadableFileError

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}
_SPOKEN = frozenset({"text", "voice_note"})
_WRITING = frozenset({"artifacts", "create_file"})
"""Tools by which Claude writes a document."""


def read_claude(path: Path, max_chars: int, *, is_extracted: bool = False) -> Contents:
    """Return the one part of an export: a memory for each message, or conversations whose facts are extracted.

    Raises:
        UnreadableFileError: The file holds no Claude conversation.
    """
    document = read_document(path)
    chats = [c for c in objects(document) if isinstance(c.get("chat_messages"), list)]
    if not chats:
        raise UnreadableFileError(
            "no conversation found; a Claude export is a list of {uuid, name, chat_messages}"
        )
    others = count_others(document, chats)
    records = read_chats(map(_chat, chats), max_chars, is_extracted=is_extracted, others=others)
    return Contents(records, sum(len(chat["chat_messages"]) for chat in chats))


def _chat(chat: Mapping[str, Any]) -> Chat:
    return Chat(
        "claude",
        "Claude",
        id=text_of(chat.get("uuid")),
        title=text_of(chat.get("name")),
        started=started_at(chat.get("created_at")),
        messages=[read for message in chat["chat_messages"] for read in _read_messages(message)],
    )


def _read_messages(message: Any) -> Iterator[ChatMessage]:
    """Yield a message, and behind it each text that came with it: attachments, and artifacts that were written."""
    if not isinstance(message, dict):
        yield ChatMessage(id="", speaker="", text="", reason="not a message")
        return
    sender, message_id = text_of(message.get("sender")), text_of(message.get("uuid"))
    reason = None if sender in _SPEAKERS else f"message of the {sender or 'unknown'} role"
    blocks = list(objects(message.get("content") or []))
    texts, left_out = _attached(message)
    for block in blocks:
        if (artifact := _artifact(block)) is not None:
            texts.append(artifact)
        elif block.get("type") not in _SPOKEN:
            left_out.append(
                f"{text_of(block.get('type'))} {text_of(block.get('name'))}".strip() or "block without type"
            )
    said = ChatMessage(
        id=message_id,
        speaker=_SPEAKERS.get(sender, ""),
        text=_text(message, blocks),
        time=message.get("created_at"),
        reason=reason,
        left_out=left_out,
    )
    if reason:
        yield said
        return
    if texts and not said.text.strip():
        said = replace(said, text=texts[0])
    yield said
    for number, text in enumerate(texts, start=1):
        if text is not said.text:
            yield replace(said, id=message_id and f"{message_id}.{number}", text=text, left_out=())


def _text(message: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]]) -> str:
    """Prefer the text blocks: ``text`` has placeholders where a tool was used, and may be empty."""
    found = [text_of(block.get("text")) for block in blocks if block.get("type") in _SPOKEN]
    return "\n".join(text for text in found if text) or text_of(message.get("text"))


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
        for each in objects(message.get("files") or [])
        if text_of(each.get("file_name")) not in named
    ]
    return texts, left_out


def _artifact(block: Mapping[str, Any]) -> str | None:
    """Return the text of an artifact that a block writes, below its title; None for another block or a small change."""
    given = block.get("input")
    if block.get("type") != "tool_use" or not isinstance(given, dict):
        return None
    text = text_of(given.get("content")) or text_of(given.get("file_text"))
    is_artifact = block.get("name") in _WRITING and bool(text.strip())
    return _titled(given.get("title") or given.get("path"), text) if is_artifact else None


def _titled(title: Any, text: str) -> str:
    return f"{text_of(title)}\n\n{text}".strip()
