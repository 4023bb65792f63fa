"""Validation of captured messages."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final

from graph.conversations.capture.models import CaptureDraft, LeftOut, MessageDraft, MessageRole
from graph.core.errors import InvalidInput
from graph.core.scope import owner_named
from graph.core.text.checks import short_name, short_text
from graph.core.text.normal_forms import composed, is_blank
from graph.core.time import in_utc
from graph.memories.policy import MOST_TURN_CHARS, cut_turn, is_cut, whole_length
from graph.memories.rules import message_hash

MOST_MESSAGES = 1000
_PLATFORM_CHARS = 64
_MOST_POSITION = 2**31 - 1  # the largest GraphQL Int
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# <think>, <thinking>, <seed:think> and \u25c1think\u25b7, also with attributes; [THINK] in capitals only.
_THINKING: Final = re.compile(
    r"(?<!`)(?:<|\u25c1|\[(?=/?(?-i:THINK)\]))(?P<close>/?)(?:seed:)?think(?:ing)?"
    r"(?:[ \t]+[\w-]{1,40}=[^<>\n]{0,100})?[ \t]*[>\u25b7\]](?P<ends_line>[ \t]*(?:\n|\Z))?",
    re.IGNORECASE,
)


def validated(
    draft: CaptureDraft, why_not: Callable[[str], str | None] = lambda _: None
) -> tuple[CaptureDraft, list[LeftOut]]:
    """Return the draft with trimmed names, UTC times and valid messages, and the skipped messages.

    Raises:
        InvalidInput: A field of the whole draft breaks a rule; names the first one and the expected form.
        Forbidden: A message names an author outside the scope.
    """
    if not 1 <= len(draft.messages) <= MOST_MESSAGES:
        raise InvalidInput(
            "messages", f"messages must hold 1 to {MOST_MESSAGES} messages, got {len(draft.messages)}"
        )
    messages, left_out = [], []
    for place, message in enumerate(draft.messages):
        try:
            fit = _message(message, why_not)
        except InvalidInput as error:
            left_out.append(LeftOut(place=place, reason=str(error)))
            continue
        if is_cut(fit.content):
            stored = f"its first and last {MOST_TURN_CHARS // 2} of {whole_length(fit.content)} characters are stored"
            left_out.append(LeftOut(place=place, reason=f"content is too long: {stored}", is_stored=True))
        messages.append(fit)
    checked = draft.model_copy(
        update={
            "conversation_id": short_text("conversationId", draft.conversation_id),
            "user_id": short_text("userId", draft.user_id),
            "agent_id": short_text("agentId", draft.agent_id),
            "platform": short_text("platform", draft.platform, limit=_PLATFORM_CHARS),
            "title": short_name("title", draft.title),
            "messages": messages,
        }
    )
    return checked, left_out


def without_reasoning(text: str, role: str | None) -> str:
    r"""Return an assistant's message without its ``<think>`` sections; return other roles' messages unchanged.

    Some models' chat templates consume the opening tag, and an unfinished answer lacks the closing tag.

    >>> without_reasoning("<think>Tea or coffee?</think>\n\nTea.", "assistant")
    'Tea.'
    >>> without_reasoning("Tea or coffee?\n</think>\n\nTea.", "assistant")
    'Tea.'
    >>> without_reasoning("What does <think>a</think> mean?", "user")
    'What does <think>a</think> mean?'
    """
    return parted_reasoning(text)[1] if role == MessageRole.ASSISTANT else text


def parted_reasoning(text: str) -> tuple[str, str]:
    r"""Return a model's reasoning and its answer.

    >>> parted_reasoning("<think>Tea or coffee?</think>\n\nTea.")
    ('Tea or coffee?', 'Tea.')
    """
    answers: list[str] = []
    thoughts: list[str] = []
    begin, opened = 0, None
    for tag in _THINKING.finditer(text):
        if not tag["close"]:
            opened = tag.start() if opened is None else opened
        elif opened is not None:
            answers.append(text[begin:opened])
            thoughts.append(text[opened : tag.start()])
            begin, opened = tag.end(), None
        elif not answers and tag["ends_line"] is not None:
            thoughts.append(text[begin : tag.start()])
            begin = tag.end()
    if opened is not None and not text[begin:opened].strip():
        thoughts.append(text[opened:])
        begin = len(text)  # the answer has not begun yet
    answer = "".join([*answers, text[begin:]])
    reasoning = "\n\n".join(_THINKING.sub("", each).strip() for each in thoughts)
    return reasoning, answer.strip() if answers or begin else text


def _message(message: MessageDraft, why_not: Callable[[str], str | None]) -> MessageDraft:
    """Return the normalized message to store.

    Raises:
        InvalidInput: The message has no text, cannot be read, must not be stored, or breaks a rule.
        Forbidden: The message names an author outside the scope.
    """
    content = composed(_text(message))
    if reason := why_not(content):
        raise InvalidInput("content", reason)
    if message.position is not None and not 0 <= message.position <= _MOST_POSITION:
        raise InvalidInput("position", f"position must be 0 to {_MOST_POSITION}, got {message.position}")
    return message.model_copy(
        update={
            "content": cut_turn(content),
            "whole_hash": message_hash(content),
            "id": short_text("id", message.id),
            "speaker": short_name("speaker", message.speaker),
            "author_id": owner_named(short_text("authorId", message.author_id), None)[0]
            if message.author_id is not None
            else None,
            "session_id": short_text("sessionId", message.session_id),
            "said_at": in_utc("saidAt", message.said_at),
            "utc_offset": _utc_offset(message.said_at),
        }
    )


def _text(message: MessageDraft) -> str:
    """Return the text of a message without reasoning and without characters that cannot be stored.

    Raises:
        InvalidInput: The message has no text, or a surface could not read it.
    """
    if message.unreadable is not None:
        raise InvalidInput("messages", message.unreadable)
    cleaned = _LONE_SURROGATE.sub("\ufffd", message.content.replace("\0", ""))
    text = without_reasoning(cleaned, message.role)
    if is_blank(text):
        raise InvalidInput(
            "content", f"content has no text{'' if is_blank(cleaned) else ' besides the reasoning'}"
        )
    return text


def _utc_offset(moment: datetime | None) -> int | None:
    """Return the UTC offset of a time in minutes.

    Return None for UTC: programs write local times of any zone in UTC, so a zero offset does not tell the zone.
    """
    offset = moment.utcoffset() if moment else None
    return round(offset.total_seconds() / 60) if offset else None
