"""Whether two texts say of the same thing what cannot both hold: another number, date or name, or the opposite.

The rule compares sentences word by word. It must never take what has nothing to do with each other for a
disagreement, so it asks for the same beginning and the same telling words, and for one difference of one kind; of
sentences that are worded differently it says nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from graph.core.text.language import contains_cjk, is_question, sentences, stem
from graph.memories.deduplication.chinese import beginning_in_chinese, differ_in_chinese
from graph.memories.deduplication.sameness import canonical, expanded, say_the_same, tokens_of
from graph.memories.deduplication.words import WORDS

_MOST_SENTENCES = 4  # what has more is no statement
_MOST_CHARS = 400
_FEWEST_WORDS_FOR_ONE_MORE = 4
_FIRST_OF_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTHS = {
    form: number
    for number, month in enumerate(_FIRST_OF_MONTHS, start=1)
    for form in {month, month[:3], *(["sept"] if month == "september" else [])}
}
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_NUMBER = re.compile(r"v?\d[\d.,:/\-]*\d|v?\d")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"[1-9]|[12]\d|3[01]")
_BEFORE_A_YEAR = frozenset("in since until of".split())
_ALSO_WORDS = frozenset(("may", "mar", "march"))
_HALVES_OF_THE_DAY = frozenset({"am", "pm"})
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_WITH_OTHERS = re.compile(r"\s\(and their [^()]*\)")  # as extraction tells what two people do
_FAVOURITE = frozenset({"favorite", "favourite"})
_ADDRESS = re.compile(r".+[@/].+")
_SELF = frozenset("i my me mine user we our us".split())
# What a sentence that says nothing else is about: "The deadline is Friday".
_TIMETABLED = frozenset("deadline schedule date plan".split())
# Words that turn a sentence into its opposite.
_NEGATIONS = frozenset("not no never without nobody nothing none cannot neither nor isn aren".split())
_LIKINGS = frozenset(("love", "adore", "enjoy", "prefer", "like"))
_OF_CHANGE = frozenset(WORDS["of_change"].split())
_OF_MANY = frozenset(WORDS["of_many"].split())
_AFTER_A_NUMBERED_THING = frozenset(
    "is are was were has have had will must should can does uses runs needs".split()
)


@dataclass(frozen=True)
class _Date:
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: str | None = None

    def contradicts(self, other: "_Date") -> bool:
        """Tell whether no day is both."""
        pairs = zip(self._fields(), other._fields(), strict=True)
        return any(one is not None and two is not None and one != two for one, two in pairs)

    def _fields(self) -> tuple[object, ...]:
        return self.year, self.month, self.day, self.weekday


@dataclass(frozen=True)
class _Statement:
    """A sentence taken apart.

    Attributes:
        first: The word it begins with, which is what it is about.
        words: Its other telling words; what is negated stands for what it is the opposite of.
        is_negated: Whether it denies what they say.
        numbers: Its numbers, versions, addresses of machines and times of day.
        names: Words with a capital inside the sentence, mail and web addresses; neighbours are one.
        one_of_several: What tells the thing it is about from others of its kind, if anything: a number or a name that
            follows the first word (``Room 12 is booked``, ``Project Fornax is late``).
        qualifiers: The words in brackets, which say what it holds of (``The limit is 30 (staging)``).
        holds_of_many: Whether another name in the same place would be no contradiction.
        says_something: Whether there is more than a greeting of somebody: words, or a verb that says what it is.
    """

    first: str
    words: frozenset[str]
    is_negated: bool
    numbers: frozenset[str]
    dates: tuple[_Date, ...]
    names: frozenset[str]
    one_of_several: str | None
    qualifiers: frozenset[str]
    holds_of_many: bool
    says_something: bool


def disagree(one: str, other: str) -> bool:
    """Tell whether two texts differ about the same thing in a number, a date, a name or in whether it is so.

    >>> disagree("Ada is allergic to peanuts", "Ada is not allergic to peanuts")
    True
    >>> disagree("The launch is on March 15", "The launch was moved to April 1")
    True
    >>> disagree("Ada likes tea", "Bob likes tea")
    False
    """
    return not _subjects(one).isdisjoint(_subjects(other)) and any(
        _differ(first, second) for first, second in product(sentences(one), sentences(other))
    )


@lru_cache(maxsize=2048)
def _subjects(text: str) -> frozenset[str]:
    """Return what the sentences of a text begin with; none of a question or of what is too long for a statement.

    It is kept, so that each of many texts can be compared with each.
    """
    found = sentences(text) if len(text) <= _MOST_CHARS and not is_question(text) else []
    if len(found) > _MOST_SENTENCES:
        return frozenset()
    return frozenset(
        beginning_in_chinese(sentence) if contains_cjk(sentence) else _taken_apart(sentence).first
        for sentence in found
    )


def _differ(one: str, other: str) -> bool:
    if contains_cjk(one) != contains_cjk(other):
        return False
    if contains_cjk(one):
        return differ_in_chinese(one, other) and not say_the_same(one, other)
    return _conflict(_taken_apart(one), _taken_apart(other)) and not say_the_same(one, other)


def _conflict(one: _Statement, other: _Statement) -> bool:
    if (
        not one.first
        or one.first != other.first
        or one.one_of_several != other.one_of_several
        or _differ_properly(one.qualifiers, other.qualifiers)
        or not _are_alike(one.words, other.words)
    ):
        return False
    dates = _contradict(one.dates, other.dates)
    numbers = _differ_properly(one.numbers, other.numbers)
    if one.names != other.names:
        return (
            len(one.names - other.names) == len(other.names - one.names) == 1
            and one.says_something
            and other.says_something
            and not (one.holds_of_many or other.holds_of_many or numbers or dates)
            and one.is_negated == other.is_negated is False
        )
    if one.is_negated != other.is_negated:
        return not (numbers or dates)
    return (numbers or dates) and not one.is_negated


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if one == other:
        return True
    return len(one ^ other) == 1 and min(len(one), len(other)) >= _FEWEST_WORDS_FOR_ONE_MORE


def _differ_properly(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether both have values, and each one that the other has not."""
    return bool(one - other) and bool(other - one)


