"""Parses a sentence into its subject, informative words, numbers, dates and names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache

from graph.core.text.language import stem
from graph.memories.deduplication.attributes import is_one_of_several, place_of_name
from graph.memories.deduplication.sameness import REGULAR_PAST, WORDS, canonical, expanded, tokens_of

_FIRST_OF_MONTHS = (
    "january february march april may june july august september october november december".split()
)
MONTHS = {
    form: number
    for number, month in enumerate(_FIRST_OF_MONTHS, start=1)
    for form in {month, month[:3], *(["sept"] if month == "september" else [])}
}
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"[1-9]|[12]\d|3[01]")
_BEFORE_A_YEAR = frozenset("in since until of".split())
_ALSO_WORDS = frozenset(("may", "mar", "march"))
_BEFORE_A_MONTH = frozenset("in since until of from last next early late mid".split())


@dataclass(frozen=True)
class StatedDate:
    """A date with its given parts; missing parts are None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: str | None = None

    def contradicts(self, other: "StatedDate") -> bool:
        """Tell whether no day can have both dates."""
        pairs = zip(self._fields(), other._fields(), strict=True)
        return any(one is not None and two is not None and one != two for one, two in pairs)

    def _fields(self) -> tuple[object, ...]:
        return self.year, self.month, self.day, self.weekday


def date_at(lowered: Sequence[str], place: int) -> tuple[StatedDate | None, int]:
    """Return the date that begins at a word, if any, and the index of its last word."""
    word, after = lowered[place], [each.rstrip(".,") for each in lowered[place + 1 : place + 4]]
    if iso := _ISO_DATE.fullmatch(word):
        return StatedDate(int(iso[1]), int(iso[2]), int(iso[3]) if iso[3] else None), place
    if word in WEEKDAYS:
        return StatedDate(weekday=word), place
    before = lowered[place - 1] if place else ""
    if _YEAR.fullmatch(word) and before in _BEFORE_A_YEAR:
        return StatedDate(int(word)), place
    of = after[:1] == ["of"]
    if _day(word) is not None and after[of : of + 1] and after[of] in MONTHS:
        return _with_year(MONTHS[after[of]], _day(word), after[of + 1 :], place + 1 + of)
    if word not in MONTHS or (word in _ALSO_WORDS and not _is_month(before, " ".join(after[:1]))):
        return None, place
    day = _day(" ".join(after[:1]))
    return _with_year(MONTHS[word], day, after[day is not None :], place + (day is not None))


def _is_month(before: str, after: str) -> bool:
    """Tell whether an ambiguous word is a month, by its neighbours."""
    return _day(after) is not None or _YEAR.fullmatch(after) is not None or before in _BEFORE_A_MONTH


def _with_year(month: int, day: int | None, after: list[str], last: int) -> tuple[StatedDate, int]:
    if after and _YEAR.fullmatch(after[0]):
        return StatedDate(int(after[0]), month, day), last + 1
    return StatedDate(None, month, day), last


def _day(word: str) -> int | None:
    bare = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word)
    return int(bare) if _DAY.fullmatch(bare) else None


# "The launch is on Friday" gives the only date of a launch. But a person who visited Rome in 2019 may have visited it
# again, and a person who plays tennis on Monday may also play on Friday.


_COPULAS = frozenset("is are am was were".split())
_PRONOUNS = frozenset("i we you they he she".split())
_ADVERBS = frozenset("now also not still currently already always usually often".split())
_OCCASIONS_OF_MANY = frozenset(WORDS["of_many"].split())
_DONE_OFTEN_STEMS = frozenset(stem(word) for word in f"{WORDS['of_many']} {WORDS['done_often']}".split())
_PASTS = frozenset(WORDS["pasts"].split())
_ONCE = frozenset(f"{WORDS['of_one']} {WORDS['once']}".split())
_TIMETABLED_STEMS = frozenset(stem(word) for word in WORDS["timetabled"].split())
_CLAUSES = frozenset(WORDS["clauses"].split())
_NO_PASTS = frozenset("hundred need speed feed seed weed breed bleed sacred naked".split())
_SHORTEST_VERB = 4


class Occasion(Enum):
    """Number of times at which a sentence may be true."""

    ONCE = auto()
    """A state, or an event with a single time."""
    REPEATED = auto()
    """A habit, or one of several possessions."""
    HAPPENED = auto()
    """A past event, which may also have happened at another time."""


