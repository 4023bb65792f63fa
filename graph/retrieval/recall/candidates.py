"""Candidates of a recall, as the gathering queries return them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from graph.core.text.language import stem, words
from graph.memories.changes.questions import AskedSlot
from graph.memories.changes.timeline import StatedSlots
from graph.retrieval.recall.topics import Request

Column = NDArray[np.float64]

MOST_WORDS_OF_A_STATEMENT: Final = 25
"""Maximum number of words of a memory whose topic may be that of a request."""
_WHAT_EVERY_ONE_HAS = itemgetter("id", "words", "at", "importance", "usage_count", "age_days")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate, as ``gather_candidates`` returns it.

    Attributes:
        turn_scope: Id of the chain of its turn; None for a memory that is not a turn.
        cosine: Cosine of the query with the memory's vector, -1..1; None without a vector.
        part_cosine: Highest cosine of the query with a passage of the memory.
        focus_cosine: Highest cosine of the query's focus with the memory or a passage.
        asked_cosines: Highest cosine of each part of the query with the memory or a passage; empty: it has no parts.
        names: Lower-case names in its text.
        matched: Stems of the query in its text, tags and keywords, each between spaces.
        at: Event time in seconds since 1970.
        age_days: Whole days since the save.
        superseded_by: Ids of live memories within the scope that supersede it.
        closed_by: Ids of live memories that state the next value of a slot, if it has ended or the query has words of
            the part that has.
        mentions: Ids of the query's entities that it mentions.
        slots: Slots of which it states a value, with their owner; None unless the query asks for a slot.
        statement: Its text if the query is a request, unless it is long or a turn.
        has_cjk: True if its text has Chinese, Japanese or Korean characters; keywords do not count.
    """

    id: str
    turn_scope: str | None
    position: int | None
    previous_id: str | None
    next_id: str | None
    cosine: float | None
    part_cosine: float | None
    focus_cosine: float | None
    matched: Sequence[str]
    type: str
    words: int
    is_question: bool
    first_person: bool
    has_time: bool
    has_number: bool
    names: frozenset[str]
    speaker: str | None
    at: int
    importance: float
    usage_count: int
    age_days: int
    superseded_by: Sequence[str]
    closed_by: Sequence[str] = ()
    mentions: Sequence[str] = ()
    has_cjk: bool = False
    statement: str | None = None
    slots: StatedSlots | None = None
    asked_cosines: Sequence[float | None] = ()


_FIELDS = tuple(each.name for each in fields(Candidate))
_FIELDS_OF = attrgetter(*_FIELDS)


@dataclass(frozen=True, slots=True)
class NamedInQuery:
    """An entity that the query names.

    Attributes:
        name: Name of the entity.
        stems: Stems of the name or alias in the query.
    """

    name: str
    stems: frozenset[str]


