"""What kind of answer a question asks for, and whether a text holds one, in English and Chinese.

It is told by question words and by the form of texts alone: who needs a person, where a place, when a time, how many a
number. What cannot be told that way is open, and any text may answer it.
"""

import re
from collections.abc import Mapping
from enum import StrEnum


class Expected(StrEnum):
    """What is asked for."""

    PERSON = "person"
    PLACE = "place"
    TIME = "time"
    NUMBER = "number"
    DURATION = "duration"
    PHONE = "phone"
    MAIL = "mail"
    REASON = "reason"
    NAME = "name"
    OPEN = "open"


def _of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_WHAT = r"\b(?:what|which) "
_ASKS = (
    (Expected.PHONE, _of(r"\b(?:phone|telephone|mobile|cell)\b.{0,12}\bnumber\b|\bphone\b|电话|手机号")),
    (Expected.MAIL, _of(r"\be-?mail\b|邮箱|邮件地址")),
    (Expected.DURATION, _of(r"\bhow long\b(?! ago)|多久|多长时间")),
    (
        Expected.TIME,
        _of(
            rf"\bhow long ago\b|\bwhen\b|{_WHAT}(?:date|day|time|month|year|week)\b|\bsince when\b|"
            "什么时候|几点|哪天|哪年|何时"
        ),
    ),
    (
        Expected.PLACE,
        _of(
            rf"\bwhere\b|{_WHAT}(?:city|cities|country|countries|town|state|place|places|street|address|area)\b|"
            "哪里|哪儿|什么地方|何处"
        ),
    ),
    (
        Expected.NUMBER,
        _of(
            r"\bhow (?:many|much|old|far|tall|big|high|heavy|often)\b|"
            r"\bwhat(?: is|'s| was)? .{0,40}\b(?:number|age|price|amount)\b|多少|几[个只岁次]"
        ),
    ),
    (Expected.PERSON, _of(r"^\W*(?:\w+ ){0,2}\b(?:who|whom|whose|who's)\b|谁")),
    (Expected.REASON, _of(r"^\W*(?:why|what is the reason|what's the reason)\b|为什么")),
    (Expected.NAME, _of("叫什么|什么名字|姓什么")),
)
_PHONE = re.compile(r"(?<![\w.])\+?\(?\d[\d ()/.-]{4,}\d")
_MAIL = re.compile(r"\w@\w")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_WEEKDAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_TIME = _of(
    rf"\b(?:{_MONTHS}|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b{_WEEKDAYS}\b|\b(?:1[89]|20)\d\d\b|\b\d{{1,2}}[:.]\d\d\b|"
    r"\b\d{1,2} ?(?:am|pm)\b|\b\d{1,2}(?:st|nd|rd|th)\b|\bo'?clock\b|\b(?:half|quarter) (?:past|to)\b|"
    r"\b(?:today|tonight|yesterday|tomorrow|now|recently|lately|soon|already|just|noon|midnight|mornings?|afternoons?|evenings?|"
    r"nights?|weekends?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|decades?|summer|autumn|fall|winter|christmas|"
    r"easter|thanksgiving|halloween|ago|until|last|next|ever since|always|daily|weekly|monthly|yearly|once|twice)\b|"
    r"[年月日号点周]|星期|今天|明天|昨天|早上|晚上|下午|上午|去年|明年|每"
)
_NUMBER = _of(
    r"\d|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|"
    r"fifty|sixty|hundred|thousand|million|dozen|couple|both|half|once|twice|several|few|many|every|daily|weekly|always|"
    r"never|all|long|years?|months?|weeks?|days?)\b|[一二两三四五六七八九十百千万半几]"
)
_DURATION = _of(
    r"\b(?:\d[\d.,]{0,12}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|several|"
    r"few|many|couple of|whole|all|half an?)[ -](?:more )?(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|"
    r"months?|years?|decades?|summer|winter)\b|"
    r"\b(?:since|until|for (?:ages|a while|long|years|months|weeks|life)|forever|always|all (?:day|night|week|year))\b|"
    r"(?<!\d)\d{1,6} ?[年月天周]|小时|分钟"
)
_NO_PLACE = (
    rf"(?!(?:\d|{_MONTHS}\b|{_WEEKDAYS}\b|time\b|holidays?\b|vacation\b|leave\b|call\b|duty\b|hold\b|fire\b|purpose\b|"
    r"general\b|fact\b|order\b|love\b|case\b|part\b|it\b|that\b|this\b|least\b|all\b|first\b|last\b|next\b|once\b|me\b|"
    r"you\b|them\b|him\b|us\b|be\b|do\b|get\b|have\b|make\b|see\b|go\b))"
)
_PLACE = _of(
    rf"\b(?:in|at|on|near|from|to|into|inside|outside|behind|under|between|beside|opposite|around|through|across) "
    rf"{_NO_PLACE}[^\W_]|"
    r"\b(?:here|there|home|abroad|upstairs|downstairs|outside|inside|city|country|town|village|street|park|beach|school|"
    r"university|college|church|hospital|museum|gym|studio|shop|store|restaurant|cafe|library|garden|lake|mountains?)\b|"
    r"[在到从去来住]"
)
_REASON = _of(
    r"\b(?:because|cause|cuz|since|so that|so|due to|thanks to|reasons?|why|as (?:he|she|they|it|we|I|the)|in order to|"
    r"for|therefore|after|inspir\w+|motivat\w+|want(?:s|ed)?|need(?:s|ed)?|help(?:s|ed|ing)?|mak(?:es?|ing)|made|lov(?:es?|ed)|"
    r"feel(?:s|ing)?|remind\w*|important|passion\w*|lost|dream\w*)\b|因为|所以|由于|为了"
)
_PERSON_NOUN = _of(
    r"\b(?:I|me|my|we|our|mother|mom|mum|father|dad|parents?|brothers?|sisters?|sons?|daughters?|wife|husband|partner|"
    r"girlfriend|boyfriend|friends?|kids?|child(?:ren)?|family|uncle|aunt|cousins?|grand\w+|neighbou?rs?|boss|colleagues?|"
    r"coworkers?|team|manager|teacher|doctor|coach|mentors?|landlord|customers?|clients?|people|man|woman|guys?|everyone|"
    r"someone|user|assistant|group)\b|[他她我]|用户|妻子|丈夫|朋友|先生|女士|老师"
)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+\b")
_FIRST = re.compile(r"^[\"'(]*([A-Z][a-z]+)\b(?:'s)? +[a-z]")
_NO_NAMES = _of(
    rf"(?:{_MONTHS}|{_WEEKDAYS}|the|an?|our|my|their|his|her|its|this|that|these|those|there|it|in|on|at|"
    r"all|every|no|one|some|i|we|you|they|he|she|if|when|while|after|before|and|but|so|as|for|with)"
)


_PATTERNS: Mapping[Expected, re.Pattern[str]] = {
    Expected.PHONE: _PHONE,
    Expected.MAIL: _MAIL,
    Expected.TIME: _TIME,
    Expected.PLACE: _PLACE,
    Expected.NUMBER: _NUMBER,
    Expected.DURATION: _DURATION,
    Expected.REASON: _REASON,
    Expected.NAME: _of(r"[叫姓名]|\b(?:names?|named|called)\b"),
}


def expected(question: str) -> Expected:
    """Return what a question asks for."""
    return next((kind for kind, asks in _ASKS if asks.search(question)), Expected.OPEN)


def holds(kind: Expected, text: str, question: str) -> bool:
    """Tell whether a text holds an answer of a kind; a person whom the question names is none."""
    if kind is Expected.PERSON:
        return _holds_person(text, question)
    return kind not in _PATTERNS or _PATTERNS[kind].search(text) is not None


def _holds_person(text: str, question: str) -> bool:
    names = [*_NAME.findall(text), *_FIRST.findall(text)]
    asked = question.lower()
    if any(not _NO_NAMES.fullmatch(name) and name.lower() not in asked for name in names):
        return True
    return any(found[0].lower() not in asked for found in _PERSON_NOUN.finditer(text))
