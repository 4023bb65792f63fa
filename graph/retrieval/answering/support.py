"""Scores how well facts answer a question: by meaning, by the question's words, and by the kind of answer.

::

    meaning = (cosine - floor) / (1 - floor), at least 0
    score   = (meaning + coverage) / 2, or the coverage if there are no vectors

The floor is a cosine that few unrelated texts reach with the active embedder (``graph.retrieval.recall.relevance``).
The coverage is the share of the question's words in the fact, weighted by rarity: the specificity squared, as in
recall's full-text search.

A statement stands on its own. It supports an answer if it is about the subject of the question, and has the kind of
answer, every proper name and nearly all other words. The score must be at least 0.35 and the coverage 0.95, or 0.7 with
a meaning of 0.7: "Alice likes tea" does not tell who likes coffee. A negated statement answers a negated question or a
yes-or-no question, but not who or which one. Headings above a statement count as its words. For a question about steps
("How do I …?", "Which command …?"), each sentence below a heading is compared separately; if the question contains the
whole heading and the step has the question's verb, a coverage of 0.7 is enough. The statement need not have a type that
the question names ("Which team …?", "the Payments service"; see ``graph.retrieval.answering.answer_types``).

A section whose heading fits a question for a procedure answers it alone (``graph.retrieval.answering.procedures``).
Another section with numbered steps answers only if one of its steps has the question's verb and a coverage of 0.95.

A turn of a conversation omits names from earlier turns, and may be about either person. Sentences in the first person
are about the speaker, sentences that address somebody about the addressee (``graph.retrieval.answering.subjects``).
Both parts are compared separately::

    score of a part = 1.25 meaning + coverage + 0.3 for the kind of answer - 0.3 for a missing name
                      + 0.3 / rank among the hits, because recall also searches the turns around

Parts about a person in question support an answer from a score of 0.95. If a part about another person has a higher
score than all of them, the minimum rises by the difference, because the answer is probably true of that person. Without
vectors, the coverage alone decides. Questions in a turn do not count, because they state nothing.

``tests/bench/RESULTS.md`` has the measured quality (``make bench NAME=ask``).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graph.core.text.language import sentences
from graph.memories.changes.statements import slot_statements
from graph.retrieval.answering.coverage import (
    NO_KINSHIP,
    HeldWords,
    Kinship,
    Required,
    has_polarity,
    held,
    required,
)
from graph.retrieval.answering.expecting import Expected, asks_how, expected, holds
from graph.retrieval.answering.models import CitationKind, Evidence, SupportingFact
from graph.retrieval.answering.same_words import joined_words, keys_of
from graph.retrieval.answering.subjects import (
    addressee,
    is_about_subject,
    is_about_user,
    names_of_user,
    parted,
    speaks_of_one,
)
from graph.retrieval.recall.parsed_query import ParsedQuery

_LEAST_SCORE = 0.35
_LEAST_SHARE = 0.95
_LEAST_SHARE_MEANT = 0.7
_MEANT = 0.7
_LEAST_MEANT = 0.15  # minimum meaning of a statement without any word of the question
_MEANT_WITHOUT_VERB = 0.55
_LEAST_OF_PART = 0.95
_MEANING_OF_PART = 1.25
_KIND_BONUS = 0.3
_NAME_MALUS = 0.3
_FIRST_BONUS = 0.3
_LEAST_SHARE_OF_PART = 0.5  # minimum coverage of a part without vectors
_RELATED = 0.25  # minimum score of facts for a language model


@dataclass(frozen=True)
class Reading:
    """A text to compare with a question: a statement, or the part of a turn about one person.

    Attributes:
        statement: Its sentences without questions; may be empty.
        is_to_another: True if the part is about the addressee of the turn, not about its speaker.
    """

    fact: SupportingFact
    statement: str
    is_to_another: bool = False

    @property
    def compared(self) -> str:
        """Text to embed."""
        if self.fact.speaker:
            return self.statement or self.fact.text
        above = [each for each in self.fact.title.split("\n") if each not in self.fact.text]
        return ": ".join(part for part in (self.fact.context, *above, self.fact.text) if part)


def readings(facts: Iterable[SupportingFact]) -> list[Reading]:
    """Return the readings of facts: one for each statement, one or two for each turn."""
    return [reading for fact in facts for reading in _readings(fact)]


def _readings(fact: SupportingFact) -> list[Reading]:
    statement = stated(fact.text)
    if not fact.speaker or not statement:
        return [Reading(fact, statement)]
    own, to_another = parted(statement)
    return [
        Reading(fact, part, is_to_another)
        for part, is_to_another in ((own, False), (to_another, True))
        if part
    ]


@dataclass(frozen=True)
class Similarity:
    """Cosines of the readings with the question, in order, and their floors: one for all, or one for each."""

    cosines: Sequence[float]
    floor: float | Sequence[float]

    def meanings(self) -> list[float]:
        """Return the meaning of each reading, 0..1: its cosine relative to its floor."""
        floors = np.asarray(self.floor)
        found: list[float] = np.maximum((np.asarray(self.cosines) - floors) / (1 - floors), 0.0).tolist()
        return found


@dataclass(frozen=True)
class Support:
    """Facts with their scores as answers to a question.

    Attributes:
        ranked: All facts, best first.
        supporting: Facts that support an answer on their own, best first.
    """

    ranked: Sequence[Evidence]
    supporting: Sequence[Evidence]

    @property
    def related(self) -> list[Evidence]:
        """Facts that may answer if a language model interprets them, best first."""
        return [evidence for evidence in self.ranked if evidence.score >= _RELATED]


class QuestionTerms:
    """A question with its requirements: kind of answer, subject and words."""

    def __init__(self, parsed: ParsedQuery, facts: Sequence[SupportingFact]) -> None:
        self._parsed = parsed
        self._text = parsed.text
        self._kind = expected(parsed.text)
        self._user = names_of_user(fact.text for fact in facts if not fact.speaker)
        self._people = list(dict.fromkeys(fact.speaker for fact in facts if fact.speaker))
        self._named = parsed.people_named(self._people)
        self._required = required(parsed)

    @cached_property
    def _required_of_turns(self) -> Required:
        return self._required.without(self._named)

    def held(self, reading: Reading, kinship: Kinship) -> HeldWords:
        """Compare a reading with the required words."""
        if reading.fact.speaker:
            return held(self._required_of_turns, reading.statement, kinship)
        fact = reading.fact
        if fact.heading_fit or self.states_asked_slot(fact):
            return HeldWords(1.0, has_names=True)
        above = "\n".join(part for part in (fact.context, fact.title, fact.replaced_with) if part)
        # Compare the steps below a heading one by one, because two steps concern different things.
        parts = sentences(reading.statement) if fact.title and asks_how(self._text) else [reading.statement]
        if fact.steps:
            # A step below the heading of another procedure must have all words: "Rotate the key: Delete the old one".
            above = above if self._is_titled_by(fact.title.rpartition("\n")[2]) else ""
            parts = list(fact.steps)
        found = [held(self._required, part, kinship, above=above) for part in parts]
        return max(
            found, key=lambda each: (each.has_names, each.share), default=HeldWords(0.0, has_names=False)
        )

    def is_stated_by(self, reading: Reading, found: HeldWords, meaning: float | None) -> bool:
        """Tell whether a statement supports an answer on its own."""
        is_of_another = reading.fact.steps and not (found.has_verb and found.share >= _LEAST_SHARE)
        is_possible = reading.statement and found.has_names and not is_of_another
        if not is_possible or not self._is_of_whom_and_of_kind(reading):
            return False
        if meaning is None:
            return found.share >= _LEAST_SHARE
        if (meaning + found.share) / 2 < _LEAST_SCORE or (meaning < _LEAST_MEANT and not found.is_literal):
            return False
        if found.share >= _LEAST_SHARE_MEANT and found.has_verb and self._is_titled_by(reading.fact.title):
            return True
        if found.lacks_only_verb and meaning >= _MEANT_WITHOUT_VERB:
            return True
        is_near = found.share >= _LEAST_SHARE_MEANT and meaning >= _MEANT and found.has_category
        return found.share >= _LEAST_SHARE or is_near

    def states_asked_slot(self, fact: SupportingFact) -> bool:
        """Tell whether a memory states the value of the slot that the question asks for; documents are of anybody."""
        asked = self._parsed.asked_slot
        is_memory = fact.kind is CitationKind.MEMORY
        return asked is not None and is_memory and any(map(asked.is_answered_by, slot_statements(fact.text)))

    def _is_titled_by(self, title: str) -> bool:
        """Tell whether a question about steps contains all words of a text's title."""
        if not title or not asks_how(self._text):
            return False
        subject = re.split(r"[:\u203a]", title)[-1].strip()
        return (
            len(keys_of(joined_words(subject))) > 1
            and held(required(ParsedQuery(subject)), self._text).share == 1.0
        )

    def _is_of_whom_and_of_kind(self, reading: Reading) -> bool:
        names_more = bool(self._required.words or self._required.han)
        if not names_more and (self._kind is Expected.OPEN or not is_about_user(self._text)):
            return False  # the question has nothing to compare
        rest = reading.statement.lstrip("# ").removeprefix(reading.fact.title.rpartition("\n")[2])
        if not is_about_subject(rest, self._parsed, names_more=names_more, user=self._user):
            return False
        if not has_polarity(self._required, reading.statement):
            return False
        # Any named entity may do something: "payments takes money from cards".
        is_named = reading.fact.kind in (CitationKind.ENTITY, CitationKind.RELATION)
        if self._kind is Expected.PERSON and is_named:
            return True
        return holds(self._kind, reading.statement, self._text)

    def is_about_subject(self, part: Reading) -> bool:
        """Tell whether a part of a turn is about a person in question; if the question names nobody, every part is."""
        fact = part.fact
        whose = addressee(fact.text, fact.speaker or "", self._people) if part.is_to_another else fact.speaker
        return not self._named or whose in self._named or speaks_of_one(part.statement, self._named)

    def part_score(self, part: Reading, found: HeldWords, meaning: float | None) -> float:
        """Return the score of a part of a turn regardless of its person, from -0.3; 0.95 supports an answer."""
        if not part.statement:
            return 0.0
        has_kind = holds(self._kind, part.statement, self._text)
        if meaning is None:
            return _LEAST_OF_PART * found.share / _LEAST_SHARE_OF_PART if has_kind else 0.0
        first = _FIRST_BONUS / (1 + part.fact.place) if part.fact.place is not None else 0.0
        own = _MEANING_OF_PART * meaning + found.share + first
        return own + has_kind * _KIND_BONUS - (not found.has_names) * _NAME_MALUS