def occasion_of(lowered: Sequence[str]) -> Occasion:
    """Return the occasion of a sentence, given as lower-case words, by the verb of its first clause."""
    words = _first_clause(lowered)
    for place, word in enumerate(words):
        if word in _PASTS and not (word == "been" and "since" in words):
            return Occasion.HAPPENED
        if word in _COPULAS:
            return _of_copula(word, next((each for each in words[place + 1 :] if each not in _ADVERBS), ""))
    if not _ONCE.isdisjoint(words) or "since" in words:
        return Occasion.ONCE
    if any(map(is_past, words)):
        return Occasion.HAPPENED
    if any(stem(word) in _TIMETABLED_STEMS for word in words[1:]):
        return Occasion.ONCE
    return Occasion.REPEATED if _has_verb(words) else Occasion.ONCE


def is_past(word: str) -> bool:
    """Tell whether a lower-case word is the past form of a regular verb."""
    return REGULAR_PAST.fullmatch(word) is not None and word not in _NO_PASTS and stem(word) != word


def _of_copula(copula: str, following: str) -> Occasion:
    """Return the occasion of a sentence with "is" or "was": "was restarted" is an event, "is booked" a state."""
    if following.endswith("ing") and stem(following) in _DONE_OFTEN_STEMS and stem(following) != following:
        return Occasion.REPEATED
    if copula in {"was", "were"} and following not in _ONCE and (is_past(following) or following in _PASTS):
        return Occasion.HAPPENED
    return Occasion.ONCE


def _has_verb(words: Sequence[str]) -> bool:
    """Tell whether a sentence has a verb, as "plays" and "I play" do; notes such as "Standup Monday" have none."""
    return not _PRONOUNS.isdisjoint(words) or any(
        word in _OCCASIONS_OF_MANY
        or (len(word) >= _SHORTEST_VERB and word.endswith("s") and not word.endswith("ss"))
        for word in words[1:]
    )


def _first_clause(lowered: Sequence[str]) -> Sequence[str]:
    end = next((place for place, word in enumerate(lowered) if place > 1 and word in _CLAUSES), len(lowered))
    return lowered[:end]


_NUMBER = re.compile(r"v?\d[\d.,:/\-]*\d|v?\d")
_HALVES_OF_THE_DAY = frozenset({"am", "pm"})
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_WITH_OTHERS = re.compile(r"\s\(and their [^()]*\)")  # how extraction words an action of two people
_FAVOURITE = frozenset({"favorite", "favourite"})
_ADDRESS = re.compile(r".+[@/].+")
_SELF = frozenset("i my me mine user we our us".split())
# Subjects that otherwise count as fillers: "The deadline is Friday".
_TIMETABLED = frozenset("deadline schedule date plan".split())
# Prepositions before names of places.
_WHERE = frozenset("in at from to".split())
# Words that turn a sentence into its opposite.
_NEGATIONS = frozenset(
    f"not no never without nobody nothing none cannot neither nor isn aren {WORDS['other_negations']}".split()
)
_LIKINGS = frozenset(("love", "adore", "enjoy", "prefer", "like"))
_OF_CHANGE = frozenset(WORDS["of_change"].split())
_OF_MANY = frozenset(f"{WORDS['of_many']} {WORDS['also_of_many']}".split())
_OF_ONE = frozenset(WORDS["of_one"].split())
_FORMS_OF_MANY = frozenset(
    form
    for word in _OF_MANY
    for form in (word, f"{word}s", f"{word}es", f"{word}ing", f"{word.removesuffix('e')}ing")
)
_STEMS_OF_CHANGE = frozenset(stem(word) for word in _OF_CHANGE)
_OPPOSITE_OF = {stem(word): stem(opposite) for word, opposite in WORDS["opposites"].items()}
_LIKING_STEMS = frozenset(stem(word) for word in _LIKINGS)
_UNITS = frozenset(WORDS["units"].split())
# Somebody "on" a medicine may take several; other things are "on" one thing only.
_ON_MEDICINE = frozenset("~self wife husband partner mom dad mg mcg ml g iu".split())
_PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\b(?:no longer|not any ?longer)\b", "not"),
        (r"\b(?:used to|stopped|stops|quit|gave up) (?=\w)", "not "),
        (r"\bnot always\b", "sometimes"),
        (r"\b(?:takes?|taking) place\b", "is"),
        (r"\bgot (?=[a-z]+ed\b)", "was "),
        (r"\b(?:pushed back|pushed|brought forward|shifted|put off) to\b", "moved to"),
        (r"\bleft (?=the |his |her |their |(?-i:[A-Z]))", "departed "),
    )
)


