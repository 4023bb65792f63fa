"""Parses a query once per recall, without a model: words, names, dates, focus and kind of question."""

import re
import string
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from graph.core.text.detection import language_of, languages_of
from graph.core.text.language import (
    QUESTION_WORDS,
    STOP_WORDS,
    Specificity,
    contains_cjk,
    content_words,
    is_in_first_person,
    is_question,
    sentences,
    stem,
    stems,
    word_count,
    words,
)
from graph.core.text.normal_forms import folded
from graph.core.text.stemming import Language
from graph.knowledge.linking.kinds import HONORIFICS
from graph.memories.changes.questions import AskedSlot, asked_slot
from graph.memories.deduplication.statements import MONTHS
from graph.retrieval.recall.topics import Request
from graph.retrieval.recall.validity import asks_about_the_past

_MOST_CHARS = 400  # a longer text seldom asks for a date that it mentions
_MOST_MONTH = 12
_MOST_DAY = 31
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20)\d\d)"
_NAMED = re.compile(
    rf"(?:\b{_DAY}\s+(?:of\s+)?)?\b({'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
    rf"(?:\s+{_DAY}\b(?!\d))?(?:,?\s+(?:of\s+|in\s+)?{_YEAR}\b)?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"\b{_YEAR}-(\d\d?)(?:-(\d\d?))?\b|{_YEAR}\s*年\s*(\d\d?)\s*月(?:\s*(\d\d?)\s*[日号號])?"
)
_ANY_YEAR = re.compile(rf"\b{_YEAR}\b")

_ALSO_NO_MONTHS = frozenset({"march", "april", "may", "june", "august"})
_LEADS_TO_MONTH = re.compile(
    r"(?:\b(?:in|of|since|until|till|by|during|before|after|early|mid|late|last|next|this|each|every|through|throughout"
    r"|for|around|between)[ -]|\d(?:st|nd|rd|th)?[ ,.-]{1,2})\Z",
    re.IGNORECASE,
)
_NUMBER_FOLLOWS = re.compile(r"\W{0,3}\d")
_LONGEST_LEAD = 20


@dataclass(frozen=True)
class QueryDate:
    """A month of a query.

    Attributes:
        month: Month, 1 to 12.
        day: Day, 1 to 31; None: only the month is named.
        year: Year; None: not named.
    """

    month: int
    day: int | None = None
    year: int | None = None


def query_date(text: str) -> QueryDate | None:
    """Return the first date with a day in a text, else its first month; None if the text is over 400 characters.

    A date without a year gets the first year of another date, or else the first year in the text.

    >>> query_date("In June, what happened on May 5?")
    QueryDate(month=5, day=5, year=None)
    """
    found = list(_dates(text)) if len(text) <= _MOST_CHARS else []
    if not found:
        return None
    best = next((each for each in found if each.day is not None), found[0])
    years = [each.year for each in (best, *found) if each.year is not None]
    years += [int(year) for year in _ANY_YEAR.findall(text)]
    return QueryDate(best.month, best.day, years[0] if years else None)


def _dates(text: str) -> Iterator[QueryDate]:
    for match in _NUMBERED.finditer(text):
        year, month, day = match.groups()[:3] if match[1] else match.groups()[3:]
        if 1 <= int(month) <= _MOST_MONTH:
            yield QueryDate(int(month), _day(day), int(year))
    for match in _NAMED.finditer(text):
        if _is_month(text, match):
            before, name, after, year = match.groups()
            yield QueryDate(MONTHS[name.lower()], _day(before) or _day(after), int(year) if year else None)


def _day(digits: str | None) -> int | None:
    return int(digits) if digits and 1 <= int(digits) <= _MOST_DAY else None


def _is_month(text: str, match: re.Match[str]) -> bool:
    """Tell whether a word is a month: an ambiguous or abbreviated one only after a preposition of time."""
    name = match[2].lower()
    if len(name) < len("june") and name != "may":
        return match[1] is not None or match[3] is not None or match[4] is not None
    before = text[max(0, match.start(2) - _LONGEST_LEAD) : match.start(2)]
    return (
        name not in _ALSO_NO_MONTHS
        or _LEADS_TO_MONTH.search(before) is not None
        or _NUMBER_FOLLOWS.match(text, match.end(2)) is not None
    )


