"""Tells what somebody said of himself in the third person: "I live in Oslo" becomes "The user lives in Oslo"."""

import re

from graph.conversations.capture.statements import third_person

USER = "The user"
ASSISTANT = "The assistant"
USER_ZH = "用户"
# Whatever ends in -ly is one, but for these verbs.
_ADVERBS = (
    r"(?:(?:no\s+longer|hardly\s+ever|(?!(?:app|re|rep|supp|f|comp|multip)ly\b)\w+ly|just|also|still|always|never|often|sometimes|kind\s+of|"
    r"sort\s+of|much|now|already|both|very|so|seldom|neither)\s+)*"
)
_BEGINNING = re.compile(
    rf"^(?:I|we)(?P<short>['\u2019](?:m|ve|ll|d|re))?\s+(?P<adverbs>{_ADVERBS})(?P<verb>[\w'\u2019]+)?",
    re.IGNORECASE,
)
_SHORT_FORMS = {"m": "is", "re": "is", "ve": "has", "ll": "will", "d": "would"}
_IRREGULAR = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "go": "goes", "don't": "does not",
    "haven't": "has not", "aren't": "is not", "can't": "cannot", "won't": "will not",
    "dont": "does not", "cant": "cannot", "wont": "will not", "didnt": "did not", "havent": "has not",
}  # fmt: skip
# Verbs that stand as they are: auxiliaries, and the past of verbs whose past does not end in -ed.
_UNCHANGED = frozenset(
    (
        "will would can cannot could should may might must was wasn't couldn't wouldn't shouldn't didn't had did "
        "chose went got made took bought found met lost grew began came gave knew left put quit ran read said sold "
        "sent spent taught thought told understood wrote won became broke built caught cut drank drove ate fell felt "
        "flew forgot heard held hurt kept led let paid rode saw set slept spoke stood swam wore hit hasn't hadn't"
    ).split()
)  # fmt: skip
_PRESENT_IN_ED = frozenset(
    {"need", "feed", "breed", "exceed", "proceed", "succeed", "speed", "bleed", "shed"}
)
# What may follow "and" with the same subject.
_VERBS = (
    "live|work|study|teach|run|own|manage|lead|play|speak|have|am|like|love|hate|enjoy|prefer|need|want|use|drive|cycle|"
    "commute|travel|drink|eat|cook|read|write|train|swim|sing|paint|volunteer|take|make|share|rent|keep|sleep|suffer|"
    "avoid|do|go|get|plan|hope|intend|know|code|build|deploy|maintain|develop|listen|buy|sell|wear|spend|tend|wake|"
    "grow|struggle|attend|collect|become|believe|bring|carry|send|serve"
)
_AND_VERB = re.compile(
    r"(?P<join>\b(?:and|but)\s+(?:(?:also|mostly|often|usually|always|never|now)\s+)?)"
    rf"(?P<verb>{_VERBS})\b(?!\s+(?:is|are)\b)"
)
# Behind "I'm going to move" an infinitive follows "and"; and "run" after "I've swum" is no present.
_INFINITIVE = re.compile(r"\b(?:to|about|gonna)\s")
_OWN_PARTICIPLE = frozenset({"run", "read", "become"})
# "Every Sunday I …", "As a nurse, I …": what comes before goes behind.
_FRONTED = re.compile(r"^(?P<front>[A-Z][\w' -]{1,60}?),?\s+(?=(?:I|we)\b)", re.IGNORECASE)
_BOTH = re.compile(r"^(we(?:['\u2019](?:re|ve|ll|d))?)\s+both\b", re.IGNORECASE)
_LETS = re.compile(r"^let['\u2019]?s\s+", re.IGNORECASE)
_CALL_ME = re.compile(r"^call(?:ed)?\s+me\s+", re.IGNORECASE)
_MY = re.compile(r"^(?:my|our)\b", re.IGNORECASE)


def render_about(sentence: str, subject: str = USER) -> str:
    """Return what somebody says of himself as another one tells it, without the mark at its end.

    Args:
        sentence: An English one that says something of ``I``, ``my``, ``we`` or ``our``; any other is quoted.
        subject: Who says it.
    """
    bare = _BOTH.sub(r"\1", sentence.strip().rstrip(".!;:, "))
    if match := _MY.match(bare):
        return f"{subject}'s{third_person(bare[match.end() :])}"
    for beginning, stated in ((_LETS, "decided to"), (_CALL_ME, "is called")):
        if match := beginning.match(bare):
            return f"{subject} {stated} {third_person(bare[match.end() :])}"
    match = _BEGINNING.match(bare)
    if match and (match["verb"] or match["short"]):
        return f"{subject} {_predicate(match)}{_coordinated(third_person(bare[match.end() :]), match)}"
    if fronted := _FRONTED.match(bare):
        front = fronted["front"]
        return f"{render_about(bare[fronted.end() :], subject)}, {front[0].lower()}{third_person(front[1:])}"
    return f"{subject} said: {bare}"


def render_about_zh(sentence: str, subject: str | None = None) -> str:
    """Return a Chinese sentence about its speaker as another one tells it; see :func:`render_about`."""
    who = subject or USER_ZH
    bare = sentence.strip().rstrip("\u3002\uff01\uff1b\uff0c!; ")
    for own in ("我们", "本人", "我"):
        if bare.startswith(own):
            return who + _about_self_zh(bare[len(own) :])
    return f"{who}说{_about_self_zh(bare)}"


def _predicate(match: re.Match[str]) -> str:
    adverbs, verb = match["adverbs"], match["verb"] or ""
    if match["short"]:
        return f"{_SHORT_FORMS[match['short'][1:].lower()]} {adverbs}{verb}".rstrip()
    return f"{adverbs}{_third_person(verb)}"


def _third_person(verb: str) -> str:
    """Return the form of a verb for one person who is spoken of: ``lives``, ``has``, ``went``, ``moved``."""
    plain = verb.lower().replace("\u2019", "'")
    if plain in _IRREGULAR:
        return _IRREGULAR[plain]
    if _is_past(plain):
        return verb.lower()
    if plain.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{plain}es"
    if plain.endswith("y") and plain[-2:-1] not in "aeiou":
        return f"{plain[:-1]}ies"
    return f"{plain}s"


def _is_past(verb: str) -> bool:
    """Tell whether a verb stays as it is in the third person, as its past and auxiliaries do."""
    return verb in _UNCHANGED or (verb.endswith("ed") and verb not in _PRESENT_IN_ED)


def _coordinated(rest: str, match: re.Match[str]) -> str:
    """Put verbs behind "and" into the same form, where they are in the present."""
    short = _SHORT_FORMS[match["short"][1:].lower()] if match["short"] else None
    if short in {"will", "would"} or (short is None and _is_past((match["verb"] or "").lower())):
        return rest

    def agreeing(found: re.Match[str]) -> str:
        is_other = short is not None and (
            found["verb"] in _OWN_PARTICIPLE or _INFINITIVE.search(rest[: found.start()])
        )
        return found[0] if is_other else found["join"] + _third_person(found["verb"])

    return _AND_VERB.sub(agreeing, rest)


def _about_self_zh(text: str) -> str:
    return text.replace("我们", "他们").replace("我", "自己")
