"""A fact of a text: its category, key, keywords, and the memory types that it maps to."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Any, Final

from graph.conversations.extraction.phrasing import USER, USER_ZH
from graph.core.tables import read_table
from graph.core.text.language import contains_cjk, content_words, holds_pairs, stem
from graph.memories.changes.relative_times import made_absolute
from graph.memories.changes.time_spans import RelativeTime
from graph.memories.derived_keys import slug
from graph.memories.models import MemoryFacet, MemoryKind, MemoryType

SHORTEST = 3
LONGEST = 500
EXPLICIT = 0.9
"""Confidence of a fact that its speaker states."""
INFERRED = 0.6
"""Confidence of a fact that follows from an action or a question, or that somebody else states about the user."""
HEDGED = 0.5
"""Confidence of a fact whose speaker hedges: ``maybe``, ``I think``."""
BROAD = 0.4
"""Confidence of a fact that may concern this moment only; saved only if a person requests the extraction."""
_UNCLOSED = re.compile(r"(?<!\S)[\"\u201c'\u2019](?=\w)(?!.*[\w.,!?][\"\u201d'\u2019](?!\w))")
_DASH = re.compile(r"(?<=\S)\s[-\u2013\u2014]{1,3}$")
_ENDS = " \t.!,;:\u3002\uff01\uff0c\uff1b\u2026~)"


class Category(StrEnum):
    """Category of a fact: three categories of the reference extractor, and further topics."""

    PREFERENCE = "preference"
    DECISION = "decision"
    PATTERN = "pattern"
    PERSONAL = "personal"
    PLAN = "plan"
    ACTIVITY = "activity"
    HEALTH = "health"
    CAREER = "career"
    OTHER = "other"


class Subject(StrEnum):
    """The subject of a fact, by role in the conversation."""

    USER = "user"
    ASSISTANT = "assistant"


class Polarity(StrEnum):
    """Attitude of a fact to its object: for or against."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


@dataclass(frozen=True)
class Vocabularies:
    """The type, kind and facet of memories of one category."""

    type: MemoryType
    kind: MemoryKind
    facet: MemoryFacet


_FACTUAL = MemoryKind.FACTUAL
VOCABULARIES = {
    Category.PREFERENCE: Vocabularies(MemoryType.PREFERENCE, _FACTUAL, MemoryFacet.PREFERENCE),
    Category.DECISION: Vocabularies(MemoryType.DECISION, MemoryKind.EPISODIC, MemoryFacet.CONTEXT),
    Category.PATTERN: Vocabularies(MemoryType.HABIT, _FACTUAL, MemoryFacet.SKILL),
    Category.PERSONAL: Vocabularies(MemoryType.CONTEXT, _FACTUAL, MemoryFacet.CONTEXT),
    Category.PLAN: Vocabularies(MemoryType.CONTEXT, MemoryKind.EPISODIC, MemoryFacet.OBJECTIVE),
    Category.ACTIVITY: Vocabularies(MemoryType.PREFERENCE, _FACTUAL, MemoryFacet.PREFERENCE),
    Category.HEALTH: Vocabularies(MemoryType.CONTEXT, _FACTUAL, MemoryFacet.CONTEXT),
    Category.CAREER: Vocabularies(MemoryType.CONTEXT, _FACTUAL, MemoryFacet.SKILL),
    Category.OTHER: Vocabularies(MemoryType.CONTEXT, _FACTUAL, MemoryFacet.CONTEXT),
}
"""Memory vocabularies by category; a career is a skill, a plan an objective."""


