"""Which words of a question a fact must hold to answer it, and which of them it holds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from graph.core.tables import read_table
from graph.core.text.language import Specificity, contains_cjk, content_words, stem, words
from graph.retrieval.answering.expecting import Expected, expected

# Words of the way a question is put, which no answer needs to repeat.
_LIGHT = frozenset(
    stem(word)
    for word in (
        "user go going do done doing happen happened take takes place many much often long far kind type sort some any "
        "one thing something someone anybody anyone there time times ever currently recently now new more most tell me "
        "give describe list according also both upon over onto against among between through after before during "
        "while than within since person people"
    ).split()
)
_LIGHT_OF: Mapping[Expected, frozenset[str]] = {
    kind: frozenset(map(stem, text.split()))
    for kind, text in {
        Expected.PHONE: "phone telephone mobile cell number",
        Expected.MAIL: "mail email e address",
        Expected.NUMBER: "number price amount high tall big heavy cost",
        Expected.REASON: "reason",
        Expected.TIME: "date day month year hour week",
        Expected.PLACE: "city cities country countries town state street area",
    }.items()
}
# "Which instrument does Ben play?", "What colour is it?": an answer names one rather than the word itself.
_CATEGORY = re.compile(
    r"\b(?:what|which) (?:[a-z-]{1,30} ){0,2}?([a-z-]{1,30}) "
    r"(?:is|are|was|were|do|does|did|has|have|had|will|would|can)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=[\w,'\u2019)] )[\"'(]?([A-Z][\w-]+)")
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")
# What a Chinese question asks by: what stands between is what it is about.
_HAN_ASKING = re.compile(
    "叫什么名字|什么名字|叫什么|什么时候|什么地方|为什么|怎么样|是不是|有没有|哪里|哪儿|哪天|哪年|哪个|哪些|什么|怎么|多少|几点|几个|"
    "几[只岁次]|多久|多大|何时|何处|是谁|[谁吗呢吧的了是在我你他她它们请和与去也都问有个]|用户"
)
_STRONG = 0.75  # MiniLM: mom/mother 0.90, kids/children 0.88; but brother/sister 0.65, coffee/tea 0.62
_OF_CATEGORY = 0.45  # instrument/cello 0.66, pet/cat 0.74, database/postgresql 0.53; colour/euros 0.30


@dataclass(frozen=True)
class Required:
    """What a fact must hold to answer.

    Attributes:
        words: Words in the form asked, by their stems.
        rarities: By stem, how much each counts.
        names: Stems of those that are proper names.
        category: The stem of what is asked for one of; None for none.
        han: Pieces of a Chinese question.
    """

    words: Mapping[str, str]
    rarities: Mapping[str, float]
    names: frozenset[str]
    category: str | None
    han: Sequence[str]

    def without(self, people: Iterable[str]) -> "Required":
        """Return the rest where it is told otherwise that a fact is about certain people."""
        gone = {stem(word) for person in people for word in words(person)}
        kept = {key: word for key, word in self.words.items() if key not in gone}
        return Required(kept, self.rarities, self.names & kept.keys(), self.category, self.han)


@dataclass(frozen=True)
class HeldWords:
    """What a fact holds of it: the share of it by rarity, 0..1, and whether every proper name is there."""

    share: float
    has_names: bool


class Kinship:
    """How near single words are in meaning, by their vectors; without vectors none is."""

    def __init__(self, vectors: Mapping[str, NDArray[np.float32]] | None = None) -> None:
        self._vectors = vectors or {}

    def nearest(self, word: str, others: Iterable[str]) -> float:
        """Return the cosine of a word and the nearest of others, 0 where it is not known."""
        own = self._vectors.get(word)
        known = [self._vectors[other] for other in others if other in self._vectors]
        return float((np.stack(known) @ own).max()) if own is not None and known else 0.0


NO_KINSHIP = Kinship()


def required(question: str, specificity: Specificity) -> Required:
    """Return what a fact must hold to answer a question."""
    light = _LIGHT | _LIGHT_OF.get(expected(question), frozenset())
    found = {
        stem(word): word
        for word in content_words(question)
        if not contains_cjk(word) and len(word) > 1 and stem(word) not in light
    }
    match = _CATEGORY.search(question)
    category = stem(match[1].lower()) if match else None
    names = frozenset(stem(name.lower()) for name in _CAPITAL.findall(question)) & found.keys()
    han = [part for run in _HAN_RUN.findall(question) for part in _HAN_ASKING.split(run) if part]
    rarities = {key: specificity(word) ** 2 for key, word in found.items()}
    return Required(found, rarities, names, category if category in found else None, han)


def held(asked: Required, text: str, kinship: Kinship = NO_KINSHIP) -> HeldWords:
    """Return what a text holds of what is required: by stem, by another word for the same, or by strong meaning."""
    said = words(text)
    there = frozenset(map(stem, said))
    missing = {key for key in asked.words if not _holds(asked, key, said, there, kinship)}
    whole = sum(asked.rarities[key] for key in asked.words)
    share = 1 - sum(asked.rarities[key] for key in missing) / whole if whole else 1.0
    if asked.han:
        share = min(share, sum(len(part) for part in asked.han if part in text) / sum(map(len, asked.han)))
    return HeldWords(share, not asked.names & missing)


def uncovered(asked: Required, texts: Iterable[str]) -> list[str]:
    """Return the words of the question that not every text holds by stem or by another word for the same."""
    there = [frozenset(map(stem, words(text))) for text in texts]
    return [word for key, word in asked.words.items() if not all(same(key, each) for each in there)]


def same(asked: str, there: frozenset[str]) -> bool:
    """Tell whether one of the stems is the one asked for, or says the same."""
    return asked in there or not same_words().get(asked, frozenset()).isdisjoint(there)


@cache
def same_words() -> Mapping[str, frozenset[str]]:
    """Return the stems that say the same as each."""
    found: dict[str, frozenset[str]] = {}
    for group in read_table("graph.retrieval.answering", "same_words.toml")["groups"]:
        members = frozenset(map(stem, group.split()))
        found |= {member: found.get(member, frozenset()) | members for member in members}
    return found


def _holds(asked: Required, key: str, said: Sequence[str], there: frozenset[str], kinship: Kinship) -> bool:
    if same(key, there):
        return True
    if key in asked.names:
        return False
    return kinship.nearest(asked.words[key], said) >= (_OF_CATEGORY if key == asked.category else _STRONG)
