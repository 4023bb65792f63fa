"""How far a fact answers a question: by its meaning, by the question's words, and by what kind of answer is asked for.

::

    meaning = (cosine - floor) / (1 - floor), at least 0
    score   = (meaning + coverage) / 2, or the coverage where there are no vectors

The floor is what few unrelated texts reach with the embedder in use (``graph.recall.calibration``). A word's rarity is
its specificity squared, as in recall's full-text search; the coverage is the share of it that the fact holds.

A statement says in its own words all that it says. So it supports an answer if it is of whom is asked about, holds the
kind of answer asked for, every proper name, and next to all other words: a score of 0.35 at least, and a share of
0.95, or of 0.7 where its meaning is as near as 0.7 ("Alice likes tea" does not tell who likes coffee).

A turn of a conversation between people leaves out what the turns before it named. It supports an answer if one of the
people asked about says it, or it is said of them, and if ``meaning + coverage``, a bonus of 0.15 for the kind of answer
and a malus of 0.15 for a missing name are 0.8 together. No turn does where one of somebody else is ahead by 0.1, as it
is of them that it is true. A question states nothing: its sentences are not counted.

What that reaches stands in ``tests/bench/RESULTS.md`` (``recollect bench asking``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graph.asking.coverage import NO_KINSHIP, Held, Kinship, Required, held, required
from graph.asking.expecting import Expected, expected, holds
from graph.asking.models import CitationKind, Evidence, Fact
from graph.asking.subjects import is_of_people, is_of_whom_is_asked, people_named
from graph.recall.language import sentences
from graph.recall.question import Question

_LEAST_SCORE = 0.35
_LEAST_SHARE = 0.95
_LEAST_SHARE_MEANT = 0.7
_MEANT = 0.7
_LEAST_OF_TURN = 0.8
_MOST_BEHIND = 0.1
_LEAST_SHARE_OF_TURN = 0.5  # where there are no vectors
_KIND_BONUS = 0.15
_NAME_MALUS = 0.15
_RELATED = 0.25  # what a language model may read


@dataclass(frozen=True)
class Similarity:
    """The cosines of facts and question, in the order of the facts, and what few unrelated texts reach."""

    cosines: Sequence[float]
    floor: float

    def meanings(self) -> list[float]:
        """Return how far each lies above the floor, 0..1."""
        return [max(0.0, (cosine - self.floor) / (1 - self.floor)) for cosine in self.cosines]


@dataclass(frozen=True)
class Support:
    """Facts by how far they answer a question.

    Attributes:
        ranked: The best first.
        supporting: Those that support an answer by themselves, the best first.
    """

    ranked: Sequence[Evidence]
    supporting: Sequence[Evidence]

    @property
    def related(self) -> list[Evidence]:
        """What may support an answer if it is read with understanding, the best first."""
        return [evidence for evidence in self.ranked if evidence.score >= _RELATED]


class Asked:
    """A question, read for what answers it."""

    def __init__(self, question: Question, facts: Sequence[Fact]) -> None:
        self._text = question.text
        self._kind = expected(question.text)
        self._named = people_named(
            question.text, dict.fromkeys(fact.speaker for fact in facts if fact.speaker)
        )
        self._required = required(question.text, question.specificity)

    @cached_property
    def _required_of_turns(self) -> Required:
        return self._required.without(self._named)

    def held(self, fact: Fact, kinship: Kinship) -> Held:
        """Return what a fact holds of what is required."""
        if fact.speaker:
            return held(self._required_of_turns, stated(fact.text), kinship)
        return held(self._required, f"{fact.context}. {stated(fact.text)}", kinship)

    def is_stated_by(self, fact: Fact, found: Held, meaning: float | None) -> bool:
        """Tell whether a statement supports an answer by itself."""
        said = stated(fact.text)
        if not said or not found.has_names:
            return False
        names_more = bool(self._required.words or self._required.han)
        if not is_of_whom_is_asked(said, self._text, names_more=names_more):
            return False
        # Whatever has a name may be who does something: "payments takes money from cards".
        is_named = self._kind is Expected.PERSON and fact.kind in (CitationKind.ENTITY, CitationKind.RELATION)
        if not is_named and not holds(self._kind, said, self._text):
            return False
        if meaning is None:
            return found.share >= _LEAST_SHARE
        if (meaning + found.share) / 2 < _LEAST_SCORE:
            return False
        return found.share >= _LEAST_SHARE or (found.share >= _LEAST_SHARE_MEANT and meaning >= _MEANT)

    def is_of_whom_is_asked(self, turn: Fact) -> bool:
        """Tell whether a turn is said by one of the people asked about, or of them."""
        return not self._named or is_of_people(stated(turn.text), turn.speaker or "", self._named)

    def turn_score(self, turn: Fact, found: Held, meaning: float | None) -> float:
        """Return how far a turn answers, whoever says it: 0..2.15, where 0.8 supports an answer."""
        said = stated(turn.text)
        if not said:
            return 0.0
        has_kind = holds(self._kind, said, self._text)
        if meaning is None:
            return _LEAST_OF_TURN * found.share / _LEAST_SHARE_OF_TURN if has_kind else 0.0
        return meaning + found.share + has_kind * _KIND_BONUS - (not found.has_names) * _NAME_MALUS


def stated(text: str) -> str:
    """Return the sentences of a text that state something, which a question does not."""
    return " ".join(
        part for part in sentences(text) if not part.rstrip("\"')\u201d").endswith(("?", "\uff1f"))
    )


def support_of(
    question: Question, facts: Sequence[Fact], similarity: Similarity | None, kinship: Kinship = NO_KINSHIP
) -> Support:
    """Return the facts by how far they answer; without a similarity the words alone decide."""
    asked = Asked(question, facts)
    meanings = similarity.meanings() if similarity else [None] * len(facts)
    ranked: list[Evidence] = []
    supporting: list[Evidence] = []
    turns: list[_Turn] = []
    for fact, meaning in zip(facts, meanings, strict=True):
        found = asked.held(fact, kinship)
        score = found.share if meaning is None else (meaning + found.share) / 2
        evidence = Evidence(fact=fact, score=min(score, 1.0))
        ranked.append(evidence)
        if fact.speaker:
            score = asked.turn_score(fact, found, meaning)
            turns.append(_Turn(evidence, score, is_of_them=asked.is_of_whom_is_asked(fact)))
        elif asked.is_stated_by(fact, found, meaning):
            supporting.append(evidence)
    supporting += _supporting(turns)
    return Support(_best_first(ranked), _best_first(supporting))


def likeliest(question: Question, facts: Sequence[Fact], count: int) -> list[Fact]:
    """Return so many of the facts, those that hold the most of what is asked first."""
    asked = Asked(question, facts)
    shares = [asked.held(fact, NO_KINSHIP).share for fact in facts]
    return [facts[index] for index in sorted(range(len(facts)), key=lambda index: -shares[index])[:count]]


@dataclass(frozen=True)
class _Turn:
    """A turn of a conversation, how far it answers, and whether it is of whom is asked about."""

    evidence: Evidence
    score: float
    is_of_them: bool


def _supporting(turns: Sequence[_Turn]) -> list[Evidence]:
    """Return the turns that support an answer; none where somebody else's turn answers better."""
    own = [turn for turn in turns if turn.is_of_them and turn.score >= _LEAST_OF_TURN]
    others = max((turn.score for turn in turns if not turn.is_of_them), default=0.0)
    is_of_others = others > max((turn.score for turn in own), default=0.0) + _MOST_BEHIND
    return [] if is_of_others else [turn.evidence for turn in own]


def _best_first(evidence: Sequence[Evidence]) -> list[Evidence]:
    return sorted(evidence, key=lambda each: -each.score)
