"""Topics of requests: which statements matter for "Suggest something for Saturday", though they share no word with it.

Request and statement have a topic in common if the request has a word of the topic that people ask with, and the
statement one that people state with; ``topics.toml`` lists both. A standing statement, such as a preference or an
allergy, gains more than a plain fact. A plain question is no request: its words say what it asks for.
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
_STANDING = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _TABLE["standing"].values())
_LONGEST_REQUEST = 200  # characters; in a longer text, most words are about something else
# Factors of a statement's odds, chosen on the own requests and on the read half of the strangers' ones (``make bench
# NAME=cases``): with 4.5 for both, .42 of the own fitting statements passed instead of .67.
_GAIN_OF_TOPIC = 2.0
_GAIN_IF_STANDING = 20.0
MOST_GAINS: Final = (20.0, 4.5)
"""Maximum factors of the statement that gains most from a request, and of the next one; further ones gain nothing."""


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


@dataclass(frozen=True)
class Request:
    """A request to do something, or a question for advice.

    Attributes:
        stated: Words of statements that share its topics.
    """

    stated: TopicWords

    @classmethod
    def read(cls, text: str) -> "Request | None":
        """Return the request that a text is; None for another text.

        >>> "hike" in Request.read("Suggest an outdoor activity for Saturday").stated.stems
        True
        >>> Request.read("Where do I live?")
        """
        if len(text) > _LONGEST_REQUEST or not any(request.search(text) for request in _REQUESTS):
            return None
        stated = TopicWords()
        for asked, of_topic in _TOPICS:
            if asked.are_in(text):
                stated |= of_topic
        return cls(stated)

    def shares_topic(self, statement: str) -> bool:
        """Tell whether a statement has a word of one of the topics."""
        return self.stated.are_in(statement)

    def gain(self, statement: str) -> float:
        """Return the factor, 1 or more, of the odds that a statement is relevant."""
        if not self.shares_topic(statement):
            return 1.0
        return _GAIN_IF_STANDING if is_standing(statement) else _GAIN_OF_TOPIC


@lru_cache(maxsize=2_000)
def is_standing(statement: str) -> bool:
    """Tell whether a statement holds for every request: a taste, a rule, a habit of choice, a condition of somebody.

    >>> is_standing("Likes hiking in the mountains"), is_standing("Vegetarian since 2015")
    (True, True)
    >>> is_standing("Sister Jette is getting married in June")
    False
    """
    return any(standing.search(statement) for standing in _STANDING)


def with_gain(relevance: float, gain: float) -> float:
    """Return the relevance, 0..1 exclusive, whose odds are larger by a factor.

    >>> round(with_gain(0.05, 4.5), 3)
    0.191
    """
    odds = relevance / (1.0 - relevance) * gain
    return odds / (1.0 + odds)