# "Can you remind me what my dentist is called?" is about the dentist's name. An embedder would treat the request
# phrase as part of the meaning, and return other requests with the same phrase.


_FEWEST_WORDS = 2  # informative words that must remain without the request phrase
_TELL = (
    r"(?:remind|tell|show|give|walk|take|list|provide|write|summari[sz]e|recap|explain|describe|recall|remember|"
    r"look up|find|check)"
)
_MEMORY = r"(?:conversations?|chats?|discussions?|sessions?|messages?|talks?)"
_POLITE = r"(?:(?:hi|hey|hello|ok|okay|so|well|thanks|please|and|also|now)\b[,!. ]*)*"
_BEGINS = re.compile(
    rf"\A{_POLITE}(?:"
    rf"(?:(?:can|could|would|will) you (?:please |maybe |quickly )?|please |"
    rf"i(?:'d| would)? (?:like|want|need) (?:you to )?)(?:help me (?:to )?)?"
    rf"{_TELL}(?: (?:me|us|through|again|to me|for me))*(?: (?:about|on|of|that))? |"
    rf"{_TELL} (?:me|us)(?: (?:through|again))?(?: (?:about|on|of|that))? |"
    r"do you (?:still )?(?:remember|recall|know)(?: (?:when|that|if))? |"
    r"i(?:'m| am| was) (?:just )?wondering(?: (?:if|whether|about))? |"
    r"(?:what|anything|everything) (?:do|did) (?:you know|i (?:tell|say to) you) about )",
    re.IGNORECASE,
)
_GENRE = re.compile(
    r"\A(?:(?:a|an|the) )?(?:(?:comprehensive|complete|clear|brief|short|detailed|quick|full|ordered|concise) )*"
    r"(?:(?:summary|overview|recap|list|order|timeline|history|sequence)"
    r"(?: (?:of|in which|on|about|for|how))+|in order) ",
    re.IGNORECASE,
)
_I_MENTIONED = (
    r"(?:(?:that|what|everything|how|as) )?(?:i|we)(?:'ve| have| had)? (?:(?:also|already|just|once) )?"
    r"(?:brought up|mentioned|discussed|talked about|told you|covered)\b(?: (?:about|that|so far))*"
)
_PARTS = (
    r"(?:(?:different|various|several|key|main) (?:aspects|concepts|topics|points|parts|things)"
    r"(?: (?:of|in|about|related to))? )?"
)
_MENTIONED_BEFORE = re.compile(rf"\A{_I_MENTIONED} {_PARTS}| {_I_MENTIONED}(?=\W*\Z)", re.IGNORECASE)
# "in our last chat I said", but not "in the chat service".
_NO_NOUN = (
    r"(?=\W*\Z|[^\w\s]|\s+(?:about|on|regarding|concerning|with|and|i|we|you|that|when|where|what|which|how|did|do|have|"
    r"has|had|was|were|is|are|in|for|to|of|so|from|by|without|including)\b)"
)
_WHERE = re.compile(
    rf" (?:throughout|through|across|during|in|over|from) (?:(?:all|any) (?:of )?)?(?:our|my|these|this|the) "
    rf"(?:(?:previous|past|earlier|last|whole|entire) )*{_MEMORY}(?: so far)?{_NO_NOUN}|"
    r",? in (?:chronological )?order(?=\W*\Z)",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\A(?:please )?(?:mention|list|give|answer|reply|respond|keep|limit|use|write|name|include)\b.*\b"
    r"(?:only|briefly|at most|bullet points?|short(?=\W*\Z)|"
    r"(?:in|to|under) (?:\w+ ){1,3}?(?:words?|sentences?|items?|bullets?|points?)|"
    r"(?:as|in) (?:a )?(?:table|json|markdown|list))\b",
    re.IGNORECASE,
)