@dataclass(frozen=True)
class Pool:
    """All candidates of one recall, with the lists that found them.

    Attributes:
        text_scores: Lucene's scores of memories found by words, by id, best first.
        window_scores: Lucene's scores of memories found by the words of their windows, by id.
        vector_ids: Ids of memories found by meaning, nearest first.
        mention_ids: Ids of memories that mention an entity of the query, the most informative first.
        named: Entities of the query, by id.
    """

    candidates: Sequence[Candidate]
    text_scores: Mapping[str, float]
    window_scores: Mapping[str, float]
    vector_ids: Sequence[str]
    mention_ids: Sequence[str] = ()
    named: Mapping[str, NamedInQuery] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        *,
        text_scores: Sequence[Mapping[str, Any]],
        window_scores: Sequence[Mapping[str, Any]],
        similarities: Sequence[Mapping[str, Any]],
        mention_scores: Sequence[Mapping[str, Any]],
        named: Sequence[Mapping[str, Any]],
        candidates: Sequence[Mapping[str, Any]],
    ) -> "Pool":
        """Build a pool from the columns of a gathering query, without memories deleted while it ran."""
        text_scores, window_scores, similarities, mention_scores, named = (
            [row for row in rows if row["id"] is not None]
            for rows in (text_scores, window_scores, similarities, mention_scores, named)
        )
        by_text = sorted(text_scores, key=lambda found: (-found["score"], found["id"]))
        by_meaning = sorted(similarities, key=lambda found: (-found["score"], found["id"]))
        by_mention = sorted(mention_scores, key=lambda found: (-found["score"], found["id"]))
        return cls(
            candidates=[_candidate(columns) for columns in candidates if not _is_gone(columns)],
            text_scores={found["id"]: found["score"] for found in by_text},
            window_scores={found["id"]: found["score"] for found in window_scores},
            vector_ids=[found["id"] for found in by_meaning],
            mention_ids=[found["id"] for found in by_mention],
            named={entity["id"]: _named(entity) for entity in named},
        )

    def reading(self, terms: Mapping[str, Sequence[str]]) -> "Pool":
        """Replace the index terms in ``matched`` by the query's stems; see ``terms_of``."""
        if all(stems == [term] for term, stems in terms.items()):
            return self
        return replace(self, candidates=[_reading(candidate, terms) for candidate in self.candidates])

    def asked_by(self, part: int) -> "Pool":
        """Return the pool with the cosines of one part of the query as those of the query."""
        cosines = [each.asked_cosines[part] if each.asked_cosines else None for each in self.candidates]
        return replace(
            self,
            candidates=[
                replace(each, cosine=cosine, part_cosine=cosine, focus_cosine=cosine)
                for each, cosine in zip(self.candidates, cosines, strict=True)
            ],
        )

    def mentioned(self, candidate: Candidate) -> list[NamedInQuery]:
        """Return the entities that the query names and a candidate mentions."""
        return [self.named[id_] for id_ in candidate.mentions if id_ in self.named]

    def stating(self, asked: AskedSlot | None) -> frozenset[str]:
        """Return the ids of the candidates that state a value of a slot."""
        if asked is None:
            return frozenset()
        return frozenset(each.id for each in self.candidates if each.slots and each.slots.has(asked))

    def gains(self, request: Request | None) -> Mapping[str, float]:
        """Return the factors of the odds of the statements that matter for a request, by id."""
        if request is None:
            return {}
        gains = {each.id: request.gain(text) for each in self.candidates if (text := each.statement)}
        return {id_: gain for id_, gain in gains.items() if gain > 1.0}

    def values(self, name: str) -> Sequence[Any]:
        """Return a property of each candidate, in their order; all columns are read once."""
        return self._values[name]

    def holding(self, stems: Sequence[str]) -> Column:
        """Return for each candidate, by row, 1 for each of the given stems that it has, else 0.

        A memory that mentions an entity also has the stems by which the query names that entity.
        """
        held = np.zeros((len(self.candidates), len(stems)))
        for number, stem_ in enumerate(stems):
            held[:, number] = self._held(stem_)
        return held

    def _held(self, stem_: str) -> Column:
        known = self._held_by_stem.get(stem_)
        if known is None:
            term = f" {stem_} "
            known = np.array([term in matched for matched in self.values("matched")], dtype=np.float64)
            entities = {id_ for id_, entity in self.named.items() if stem_ in entity.stems}
            if entities:
                mentions = [not entities.isdisjoint(ids) for ids in self.values("mentions")]
                known = np.maximum(known, np.array(mentions, dtype=np.float64))
            self._held_by_stem[stem_] = known
        return known

    @cached_property
    def _values(self) -> Mapping[str, Sequence[Any]]:
        rows = zip(*map(_FIELDS_OF, self.candidates), strict=True)
        return dict(zip(_FIELDS, rows, strict=True)) if self.candidates else dict.fromkeys(_FIELDS, ())

    @cached_property
    def _held_by_stem(self) -> dict[str, Column]:
        """Columns of stems, which ranking and relevance share."""
        return {}


def _named(entity: Mapping[str, Any]) -> NamedInQuery:
    stems = (stem(word) for key in entity["keys"] for word in words(key))
    return NamedInQuery(name=entity["name"] or entity["id"], stems=frozenset(stems))


def _reading(candidate: Candidate, terms: Mapping[str, Sequence[str]]) -> Candidate:
    held = dict.fromkeys(stem_ for term in candidate.matched for stem_ in terms[term.strip()])
    return replace(candidate, matched=[f" {stem_} " for stem_ in held])


def _is_gone(columns: Mapping[str, Any]) -> bool:
    """Tell whether a memory was deleted while the query ran: then mandatory properties are null."""
    return None in _WHAT_EVERY_ONE_HAS(columns)


def _candidate(columns: Mapping[str, Any]) -> Candidate:
    names = frozenset((columns["names"] or "").split())
    slots = StatedSlots.model_validate(columns["slots"]) if columns["slots"] else None
    return Candidate(**{**columns, "names": names, "slots": slots})
