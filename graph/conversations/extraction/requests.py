"""What a person asks of whoever remembers: to keep what he says, or to do something from now on."""

import re

from graph.conversations.capture.statements import third_person, third_person_zh
from graph.conversations.extraction.facts import (
    EXPLICIT,
    INFERRED,
    Category,
    Fact,
    Polarity,
    statement_of,
    trimmed,
)
from graph.conversations.extraction.phrasing import USER, USER_ZH, render_about
from graph.conversations.extraction.rules import Requests
from graph.core.text.language import contains_cjk

_FEWEST_WORDS = 3
_FEWEST_CHARS_ZH = 5
_PLEASE = re.compile(r",?\s{0,9}\bplease\b,?\s{0,9}", re.IGNORECASE)
_GOING_ON = re.compile(r"(?:and|but|also|so|then|plus|oh)\b[, ]{1,3}(?:also\b[, ]{1,3})?", re.IGNORECASE)
_WISHED = re.compile(
    r"(?:I|we)(?:\u2019d|\s+would)?\s+(?:want|like|need|prefer)\s+(?:you|it\s+if\s+you)\s+(?:to\s+)?",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"(?P<not>(?:do\s+not|don\u2019?t)\s+)|(?P<never>never\s+)|(?P<always>always\s+)", re.IGNORECASE
)
_INFINITIVES = {"not": "not to", "never": "never to", "always": "always to"}
_OWN = re.compile(r"(?:I|we|my|our)(?![\w-])", re.IGNORECASE)
_TO_ASSISTANT = [
    (re.compile(rf"\b{old}\b", re.IGNORECASE), new)
    for old, new in (
        ("your", "the assistant\u2019s"),
        ("yourself", "itself"),
        (r"you (draft|give|make|send|show|suggest|write)", r"the assistant \1s"),
        ("you", "the assistant"),
    )
]
_NEGATIVE_ZH = re.compile(r"别|不要|不用|不许|禁止")


def standing_request(sentence: str, requests: Requests) -> Fact | None:
    """Return what the user asks for once and for all, "from now on, use metric units"; None: nothing."""
    bare = trimmed(_PLEASE.sub(lambda please: ", " if please[0].startswith(",") else " ", sentence))
    if going_on := _GOING_ON.match(bare):
        bare = bare[going_on.end() :]
    wished = _WISHED.match(bare)
    asked, is_standing = _asked_for(bare[wished.end() :] if wished else bare, requests)
    return _asked(asked, is_standing=is_standing) if asked else None


def standing_request_zh(sentence: str, requests: Requests) -> Fact | None:
    """Return the same of a Chinese sentence."""
    asked, is_standing = _asked_for(trimmed(sentence), requests)
    asked = asked.removeprefix("请")
    if not asked:
        return None
    polarity = Polarity.NEGATIVE if _NEGATIVE_ZH.search(asked) else Polarity.POSITIVE
    content = f"{USER_ZH}要求{asked.replace('我', '自己').replace('你', '助手')}"
    return _fact(content, polarity, asked, is_standing=is_standing)


def kept_statement(sentence: str, subject: str | None) -> Fact | None:
    """Return what somebody asks to be remembered that no rule reads, as it is said; None where it says too little."""
    bare = trimmed(sentence)
    if contains_cjk(bare):
        content = third_person_zh(bare)
        is_short = len(bare) < _FEWEST_CHARS_ZH
    else:
        told = render_about(bare, subject or USER) if _OWN.match(bare) else third_person(bare)
        content = (told[:1].upper() + told[1:]).replace("\u2019", "'")
        is_short = len(bare.split()) < _FEWEST_WORDS
    if is_short:
        return None
    return statement_of(Category.OTHER, content)


def _asked_for(sentence: str, requests: Requests) -> tuple[str, bool]:
    """Return what is asked for, empty for nothing, and whether it is said that it holds from now on."""
    begins, ends = requests.begins.match(sentence), requests.ends.search(sentence)
    if condition := requests.condition.match(sentence[begins.end() :] if begins else sentence):
        return _each_time(condition), True
    is_standing = begins is not None or ends is not None
    asked = trimmed(sentence[begins.end() if begins else 0 : ends.start() if ends else None])
    asks = is_standing or requests.habit.match(sentence) is not None
    is_other = requests.asserted.match(asked) or requests.passing.search(asked)
    is_standing = is_standing or (asks and requests.conditional.search(asked) is not None)
    return ("" if is_other or not asks else asked), is_standing


def _each_time(condition: re.Match[str]) -> str:
    """Return what is asked for each time, with the condition behind it: "give grams whenever I ask for a recipe"."""
    asked = trimmed(condition.string[condition.end() :])
    said = re.split("[,:\uff0c]", condition[0])[0].strip()
    if contains_cjk(asked):
        return f"{said}\uff0c\u90fd{asked}"
    return f"{asked} {said[:1].lower()}{said[1:]}"


def _asked(request: str, *, is_standing: bool) -> Fact:
    """Return the fact of a request without what it begins and ends with: "never use emojis in your answers"."""
    manner = _MANNER.match(request)
    done = request[manner.end() :] if manner else request
    done = done[:1].lower() + done[1:]
    told = third_person(done)
    for old, new in _TO_ASSISTANT:
        told = old.sub(new, told)
    how = manner.lastgroup if manner else None
    infinitive = _INFINITIVES[how] if how else "to"
    polarity = Polarity.NEGATIVE if how in ("not", "never") else Polarity.POSITIVE
    content = f"{USER} asked {infinitive} {told}".replace("\u2019", "'")
    return _fact(content, polarity, done.replace("\u2019", "'"), is_standing=is_standing)


def _fact(content: str, polarity: Polarity, about: str, *, is_standing: bool) -> Fact:
    confidence = EXPLICIT if is_standing else INFERRED
    return Fact(Category.PREFERENCE, content, polarity, confidence, about, is_standing=is_standing)
