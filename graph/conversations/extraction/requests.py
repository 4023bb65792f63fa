"""Facts from a person's requests to remember a statement or to adopt a habit."""

import re
from dataclasses import replace

from graph.conversations.extraction.facts import (
    EXPLICIT,
    HEDGED,
    INFERRED,
    Category,
    Fact,
    Polarity,
    fact_key,
    statement_of,
    trimmed,
)
from graph.conversations.extraction.phrasing import (
    USER,
    USER_ZH,
    render_sentence,
    third_person,
    third_person_zh,
)
from graph.conversations.extraction.rules import Requests
from graph.core.text.language import contains_cjk
from graph.core.text.normal_forms import simplified

_FEWEST_WORDS = 3
_FEWEST_CHARS_ZH = 4
_PLEASE = re.compile(r",?\s{0,9}\bplease\b,?\s{0,9}", re.IGNORECASE)
_GOING_ON = re.compile(r"(?:and|but|also|so|then|plus|oh)\b[, ]{1,3}(?:also\b[, ]{1,3})?", re.IGNORECASE)
_WANTED = re.compile(
    r"(?:I|we)(?:\u2019d|\s+would)?\s+(?:want|like|need|prefer)\s+(?:you|it\s+if\s+you)\s+(?:to\s+)?"
    r"|(?:can|could|would|will)\s+you\s+(?=(?:always|never|stop|from\s+now\s+on)\b)",
    re.IGNORECASE,
)
_MAY_YOU = re.compile(r"(?:can|could|would|will)\s+you\b", re.IGNORECASE)
_MANNER = re.compile(
    r"(?P<not>(?:do\s+not|don\u2019?t)\s+)|(?P<never>never\s+)|(?P<always>always\s+)|(?P<no>no\s+)",
    re.IGNORECASE,
)
_INFINITIVES = {"not": "not to", "never": "never to", "always": "always to", "no": "for no"}
_TO_ASSISTANT = [
    (re.compile(rf"\b{old}\b", re.IGNORECASE), new)
    for old, new in (
        ("your", "the assistant\u2019s"),
        ("yourself", "itself"),
        (r"you (draft|give|make|send|show|suggest|write)", r"the assistant \1s"),
        ("you", "the assistant"),
    )
]
_STOP = re.compile(r"stop\s{1,9}(?P<doing>\w+)ing\s{1,9}(?!the\b)(?P<rest>[^,;]+)$", re.IGNORECASE)
_NO_MORE = re.compile(
    r"(?:do\s{1,9}not|don\u2019?t)\s{1,9}(?P<done>.+?)\s{1,9}(?:any\s?more|any\s{1,9}longer|again)$|no\s{1,9}longer\s{1,9}(?P<later>.+)",
    re.IGNORECASE,
)
_MAY_AGAIN = re.compile(
    r"you\s{1,9}(?:can|may)\s{1,9}(?:now\s{1,9})?(?P<done>.+?)\s{1,9}again(?:\s{1,9}now)?$", re.IGNORECASE
)
# Requests that concern this moment only: "don't ask me again", "you can use that again".
_MOMENTARY = re.compile(
    r"\w+(?:\s{1,9}(?:me|us))?$|.*\b(?:this|that|it|these|those|now|and)\b", re.IGNORECASE
)
_CERTAIN = re.compile(r"\b(?:the|my|your|\w*\d\w*)\b", re.IGNORECASE)  # a specific object: "the file"
_LANGUAGE = (
    "English|German|French|Spanish|Portuguese|Italian|Dutch|Polish|Russian|Ukrainian|Turkish|Arabic|Hebrew|Hindi|Chinese|"
    "Mandarin|Cantonese|Japanese|Korean|Vietnamese|Thai|Indonesian|Swedish|Norwegian|Danish|Finnish|Greek|Czech|Hungarian"
)
_BACK_TO = re.compile(
    rf"(?:you\s{{1,9}}(?:can|may)\s{{1,9}})?(?:go|switch)\s{{1,9}}back\s{{1,9}}to\s{{1,9}}(?P<value>{_LANGUAGE})(?:\s{{1,9}}now)?$",
    re.IGNORECASE,
)
# Settings with one value at a time: a later request replaces an earlier one.
_CALL, _ANSWER = "call me", "answer in"
_SETTINGS = (
    (re.compile(r"(?:call|address) me (?:as )?(?P<value>[A-Z][\w.-]*(?: [A-Z][\w.-]*){0,2})"), _CALL),
    (
        re.compile(
            rf"(?:answer|respond|reply|write|speak|talk)(?: (?:to )?me)? in (?P<value>{_LANGUAGE})",
            re.IGNORECASE,
        ),
        _ANSWER,
    ),
    (
        re.compile(
            "(?:叫|称呼|稱呼)我(?![起吃喝去来回上下睡开做])[为為]?(?P<value>[^\uff0c,]{1,8}?)(?:就行|就好|就可以|即可|吧)?了?"
        ),
        _CALL,
    ),
    (
        re.compile(
            "用(?P<value>[\u4e00-\u9fff]{1,4}[文语語]|普通[话話])(?:来|來)?(?:回答|回复|回覆|跟我说|跟我說|交流)我?"
        ),
        _ANSWER,
    ),
)
_REQUEST_WORDS_ZH = "请都就"
_POLITE_ZH = re.compile(r"^(?:请|麻烦|你?可以(?=叫)|你?就(?=叫))(?:你)?")
# "Call me An, not by my full name": keep only the name.
_CALL_ZH = re.compile(
    r"(?:叫|称呼)我[^，,]{1,10}?(?=[，,](?:别|不要|不用)|(?:就行|就好|就可以|即可|吧)[了啦吧]?$)"
)
_DENIED_ZH = re.compile(r"^(?:别|別|不要|不用|不许|不許|禁止)(?:再|老是?|总是?|總是?)?(?P<about>.+?)了?$")
_NEGATIVE_ZH = re.compile(r"别|不要|不用|不许|禁止")