@dataclass(frozen=True)
class Fact:
    """A fact found in a text.

    Attributes:
        content: Content of the memory: a whole sentence in the third person.
        polarity: Whether the sentence affirms or denies its object.
        confidence: Confidence, 0 to 1.
        object: Object of the sentence, ``Python`` of "The user does not like Python"; None if no rule finds it.
        keywords: Search words of the memory.
        key: Key of the memory; equal facts have equal keys. Derived from category, subject and object by default.
        subject: Subject of the fact; facts about an assistant have keys of their own.
        is_standing: Whether every context includes the fact, regardless of its topic.
        value: Value of a setting that has one value at a time, such as the user's name; all values share the key.
        times: Relative times of the statement; ``content`` has their dates.
    """

    category: Category
    content: str
    polarity: Polarity = Polarity.POSITIVE
    confidence: float = EXPLICIT
    object: str | None = None
    keywords: tuple[str, ...] = ()
    key: str = field(default="")
    subject: Subject = Subject.USER
    is_standing: bool = False
    value: str | None = None
    times: tuple[RelativeTime, ...] = ()

    def __post_init__(self) -> None:
        """Derive the key unless the caller passes one."""
        if not self.key:
            key = fact_key(self.category, self.object or self.content)
            is_own = self.subject is Subject.USER
            object.__setattr__(self, "key", key if is_own else f"{self.subject}:{key}")

    def is_of_another_value(self, known: str | None) -> bool:
        """Tell whether the fact sets another value than the known one of its key."""
        return self.value is not None and known is not None and self.value.casefold() != known.casefold()

    def denies_another(self, known: "Fact") -> bool:
        """Tell whether the fact only denies a value other than the known one: not "Sam", when "Alex" is known."""
        return self.polarity is Polarity.NEGATIVE and self.is_of_another_value(known.value)

    @property
    def is_bearable(self) -> bool:
        """True if the object, or else the content, has the length of one fact."""
        return is_of_bearable_length(self.content if self.object is None else self.object)


def fact_key(category: Category, content: str) -> str:
    """Return the key of a fact: ``preference:typescript``; a repeated fact updates the memory with that key."""
    return f"{category}:{slug(content)}"


def statement_of(
    category: Category,
    content: str,
    polarity: Polarity = Polarity.POSITIVE,
    *,
    confidence: float = EXPLICIT,
) -> Fact:
    """Return a fact whose key consists of the whole sentence, without the user as its subject."""
    predicate = content.removeprefix(USER).removeprefix("'s").removeprefix(USER_ZH)
    return Fact(category, collapsed(content), polarity, confidence, key=fact_key(category, predicate))


def trimmed(clause: str) -> str:
    """Return a clause without punctuation at its ends; close an open bracket, and drop an unclosed quotation mark."""
    bare = _UNCLOSED.sub("", _DASH.sub("", clause.strip(_ENDS)))
    return f"{bare})" if bare.count("(") > bare.count(")") else bare


def collapsed(text: str) -> str:
    """Return a text without white space at its ends and with single spaces within."""
    return " ".join(text.split())


def is_of_bearable_length(content: str) -> bool:
    """Tell whether a text has the length of one fact, 3 to 500 characters, and a letter or digit."""
    return SHORTEST <= len(content) <= LONGEST and any(map(str.isalnum, content))


def distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Return each fact once by its key; a later statement that contradicts an earlier one replaces it."""
    found: dict[str, Fact] = {}
    for fact in facts:
        known = found.get(fact.key)
        if known is None or (
            fact.polarity is Polarity.POSITIVE
            if fact.is_of_another_value(known.value)
            else known.polarity is not fact.polarity
        ):
            found[fact.key] = fact
    return list(found.values())


# Habits and preferences belong to no day.
_LASTING = frozenset({Category.PATTERN, Category.PREFERENCE})
_BIRTHDAY = re.compile(r"(?:(?:(?!'s )\S){1,40} ){1,3}?was born\b")  # "born in June" is in no certain year


def on_its_day(fact: Fact, day: date) -> Fact:
    """Return a fact with dates for its relative times, in the content and in the key.

    If a time has no certain date, the key contains the day of the message. Habits, preferences, standing requests,
    birthdays and facts about an assistant stay unchanged.

    >>> on_its_day(statement_of(Category.PLAN, "The user's flight is tomorrow at 6"), date(2026, 3, 4)).content
    "The user's flight is on 2026-03-05 at 6"
    """
    is_lasting = (
        fact.category in _LASTING
        or fact.subject is Subject.ASSISTANT
        or fact.is_standing
        or _BIRTHDAY.match(fact.content) is not None
    )
    absolute = made_absolute(fact.content, day)
    if is_lasting or not absolute.times:
        return fact
    if fact.object is None:
        key = statement_of(fact.category, _of_its_day(absolute.text, day)).key
        return replace(fact, content=absolute.text, key=key, times=absolute.times)
    about = made_absolute(fact.object, day).text
    key = fact_key(fact.category, _of_its_day(about, day))
    return replace(fact, content=absolute.text, object=about, key=key, times=absolute.times)


def _of_its_day(text: str, day: date) -> str:
    """Return a text for the key, with the day of the message if a relative time has no certain date.

    Without the day, the same words about a later occasion would update the earlier memory.
    """
    if all(time.span for time in made_absolute(text, day).times):
        return text
    return f"{text}\uff08{day}说\uff09" if contains_cjk(text) else f"{text} (said on {day})"


MOST_KEYWORDS = 8
_TABLE: Final[Mapping[str, Any]] = read_table("graph.conversations.extraction", "keywords.toml")
_NOT_MEANT = re.compile("|".join(_TABLE["not_meant"]))
_SHORTEST = 3
# Words of the phrasing of facts, which are no keywords.
_REPORTING_WORDS = frozenset(
    "user said also really always never usually often like likes prefer prefers does not".split()
)


def keywords_of(statement: str) -> tuple[str, ...]:
    """Return at most eight search words of a statement in English and Chinese.

    Translations and broader terms, such as "pet" for a cat, precede words that the dictionary lacks: a search finds
    those in the statement anyway, so the limit may omit them.
    """
    found: dict[str, None] = {}
    meant = _NOT_MEANT.sub(" ", statement)
    translations = {word: _dictionary().english[word] for word in _chinese_words_in(meant)}
    for chinese_word, english_word in translations.items():
        found |= {chinese_word: None, english_word: None}
    own = [word for word in content_words(statement) if not holds_pairs(word)]
    known = set(content_words(meant))
    looked_up = [word for word in own if word in known]
    broader = [_broader().of(word.casefold()) for word in (*translations.values(), *looked_up)]
    found |= {
        each: None
        for word in filter(None, broader)
        for each in (word, _dictionary().chinese.of(word) or word)
    }
    for word in looked_up:
        if (translated := _dictionary().chinese.of(word)) is not None:
            found |= {word: None, translated: None}
    others = (word for word in own if len(word) >= _SHORTEST and word not in _REPORTING_WORDS)
    return tuple(dict.fromkeys([*found, *others]))[:MOST_KEYWORDS]


class _ByForm:
    """A lookup by English words: by singular and plural for nouns, by all forms for verbs.

    A lookup by stem alone would find the noun "train" in "trains as an electrician".
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], verbs: AbstractSet[str]) -> None:
        backwards = list(pairs)[::-1]  # the first of two pairs with the same form wins
        self._by_form = {form: meaning for word, meaning in backwards for form in _forms(word.casefold())}
        self._by_form |= {word.casefold(): meaning for word, meaning in backwards}
        self._by_stem = {stem(word): meaning for word, meaning in backwards if word in verbs}

    def of(self, word: str) -> str | None:
        """Return the value of a lower-case word, or None."""
        return self._by_form.get(word) or self._by_stem.get(stem(word))


@dataclass(frozen=True)
class _Dictionary:
    """The words of ``keywords.toml``: Chinese words by English words, and the reverse."""

    chinese: _ByForm
    english: Mapping[str, str]


def _forms(word: str) -> Iterator[str]:
    """Yield the possible singular and plural forms of a noun."""
    yield word
    yield f"{word}s"
    yield f"{word}es"
    if word.endswith("y"):
        yield f"{word[:-1]}ies"
    if len(word) > _SHORTEST and word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]


def _chinese_words_in(statement: str) -> Iterator[str]:
    """Yield the dictionary's Chinese words in a statement, skipping words within longer ones: "海" in "上海"."""
    hidden = statement
    for word in _longest_first():
        if word in hidden:
            hidden = hidden.replace(word, " ")
            yield word


@cache
def _longest_first() -> Sequence[str]:
    return sorted(_dictionary().english, key=len, reverse=True)


@cache
def _broader() -> _ByForm:
    """Return the lookup of broader terms by English words."""
    table = dict(read_table("graph.conversations.extraction", "broader.toml"))
    verbs = frozenset(table.pop("verbs"))
    return _ByForm(((narrower, broader) for broader, words in table.items() for narrower in words), verbs)


@cache
def _dictionary() -> _Dictionary:
    pairs = [pair for group in _TABLE["words"].values() for pair in group.items()]
    return _Dictionary(
        _ByForm(pairs, frozenset(_TABLE["verbs"])), {chinese: word for word, chinese in reversed(pairs)}
    )