def subject_of(request: str) -> str:
    """Return the subject of a request, without phrases that only request; keep a request if too little remains.

    >>> subject_of("Can you remind me what my dentist is called?")
    'what my dentist is called?'
    >>> subject_of("Who is my dentist?")
    'Who is my dentist?'
    """
    all_sentences = [" ".join(sentence.split()) for sentence in sentences(request.replace("\u2019", "'"))]
    requests = [sentence for sentence in all_sentences if not _FORM.match(sentence)] or all_sentences
    left = " ".join(_without_frame(sentence) for sentence in requests)
    changed = left != " ".join(all_sentences)
    informative = {word for word in words(left) if word not in STOP_WORDS | QUESTION_WORDS}
    return left if changed and len(informative) >= _FEWEST_WORDS else request


def _without_frame(sentence: str) -> str:
    left = _GENRE.sub("", _BEGINS.sub("", sentence))
    for pattern in (_WHERE, _MENTIONED_BEFORE):
        left = pattern.sub("", left)
    return left.strip(" ,")


_ASKING = r"(?:what|which|who|whom|whose|where|when|why|how)"
_ASKS_IF = (
    r"(?:is|are|was|were|do|does|did|has|have|can|could|should|will|would|may|must)\s+"
    r"(?:there|it|this|that|the|my|our|i|we|you|he|she|they|(?-i:[A-Z])\w*)"
)
_PREPOSITION = r"(?:(?:in|on|at|under|from|for|to|with|by|until|since|about)\s+)?"
# The next question of a sentence: "which seat should I take, and how long is the flight?"
_NEXT_QUESTION = re.compile(
    rf"[,;:]\s+(?:(?:and|or|also|then)\s+)?(?={_PREPOSITION}{_ASKING}\b|{_ASKS_IF}\b)|"
    rf"(?<!\s)\s+(?:and|or)\s+(?={_PREPOSITION}{_ASKING}\b|{_ASKS_IF}\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"\W*(?:(?:and|or|also|then|so|but)\s+)?(?:{_PREPOSITION}{_ASKING}|{_ASKS_IF})\b", re.IGNORECASE
)
_MOST_PARTS = 6
_LONGEST_PARTED_CHARS = 2000  # a longer text is a document rather than a query
_SHARE_OF_A_PART = 0.8  # a part with more of the text's words says what the whole text says


def parts_of(text: str) -> Sequence[str]:
    """Return the questions and requests of a text that has several, or one among other sentences; else nothing.

    >>> parts_of("I fly on Monday. Which seat do I like, and who waters the plants?")
    ['Which seat do I like', 'who waters the plants?']
    >>> parts_of("Which seat do I like?")
    []
    """
    if len(text) > _LONGEST_PARTED_CHARS:
        return []
    found = [
        part.strip(" ,;:")
        for sentence in sentences(text)
        for part in _NEXT_QUESTION.split(sentence)
        if is_question(part) or _ASKS.match(part) or _ASKS_FOR_HELP.search(part)
    ]
    most = _SHARE_OF_A_PART * word_count(text)
    unspecific = STOP_WORDS | QUESTION_WORDS
    parts = [part for part in found if word_count(part) <= most and not unspecific.issuperset(words(part))]
    return parts[-_MOST_PARTS:]