def standing_request(sentence: str, requests: Requests) -> Fact | None:
    """Return the fact of a standing request such as "always use metric units", or None."""
    if sentence.endswith("?") and not _MAY_YOU.match(sentence):
        return None
    bare = trimmed(_PLEASE.sub(lambda please: ", " if please[0].startswith(",") else " ", sentence))
    if going_on := _GOING_ON.match(bare):
        bare = bare[going_on.end() :]
    text = _without_wish(bare)
    if resumed := _resumed(text, requests):
        return resumed
    requested, is_standing = _requested_action(text, requests)
    return (
        _doubted(_request_fact(requested, is_standing=is_standing), requested, requests)
        if requested
        else None
    )


def _without_wish(text: str) -> str:
    """Return a request without "I want you to" or "can you" before it."""
    wanted = _WANTED.match(text)
    return text[wanted.end() :] if wanted else text


def standing_request_zh(sentence: str, requests: Requests) -> Fact | None:
    """Return the fact of a standing request in a Chinese sentence, or None."""
    plain = simplified(sentence)
    requested, is_standing = _requested_action(trimmed(plain), requests)
    requested = _POLITE_ZH.sub("", requested)
    if not requested:
        return None
    if call := _CALL_ZH.match(requested):
        requested = call[0]
    if (at := plain.find(requested)) >= 0:
        requested = sentence[at : at + len(requested)]  # in the user's own script
    polarity = Polarity.NEGATIVE if _NEGATIVE_ZH.search(requested) else Polarity.POSITIVE
    denied = _DENIED_ZH.match(requested)
    content = f"{USER_ZH}要求{requested.replace('我', '自己').replace('你', '助手')}"
    about = denied["about"] if denied else requested
    return _doubted(_fact(content, polarity, about, is_standing=is_standing), simplified(requested), requests)


def _doubted(fact: Fact, requested: str, requests: Requests) -> Fact:
    """Return a request with less confidence if it likely concerns the current conversation."""
    is_doubtful = not fact.is_standing and requests.reproach.match(requested) is not None
    return replace(fact, confidence=HEDGED) if is_doubtful else fact


def remembered_statement(sentence: str, subject: str | None) -> Fact | None:
    """Return a statement that no rule reads, after a request to remember it; None if it is too short."""
    bare = trimmed(sentence)
    if contains_cjk(bare):
        content = third_person_zh(bare, subject or USER_ZH)
        is_short = len(bare) < _FEWEST_CHARS_ZH
    else:
        rendered = render_sentence(bare, subject or USER)
        content = (rendered[:1].upper() + rendered[1:]).replace("\u2019", "'")
        is_short = len(bare.split()) < _FEWEST_WORDS
    if is_short:
        return None
    return statement_of(Category.OTHER, content)


