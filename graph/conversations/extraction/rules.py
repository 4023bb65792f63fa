"""The extraction rules of each language: ``english.toml`` and ``chinese.toml``, compiled to patterns."""

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
# Bounded, because an unbounded search for a long gap would start at each of its characters.
_SPACE = r"\s{1,9}"
_NO_SPACE = r"\s{0,9}"
# Spaces within a character class are part of the class.
_SPACED = re.compile(r"\[[^\]]*\]| \??")
_PART = re.compile(r"<([A-Z]+)>")
_OPTIONAL = ("<ADV> ", "<ADV>")


@dataclass(frozen=True)
class Rule:
    """A pattern of clauses, and the fact that such a clause states.

    Attributes:
        category: Category of the fact.
        begins: Pattern at the beginning of a clause; the group ``object`` is the fact's object.
        polarity: Polarity of the fact.
        confidence: Confidence of the fact.
        is_captured: Whether the object alone determines the fact's key, regardless of the wording.
    """

    category: Category
    begins: re.Pattern[str]
    polarity: Polarity
    confidence: float
    is_captured: bool


@dataclass(frozen=True)
class Requests:
    """Patterns of requests to the assistant.

    Attributes:
        keep: Beginning of a sentence that asks the assistant to remember the rest of it.
        begins: Beginning of a standing request, "from now on".
        ends: End of a standing request.
        habit: Beginning of a request to do something always, or never.
        condition: Beginning that states when a request applies, "whenever I …".
        conditional: The same condition after the request.
        action: Beginning of the action that a standing request asks for, "use" or "don't add".
        reproach: Beginning of a request that likely concerns the current conversation.
        passing: Words that restrict a request to a text at hand.
    """

    keep: re.Pattern[str]
    begins: re.Pattern[str]
    ends: re.Pattern[str]
    habit: re.Pattern[str]
    condition: re.Pattern[str]
    conditional: re.Pattern[str]
    action: re.Pattern[str]
    reproach: re.Pattern[str]
    passing: re.Pattern[str]


@dataclass(frozen=True)
class Fiction:
    """Patterns of requests for fiction or for a text in somebody else's voice; ``english.toml`` documents them."""

    role: re.Pattern[str]
    voice: re.Pattern[str]
    tale: re.Pattern[str]
    returns: re.Pattern[str]
    imagined: re.Pattern[str]
    about_text: re.Pattern[str]
    for_whom: re.Pattern[str]


@dataclass(frozen=True)
class ClausePatterns:
    """Patterns of clauses in a language without conjunctions before them, such as Chinese.

    Attributes:
        unsaid: Beginning of a sentence about the speaker without a subject.
        own: Beginning of a clause about the speaker or something of theirs; the group ``front`` precedes the subject.
        whose: Beginning of a clause about something of the speaker's, or somebody they know.
        condition: A clause that states when, where or why the next one is true.
        others: A clause that introduces or reports another person's words or thoughts.
        corrected: Beginning of a clause that corrects the previous statement.
        tag: A tag question, which turns the preceding statement into a question.
    """

    unsaid: re.Pattern[str]
    own: re.Pattern[str]
    whose: re.Pattern[str]
    condition: re.Pattern[str]
    others: re.Pattern[str]
    corrected: re.Pattern[str]
    tag: re.Pattern[str]


@dataclass(frozen=True)
class Grammar:
    """All patterns of one language; ``english.toml`` documents them."""

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
    tool_question: re.Pattern[str] | None
    tool_statement: str
    momentary: re.Pattern[str] | None
    lasting: re.Pattern[str] | None
    unclear: re.Pattern[str] | None
    tail: re.Pattern[str] | None


@cache
def grammar(language: str) -> Grammar:
    """Return the patterns of a language from its file."""
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
        tool_statement=data.get("tool_statement", ""),
        together=_optional("together", data, parts),
        tool_question=_optional("tool_question", data, parts),
        momentary=_optional("momentary", data, parts),
        lasting=_optional("lasting", data, parts),
        unclear=_optional("unclear", data, parts),
        tail=_optional("tail", data, parts),
        **spelled,
    )


def _optional(name: str, data: Mapping[str, Any], parts: Mapping[str, str]) -> re.Pattern[str] | None:
    """Return a pattern, or None if the language has none by that name."""
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
    """Compile a pattern: insert its parts, let a space match any white space, and make ``" ?"`` optional."""
    text = text.replace(*_OPTIONAL)
    while _PART.search(text):
        text = _PART.sub(lambda match: parts[match[1]], text)
    return re.compile(_SPACED.sub(_any_space, text), re.IGNORECASE)


def _any_space(found: re.Match[str]) -> str:
    spaces = {" ": _SPACE, " ?": _NO_SPACE}
    return spaces.get(found[0]) or found[0].replace(" ", r"\s")
