"""Which words say the same: forms of one word, and what ``same_words.toml`` lists."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import NUMBER_WORDS, STOP_WORDS, stem, words
from graph.retrieval.answering.expecting import KIN

_TABLE: Final[Mapping[str, Any]] = read_table("graph.retrieval.answering", "same_words.toml")
_RELATIVE = re.compile(rf"\b{KIN}\b", re.IGNORECASE)
# Who does something is named by the verb: a teacher, a supplier.
_DOER = re.compile(r"([a-z]{4,30})(?:er|or)s?")
_JOINT = re.compile("[- ]")
_APART: Mapping[str, str] = {word: group.split()[0] for group in _TABLE["apart"] for word in group.split()}


def with_relatives_joined(text: str) -> str:
    """Return a text where a relative is one word, since another's is no part of it: "brother-in-law".

    >>> with_relatives_joined("Her brother in law met my step-sister.")
    'Her brotherinlaw met my stepsister.'
    """
    return _RELATIVE.sub(lambda found: _JOINT.sub("", found[0]), text)


def words_said(text: str) -> list[str]:
    """Return the lower-case words of a text, a relative as one."""
    return words(with_relatives_joined(text))


def key_of(word: str) -> str:
    """Return what forms of a lower-case word share: its stem, unless that is one of another word, too.

    >>> key_of("boats"), key_of("find"), key_of("founded")
    ('boat', 'find', 'founded')
    """
    return _APART.get(word) or stem(word)


def keys_of(said: Iterable[str]) -> frozenset[str]:
    """Return the keys of words that say something: that of "ate" is a word without meaning, and so of "canned"."""
    return frozenset(key_of(word) for word in said if word not in STOP_WORDS)


def same(asked: str, there: frozenset[str]) -> bool:
    """Tell whether one of the keys is the one asked for, or says the same."""
    return asked in there or not _answers().get(asked, frozenset()).isdisjoint(there)


def deeds_of(said: Iterable[str]) -> set[str]:
    """Return the keys of the verbs whose doers a text names: "teach" of a teacher, "supply" of a supplier."""
    return {
        key_of(verb)
        for word in said
        if (doer := _DOER.fullmatch(word)) is not None
        for verb in (doer[1], f"{doer[1]}e", f"{doer[1][:-1]}y", doer[1][:-1])
    }


def are_opposite(asked: str, there: frozenset[str]) -> bool:
    """Tell whether one of the keys answers by yes or no what asks for another."""
    return not _opposites().get(asked, frozenset()).isdisjoint(there)


@cache
def _answers() -> Mapping[str, frozenset[str]]:
    """Return by key the keys that say the same, or that answer it though it does not answer them."""
    numbers = [f"{number} {word}" for number, word in enumerate(NUMBER_WORDS)]
    found = dict(_by_member([*_TABLE["groups"], *numbers]))
    for asked, by in _TABLE["answered_by"].items():
        for key in map(key_of, asked.split()):
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
