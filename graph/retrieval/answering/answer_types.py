"""Recognises types that questions name, such as a team or a port, and equivalent phrases."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import HAN, QUESTION_WORDS, STOP_WORDS, words
from graph.core.text.normal_forms import simplified
from graph.retrieval.answering.expecting import Expected, holds
from graph.retrieval.answering.same_words import key_of, keys_of

_TABLE: Final[Mapping[str, Any]] = read_table("graph.retrieval.answering", "answer_types.toml")
_BETWEEN = (
    r"(?:(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must|the|an?|we|you|they|he|she"
    r"|it|my|our|your|their|his|her|its|of|in|on|at|to|for)\b)[\w-]+ ){0,2}?"
)
_OWNERS = r"(?:(?:the|my|our|your|their|his|her|its) )?(?:(?:\w+ )?\w+['\u2019]s )?"
_ENDS = r"(?=\W*$| (?:of|for|at|to|in|on|that|with|from)\b)"
_APPOSED = frozenset(_TABLE["apposed"].split())
_APPOSED_TO_WORDS = frozenset(_TABLE["apposed_to_words"].split())
_APPOSED_CHINESE = re.compile(rf"(?<=[A-Za-z0-9])\s?(?:{_TABLE['apposed_chinese']})")
_MEASURES = "个种门些支一家所款台条位间辆部本首只座层把张"  # Chinese measure words
_TOKEN = re.compile(r"[\w-]+")
_LONGEST_PHRASE = 3  # words
# "In which region does it run?", "Where does it run?": as "run in".
_FRONTED = re.compile(
    r"(?i)^\W*(in|on|at|to|from|with|by|for|through|under|into) ((?:which|what|whom|whose)\b.*\w)\W*$"
)
_WHERE = re.compile(r"(?i)^\W*(where\b.*\w)\W*$")
_NAME_LIKE = re.compile(r"[A-Z]|.*[-\d_]")


@dataclass(frozen=True)
class AnswerType:
    """A type of which a question asks for an instance, such as a team, a port or a command.

    Attributes:
        keys: Keys of its words in the question.
        implied: Keys of further words that an instance implies.
        chinese: Pattern of its words in a Chinese question, and of implied words.
        form: Pattern of instances.
        kind: Kind of answer that instances have.
        is_headed: True if every text below a heading counts as an instance.
        is_near: True if a word with a near meaning is an instance, too.
    """

    keys: frozenset[str]
    implied: frozenset[str]
    chinese: re.Pattern[str] | None
    form: re.Pattern[str] | None
    kind: Expected | None
    is_headed: bool
    is_near: bool

    def is_named_by(self, text: str, question: str, *, above: bool) -> bool:
        """Tell whether a text names an instance, by its form, its kind or a heading above it."""
        if self.is_headed and above:
            return True
        if self.form is not None and self.form.search(text):
            return True
        return self.kind is not None and holds(self.kind, text, question)


@dataclass(frozen=True)
class _Type:
    asks: re.Pattern[str]
    asks_in_chinese: re.Pattern[str]
    implied_chinese: str | None
    implied: frozenset[str]
    form: re.Pattern[str] | None
    kind: Expected | None
    is_headed: bool
    is_near: bool

    def in_question(self, keys: frozenset[str], chinese: re.Pattern[str] | None = None) -> AnswerType:
        """Return the type with its words in a question."""
        return AnswerType(keys, self.implied, chinese, self.form, self.kind, self.is_headed, self.is_near)


def answer_type(question: str) -> AnswerType | None:
    """Return the known type of which a question asks for an instance, or None."""
    plain = simplified(question)
    for type_ in _types():
        if (found := type_.asks.search(plain)) is not None:
            named = found[1] or found[2] or found[3]
            return type_.in_question(keys_of(words(named)))
        if (found := type_.asks_in_chinese.search(plain)) is not None:
            named = re.escape(found[1] or found[2])
            ways = f"{named}|{type_.implied_chinese}" if type_.implied_chinese else named
            return type_.in_question(frozenset(), re.compile(ways))
    return None


@dataclass(frozen=True)
class ObjectClass:
    """The class of a verb's object that a question names, such as a car in "Which car do I drive?".

    Attributes:
        chinese: Pattern of its words in a Chinese question; None in an English one.
        form: Pattern of the verb with an object, in Chinese; None in English.
        is_unfit: True if objects of the verb are of another class: "Which boat do I drive?".
    """

    chinese: re.Pattern[str] | None
    form: re.Pattern[str] | None
    is_unfit: bool


def object_class(question: str) -> ObjectClass | None:
    """Return the class of a listed verb's object that a question names, or None."""
    plain = simplified(question)
    rows = [row for row in _objects() if row.verbs.search(plain)]
    if any(row.asks.search(plain) for row in rows):
        row = next(row for row in rows if row.asks.search(plain))
        return ObjectClass(row.chinese, row.form, is_unfit=False)
    is_unfit = bool(rows) and any(row.asks.search(plain) for row in _objects())
    return ObjectClass(None, None, is_unfit=True) if is_unfit else None