@dataclass(frozen=True)
class Statement:
    """A parsed sentence.

    Attributes:
        sentence: Original text.
        first: First informative word, taken as the subject.
        words: Other informative words; an opposite is replaced by its positive form.
        is_negated: True if an odd number of negations and opposites applies.
        dates: Dates, in order.
        numbers: Numbers, versions, addresses of machines and times of day.
        names: Capitalised words inside the sentence, mail and web addresses; adjacent ones form one name.
        places: Prepositions before names of places, by name.
        one_of_several: Number or name that distinguishes its subject from others of its kind, if any: ``Room 12 is
            booked``, ``Project Fornax is late``, ``The user's son Max is 5``.
        qualifiers: Words in brackets, which restrict the statement (``The limit is 30 (staging)``).
        occasion: Occasion; another date of an event or a habit is no contradiction.
        is_of_one_of_several: True if it concerns one of possibly several things, without identifying it.
        holds_of_many: True if another name in the same place would be no contradiction.
        says_something: True if it is more than a greeting: it has words, or a form of "be".
    """

    sentence: str
    first: str
    words: frozenset[str]
    is_negated: bool
    numbers: frozenset[str]
    dates: tuple[StatedDate, ...]
    names: frozenset[str]
    places: Mapping[str, str]
    one_of_several: str | None
    qualifiers: frozenset[str]
    occasion: Occasion
    is_of_one_of_several: bool
    holds_of_many: bool
    says_something: bool


@dataclass
class _Parts:
    """Parts collected while a sentence is read."""

    forms: list[str] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)
    dates: list[StatedDate] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    places: dict[int, str] = field(default_factory=dict)  # prepositions, by index in ``names``
    one_of_several: str | None = None
    is_negated: bool = False

    def read(self, raw: Sequence[str], lowered: Sequence[str], named: int | None) -> None:
        """Read the words of a sentence; skip the name at ``named``, which identifies one of several."""
        was_name = False
        last = -1  # index of the last word of the latest date
        for place, (token, word) in enumerate(zip(raw, lowered, strict=True)):
            if place <= last or place == named:
                continue
            date, end = date_at(lowered, place)
            is_name = False
            if date is not None:
                self.dates.append(date)
                last = end
            elif _NUMBER.fullmatch(word) or word in _HALVES_OF_THE_DAY:
                self._read_number(word, is_of_a_kind=_is_of_a_kind(lowered, place))
            elif self.forms and (_ADDRESS.fullmatch(word) or (token[0].isupper() and word not in _SELF)):
                self._read_name(word, goes_on=was_name, where=_says_where(lowered[max(place - 2, 0) : place]))
                is_name = True
            else:
                self._read_word(word)
            was_name = is_name

    def _read_number(self, word: str, *, is_of_a_kind: bool) -> None:
        if len(self.forms) == 1 and not self.names and is_of_a_kind:
            self.one_of_several = word
        else:
            self.numbers.add(word.removeprefix("v").rstrip(".,:/-"))

    def _read_name(self, word: str, *, goes_on: bool, where: str) -> None:
        if goes_on:
            self.names[-1] += f" {word}"
            return
        if where:
            self.places[len(self.names)] = where
        self.names.append(word)

    def _read_word(self, word: str) -> None:
        form, turns = _meaning(word)
        self.is_negated ^= turns
        if form:
            self.forms.append(form)


def tells_what_happened(sentence: str) -> bool:
    """Tell whether a sentence describes a past event instead of a state.

    >>> tells_what_happened("Ran 5 km in the park"), tells_what_happened("The user likes tea")
    (True, False)
    """
    return taken_apart(sentence).occasion is Occasion.HAPPENED


@lru_cache(maxsize=2048)
def taken_apart(sentence: str) -> Statement:
    """Parse a sentence in English, or in another language that separates words by spaces."""
    text = _without_phrases(sentence)
    tokens = list(tokens_of(text))
    only = _place_of_favourite([token.casefold() for token in tokens])
    raw, favourite = tokens[:only], tokens[only:]
    lowered = [token.casefold() for token in raw]
    named = _place_behind_first(raw, lowered)
    if named is None:
        named = place_of_name(raw, lowered)
    parts = _Parts(one_of_several=None if named is None else lowered[named])
    if favourite:
        parts.names.append(" ".join(favourite).casefold())
    parts.read(raw, lowered, named)
    forms = parts.forms
    if any(_is_change(canonical(word)) for word in lowered):
        forms = [form for form in forms if form != "~past"]  # the result of a past change is present
    counted = {word for word in forms if word.isdigit()}
    occasion = occasion_of(lowered)
    is_of_one_of_several = is_one_of_several(lowered, named)
    return Statement(
        sentence=sentence,
        first=forms[0] if forms else next(filter(_TIMETABLED.__contains__, lowered), ""),
        words=frozenset(forms[1:]) - counted,
        is_negated=parts.is_negated,
        numbers=frozenset(parts.numbers | counted),
        dates=tuple(parts.dates),
        names=frozenset(parts.names),
        places={parts.names[place]: where for place, where in parts.places.items()},
        one_of_several=parts.one_of_several,
        qualifiers=frozenset(word for found in _IN_BRACKETS.findall(text) for word in _qualifying(found)),
        occasion=occasion,
        is_of_one_of_several=is_of_one_of_several,
        holds_of_many=is_of_one_of_several
        or (
            not favourite
            and (occasion is Occasion.HAPPENED or _holds_of_many(lowered, forms) or _is_plural(raw))
        ),
        says_something=len(forms) > 1 or not {"is", "are", "am"}.isdisjoint(lowered),
    )