def _contradict(ones: tuple[_Date, ...], others: tuple[_Date, ...]) -> bool:
    return len(ones) == len(others) and any(
        one.contradicts(other) for one, other in zip(ones, others, strict=True)
    )


@lru_cache(maxsize=2048)
def _taken_apart(sentence: str) -> _Statement:
    text = _without_phrases(sentence)
    qualifiers = frozenset(word for found in _IN_BRACKETS.findall(text) for word in _qualifying(found))
    raw = list(tokens_of(text))
    lowered = [token.casefold() for token in raw]
    numbers: set[str] = set()
    dates: list[_Date] = []
    only = _place_of_favourite(lowered)
    names = [" ".join(lowered[only:])] if only < len(lowered) else []
    raw, lowered = raw[:only], lowered[:only]
    forms: list[str] = []
    is_negated = False
    named = _place_of_name(raw, lowered)
    one_of_several = None if named is None else lowered[named]
    was_name = False
    skip = -1
    for place, (token, word) in enumerate(zip(raw, lowered, strict=True)):
        if place <= skip or place == named:
            continue
        found, skip = _date_at(lowered, place)
        if found is not None:
            dates.append(found)
            was_name = False
            continue
        skip = -1
        if _NUMBER.fullmatch(word) or word in _HALVES_OF_THE_DAY:
            if len(forms) == 1 and not names and _follows(lowered, place):
                one_of_several = word
            else:
                numbers.add(word.removeprefix("v").rstrip(".,:/-"))
            was_name = False
            continue
        if forms and (_ADDRESS.fullmatch(word) or (token[0].isupper() and word not in _SELF)):
            if was_name:
                names[-1] += f" {word}"
            else:
                names.append(word)
            was_name = True
            continue
        was_name = False
        form, turns = _meaning(word)
        is_negated ^= turns
        if form:
            forms.append(form)
    if any(_is_change(canonical(word)) for word in lowered):
        forms = [form for form in forms if form != "~past"]  # what was moved still is
    counted = {word for word in forms if word.isdigit()}
    return _Statement(
        first=forms[0] if forms else next(filter(_TIMETABLED.__contains__, lowered), ""),
        words=frozenset(forms[1:]) - counted,
        is_negated=is_negated,
        numbers=frozenset(numbers | counted),
        dates=tuple(dates),
        names=frozenset(names),
        one_of_several=one_of_several,
        qualifiers=qualifiers,
        holds_of_many=any(_is_of_many(lowered, place) for place in range(len(lowered))),
        says_something=len(forms) > 1 or not {"is", "are", "am"}.isdisjoint(lowered),
    )


# What is said with "-ed" happened once, and may have happened elsewhere as well, but for these.
_OF_ONE = frozenset("named called located based hosted deployed moved married preferred owned headed".split())
_FORMS_OF_MANY = frozenset(f"{word}{ending}" for word in _OF_MANY for ending in ("", "s", "es", "ing"))
_STEMS_OF_CHANGE = frozenset(stem(word) for word in _OF_CHANGE)
_OPPOSITE_OF = {stem(word): stem(opposite) for word, opposite in WORDS["opposites"].items()}
_LIKING_STEMS = frozenset(stem(word) for word in _LIKINGS)


