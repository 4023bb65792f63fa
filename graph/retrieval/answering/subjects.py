"""Whom a fact is about, and whether that is whom a question asks about."""

import re
from collections.abc import Iterable, Iterator, Sequence

from graph.core.text.language import sentences, stem, words
from graph.retrieval.answering.coverage import same

_ABOUT_USER = re.compile(r"\b(?:I|my|user)\b|用户|我", re.IGNORECASE)
_VERB = r"(?:is|was|are|were|has|had|will|can|does|did|\w{1,30}[^s\W]s|\w{1,30}ed)\b"
# "Alice lives …", "Staging runs …": somebody or something else than the user.
_ANOTHER = re.compile(rf"^(?:The |An? )?([A-Z]\w*)(?: [A-Z]\w*){{0,3}} {_VERB}")
# "The user's sister Ida studies …": not the user.
_BELONGING = re.compile(rf"^(?:The )?[Uu]ser['\u2019]s ((?:\w+ ){{1,3}}?){_VERB}")
_BELONGING_IN_CHINESE = re.compile(r"^(?:用户|我)的([\u4e00-\u9fff]{1,4}?)(?:[是叫在姓住有会]|喜欢|最)")
_OWN_IN_CHINESE = frozenset(("名字", "姓名", "家"))
_CALLED = re.compile(
    r"(?:^|[,.!?;:]\s{0,3}|\b(?:hey|hi|hello|thanks|thank you|wow|oh|yeah|yes|no|okay|congrats|congratulations)\s)\Z",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b|[我咱]", re.IGNORECASE)
_SECOND_PERSON = re.compile(
    r"\b(?:you|your|yours|yourself|ya|congrats|congratulations)\b|[你您]|恭喜", re.IGNORECASE
)
# How one meets what another has told.
_REACTION = re.compile(
    r"(?:wow|whoa|woah|cool|awesome|amazing|great|nice|good job|way to go|this looks|that(?:'s|\u2019s"
    r"| is| sounds| looks| must| was)|sounds|looks|so glad|glad|sorry)\b|真棒|太好了",
    re.IGNORECASE,
)
_AFTER_CALL = re.compile(r"\s{0,3}(?:[,.!?;:]|\Z)")
_LOOK_BACK = 30


def people_named(question: str, people: Iterable[str]) -> list[str]:
    """Return those of the people whose first name a question holds."""
    asked = set(words(question))
    return [person for person in people if words(person) and words(person)[0] in asked]


def parted(text: str) -> tuple[str, str]:
    """Return what a turn says of who says it, and what it says of whom it is said to.

    A sentence in the first person is of the speaker, one that says "you" or only greets what the other one has told
    ("That sounds great!") of the other, and one with both is of both. What has neither is of the speaker.

    >>> parted("Congrats on your new job, Ada! I moved to Oslo. It is cold there.")
    ('I moved to Oslo. It is cold there.', 'Congrats on your new job, Ada!')
    """
    own: list[str] = []
    to_another: list[str] = []
    for sentence in sentences(text):
        is_own = _FIRST_PERSON.search(sentence) is not None
        is_to_another = _SECOND_PERSON.search(sentence) is not None
        if is_to_another or (not is_own and _REACTION.match(sentence)):
            to_another.append(sentence)
        if is_own or sentence not in to_another:
            own.append(sentence)
    return " ".join(own), " ".join(to_another)


def addressee(text: str, speaker: str, people: Sequence[str]) -> str | None:
    """Return whom a turn is said to: whom it calls by name, or the only other one; None if that is not known."""
    others = [person for person in people if person != speaker]
    called = [person for person in others if _is_called(person.split()[0], text)]
    among = called or others
    return among[0] if len(among) == 1 else None


def speaks_of_one(text: str, named: Sequence[str]) -> bool:
    """Tell whether what somebody says is of one of the people by name, rather than said to them."""
    return any(_speaks_of(person.split()[0], text) for person in named)


def is_about_user(question: str) -> bool:
    """Tell whether a question is about the user, who may be the one that asks it."""
    return _ABOUT_USER.search(question) is not None


def is_of_whom_is_asked(text: str, question: str, *, names_more: bool) -> bool:
    """Tell whether a statement can be of the user where a question is about the user; others are told by words.

    Args:
        text: The statement.
        question: What is asked.
        names_more: Whether the question names anything beside the user and the kind of answer; if not
            ("What is my phone number?"), the statement has to name the user.
    """
    if not is_about_user(question):
        return True
    if (of := _BELONGING_IN_CHINESE.match(text)) and of[1] not in question and of[1] not in _OWN_IN_CHINESE:
        return False
    if not names_more:
        return _ABOUT_USER.search(text) is not None
    asked = frozenset(map(stem, words(question)))
    if (another := _ANOTHER.match(text)) and "user" not in text.lower():
        return stem(another[1].lower()) in asked
    if belonging := _BELONGING.match(text):
        return any(same(stem(word), asked) for word in words(belonging[1]))
    return True


def _speaks_of(name: str, text: str) -> bool:
    return any(not is_call for is_call in _calls(name, text))


def _is_called(name: str, text: str) -> bool:
    return any(_calls(name, text))


def _calls(name: str, text: str) -> Iterator[bool]:
    """Yield of every place where a text names somebody whether it calls them there."""
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        is_called = _AFTER_CALL.match(text, match.end()) or _CALLED.search(before)
        yield bool(is_called) and not text.startswith(("'s", "\u2019s"), match.end())
