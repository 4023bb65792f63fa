"""What is written beside a memory's content so that recall can find and rank it.

The measures behind each property stand in ``graph/recall/scoring.py``, which uses them.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.recall.language import contains_cjk, is_question, spaced_stems, word_count

_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b", re.IGNORECASE)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_HAS_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week(?:end)?s?|months?|years?|since|recently|morning|"
    rf"evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_MONTHS}|(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
# A question longer than this says more than what its answer needs to be found by.
_LONGEST_QUESTION_WORDS = 80


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
    text = _spoken(content, speaker=speaker, said_at=said_at)
    if previous and _is_asked_by_another(previous, speaker):
        text = f"{text} {previous['content']}"
    return {
        "search_text": text,
        "search_text_cjk": text if contains_cjk(text) else None,
        "search_keys": " ".join(keys) or None,
        "terms": spaced_stems(text),
        "words": word_count(content),
        "is_question": is_question(content),
        "first_person": bool(_FIRST_PERSON.search(content)),
        "has_time": bool(_HAS_TIME.search(content)),
    }


def _spoken(content: str, *, speaker: str | None, said_at: datetime | None) -> str:
    date = f"[{said_at.day} {said_at:%B, %Y}] " if said_at else ""
    return f"{date}{speaker}: {content}" if speaker else f"{date}{content}"


def _is_asked_by_another(previous: Mapping[str, Any], speaker: str | None) -> bool:
    """Tell whether the turn before is a short question of somebody else, so that this turn answers it."""
    content = previous["content"]
    return (
        previous.get("speaker") != speaker
        and is_question(content)
        and word_count(content) < _LONGEST_QUESTION_WORDS
    )
