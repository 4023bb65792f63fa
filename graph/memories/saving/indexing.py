"""Computes the search properties of a memory, which recall's indexes and ranking read.

``tests/bench`` measures the effect of each property; ``graph/retrieval/recall/ranking.py`` uses them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from graph.core.text.detection import language_of
from graph.core.text.language import (
    contains_cjk,
    is_in_first_person,
    is_question,
    spaced_stems,
    word_count,
    words,
)
from graph.core.text.lucene import as_indexed, forms_apart
from graph.core.text.normal_forms import folded, folded_apart
from graph.memories.policy import AUTOMATIC_SOURCES

_ROLES = frozenset({"user", "assistant", "system", "tool"})
_TIME_WORDS = frozenset(
    (
        "yesterday today tonight tomorrow last next ago week weeks weekend month months year years since recently "
        "morning evening monday tuesday wednesday thursday friday saturday sunday january february march april may "
        "june july august september october november december"
    ).split()
)
_TIME_NUMBER = re.compile(r"(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)")
_NUMBER_WORDS = frozenset(
    (
        "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand couple several few "
        "once twice"
    ).split()
)
_TOKEN = re.compile(r"\w+")
_NAME = re.compile(r"(?<![.!?:\"]\s)(?<!^)\b[A-Z][a-z]{2,}")
# Lucene splits words by Unicode's rules (UAX 29), which do not split these.
_IDENTIFIER = re.compile(r"(?<![^\W_])[^\W_]++(?:[._:]++[^\W_]++)++")
_LABEL_MARKS = re.compile(r"[\s/:_-]+")
_MOST_IDENTIFIERS = 64
_MOST_NAMES = 16
_MOST_METADATA_CHARS = 2000
_MOST_LABEL_CHARS = 200  # of keywords and of tags: more would outweigh the text in its vector
WINDOW_TURNS = 2  # turns on each side whose text a turn's window includes
# A longer question would add unrelated words to the search text of its answer.
_LONGEST_QUESTION_WORDS = 80

SEARCHED = ("search_text", "search_window", "search_keys", "search_text_cjk")
"""Properties of the full-text indexes; a deleted memory has none, so that it does not fill result lists."""


def is_role(speaker: str | None) -> bool:
    """Tell whether a speaker is a chat role instead of a name."""
    return (speaker or "").lower() in _ROLES


def dated_text(content: str, *, speaker: str | None, stated_at: datetime | None) -> str:
    """Return ``[8 May, 2023] Speaker: content``; omit a chat role and unknown parts."""
    date = f"[{stated_at.day} {stated_at:%B, %Y}] " if stated_at else ""
    name = f"{speaker}: " if speaker and not is_role(speaker) else ""
    return f"{date}{name}{content}"


def search_keys(properties: Mapping[str, Any]) -> list[str]:
    """Return the further search texts of a memory: key, tags, keywords and values of its metadata.

    Args:
        properties: Stored properties; the metadata may be JSON text or an object.
    """
    metadata = properties.get("metadata") or {}
    stored = from_json(metadata) if isinstance(metadata, str) else metadata
    values = " ".join(_texts_in(stored))[:_MOST_METADATA_CHARS]
    return [
        *([properties["key"]] if properties.get("key") else []),
        *(properties.get("tags") or ()),
        *(properties.get("keywords") or ()),
        *([values] if values else []),
    ]


def labels_to_embed(properties: Mapping[str, Any], *, is_turn: bool) -> dict[str, str | None]:
    """Return the keywords and the tags that a caller gave a memory, as the vector includes them; None: it has none.

    Those of a job are left out, because the text has them already. A turn has none.

    >>> labels_to_embed({"source_type": "user", "keywords": ["GHA"], "tags": ["ci/cd"]}, is_turn=False)
    {'embedded_keywords': 'GHA', 'embedded_tags': 'ci cd'}
    """
    is_given = properties["source_type"] not in AUTOMATIC_SOURCES and not is_turn
    labels = {"embedded_keywords": properties.get("keywords"), "embedded_tags": properties.get("tags")}
    return {name: _one_line(given or ()) if is_given else None for name, given in labels.items()}


def _one_line(labels: Sequence[str]) -> str | None:
    return ", ".join(_LABEL_MARKS.sub(" ", label) for label in labels)[:_MOST_LABEL_CHARS] or None


def searchable_properties(
    content: str,
    *,
    speaker: str | None,
    stated_at: datetime | None,
    previous: Mapping[str, Any] | None,
    keys: Sequence[str],
) -> dict[str, Any]:
    """Return the properties that the indexes and the ranking read.

    Args:
        content: The memory's text.
        speaker: Speaker of a conversation turn.
        stated_at: Time of the statement; None if a date adds nothing to the content.
        previous: ``{content, speaker}`` of the previous turn; None: there is none.
        keys: Further search text; see :func:`search_keys`.
    """
    dated = dated_text(content, speaker=speaker, stated_at=stated_at)
    is_answer = previous is not None and _is_question_of_another(previous, speaker)
    before = f" {previous['content']}" if previous is not None and is_answer else ""
    names = sorted({name.lower() for name in _NAME.findall(folded(content))})
    tokens = set(_TOKEN.findall(content.lower()))
    joined_keys = " ".join(keys)
    language = language_of(f"{content}{before}")  # without the English date
    apart = [] if language is None else [forms_apart(f"{dated}{before}")]
    own = as_indexed(dated, language)
    text = f"{own}{as_indexed(before, language)}"
    return {
        "search_text": text,
        "search_window": own,
        # With the keys: an English text may have Chinese keywords.
        "search_text_cjk": " ".join(part for part in (text, joined_keys) if contains_cjk(part)) or None,
        "search_keys": as_indexed(
            _with_words_apart(" ".join([*keys, *_identifiers(content), *apart]))
        ).strip()
        or None,
        # Lists search for a substring of the text.
        "folded_content": folded_apart(content),
        "language": language.code if language else "",
        "terms": spaced_stems(f"{dated}{before} {joined_keys}", language),
        "names": " ".join(names[:_MOST_NAMES]),
        "words": word_count(content),
        "is_question": is_question(content),
        "first_person": is_in_first_person(content),
        "has_time": not tokens.isdisjoint(_TIME_WORDS) or any(map(_TIME_NUMBER.fullmatch, tokens)),
        "has_number": not tokens.isdisjoint(_NUMBER_WORDS) or any(map(str.isdecimal, tokens)),
    }


def _identifiers(content: str) -> list[str]:
    """Return compound identifiers such as ``auth.service.ts`` and ``max_tokens``, which Lucene does not split."""
    return list(dict.fromkeys(_IDENTIFIER.findall(content)))[:_MOST_IDENTIFIERS]


def _with_words_apart(keys: str) -> str:
    """Append the parts of compounds such as ``work:desk`` or ``main.py``, which Lucene treats as one word."""
    apart = [word for word in words(keys) if not contains_cjk(word)]
    known = set(keys.lower().split())
    return " ".join([keys, *dict.fromkeys(word for word in apart if word not in known)]).strip()


def _texts_in(value: object) -> Iterator[str]:
    """Yield the texts and numbers inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts_in(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from _texts_in(item)


def _is_question_of_another(previous: Mapping[str, Any], speaker: str | None) -> bool:
    """Tell whether the previous turn is a short question by another speaker, which this turn answers."""
    content = previous["content"]
    return (
        previous.get("speaker") != speaker
        and is_question(content)
        and word_count(content) < _LONGEST_QUESTION_WORDS
    )
