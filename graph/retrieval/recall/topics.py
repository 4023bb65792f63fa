"""Topics of requests: which statements matter for "Suggest something for Saturday", though they share no word with it.

Request and statement have a topic in common if the request has a word of the topic that people ask with, and the
statement one that people state with; ``topics.toml`` lists both. A plain question has no topic: its words say what it
asks for.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import contains_cjk, stem, words

_TABLE: Final[Mapping[str, Any]] = read_table("graph.retrieval.recall", "topics.toml")
_REQUESTS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _TABLE["requests"].values())
MOST_ON_TOPIC = 2
"""Number of statements that gain by sharing the topic of a request."""
# With odds of 7 instead, one in seven of the own requests without a fitting statement brought one
# (``make bench NAME=cases``).
_ODDS_OF_TOPIC = 4.5
_LONGEST_REQUEST = 200  # characters; in a longer text, most words are about something else


@dataclass(frozen=True)
class TopicWords:
    """Words of a topic.

    Attributes:
        stems: Stems of English words.
        parts: Chinese words, which may be anywhere in a text.
    """

    stems: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, listed: Iterable[str]) -> "TopicWords":
        """Read a list of words of both languages."""
        listed = list(listed)
        return cls(
            frozenset(stem(word.lower()) for word in listed if not contains_cjk(word)),
            frozenset(word for word in listed if contains_cjk(word)),
        )

    def __or__(self, other: "TopicWords") -> "TopicWords":
        return TopicWords(self.stems | other.stems, self.parts | other.parts)

    def are_in(self, text: str) -> bool:
        """Tell whether a text has one of the words."""
        return not self.stems.isdisjoint(map(stem, words(text))) or any(part in text for part in self.parts)


_TOPICS = tuple(
    (TopicWords.of(topic["asked"].split()), TopicWords.of(topic["stated"].split()))
    for topic in _TABLE["topics"].values()
)


@lru_cache(maxsize=256)
def words_of_statements(text: str) -> TopicWords:
    """Return the words of statements that matter for a request; none for another text.

    >>> "hike" in words_of_statements("Suggest an outdoor activity for Saturday").stems
    True
    >>> words_of_statements("Where do I live?")
    TopicWords(stems=frozenset(), parts=frozenset())
    """
    if len(text) > _LONGEST_REQUEST or not any(request.search(text) for request in _REQUESTS):
        return TopicWords()
    found = TopicWords()
    for asked, stated in _TOPICS:
        if asked.are_in(text):
            found |= stated
    return found


def relevance_on_topic(relevance: float) -> float:
    """Return the relevance, 0..1 exclusive, of a statement that shares the topic of a request.

    >>> round(relevance_on_topic(0.05), 3)
    0.191
    """
    odds = relevance / (1.0 - relevance) * _ODDS_OF_TOPIC
    return odds / (1.0 + odds)