def _without_phrases(sentence: str) -> str:
    """Return a sentence with phrases that deny something as one word, and contractions spelt out."""
    text = _WITH_OTHERS.sub("", expanded(sentence))
    text = re.sub(r"\b(?:no longer|not any ?longer)\b", "not", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:used to|stopped|stops|quit|gave up) (?=\w)", "not ", text, flags=re.IGNORECASE)
    if re.search(r"\b(?:not|never|no)\b", text, re.IGNORECASE):
        return re.sub(r"\bany ?more\b", "", text, flags=re.IGNORECASE)
    return re.sub(r"\bany ?more\b", "not", text, flags=re.IGNORECASE)


def _meaning(word: str) -> tuple[str, bool]:
    """Return what a word stands for, empty for a filler, and whether it denies that."""
    if word in _NEGATIONS:
        return "", True
    if word in _SELF:
        return "~self", False
    form = canonical(word) or ""
    past = "~past" if form.endswith("~past") else ""
    if stem(word) in _OPPOSITE_OF:
        return _OPPOSITE_OF[stem(word)] + past, True
    if stem(word) in _LIKING_STEMS:
        return f"like{past}", False
    return ("" if _is_change(form) else form), False


def _is_change(form: str | None) -> bool:
    return form is not None and form.removesuffix("~past") in _STEMS_OF_CHANGE


def _is_of_many(lowered: list[str], place: int) -> bool:
    """Tell whether a word says what may hold of several; a thing that is called something has one name."""
    word = lowered[place]
    if word in _OF_ONE:
        return word in {"called", "named"} and lowered[place - 1 : place] not in (["is"], ["are"])
    return word in _FORMS_OF_MANY or word.endswith("ed")


def _place_of_name(raw: list[str], lowered: list[str]) -> int | None:
    """Return where the name of the first thing stands, directly behind it (``Project Fornax is``), if there is one."""
    first = next((place for place, word in enumerate(lowered) if _meaning(word)[0]), len(raw))
    name, after = raw[first + 1 : first + 2], raw[first + 2 : first + 3]
    is_name = (
        bool(name and after) and name[0].istitle() and after[0].islower() and name[0].casefold() not in _SELF
    )
    return first + 1 if is_name else None


def _place_of_favourite(lowered: list[str]) -> int:
    """Return where what somebody likes best begins, of which there is one, a name or not; else the end."""
    place = lowered.index("is") + 1 if "is" in lowered else 0
    if _FAVOURITE.isdisjoint(lowered[:place]) or not _NEGATIONS.isdisjoint(lowered[place:]):
        return len(lowered)
    return place


def _qualifying(text: str) -> Iterator[str]:
    """Yield the words of a text in brackets that say of what a sentence holds: no dates, times and fillers."""
    for token in tokens_of(text.casefold()):
        is_time = token in _MONTHS or token in _WEEKDAYS or token in _HALVES_OF_THE_DAY
        if token.isalpha() and not is_time and (form := canonical(token)) is not None:
            yield form


def _follows(lowered: list[str], place: int) -> bool:
    return place + 1 < len(lowered) and lowered[place + 1] in _AFTER_A_NUMBERED_THING


def _date_at(lowered: list[str], place: int) -> tuple[_Date | None, int]:
    """Return the date that begins at a word, and the place of its last word."""
    word, after = lowered[place], [each.rstrip(".,") for each in lowered[place + 1 : place + 4]]
    if iso := _ISO_DATE.fullmatch(word):
        return _Date(int(iso[1]), int(iso[2]), int(iso[3]) if iso[3] else None), place
    if word in _WEEKDAYS:
        return _Date(weekday=word), place
    if _YEAR.fullmatch(word) and place and lowered[place - 1] in _BEFORE_A_YEAR:
        return _Date(int(word)), place
    of = after[:1] == ["of"]
    if _day(word) is not None and after[of : of + 1] and after[of] in _MONTHS:
        return _with_year(_MONTHS[after[of]], _day(word), after[of + 1 :], place + 1 + of)
    if word not in _MONTHS or (word in _ALSO_WORDS and _day(" ".join(after[:1])) is None):
        return None, place
    day = _day(" ".join(after[:1]))
    return _with_year(_MONTHS[word], day, after[day is not None :], place + (day is not None))


def _with_year(month: int, day: int | None, after: list[str], last: int) -> tuple[_Date, int]:
    if after and _YEAR.fullmatch(after[0]):
        return _Date(int(after[0]), month, day), last + 1
    return _Date(None, month, day), last


def _day(word: str) -> int | None:
    bare = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word)
    return int(bare) if _DAY.fullmatch(bare) else None
