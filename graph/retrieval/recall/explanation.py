"""Explains hits to people: the lists that found them, matching words and related memories."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from graph.core.models import RecallTier
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.models import RecallLeg
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.ranking import people_of

_IN_WORDS: Final = {RecallLeg.VECTOR: "closest in meaning", RecallLeg.WORDS: "best match in words"}
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}
_TEENS: Final = range(11, 14)
_SHOWN_CHARS: Final = 60


class Beside(NamedTuple):
    """Relation to another memory that explains a hit."""

    relation: str
    memory_id: str

    def in_words(self, texts: Mapping[str, str]) -> str:
        """Return the relation in words, with the text of the other memory if it is known."""
        text = texts.get(self.memory_id)
        return f"{self.relation} {'another memory' if text is None else quoted(text)}"


def place_in_words(leg: RecallLeg, place: int) -> str:
    """Return a rank in the list by meaning or by words, from 1, in words.

    >>> place_in_words(RecallLeg.VECTOR, 1), place_in_words(RecallLeg.WORDS, 22)
    ('closest in meaning', '22nd best match in words')
    >>> place_in_words(RecallLeg.VECTOR, 113)
    '113th closest in meaning'
    """
    if place == 1:
        return _IN_WORDS[leg]
    ending = "th" if place % 100 in _TEENS else _ENDINGS.get(place % 10, "th")
    return f"{place}{ending} {_IN_WORDS[leg]}"


def quoted(text: str) -> str:
    """Return a text in quotation marks on one line, cut to 60 characters."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1].rstrip() + '…'}”"


class Explainer:
    """Explains the hits of one recall."""

    def __init__(self, pool: Pool, parsed: ParsedQuery, tier: RecallTier) -> None:
        self._pool = pool
        self._parsed = parsed
        self.tier = tier
        self._by_id = {candidate.id: candidate for candidate in pool.candidates}
        self._ranks = {
            RecallLeg.VECTOR: {id_: rank for rank, id_ in enumerate(pool.vector_ids, start=1)},
            RecallLeg.WORDS: {id_: rank for rank, id_ in enumerate(pool.text_scores, start=1)},
        }
        self._stating = pool.stating(parsed.asked_slot)
        self._meant = parsed.speaker_meant(people_of(pool))

    def cosine(self, id_: str) -> float | None:
        """Return the cosine of memory and query, -1..1, or None without a vector."""
        return self._by_id[id_].cosine

    def text_score(self, id_: str) -> float | None:
        """Return Lucene's score, or None if the words did not find the memory."""
        return self._pool.text_scores.get(id_)

    def places(self, id_: str) -> dict[RecallLeg, int]:
        """Return the ranks of a memory in the lists that found it, from 1."""
        return {leg: ranks[id_] for leg, ranks in self._ranks.items() if id_ in ranks}

    def why(self, id_: str) -> list[str]:
        """Return the reasons that quote no other memory, lists first; see also :meth:`why_beside`."""
        candidate = self._by_id[id_]
        reasons = [place_in_words(leg, place) for leg, place in self.places(id_).items()]
        if id_ in self._stating and self._parsed.asked_slot:
            reasons.append(f"states the {self._parsed.asked_slot.slot} asked for")
        request, statement = self._parsed.request, candidate.statement
        if request and statement and request.shares_topic(statement):
            reasons.append("has the topic of the request")
        mentioned = sorted({entity.name for entity in self._pool.mentioned(candidate)})
        reasons += [f"mentions {name}" for name in mentioned]
        if self._meant is not None and candidate.speaker == self._meant:
            reasons.append(f"said by {self._meant}")
        if matched := self._parsed.as_written({term.strip() for term in candidate.matched}):
            reasons.append("matches " + ", ".join(matched))
        return reasons

    def beside(self, id_: str) -> list[Beside]:
        """Return the successors of a memory, and its adjacent turns if only these explain the hit."""
        candidate = self._by_id[id_]
        found = [Beside("superseded by", successor) for successor in candidate.superseded_by]
        if self.places(id_) or self._pool.mentioned(candidate):
            return found
        on_a_list = {*self._pool.mention_ids}.union(*self._ranks.values())
        if candidate.next_id in on_a_list:
            found.insert(0, Beside("said right before", candidate.next_id))
        if candidate.previous_id in on_a_list:
            found.insert(0, Beside("said right after", candidate.previous_id))
        return found

    def why_beside(self, id_: str, texts: Mapping[str, str]) -> list[str]:
        """Return the reasons that quote related memories, whose texts come by id."""
        return [other.in_words(texts) for other in self.beside(id_)]

    def beside_any(self, ids: Iterable[str]) -> Sequence[str]:
        """Return the ids of all related memories that explain these hits."""
        return list(dict.fromkeys(other.memory_id for id_ in ids for other in self.beside(id_)))
