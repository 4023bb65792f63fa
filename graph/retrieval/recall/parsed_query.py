"""What a query asks, read once per recall."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from graph.core.text.detection import language_of, languages_of
from graph.core.text.language import Specificity, content_words, sentences, stem, stems, word_count, words
from graph.core.text.stemming import Language
from graph.retrieval.recall.framing import subject_of

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_ANY_MONTH = "|".join(_MONTHS)
_MONTH = re.compile(rf"\b({_ANY_MONTH})\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(20\d\d)\b")
_DAY = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_ANY_MONTH})\b|\b(?:{_ANY_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how long)\b", re.IGNORECASE
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often|old|long)\b", re.IGNORECASE)
_WHO = re.compile(r"\W*(?:who|where|which)\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b", re.IGNORECASE)
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
_NAME = re.compile(r"(?<![.!?:\"\u201d]\s)(?<!^)(?<![\"\u201c(])\b[A-Z][a-z]{2,}")
_SPOKEN_LINE = re.compile(r"^\s*[<\[]?([^\s:<>\[\]\uff1a][^:<>\[\]\n\uff1a]{0,30})[>\]]?\s*[:\uff1a]\s*(.+)$")

_VERBS = frozenset({"may", "march"})
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?]\s)\W*\Z")
_NUMBER_FOLLOWS = re.compile(r"\W{0,3}\d")
_LONGEST_DATED_QUERY = 400  # characters; in a longer text a month is seldom what is asked for
_MOST_STEMS = 60
_LONG_QUERY_WORDS = 15  # a longer query comes to its point at its end
_FOCUS_SENTENCES = 3
_FOCUS_TURNS = 2
_DIALOGUE_SHARE = 0.6  # of the lines must name a speaker
_FOCUS_WEIGHT = 2.0
USER = "user"
ASSISTANT = "assistant"
_ROLES = frozenset({USER, ASSISTANT, "system", "tool"})


@dataclass(frozen=True)
class ParsedQuery:
    """A query and what can be told of it without a model.

    Attributes:
        text: The query.
        specificity: How much a word tells, above 0 to 1; 1 for a word nothing is known of.
    """

    text: str
    specificity: Specificity = lambda _: 1.0

    @cached_property
    def language(self) -> Language | None:
        """Which language it is certainly in, beside English."""
        return language_of(self.text)

    @cached_property
    def languages(self) -> Sequence[Language]:
        """Which it may be in beside English: a few words seldom tell."""
        return languages_of(self.text)

    @cached_property
    def words(self) -> list[str]:
        """The distinct words searched for, in lower case."""
        return content_words(self.text, self.language)

    @cached_property
    def focus(self) -> str | None:
        """What a query comes to: the end of a long one, without the words that only ask for an answer.

        The end is the last two turns of a dialogue, else the last three sentences. None: the whole query.
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
    def focus_stems(self) -> frozenset[str]:
        """Stems of the words of the focus, or of the whole query where it has none."""
        return frozenset(stem(word) for word in content_words(self.focus or self.text, self.language))

    @cached_property
    def weighted_words(self) -> list[tuple[str, float]]:
        """One word per stem with its weight in the full-text search: the specific and those of the focus count more."""
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
        """The distinct stems of the words searched for."""
        return stems(self.words)[:_MOST_STEMS]

    def terms_of(self, stems: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """Return what memories hold of the query's words, in each language it may be in.

        Args:
            stems: Those of the query's stems that are asked for.

        Returns:
            Which of these stems each such term stands for.
        """
        wanted = {stem_: [stem_] for stem_ in stems}
        of_language: defaultdict[str, list[str]] = defaultdict(list)
        for word in self.words:
            if (key := stem(word)) in wanted:
                for language in self.languages:
                    of_language[language.stem(word)].append(key)
        return {**wanted, **of_language}

    @cached_property
    def named_stems(self) -> frozenset[str]:
        """Stems of the words with a capital inside a sentence, without the roles of a chat."""
        found = (word for name in _NAME.findall(self.text) for word in words(name))
        return frozenset(stem(word) for word in found if word not in _ROLES)

    @cached_property
    def length(self) -> int:
        """How many words the query has."""
        return len(words(self.text))

    @cached_property
    def all_words(self) -> frozenset[str]:
        """Every word of the query."""
        return frozenset(words(self.text))

    @cached_property
    def asks_when(self) -> bool:
        """Whether a date or a duration is asked for."""
        return _WHEN.search(self.text) is not None

    @cached_property
    def asks_how_many(self) -> bool:
        """Whether a number is asked for."""
        return _HOW_MANY.search(self.text) is not None

    @cached_property
    def asks_who(self) -> bool:
        """Whether a person, a place or one of several is asked for."""
        return _WHO.match(self.text) is not None

    @cached_property
    def asks_for_help(self) -> bool:
        """Whether something is to be done or advised, so that it matters how its author likes things to be."""
        return _ASKS_FOR_HELP.search(self._straight) is not None

    @cached_property
    def asks_what_was_answered(self) -> bool:
        """Whether it asks for what an assistant said before."""
        return _ASKS_WHAT_WAS_ANSWERED.search(self._straight) is not None

    @cached_property
    def _straight(self) -> str:
        return self.text.replace("\u2019", "'")

    @cached_property
    def month(self) -> int | None:
        """The month named, 1 to 12; ``may`` and ``march`` only where they cannot be verbs."""
        if len(self.text) > _LONGEST_DATED_QUERY:
            return None
        for found in _MONTH.finditer(self.text):
            if not self._may_be_a_verb(found):
                return _MONTHS.index(found[1].lower()) + 1
        return None

    def _may_be_a_verb(self, month: re.Match[str]) -> bool:
        if month[1].lower() not in _VERBS:
            return False
        begins_sentence = _SENTENCE_BEGINS.search(self.text, 0, month.start(1)) is not None
        has_number = _NUMBER_FOLLOWS.match(self.text, month.end(1)) is not None
        return month[1].islower() or (begins_sentence and not has_number)

    @cached_property
    def year(self) -> int | None:
        """The year named together with a month."""
        found = _YEAR.search(self.text)
        return int(found[1]) if found and self.month is not None else None

    @cached_property
    def day(self) -> int | None:
        """The day named together with a month, 1 to 31."""
        found = _DAY.search(self.text)
        return int(found[1] or found[2]) if found and self.month is not None else None

    def speaker_meant(self, people: Iterable[str]) -> str | None:
        """Return whose words are asked about.

        That is the one person whose first name the query holds; where no person takes part, only a user and an
        assistant, it is the user if the query speaks of itself.
        """
        known = list(people)
        named = [person for person in known if words(person) and words(person)[0] in self.all_words]
        if len(named) == 1:
            return named[0]
        return USER if not known and _FIRST_PERSON.search(self.text) else None


def _dialogue(text: str) -> list[str] | None:
    """Return what is said turn by turn where a query is made of ``Speaker: text`` lines, else None."""
    lines = [line for line in text.split("\n") if line.strip()]
    turns: list[str] = []
    for line in lines:
        if spoken := _SPOKEN_LINE.match(line):
            turns.append(spoken[2].strip().strip('"\u201c\u201d'))
        elif turns:
            turns[-1] = f"{turns[-1]} {line.strip()}"
    is_dialogue = len(turns) >= _FOCUS_TURNS and len(turns) >= _DIALOGUE_SHARE * len(lines)
    return turns if is_dialogue else None