def _requested_action(sentence: str, requests: Requests) -> tuple[str, bool]:
    """Return the requested action, empty if there is none, and whether the request is explicitly a standing one."""
    begins, ends = requests.begins.match(sentence), requests.ends.search(sentence)
    if condition := requests.condition.match(sentence[begins.end() :] if begins else sentence):
        return _each_time(condition), True
    is_standing = begins is not None or ends is not None
    requested = _without_wish(
        trimmed(sentence[begins.end() if begins else 0 : ends.start() if ends else None])
    )
    denied = _denied(requested, requests)
    shape = requests.action if is_standing else requests.habit
    is_request = denied is not None or shape.match(requested) is not None
    requested = denied or requested
    is_standing = is_standing or (is_request and requests.conditional.search(requested) is not None)
    is_passing = requests.passing.search(requested) is not None
    return (requested if is_request and not is_passing else ""), is_standing


def _denied(requested: str, requests: Requests) -> str | None:
    """Return a request to stop something as a prohibition: "stop using emojis" as "don't use emojis"; else None."""
    if stop := _STOP.match(requested):
        doing = stop["doing"].lower()
        verbs = (doing, f"{doing}e", doing[:-1])  # answering, using, putting
    elif no_more := _NO_MORE.match(requested):
        done = no_more["done"] or no_more["later"]
        if requested.lower().endswith("again") and _CERTAIN.search(done):
            return None
        return f"don\u2019t {done}" if _is_habit(done, requests) else None
    else:
        return None
    return next(
        (
            f"don\u2019t {verb} {stop['rest']}"
            for verb in verbs
            if _is_habit(f"{verb} {stop['rest']}", requests)
        ),
        None,
    )


def _resumed(text: str, requests: Requests) -> Fact | None:
    """Return the fact of a permission, "you can use emojis again", or of a return to a language; else None."""
    if back := _BACK_TO.match(text):
        content, about = f"{USER} asked to go back to {back['value']}", f"{_ANSWER} {back['value']}"
        return _fact(content, Polarity.POSITIVE, about, is_standing=False)
    again = _MAY_AGAIN.match(text)
    if again is None or _CERTAIN.search(again["done"]) or not _is_habit(again["done"], requests):
        return None
    done = again["done"].replace("\u2019", "'")
    content = f"{USER} said that the assistant may {third_person(done)} again"
    return _fact(content, Polarity.POSITIVE, done, is_standing=False)


def _is_habit(done: str, requests: Requests) -> bool:
    """Tell whether an action is a habit that a person may request of an assistant."""
    return requests.habit.match(f"never {done}") is not None and _MOMENTARY.match(done) is None


def _each_time(condition: re.Match[str]) -> str:
    """Return a conditional request with the condition at its end: "give grams whenever I ask for a recipe"."""
    requested = trimmed(condition.string[condition.end() :])
    when = re.split("[,:\uff0c]", condition[0])[0].strip()
    if contains_cjk(requested):
        return f"{when.rstrip(_REQUEST_WORDS_ZH)}\uff0c\u90fd{requested}"
    return f"{requested} {when[:1].lower()}{when[1:]}"


def _request_fact(request: str, *, is_standing: bool) -> Fact:
    """Return the fact of an English request in its bare form, such as "never use emojis in your answers"."""
    manner = _MANNER.match(request)
    done = request[manner.end() :] if manner else request
    done = done[:1].lower() + done[1:]
    rendered = third_person(done)
    for old, new in _TO_ASSISTANT:
        rendered = old.sub(new, rendered)
    how = manner.lastgroup if manner else None
    infinitive = _INFINITIVES[how] if how else "to"
    polarity = Polarity.NEGATIVE if how in ("not", "never", "no") else Polarity.POSITIVE
    content = f"{USER} asked {infinitive} {rendered}".replace("\u2019", "'")
    return _fact(content, polarity, done.replace("\u2019", "'"), is_standing=is_standing)


def _fact(content: str, polarity: Polarity, about: str, *, is_standing: bool) -> Fact:
    confidence = EXPLICIT if is_standing else INFERRED
    key, value = "", None
    for setting, name in _SETTINGS:
        if match := setting.fullmatch(about):
            about = value = match["value"]
            key = fact_key(Category.PREFERENCE, name)
    return Fact(
        Category.PREFERENCE,
        content,
        polarity,
        confidence,
        about,
        key=key,
        is_standing=is_standing,
        value=value,
    )