def stated(text: str) -> str:
    """Return the sentences of a text without questions."""
    return " ".join(
        part for part in sentences(text) if not part.rstrip("\"')\u201d").endswith(("?", "\uff1f"))
    )


def support_of(
    parsed: ParsedQuery,
    read: Sequence[Reading],
    similarity: Similarity | None,
    kinship: Kinship = NO_KINSHIP,
) -> Support:
    """Score facts as answers to a question; without a similarity, words alone decide."""
    terms = QuestionTerms(parsed, [reading.fact for reading in read])
    meanings = similarity.meanings() if similarity else [None] * len(read)
    ranked: list[Evidence] = []
    supporting: list[Evidence] = []
    parts: list[_Part] = []
    for reading, meaning in zip(read, meanings, strict=True):
        found = terms.held(reading, kinship)
        score = found.share if meaning is None else (meaning + found.share) / 2
        evidence = Evidence(fact=reading.fact, score=min(score, 1.0))
        ranked.append(evidence)
        if reading.fact.speaker:
            score = terms.part_score(reading, found, meaning)
            parts.append(_Part(evidence, score, is_of_them=terms.is_about_subject(reading)))
        elif (
            reading.fact.heading_fit
            or terms.states_asked_slot(reading.fact)
            or terms.is_stated_by(reading, found, meaning)
        ):
            supporting.append(evidence)
    supporting += _supporting(parts)
    return Support(best_first(ranked), _procedure_first(best_first(supporting)))


