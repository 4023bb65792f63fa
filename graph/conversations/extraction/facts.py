"""What is found in a text: one fact, what it is called, and which memory it becomes."""

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
"""How sure a fact is that somebody states."""
INFERRED = 0.6
"""How sure one is that follows from what somebody does or asks, or that another one says of him."""
HEDGED = 0.5
"""How sure one is whose speaker is not: ``maybe``, ``I think``."""
BROAD = 0.4
"""How sure one is that may be about this moment only; a person who asks for an extraction wants those too."""
_UNCLOSED = re.compile(r"(?<!\S)[\"\u201c'\u2019](?=\w)(?!.*[\w.,!?][\"\u201d'\u2019](?!\w))")
_ENDS = " \t.!,;:\u3002\uff01\uff0c\uff1b\u2026~)"


class Category(StrEnum):
    """What a fact is about: the reference's three, and the seven topics that take up the rest."""

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
    """Whom a fact is about, by his part in the conversation."""

    USER = "user"
    ASSISTANT = "assistant"


class Polarity(StrEnum):
    """Whether somebody is for what a fact names, or against it."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


@dataclass(frozen=True)
class Vocabularies:
    """How a category reads in the three vocabularies of memories."""

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
"""What one works as and with is a skill, what one aims at an objective."""


@dataclass(frozen=True)
class Fact:
    """Something worth knowing, found in a text.

    Attributes:
        content: What the memory says: a whole sentence, as one tells it to somebody else.
        polarity: Whether that sentence is for what it is about, or denies it.
        confidence: How sure it is, 0..1.
        subject: Whom it is about; an assistant is kept apart from the user, by the key as well.
        object: What the sentence is about, ``Python`` of "The user does not like Python"; None where no rule tells.
        is_standing: Whether it belongs into every context, whatever is talked about.
        value: Of what has one at a time, such as what to call somebody; the key is the same of each.
        times: The relative times that it was said with; the content has their dates.
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
        """Give the fact its key, unless it was given another."""
        if not self.key:
            key = fact_key(self.category, self.object or self.content)
            is_own = self.subject is Subject.USER
            object.__setattr__(self, "key", key if is_own else f"{self.subject}:{key}")

    def is_of_another_value(self, known: str | None) -> bool:
        """Tell whether it is about another value than the one that is known by its key."""
        return self.value is not None and known is not None and self.value.casefold() != known.casefold()

    def denies_another(self, known: "Fact") -> bool:
        """Tell whether it denies another value than one told: not "Sam" of who asked to be called "Alex"."""
        return self.polarity is Polarity.NEGATIVE and self.is_of_another_value(known.value)

    @property
    def is_bearable(self) -> bool:
        """Whether what it is about is neither too short to say something nor too long to be one fact."""
        return is_of_bearable_length(self.content if self.object is None else self.object)


def fact_key(category: Category, content: str) -> str:
    """Return what a fact is called, so that stated again it is the same memory: ``preference:typescript``."""
    return f"{category}:{slug(content)}"


def statement_of(
    category: Category,
    content: str,
    polarity: Polarity = Polarity.POSITIVE,
    *,
    confidence: float = EXPLICIT,
) -> Fact:
    """Return a fact that is known by all it says; the user, where it is about him, is left out of its key."""
    predicate = content.removeprefix(USER).removeprefix("'s").removeprefix(USER_ZH)
    return Fact(category, collapsed(content), polarity, confidence, key=fact_key(category, predicate))


def trimmed(clause: str) -> str:
    """Return a clause without the marks at its ends; close its bracket, and drop a quotation mark it only opens."""
    bare = _UNCLOSED.sub("", clause.strip(_ENDS))
    return f"{bare})" if bare.count("(") > bare.count(")") else bare


def collapsed(text: str) -> str:
    """Return the text trimmed, each run of white space as one space."""
    return " ".join(text.split())