_WHEN = re.compile(
    r"\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how long)\b", re.IGNORECASE
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often|old|long)\b", re.IGNORECASE)
_WHO = re.compile(r"\W*(?:who|where|which)\b", re.IGNORECASE)
_ASKS_FOR_HELP = re.compile(
    r"\b(?:how|what|which|where)\b[^.?!]{0,60}\b(?:should|can|could|do|would|might)\s+(?:i|we|you)\b|"
    r"\b(?:can|could|would|will)\s+you\b|\bplease\b|\bhelp\s+(?:me|us)\b|"
    r"\b(?:show|walk|give|find|write|book|plan|make|draft|suggest|recommend)\s+(?:me|us|a|an|some|the|my|our)\b|"
    r"\b(?:i'm|i am|we're|we are)\s+(?:planning|looking|trying|about|working|thinking|preparing|updating)\b|"
    r"\b(?:advice|tips|suggestions|recommendations)\b",
    re.IGNORECASE,
)
_ASKS_WHAT_WAS_ANSWERED = re.compile(
    r"\b(?:did|have|had)\s+you\b|\byou(?:'ve|'d| have| had)?\s+(?:also\s+|just\s+|already\s+)?"
    r"(?:recommended|suggested|advised|said|told|mentioned|explained|gave|given|listed|proposed|described|outlined|"
    r"showed|shown|provided|wrote|written)\b|\byour\s+(?:advice|suggestions?|recommendations?|answers?|explanations?|"
    r"proposals?|repl(?:y|ies)|tips?)\b",
    re.IGNORECASE,
)
_TITLES = HONORIFICS | {"herr", "frau"}
# First names that are also words: they count as names only with a capital inside a sentence.
_ALSO_WORDS = frozenset(
    "angel april art august bill chase chip dawn drew faith frank grace grant hope hunter ivy joy june lily mark may "
    "miles penny rich rose sky summer will".split()
)
_NAME = re.compile(r"(?<![.!?:\"\u201d]\s)(?<!^)(?<![\"\u201c(])\b[A-Z][a-z]{2,}")
_SPOKEN_LINE = re.compile(
    r"^\s*[<\[]?([^\s\d:<>\[\]\uff1a][^:<>\[\]\n\uff1a]{0,30})[>\]]?\s*[:\uff1a]\s*(.+)$"
)
_AROUND_WORDS = string.punctuation + "\u00a1\u00ab\u00bb\u00bf\u2018\u2019\u201c\u201d\u201e\u2026"
_MOST_STEMS = 60
_LONG_QUERY_WORDS = 15  # a longer query states its main point at its end
_FOCUS_SENTENCES = 3
_FOCUS_TURNS = 2
_DIALOGUE_SHARE = 0.6  # share of lines that must name a speaker
_FOCUS_WEIGHT = 2.0
# Specificity of a part that is judged alone: of its most specific word, or the sum of all its words. Without a minimum,
# 7.0 % instead of 6.6 % of 2,971 foreign questions bring something (`make bench NAME=abstention`): "What's the next
# step?" has 1.25 in total.
_SPECIFIC_WORD = 0.85
_SPECIFIC_IN_TOTAL = 1.28
USER = "user"
ASSISTANT = "assistant"
_ROLES = frozenset({USER, ASSISTANT, "system", "tool"})