def _procedure_first(supporting: Sequence[Evidence]) -> list[Evidence]:
    """Put the sections whose heading fits best first, and remove other sections and passages of documents."""
    best = max((each.fact.heading_fit for each in supporting), default=0.0)
    if not best:
        return list(supporting)
    others = (each for each in supporting if not each.fact.steps and each.fact.kind is not CitationKind.CHUNK)
    return [*(each for each in supporting if each.fact.heading_fit == best), *others]


def beside_what_replaced(facts: Sequence[SupportingFact]) -> list[SupportingFact]:
    """Add to each superseded fact the texts of the facts that supersede it."""
    texts = {fact.id: fact.text for fact in reversed(facts)}
    return [
        fact.model_copy(
            update={"replaced_with": " ".join(texts[id_] for id_ in fact.replaced_by if id_ in texts)}
        )
        if fact.replaced_by
        else fact
        for fact in facts
    ]


def limited_to_time(support: Support, *, past: bool) -> Support:
    """Replace superseded facts in the support by current ones; for the past, remove the later ones instead.

    A change often has other words than the question ("I moved to Berlin"), so it inherits the score of the older state.
    """
    best = {each.fact.id: each for each in reversed(support.ranked)}
    replaced = [each for each in support.supporting if each.fact.replaced_by]
    if past:
        later = {id_ for each in replaced for id_ in later_states(each.fact, best)}
        earlier = [each for each in support.supporting if each.fact.id not in later]
        return Support(support.ranked, sorted(earlier, key=lambda each: not each.fact.replaced_by))
    newest: dict[str, Evidence] = {}
    answered: set[str] = set()
    for each in replaced:
        current = [best[id_] for id_ in later_states(each.fact, best) if not best[id_].fact.replaced_by]
        answered |= {each.fact.id} if current else set()
        for one in current:
            fact = one.fact.model_copy(update={"is_new_state": True})
            score = max(one.score, each.score, newest[fact.id].score if fact.id in newest else 0.0)
            newest[fact.id] = one.model_copy(update={"fact": fact, "score": score})
    if not newest:
        return support
    ranked = [*newest.values(), *(each for each in support.ranked if each.fact.id not in newest)]
    known = [each for each in support.supporting if each.fact.id not in {*newest, *answered}]
    return Support(best_first(ranked), best_first([*newest.values(), *known]))


