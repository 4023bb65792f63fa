"""Compares words by meaning: forms of one word, and the synonyms of ``same_words.toml``."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import NUMBER_WORDS, STOP_WORDS, stem, words
from graph.retrieval.answering.expecting import KIN

_TABLE: Final[Mapping[str, Any]] = read_table("graph.retrieval.answering", "same_words.toml")
_RELATIVE = re.compile(rf"\b{KIN}\b", re.IGNORECASE)
# Nouns derived from verbs: teacher, supplier, removal, departure, delivery.
_DOER = re.compile(r"([a-z]{4,30})(?:er|or|al|ure|age|ment|[ae]nce)s?|([a-z]{3,30}er)y")
_JOINT = re.compile("[- ]")
_APART: Mapping[str, str] = {word: group.split()[0] for group in _TABLE["apart"] for word in group.split()}


def with_relatives_joined(text: str) -> str:
    """Join the parts of words for relatives, because a "brother-in-law" is not a "brother".

    >>> with_relatives_joined("Her brother in law met my step-sister.")
    'Her brotherinlaw met my stepsister.'
    """
    return _RELATIVE.sub(lambda found: _JOINT.sub("", found[0]), text)


def joined_words(text: str) -> list[str]:
    """Return the lower-case words of a text; relatives such as "brother-in-law" are one word."""
    return words(with_relatives_joined(text))


def key_of(word: str) -> str:
    """Return the common key of a lower-case word's forms: its stem, unless another word has the same stem.

    >>> key_of("boats"), key_of("find"), key_of("founded")
    ('boat', 'find', 'founded')
    """
    return _APART.get(word) or stem(word)


def keys_of(tokens: Iterable[str]) -> frozenset[str]:
    """Return the keys of words that are no stop words.

    The stop words are removed before stemming: the stem of "canned" would be the stop word "can".
    """
    return frozenset(key_of(word) for word in tokens if word not in STOP_WORDS)


def same(key: str, there: frozenset[str]) -> bool:
    """Tell whether the keys contain a key, or one that answers it."""
    return key in there or not _answers().get(key, frozenset()).isdisjoint(there)


def deeds_of(tokens: Iterable[str]) -> set[str]:
    """Return the keys of verbs behind nouns: "teach" for a teacher, "deliver" for a delivery."""
    return {
        key_of(verb)
        for word in tokens
        if (doer := _DOER.fullmatch(word)) is not None
        for verb in ((doer[2],) if doer[2] else (doer[1], f"{doer[1]}e", f"{doer[1][:-1]}y", doer[1][:-1]))
    }


def is_verb(word: str) -> bool:
    """Tell whether a word is the base form of a listed verb."""
    return word in _verbs()


@cache
def _verbs() -> frozenset[str]:
    """Return the base forms of the verbs in the table: words before their form with "s"."""
    pairs = (pair for group in _TABLE["groups"] for pair in pairwise(group.split()))
    return frozenset(base for base, form in pairs if form in (f"{base}s", f"{base}es", f"{base[:-1]}ies"))


def are_opposite(key: str, there: frozenset[str]) -> bool:
    """Tell whether the keys contain an opposite of a key."""
    return not _opposites().get(key, frozenset()).isdisjoint(there)


@cache
def _answers() -> Mapping[str, frozenset[str]]:
    """Return the keys that answer a key, by key: synonyms, and words that answer in one direction only."""
    numbers = [f"{number} {word}" for number, word in enumerate(NUMBER_WORDS)]
    found = dict(_by_member([*_TABLE["groups"], *numbers]))
    for wanted, by in _TABLE["answered_by"].items():
        for key in map(key_of, wanted.split()):
            found[key] = found.get(key, frozenset()) | frozenset(map(key_of, by.split()))
    return found


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    return _by_member(_TABLE["opposites"])


def _by_member(groups: Iterable[str]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        members = frozenset(map(key_of, group.split()))
        found |= {member: found.get(member, frozenset()) | members for member in members}
    return found
