"""The reference extractor: preferences, decisions and habits by regular expressions alone."""

import re
from collections.abc import Iterator

from graph.conversations.extraction.facts import Category, Fact, Polarity, Subject, collapsed, distinct
from graph.conversations.extraction.phrasing import ASSISTANT, USER, render_about

MAX_EXTRACTION_TEXT_LENGTH = 64 * 1024
"""How much of a text is looked at, in characters: its end."""

_NAMES = {Subject.USER: USER, Subject.ASSISTANT: ASSISTANT}
_OBJECT = r"\s+([^.,\n]+)"
_NOT = r"(?:don['\u2019]?t|do\s+not)"
# A pattern with what it finds; each capture ends at a full stop, a comma or a new line.
_PATTERNS = tuple(
    (category, polarity, re.compile(rf"\b{begin}{_OBJECT}", re.IGNORECASE))
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
    """Return the preferences, decisions and habits of a text, each once, in the order stated.

    Pure: the same text gives the same facts, and nothing is stored. ``I never`` and ``I don't like`` give facts of
    negative polarity whose object is what is not done or not liked.

    Args:
        text: What somebody says of himself.
        subject: Who says it.

    >>> [(fact.key, fact.content) for fact in extract_facts("I don't like Python.")]
    [('preference:python', 'The user does not like Python')]
    """
    read = text[-MAX_EXTRACTION_TEXT_LENGTH:]
    return distinct(fact for _, fact in sorted(_found(read, subject), key=lambda each: each[0]))


def _found(text: str, subject: Subject) -> Iterator[tuple[int, Fact]]:
    for category, polarity, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            sentence = render_about(collapsed(match[0]), _NAMES[subject])
            fact = Fact(category, sentence, polarity, object=collapsed(match[1]), subject=subject)
            if fact.is_bearable:
                yield match.start(), fact