def later_states(fact: SupportingFact, found: Mapping[str, Evidence]) -> list[str]:
    """Return the ids of the found facts that supersede a fact, directly or in several steps."""
    later: dict[str, None] = {}
    waiting = list(fact.replaced_by)
    while waiting:
        id_ = waiting.pop()
        if id_ in found and id_ not in later:
            later[id_] = None
            waiting += found[id_].fact.replaced_by
    return list(later)


def all_of(facts: Sequence[SupportingFact]) -> Support:
    """Return the support for a question that every fact answers, in the given order."""
    evidence = [Evidence(fact=fact, score=1.0) for fact in facts]
    return Support(evidence, evidence)


def likeliest(parsed: ParsedQuery, facts: Sequence[SupportingFact], count: int) -> list[SupportingFact]:
    """Return the ``count`` facts with the highest coverage, best first."""
    terms = QuestionTerms(parsed, facts)
    shares = [max(terms.held(reading, NO_KINSHIP).share for reading in _readings(fact)) for fact in facts]
    return [facts[index] for index in sorted(range(len(facts)), key=lambda index: -shares[index])[:count]]


@dataclass(frozen=True)
class _Part:
    """A part of a turn with its score; ``is_of_them`` is True if it is about a person in question."""

    evidence: Evidence
    score: float
    is_of_them: bool


def _supporting(parts: Sequence[_Part]) -> list[Evidence]:
    """Return the parts that support an answer; the minimum rises by the lead of parts about other people."""
    own = [part for part in parts if part.is_of_them]
    best = max((part.score for part in own), default=0.0)
    ahead = max((part.score for part in parts if not part.is_of_them), default=0.0) - best
    least = _LEAST_OF_PART + max(ahead, 0.0)
    return [part.evidence for part in own if part.score >= least]


def best_first(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return each fact once, with its best score, best first."""
    best: dict[SupportingFact, Evidence] = {}
    for each in sorted(evidence, key=lambda each: -each.score):
        best.setdefault(each.fact, each)
    return list(best.values())
