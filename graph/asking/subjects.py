"""Whom a fact is about, and whether that is whom a question asks about."""

import re
from collections.abc import Iterable, Sequence

from graph.asking.coverage import same
from graph.recall.language import stem, words

_ABOUT_USER = re.compile(r"\b(?:I|my|user)\b|用户|我", re.IGNORECASE)
_VERB = r"(?:is|was|are|were|has|had|will|can|does|did|\w{1,30}[^s\W]s|\w{1,30}ed)\b"
# "Alice lives …", "Staging runs …": somebody or something else than the user.
_ANOTHER = re.compile(rf"^(?:The |An? )?([A-Z]\w*)(?: [A-Z]\w*){{0,3}} {_VERB}")
# "The user's sister Ida studies …": not the user.
_BELONGING = re.compile(rf"^(?:The )?[Uu]ser['\u2019]s ((?:\w+ ){{1,3}}?){_VERB}")
_CALLED = re.compile(
    r"(?:^|[,.!?;:]\s{0,3}|\b(?:hey|hi|hello|thanks|thank you|wow|oh|yeah|yes|no|okay|congrats|congratulations)\s)\Z",
    re.IGNORECASE,
)
_AFTER_CALL = re.compile(r"\s{0,3}(?:[,.!?;:]|\Z)")
_LOOK_BACK = 30


def people_named(question: str, people: Iterable[str]) -> list[str]:
    """Return those of the people whose first name a question holds."""
    asked = set(words(question))
    return [person for person in people if words(person) and words(person)[0] in asked]


def is_of_people(text: str, speaker: str, named: Sequence[str]) -> bool:
    """Tell whether what somebody says is of one of the people: said by them, or of them rather than to them."""
    return speaker in named or any(_speaks_of(person.split()[0], text) for person in named)


def is_of_whom_is_asked(text: str, question: str, *, names_more: bool) -> bool:
    """Tell whether a statement can be of the user where a question is about the user; others are told by words.

    Args:
        text: The statement.
        question: What is asked.
        names_more: Whether the question names anything beside the user and the kind of answer; if not
            ("What is my phone number?"), the statement has to name the user.
    """
    if not _ABOUT_USER.search(question):
        return True
    if not names_more:
        return _ABOUT_USER.search(text) is not None
    asked = frozenset(map(stem, words(question)))
    if (another := _ANOTHER.match(text)) and "user" not in text.lower():
        return stem(another[1].lower()) in asked
    if belonging := _BELONGING.match(text):
        return any(same(stem(word), asked) for word in words(belonging[1]))
    return True


def _speaks_of(name: str, text: str) -> bool:
    found = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    return any(
        (
            not _AFTER_CALL.match(text, match.end())
            and not _CALLED.search(text[max(0, match.start() - _LOOK_BACK) : match.start()])
        )
        or text.startswith(("'s", "\u2019s"), match.end())
        for match in found
    )
