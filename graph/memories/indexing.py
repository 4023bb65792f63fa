"""What is written beside a memory's content so that recall can find and rank it.

What each property is good for is measured in ``tests/bench``; ``graph/recall/scoring.py`` uses them.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.recall.language import contains_cjk, is_question, spaced_stems, word_count

_ROLES = frozenset({"user", "assistant", "system", "tool"})
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b", re.IGNORECASE)
_HAS_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|since|recently|morning|evening|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_HAS_NUMBER = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|couple|several|few|"
    r"once|twice)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![.!?:\"]\s)(?<!^)\b[A-Z][a-z]{2,}")
_MOST_NAMES = 16
WINDOW_TURNS = 2  # how many turns on each side are searched together with a turn
# A question longer than this says more than what its answer needs to be found by.
_LONGEST_QUESTION_WORDS = 80


def is_role(speaker: str | None) -> bool:
    """Tell whether a speaker is a part in a chat rather than somebody with a name."""
    return (speaker or "").lower() in _ROLES


def dated_text(content: str, *, speaker: str | None, said_at: datetime | None) -> str:
    """Return ``[8 May, 2023] Speaker: content``; no speaker for a role, nothing for what is unknown."""
    date = f"[{said_at.day} {said_at:%B, %Y}] " if said_at else ""
    name = f"{speaker}: " if speaker and not is_role(speaker) else ""
    return f"{date}{name}{content}"


def searchable_properties(
    content: str,
    *,
    speaker: str | None,
    said_at: datetime | None,
    previous: Mapping[str, Any] | None,
    keys: Sequence[str],
) -> dict[str, Any]:
    """Return the properties that the indexes and the ranking read.

    Args:
        content: The memory's text.
        speaker: Who said it, where it is a turn of a conversation.
        said_at: When it was said; None where a date would say nothing about the content.
        previous: ``{content, speaker}`` of the turn before, if there is one.
        keys: Key, tags and keywords, which are searched as well.
    """
    own = dated_text(content, speaker=speaker, said_at=said_at)
    is_answer = previous is not None and _is_asked_by_another(previous, speaker)
    text = f"{own} {previous['content']}" if previous is not None and is_answer else own
    names = sorted({name.lower() for name in _NAME.findall(content)})
    return {
        "search_text": text,
        "search_window": own,
        "search_text_cjk": text if contains_cjk(text) else None,
        "search_keys": " ".join(keys) or None,
        "terms": spaced_stems(text),
        "names": " ".join(names[:_MOST_NAMES]),
        "words": word_count(content),
        "is_question": is_question(content),
        "first_person": _FIRST_PERSON.search(content) is not None,
        "has_time": _HAS_TIME.search(content) is not None,
        "has_number": _HAS_NUMBER.search(content) is not None,
    }


def _is_asked_by_another(previous: Mapping[str, Any], speaker: str | None) -> bool:
    """Tell whether the turn before is a short question of somebody else, so that this turn answers it."""
    content = previous["content"]
    return (
        previous.get("speaker") != speaker
        and is_question(content)
        and word_count(content) < _LONGEST_QUESTION_WORDS
    )