def _without_phrases(sentence: str) -> str:
    """Expand contractions, and replace phrases such as "no longer" by single words."""
    text = _WITH_OTHERS.sub("", expanded(sentence))
    for pattern, replacement in _PHRASES:
        text = pattern.sub(replacement, text)
    if re.search(r"\b(?:not|never|no)\b", text, re.IGNORECASE):
        return re.sub(r"\bany ?more\b", "", text, flags=re.IGNORECASE)
    return re.sub(r"\bany ?more\b", "not", text, flags=re.IGNORECASE)


def _meaning(word: str) -> tuple[str, bool]:
    """Return the normalised meaning of a word, empty for a filler, and whether the word negates."""
    if word in _NEGATIONS:
        return "", True
    if word in _SELF:
        return "~self", False
    if word == "always":
        return "", False
    form = canonical(word) or ""
    past = "~past" if form.endswith("~past") else ""
    if stem(word) in _OPPOSITE_OF:
        return _OPPOSITE_OF[stem(word)] + past, True
    if stem(word) in _LIKING_STEMS:
        return f"like{past}", False
    return ("" if _is_change(form) else form), False


def _is_change(form: str | None) -> bool:
    return form is not None and form.removesuffix("~past") in _STEMS_OF_CHANGE


def _holds_of_many(lowered: Sequence[str], forms: Sequence[str]) -> bool:
    """Tell whether a sentence has a word for something that may be true of several things."""
    is_on_medicine = "on" in lowered and _ON_MEDICINE.issuperset(forms)
    return is_on_medicine or any(_is_of_many(lowered, place) for place in range(len(lowered)))


def _is_plural(raw: Sequence[str]) -> bool:
    """Tell whether the subject is a plural, whose members may differ: "The tests run on Linux"."""
    first = next((word for word in raw if _meaning(word.casefold())[0]), "")
    return first.islower() and first.endswith("s") and not first.endswith(("ss", "us", "is"))


def _is_of_many(lowered: Sequence[str], place: int) -> bool:
    """Tell whether a word allows several values; a thing that "is called" something has one name only."""
    word = lowered[place]
    if word in _OF_ONE:
        return word in {"called", "named"} and lowered[place - 1] not in {"is", "are"}
    return word in _FORMS_OF_MANY or word.endswith("ed")


def _place_behind_first(raw: Sequence[str], lowered: Sequence[str]) -> int | None:
    """Return the index of a name directly behind the subject (``Project Fornax is``), or None."""
    first = next((place for place, word in enumerate(lowered) if _meaning(word)[0]), len(raw))
    name, after = raw[first + 1 : first + 2], raw[first + 2 : first + 3]
    is_name = (
        bool(name and after) and name[0].istitle() and after[0].islower() and name[0].casefold() not in _SELF
    )
    return first + 1 if is_name else None


def _place_of_favourite(lowered: Sequence[str]) -> int:
    """Return the index at which the value of a favourite begins, or else the number of words."""
    place = lowered.index("is") + 1 if "is" in lowered else 0
    if _FAVOURITE.isdisjoint(lowered[:place]) or not _NEGATIONS.isdisjoint(lowered[place:]):
        return len(lowered)
    return place


def _qualifying(text: str) -> Iterator[str]:
    """Yield the qualifying words of a text in brackets, without dates, times and fillers."""
    for token in tokens_of(text.casefold()):
        is_time = token in MONTHS or token in WEEKDAYS or token in _HALVES_OF_THE_DAY
        if token.isalpha() and not is_time and (form := canonical(token)) is not None:
            yield form


def _is_of_a_kind(lowered: Sequence[str], place: int) -> bool:
    """Tell whether a number identifies the thing before it: "Step 2 takes an hour"."""
    before, after = lowered[place - 1 : place], lowered[place + 1 : place + 2]
    return (
        lowered[place] not in _HALVES_OF_THE_DAY
        and bool(before and after)
        and _meaning(before[0])[0] != ""
        and after[0][0].isalpha()
        and after[0] not in _UNITS
    )


def _says_where(before: Sequence[str]) -> str:
    """Return the preposition of place before a name; empty if there is none."""
    words = before[:-1] if before[-1:] == ["the"] else before
    return words[-1] if words and words[-1] in _WHERE else ""
