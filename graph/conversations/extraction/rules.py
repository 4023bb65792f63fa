"""The rules by which clauses are read: ``english.toml`` and ``chinese.toml`` as patterns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from graph.conversations.extraction.facts import EXPLICIT, Category, Polarity
from graph.conversations.extraction.phrasing import PAST
from graph.core.tables import read_table

ENGLISH: Final = "english"
CHINESE: Final = "chinese"
# Bounded: a search would else look at all of a long gap from each of its places.
_SPACE = r"\s{1,9}"
_NO_SPACE = r"\s{0,9}"
# A class of characters is one alternative: what stands in it stands for itself.
_SPACED = re.compile(r"\[[^\]]*\]| \??")
_PART = re.compile(r"<([A-Z]+)>")
_OPTIONAL = ("<ADV> ", "<ADV>")


@dataclass(frozen=True)
class Rule:
    """How a clause begins, and what it tells then.

    Attributes:
        begins: Matched at the beginning of a clause; a group named ``object`` is what it is about.
        is_captured: Whether the fact is known by that object, in whatever words it is stated.
    """

    category: Category
    begins: re.Pattern[str]
    polarity: Polarity
    confidence: float
    is_captured: bool


@dataclass(frozen=True)
class Requests:
    """What is asked of whoever remembers.

    Attributes:
        keep: How a sentence begins that asks for the rest of it to be remembered.
        begins: How one begins that asks for something once and for all.
        ends: How such a one ends else.
        habit: How one begins that asks for something always, or never.
        condition: How one begins that says when it is asked for, each time.
        conditional: What says so behind it.
        asserted: How what asks for nothing begins, once these are taken away.
        reproach: How one begins that is likely about the conversation at hand.
        passing: What is of a text at hand only.
    """

    keep: re.Pattern[str]
    begins: re.Pattern[str]
    ends: re.Pattern[str]
    habit: re.Pattern[str]
    condition: re.Pattern[str]
    conditional: re.Pattern[str]
    asserted: re.Pattern[str]
    reproach: re.Pattern[str]
    passing: re.Pattern[str]


@dataclass(frozen=True)
class Fiction:
    """How somebody asks for a text that speaks for somebody else; ``english.toml`` says what each pattern is for."""

    role: re.Pattern[str]
    voice: re.Pattern[str]
    tale: re.Pattern[str]
    returns: re.Pattern[str]
    for_whom: re.Pattern[str]


@dataclass(frozen=True)
class ClausePatterns:
    """How a language is divided whose clauses have no word before them that says so.

    Attributes:
        own: How a clause begins whose subject is the speaker, or what is his; a group ``front`` is what comes before.
        whose: How one begins that is about what is his, or about somebody he knows.
        condition: A clause that says when, where or why the next one holds.
        others: One after which somebody else speaks, or that says what another one thinks.
        corrected: How one begins that takes back what was just said.
        tag: A question behind a statement that makes all of it a question.
    """

    own: re.Pattern[str]
    whose: re.Pattern[str]
    condition: re.Pattern[str]
    others: re.Pattern[str]
    corrected: re.Pattern[str]
    tag: re.Pattern[str]


@dataclass(frozen=True)
class Grammar:
    """How one language is read; ``english.toml`` says what each pattern is for."""

    rules: Sequence[Rule]
    negated: re.Pattern[str]
    vague: re.Pattern[str]
    at_hand: re.Pattern[str]
    passing: re.Pattern[str]
    hedged: re.Pattern[str]
    doubtful: re.Pattern[str]
    lead_in: re.Pattern[str]
    dangling: re.Pattern[str]
    request: re.Pattern[str]
    unreal: re.Pattern[str]
    requests: Requests
    fiction: Fiction
    clauses: ClausePatterns | None
    together: re.Pattern[str] | None
    asked_about: re.Pattern[str] | None
    asked_about_told: str
    momentary: re.Pattern[str] | None
    lasting: re.Pattern[str] | None
    unclear: re.Pattern[str] | None
    tail: re.Pattern[str] | None


@cache
def grammar(language: str) -> Grammar:
    """Return how a language is read, from its file."""
    data = read_table("graph.conversations.extraction", f"{language}.toml")
    parts: Mapping[str, str] = data["parts"] | {"PAST": PAST}
    spelled = {
        name: _pattern(data[name], parts)
        for name in (
            "negated",
            "vague",
            "at_hand",
            "passing",
            "hedged",
            "doubtful",
            "lead_in",
            "dangling",
            "request",
            "unreal",
        )
    }
    return Grammar(
        rules=[rule for group in data["rules"] for rule in _rules(group, parts)],
        requests=Requests(**{name: _pattern(text, parts) for name, text in data["requests"].items()}),
        fiction=Fiction(**{name: _pattern(text, parts) for name, text in data["fiction"].items()}),
        clauses=ClausePatterns(**{name: _pattern(text, parts) for name, text in data["clauses"].items()})
        if "clauses" in data
        else None,
        asked_about_told=data.get("asked_about_told", ""),
        together=_optional("together", data, parts),
        asked_about=_optional("asked_about", data, parts),
        momentary=_optional("momentary", data, parts),
        lasting=_optional("lasting", data, parts),
        unclear=_optional("unclear", data, parts),
        tail=_optional("tail", data, parts),
        **spelled,
    )


def _optional(name: str, data: Mapping[str, Any], parts: Mapping[str, str]) -> re.Pattern[str] | None:
    """Return a pattern that one language has; None where it is another that is read."""
    return _pattern(data[name], parts) if name in data else None


def _rules(group: Mapping[str, Any], parts: Mapping[str, str]) -> list[Rule]:
    is_captured = group.get("capture", False)
    behind = r" (?P<object>.+)" if is_captured else ""
    return [
        Rule(
            category=Category(group["category"]),
            begins=_pattern(begins if "?P<object>" in begins else f"(?:{begins}){behind}", parts),
            polarity=Polarity(group.get("polarity", Polarity.POSITIVE)),
            confidence=group.get("confidence", EXPLICIT),
            is_captured=is_captured,
        )
        for begins in group["begins"]
    ]


def _pattern(text: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    """Return the pattern with its parts put in and any white space for a space, or none for one that need not be."""
    text = text.replace(*_OPTIONAL)
    while _PART.search(text):
        text = _PART.sub(lambda match: parts[match[1]], text)
    return re.compile(_SPACED.sub(_any_space, text), re.IGNORECASE)


def _any_space(found: re.Match[str]) -> str:
    spaces = {" ": _SPACE, " ?": _NO_SPACE}
    return spaces.get(found[0]) or found[0].replace(" ", r"\s")