def is_of_bearable_length(content: str) -> bool:
    """Tell whether a content is neither too short to say something nor too long to be one fact."""
    return SHORTEST <= len(content) <= LONGEST and any(map(str.isalnum, content))


def distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Return each fact once, by its key; what somebody says of the same thing later in a text is what holds."""
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


# What is done each time is of no day, nor is what somebody likes or asks for.
_LASTING = frozenset({Category.PATTERN, Category.PREFERENCE})


def on_its_day(fact: Fact, day: date) -> Fact:
    """Return a fact with dates for its relative times, in its key as well.

    Of a time in doubt only the key has the day of the message. Habits and likes stay as they are.

    >>> on_its_day(statement_of(Category.PLAN, "The user's flight is tomorrow at 6"), date(2026, 3, 4)).content
    "The user's flight is on 2026-03-05 at 6"
    """
    is_lasting = fact.category in _LASTING or fact.subject is Subject.ASSISTANT or fact.is_standing
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
    """Return a text for the key, which tells an occasion from the next one in the same words."""
    if all(time.span for time in made_absolute(text, day).times):
        return text
    return f"{text}\uff08{day}说\uff09" if contains_cjk(text) else f"{text} (said on {day})"


MOST_KEYWORDS = 8
_TABLE: Final[Mapping[str, Any]] = read_table("graph.conversations.extraction", "keywords.toml")
_NOT_MEANT = re.compile("|".join(_TABLE["not_meant"]))
_SHORTEST = 3
# Words of the way a fact is told, which are about nothing.
_TELLING = frozenset(
    "user said also really always never usually often like likes prefer prefers does not".split()
)


def keywords_of(statement: str) -> tuple[str, ...]:
    """Return at most eight words: those of a statement that a small dictionary knows, each in both languages.

    Before those of English stand the words that people ask by, such as "pet" of what has a cat; what the dictionary
    does not know is found by its own word anyway.
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
    others = (word for word in own if len(word) >= _SHORTEST and word not in _TELLING)
    return tuple(dict.fromkeys([*found, *others]))[:MOST_KEYWORDS]


class _ByForm:
    """What English words stand for: nouns by singular and plural, verbs by all their forms.

    A stem alone would take who trains for an electrician for a train.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], verbs: AbstractSet[str]) -> None:
        backwards = list(pairs)[::-1]  # of two with one form the first counts
        self._by_form = {form: meaning for word, meaning in backwards for form in _forms(word.casefold())}
        self._by_form |= {word.casefold(): meaning for word, meaning in backwards}
        self._by_stem = {stem(word): meaning for word, meaning in backwards if word in verbs}

    def of(self, word: str) -> str | None:
        """Return what a lower-case word stands for."""
        return self._by_form.get(word) or self._by_stem.get(stem(word))


@dataclass(frozen=True)
class _Dictionary:
    """The words of ``keywords.toml``: Chinese ones by English words, and the English one of each Chinese word."""

    chinese: _ByForm
    english: Mapping[str, str]


def _forms(word: str) -> Iterator[str]:
    """Yield a noun in singular and plural, of which either may be given."""
    yield word
    yield f"{word}s"
    yield f"{word}es"
    if word.endswith("y"):
        yield f"{word[:-1]}ies"
    if len(word) > _SHORTEST and word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]


def _chinese_words_in(statement: str) -> Iterator[str]:
    """Yield the Chinese words of the dictionary that a statement has, none inside a longer one: no sea in Shanghai."""
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
    """Return by an English word the one that people ask by."""
    table = dict(read_table("graph.conversations.extraction", "broader.toml"))
    verbs = frozenset(table.pop("verbs"))
    return _ByForm(((narrower, broader) for broader, words in table.items() for narrower in words), verbs)


@cache
def _dictionary() -> _Dictionary:
    pairs = [pair for group in _TABLE["words"].values() for pair in group.items()]
    return _Dictionary(
        _ByForm(pairs, frozenset(_TABLE["verbs"])), {chinese: word for word, chinese in reversed(pairs)}
    )
