"""The reference extractor and its form of facts, for clients written for it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graph.conversations.extraction.facts import Category, Fact, Polarity, Subject, collapsed, distinct
from graph.conversations.extraction.phrasing import ASSISTANT, USER, render_fact
from graph.memories.changes.relative_times import RELATIVE_TIMES
from graph.memories.models import Memory
from graph.memories.policy import SourceType

MAX_EXTRACTION_TEXT_LENGTH = 64 * 1024
"""Maximum length of the text that is read, in characters; only the end of a longer text is read."""

_NAMES = {Subject.USER: USER, Subject.ASSISTANT: ASSISTANT}
_OBJECT_PATTERN = r"\s+([^.,\n]+)"
_NOT = r"(?:don['\u2019]?t|do\s+not)"
# Each capture ends at a full stop, a comma or a line break.
_PATTERNS = tuple(
    (category, polarity, re.compile(rf"\b{begin}{_OBJECT_PATTERN}", re.IGNORECASE))
    for category, polarity, begin in (
        (Category.PREFERENCE, Polarity.POSITIVE, r"I\s+(?:really\s+)?prefer"),
        (Category.PREFERENCE, Polarity.POSITIVE, r"I\s+(?:really\s+)?like"),
        (Category.PREFERENCE, Polarity.POSITIVE, r"my\s+favou?rite\s+(?:\w+\s+){0,3}?is"),
        (Category.PREFERENCE, Polarity.NEGATIVE, r"I\s+(?:really\s+)?(?:hate|dislike|avoid)"),
        (Category.PREFERENCE, Polarity.NEGATIVE, rf"I\s+(?:really\s+)?{_NOT}\s+(?:really\s+)?like"),
        (Category.DECISION, Polarity.POSITIVE, r"I(?:['\u2019]ll|\s+will)\s+use"),
        (Category.DECISION, Polarity.POSITIVE, r"I\s+chose"),
        (Category.DECISION, Polarity.POSITIVE, r"I\s+went\s+with"),
        (Category.DECISION, Polarity.POSITIVE, r"I(?:(?:['\u2019]m|\s+am)\s+going\s+to)?\s+adopt"),
        (Category.DECISION, Polarity.POSITIVE, r"I(?:['\u2019]ve|\s+have)?\s+decided(?:\s+to\b)?"),
        (Category.PATTERN, Polarity.POSITIVE, r"I\s+usually"),
        (Category.PATTERN, Polarity.POSITIVE, r"I\s+always"),
        (Category.PATTERN, Polarity.NEGATIVE, r"I\s+never"),
        (Category.PATTERN, Polarity.POSITIVE, r"I\s+tend\s+to"),
    )
)


def extract_facts(text: str, *, subject: Subject = Subject.USER) -> list[Fact]:
    """Return the preferences, decisions and habits that a text states, each once, in order.

    Pure: stores nothing. ``I never`` and ``I don't like`` give facts of negative polarity; their object is the thing
    that is not done or not liked.

    Args:
        text: First-person text.
        subject: Role of the speaker.

    >>> [(fact.key, fact.content) for fact in extract_facts("I don't like Python.")]
    [('preference:python', 'The user does not like Python')]
    """
    read = text[-MAX_EXTRACTION_TEXT_LENGTH:]
    return distinct(fact for _, fact in sorted(_found(read, subject), key=lambda each: each[0]))


def _found(text: str, subject: Subject) -> Iterator[tuple[int, Fact]]:
    for category, polarity, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            sentence = render_fact(collapsed(match[0]), _NAMES[subject])
            fact = Fact(category, sentence, polarity, object=collapsed(match[1]), subject=subject)
            if fact.is_bearable:
                yield match.start(), fact


_OBJECT = "object"
_POLARITY = "polarity"


def in_reference_form(memory: Memory) -> Memory:
    """Return an extracted memory in the reference form: ``Python`` for "The user does not like Python".

    The content is the fact's object, if known. The metadata is the reference's, plus a negative polarity. The key has
    no prefix for an assistant's facts, because the reference does not distinguish speakers. Memories that were not
    extracted stay unchanged.
    """
    if memory.source_type != SourceType.EXTRACTED:
        return memory
    about = memory.metadata.get(_OBJECT)
    is_negative = memory.metadata.get(_POLARITY) == Polarity.NEGATIVE
    omitted = {_OBJECT, RELATIVE_TIMES} if is_negative else {_OBJECT, _POLARITY, RELATIVE_TIMES}
    metadata = {name: value for name, value in memory.metadata.items() if name not in omitted}
    content = about if isinstance(about, str) else memory.content
    key = memory.key and memory.key.removeprefix(f"{Subject.ASSISTANT}:")
    return memory.model_copy(update={"content": content, "key": key, "metadata": metadata})


def out_of_reference_form(memory: Memory, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of an update with the memory's own content and key if they equal its reference form.

    So a client that sends a list of facts back unchanged does not overwrite their sentences.
    """
    shown = in_reference_form(memory)
    return {
        name: getattr(memory, name) if name in ("content", "key") and value == getattr(shown, name) else value
        for name, value in fields.items()
    }