def apposed(question: str) -> dict[str, str]:
    """Return the keys of names in a question, by the keys of words that only state their type.

    >>> apposed("Who leads the Pelican team, and when is project Snowdrop due?")
    {'team': 'pelican', 'project': 'snowdrop'}
    """
    found: dict[str, str] = {}
    tokens = _TOKEN.findall(question)
    for place, token in enumerate(tokens):
        if (word := token.lower()) not in _APPOSED:
            continue
        key = key_of(word)
        before = tokens[place - 1] if place else ""
        behind = tokens[place + 1] if place + 1 < len(tokens) else ""
        if _is_name(before) and place > 1:
            found[key] = key_of(words(before)[-1])
        elif _is_name(behind):
            found[key] = key_of(words(behind)[0])
        elif word in _APPOSED_TO_WORDS and place > 1 and _follows_article(tokens[place - 2], before):
            found[key] = key_of(words(before)[-1])
    return found


def is_of_another_type(key: str, name: str, tokens: Sequence[str]) -> bool:
    """Tell whether a text uses a name only for things of another type.

    Args:
        key: Key of the type.
        name: Key of the name.
        tokens: Words of the text, in order.
    """
    behind = [tokens[place + 1] for place, word in enumerate(tokens[:-1]) if key_of(word) == name]
    return bool(behind) and all(word in _APPOSED and key_of(word) != key for word in behind)


def same_phrases(question: str) -> Iterator[tuple[frozenset[str], re.Pattern[str], re.Pattern[str]]]:
    """Yield for each phrase of a question its keys, its pattern and the pattern of all equivalent phrases."""
    plain = _FRONTED.sub(r"\2 \1", _WHERE.sub(r"\1 in", simplified(question)))
    for ways in _phrases():
        for way in ways:
            if (found := way.search(plain)) is not None:
                any_way = re.compile("|".join(each.pattern for each in ways), re.IGNORECASE)
                found_words = words(found[0])
                # The words between the ends of a long match are no part of the phrase.
                ends = (
                    found_words if len(found_words) <= _LONGEST_PHRASE else (found_words[0], found_words[-1])
                )
                yield keys_of(ends), way, any_way
                break


def without_types(question: str) -> str:
    """Remove the types behind Latin names from a Chinese question."""
    return _APPOSED_CHINESE.sub("", question)


def _is_name(token: str) -> bool:
    return bool(token) and token.lower() not in STOP_WORDS | QUESTION_WORDS and bool(_NAME_LIKE.match(token))


def _follows_article(article: str, word: str) -> bool:
    return article.lower() in ("the", "our", "my", "your") and word.lower() not in STOP_WORDS | QUESTION_WORDS


@dataclass(frozen=True)
class _Objects:
    verbs: re.Pattern[str]
    asks: re.Pattern[str]
    chinese: re.Pattern[str] | None
    form: re.Pattern[str] | None


@cache
def _objects() -> Sequence[_Objects]:
    return [_of_verbs(row) for row in _TABLE["objects"]]


def _of_verbs(row: Mapping[str, str]) -> _Objects:
    verbs, classes = row.get("verbs", "(?!)"), row.get("classes", "(?!)")
    chinese, named = row.get("verbs_chinese", "(?!)"), row.get("classes_chinese", "(?!)")
    return _Objects(
        verbs=re.compile(rf"\b(?:{verbs})\b|{chinese}", re.IGNORECASE),
        asks=re.compile(
            rf"\b(?:which|what) (?:(?:kind|type|sort|make|brand|model) of )?(?:\w+ )?(?:{classes})\b"
            rf"|(?:什么|哪[{_MEASURES}]*)(?:{named})(?!站|票|库|位)",
            re.IGNORECASE,
        ),
        chinese=re.compile(named) if "classes_chinese" in row else None,
        form=re.compile(
            rf"(?<![不没])(?<![不没][会能有])(?:{chinese})(?:着|了|过|的是|的)?(?:[一两]?[{_MEASURES}])?[{HAN}\w]"
        ),
    )


@cache
def _types() -> Sequence[_Type]:
    return [_read(row) for row in _TABLE["types"].values()]


def _read(row: Mapping[str, str]) -> _Type:
    english, chinese = row["english"], row["chinese"]
    implied = row.get("implies_chinese")
    return _Type(
        asks=re.compile(
            rf"\b(?:which|what|how many) (?:of (?:the|our|my|your|their) )?{_BETWEEN}({english})\b|"
            rf"\bwhat(?:['\u2019]s| is| are| was| were) {_OWNERS}{_BETWEEN}({english})\b{_ENDS}|"
            rf"\bwhat (?:do|should|can|could|must|shall) (?:I|we|you|one) ({row.get('verbs', '(?!)')})\b",
            re.IGNORECASE,
        ),
        asks_in_chinese=re.compile(
            rf"(?:哪[{_MEASURES}几]*|什么|几号?)({chinese})|({chinese})(?:都?[是叫为])?(?:什么|多少|多久|多长|哪|几|谁|有哪些)"
        ),
        implied_chinese=implied,
        implied=keys_of(row.get("implies", "").split()),
        form=re.compile(row["form"]) if "form" in row else None,
        kind=Expected(row["kind"]) if "kind" in row else None,
        is_headed="headed" in row,
        is_near="near" in row,
    )


@cache
def _phrases() -> Sequence[Sequence[re.Pattern[str]]]:
    rows: Iterable[Iterable[str]] = _TABLE["phrases"]
    return [[re.compile(way, re.IGNORECASE) for way in ways] for ways in rows]