@dataclass(frozen=True)
class ParsedQuery:
    """A query with its lazily computed analysis.

    Attributes:
        text: The query.
        specificity: Returns the weight of a word, above 0 and at most 1; an unknown word has 1.
    """

    text: str
    specificity: Specificity = lambda _: 1.0

    @cached_property
    def language(self) -> Language | None:
        """Language of the query if it is certain and not English."""
        return language_of(self.text)

    @cached_property
    def languages(self) -> Sequence[Language]:
        """Possible languages other than English; a few words seldom identify one."""
        return languages_of(self.text)

    @cached_property
    def asks_about_the_past(self) -> bool:
        """True if the query concerns an earlier state."""
        return asks_about_the_past(self.text)

    @cached_property
    def asked_slot(self) -> AskedSlot | None:
        """Slot whose current value the query asks for; None: another question, or one about the past."""
        return None if self.asks_about_the_past else asked_slot(self.text)

    @cached_property
    def request(self) -> Request | None:
        """The request that the text is; None: a question or a statement."""
        return Request.read(self.text)

    @cached_property
    def words(self) -> list[str]:
        """Distinct searched words, in lower case."""
        return content_words(self.text, self.language)

    @cached_property
    def focus(self) -> str | None:
        """Focus of the query: the end of a long query, without phrases that only request; None: the whole query.

        The end is the last two turns of a dialogue, or else the last three sentences.
        """
        turns = _dialogue(self.text)
        if turns:
            end = " ".join(turns[-_FOCUS_TURNS:])
        elif word_count(self.text) > _LONG_QUERY_WORDS:
            end = " ".join(sentences(self.text)[-_FOCUS_SENTENCES:])
        else:
            end = self.text
        subject = subject_of(end)
        return None if subject == self.text else subject

    @cached_property
    def parts(self) -> Sequence["ParsedQuery"]:
        """Questions and requests of a text with several topics; empty for one with one topic, and for a dialogue.

        A part without specific words, such as "What's the next step?", is none: alone, it is near every plan.
        """
        if _dialogue(self.text):
            return []
        parts = [ParsedQuery(part, self.specificity) for part in parts_of(self.text)]
        return [part for part in parts if part.is_specific]

    @property
    def is_specific(self) -> bool:
        """True if the words say enough to judge memories by: one rare word, or several less frequent ones."""
        found = [self.specificity(word) for word in self.words if "'" not in word]
        return max(found, default=0.0) >= _SPECIFIC_WORD or sum(found) >= _SPECIFIC_IN_TOTAL

    @cached_property
    def focus_stems(self) -> frozenset[str]:
        """Stems of the words of the focus, or of the whole query if it has no focus."""
        return frozenset(stem(word) for word in content_words(self.focus or self.text, self.language))

    @cached_property
    def weighted_words(self) -> list[tuple[str, float]]:
        """One word per stem with its weight in the full-text search, higher for specific words and the focus."""
        best: dict[str, float] = {}
        for word in self.words:
            best[stem(word)] = max(best.get(stem(word), 0.0), self.specificity(word))
        weighted: dict[str, tuple[str, float]] = {}
        for word in self.words:
            key = stem(word)
            focus = _FOCUS_WEIGHT if key in self.focus_stems else 1.0
            weighted.setdefault(key, (word, focus * best[key] ** 2))
        return list(weighted.values())

    @cached_property
    def stems(self) -> list[str]:
        """Distinct stems of the searched words."""
        return stems(self.words)[:_MOST_STEMS]

    def terms_of(self, stems: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """Return the index terms to search for stems of the query, in each language that it may be in.

        Args:
            stems: Stems of the query.

        Returns:
            The stems that each index term stands for.
        """
        wanted = {stem_: [stem_] for stem_ in stems}
        of_language: defaultdict[str, list[str]] = defaultdict(list)
        for word in self.words:
            if (key := stem(word)) in wanted:
                for language in self.languages:
                    of_language[language.stem(word)].append(key)
        return {**wanted, **of_language}

    def as_written(self, stems: Collection[str]) -> list[str]:
        """Return the words of the query with these stems, in its spelling and order.

        Overlapping pairs of Chinese, Japanese or Korean characters are joined.

        >>> ParsedQuery("Boiler pressures of the 'Boilers'?").as_written({"boiler", "pressur"})
        ['Boiler', 'pressures']
        """
        found: list[str] = []
        for stem_, spelled in self._spellings.items():
            if stem_ not in stems:
                continue
            whole = found[-1] + spelled[1:] if found and contains_cjk(spelled) else ""
            if whole and found[-1][-1] == spelled[0] and whole in self.text:
                found[-1] = whole
            else:
                found.append(spelled)
        return found

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """Spelling of the first word of each stem in the query, in order."""
        spellings: dict[str, str] = {}
        for token in self.text.split():
            parts, lower = words(token), token.lower()
            for word in parts:
                start = lower.find(word)
                whole = token.strip(_AROUND_WORDS) if len(parts) == 1 else word
                spellings.setdefault(stem(word), token[start : start + len(word)] if start >= 0 else whole)
        return spellings

    @cached_property
    def named_stems(self) -> frozenset[str]:
        """Stems of the capitalised words inside sentences, without chat roles; empty for German."""
        if self.has_capital_nouns:
            return frozenset()
        found = (word for name in _NAME.findall(folded(self.text)) for word in words(name))
        return frozenset(stem(word) for word in found if word not in _ROLES)

    @cached_property
    def has_capital_nouns(self) -> bool:
        """True for German, in which a capital does not mark a name."""
        return self.language is not None and self.language.code == "de"

    @cached_property
    def length(self) -> int:
        """Number of words."""
        return len(words(self.text))

    @cached_property
    def all_words(self) -> frozenset[str]:
        """Every word of the query."""
        return frozenset(words(self.text))

    @cached_property
    def asks_when(self) -> bool:
        """True if it requests a date or a duration."""
        return _WHEN.search(self.text) is not None

    @cached_property
    def asks_how_many(self) -> bool:
        """True if it requests a number."""
        return _HOW_MANY.search(self.text) is not None

    @cached_property
    def asks_who(self) -> bool:
        """True if it requests a person, a place or a choice."""
        return _WHO.match(self.text) is not None

    @cached_property
    def asks_for_help(self) -> bool:
        """True if it requests help or advice, so that its author's preferences matter."""
        return _ASKS_FOR_HELP.search(self._straight) is not None

    @cached_property
    def asks_what_was_answered(self) -> bool:
        """True if the query refers to an earlier answer of an assistant."""
        return _ASKS_WHAT_WAS_ANSWERED.search(self._straight) is not None

    @cached_property
    def _straight(self) -> str:
        return self.text.replace("\u2019", "'")

    @cached_property
    def date(self) -> QueryDate | None:
        """Date or month in the query; see :func:`query_date`."""
        return query_date(self.text)

    def people_named(self, people: Iterable[str]) -> list[str]:
        """Return the people that the query names by full name, or by a first name that is not part of one.

        >>> ParsedQuery("Where does Anna Berg work?").people_named(["Anna Kahn", "Anna Berg"])
        ['Anna Berg']
        """
        known = {person: name for person in people if (name := _name_words(person))}
        whole = {name for name in known.values() if len(name) > 1 and self._holds(name)}
        taken = {word for name in whole for word in name}
        return [
            person
            for person, name in known.items()
            if name in whole or (name[0] not in taken and self._names(name[0]))
        ]

    def _holds(self, name: Sequence[str]) -> bool:
        return f" {' '.join(name)} " in f" {' '.join(self._folded_words)} "

    @cached_property
    def _folded_words(self) -> Sequence[str]:
        return words(folded(self.text))

    def _names(self, first: str) -> bool:
        if first not in self._folded_words:
            return False
        return first not in _ALSO_WORDS or re.search(_inside(first), self._straight) is not None

    def speaker_meant(self, people: Iterable[str]) -> str | None:
        """Return the speaker whose statements the query concerns, if that is clear.

        This is the only person that the query names. Without named speakers, it is the user if the query is in the
        first person.
        """
        known = list(people)
        named = self.people_named(known)
        if len(named) == 1:
            return named[0]
        return USER if not known and is_in_first_person(self.text) else None


def first_name(person: str) -> str:
    """Return a person's first name, without a title; a name without words stays unchanged.

    >>> first_name("Dr. Ito"), first_name("\U0001f642")
    ('Ito', '\U0001f642')
    """
    parts = [part for part in person.split() if words(part)] or [person]
    return next((part for part in parts if not _TITLES.issuperset(words(part))), parts[0])


def _name_words(person: str) -> tuple[str, ...]:
    found = words(folded(person))
    return tuple(word for word in found if word not in _TITLES) or tuple(found)


def _inside(name: str) -> str:
    """Return a pattern of a name, either capitalised inside a sentence or in the possessive."""
    return rf"(?:(?<=[\w,;)] ){name.capitalize()}\b|(?i:\b{re.escape(name)}'s\b))"


def _dialogue(text: str) -> list[str] | None:
    """Return the turns of a query that consists of ``Speaker: text`` lines, else None."""
    lines = [line for line in text.split("\n") if line.strip()]
    turns: list[str] = []
    for line in lines:
        if spoken := _SPOKEN_LINE.match(line):
            turns.append(spoken[2].strip().strip('"\u201c\u201d'))
        elif turns:
            turns[-1] = f"{turns[-1]} {line.strip()}"
    is_dialogue = len(turns) >= _FOCUS_TURNS and len(turns) >= _DIALOGUE_SHARE * len(lines)
    return turns if is_dialogue else None
