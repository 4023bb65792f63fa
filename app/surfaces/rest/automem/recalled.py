"""Responses of AutoMem's reading routes: hits, their reasons, and their relations."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal, Self

from pydantic import ConfigDict
from pydantic.config import JsonDict

from app.surfaces.http.shapes import ResponseModel
from app.surfaces.rest.automem.models import A_MEMORY, ANOTHER_ID, AutoMemMemory, left_out
from app.surfaces.rest.automem.parameters import AN_ID
from app.surfaces.rest.automem.time_query import Span
from graph.memories.models import Memory, MemoryType
from graph.memories.service import Memories
from graph.retrieval.recall.models import RecallHit, RecallLeg, Relation

_A_RESULT: JsonDict = {
    "id": AN_ID,
    "score": 0.87,
    "match_type": "vector",
    "memory": A_MEMORY,
    "relations": [
        {
            "type": "EVOLVED_INTO",
            "direction": "out",
            "strength": 0.8,
            "memory": {"id": ANOTHER_ID, "content": "PostgreSQL runs in three regions.", "type": "Context"},
        }
    ],
}


class TagMode(StrEnum):
    """Number of tags that must match: one or all."""

    ANY = "any"
    ALL = "all"


class DisplayFormat(StrEnum):
    """Format in which an AutoMem client shows hits."""

    TEXT = "text"
    ITEMS = "items"
    DETAILED = "detailed"
    JSON = "json"


class MatchType(StrEnum):
    """Reason of a hit: its meaning, its words, a tag, or a relation.

    A list of the newest memories counts as a match of words, the tier that serves it.
    """

    VECTOR = "vector"
    KEYWORD = "keyword"
    TAG = "tag"
    RELATION = "relation"


class RelatedMemory(ResponseModel):
    """The other end of a relation."""

    id: str
    content: str
    type: MemoryType


class RelationOfHit(ResponseModel):
    """An association of a hit, seen from the hit."""

    type: str
    direction: Literal["out", "in"]
    strength: float | None
    memory: RelatedMemory


class RecalledMemory(ResponseModel):
    """One memory found.

    Attributes:
        score: Orders the results, higher is better; of a recall by tags the importance.
        relations: The strongest five (the setting ``RECALL_RELATION_LIMIT``).
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_A_RESULT]})

    id: str
    score: float
    match_type: MatchType
    memory: AutoMemMemory
    relations: list[RelationOfHit]


class TimeWindow(ResponseModel):
    """The span that ``time_query`` named: its first moment, and the one after its last."""

    start: datetime
    end: datetime

    @classmethod
    def of(cls, span: Span) -> Self:
        """Return the form of a span."""
        return cls(start=span[0], end=span[1])

    @property
    def last(self) -> datetime:
        """The last moment of the span, as finely as the graph keeps times."""
        return self.end - timedelta(microseconds=1)


class RecallAnswer(ResponseModel):
    """Hits of a recall, best first.

    Attributes:
        queries: Further queries with results in this list; omitted if there are none.
        time_window: Omitted without ``time_query``.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"status": "success", "query": "which database", "results": [_A_RESULT], "count": 1}]
        }
    )

    status: Literal["success"] = "success"
    query: str | None
    results: list[RecalledMemory]
    count: int
    queries: list[str] | None = left_out()
    time_window: TimeWindow | None = left_out()

    @classmethod
    async def of(
        cls, hits: Sequence[RecallHit], memories: Memories, workspace_id: str, *, query: str | None
    ) -> Self:
        """Return AutoMem's form of hits, with the memories that they are related to."""
        ids = list(dict.fromkeys(relation.other_id for hit in hits for relation in hit.relations))
        others = await memories.find_all(workspace_id, ids) if ids else {}
        results = [_result(hit, others) for hit in hits]
        return cls(query=query, results=results, count=len(results))


class TaggedAnswer(RecallAnswer):
    """A page of memories with a tag.

    Attributes:
        memories: The same memories, without how they were found.
        has_more: Whether a page follows.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "status": "success",
                    "query": None,
                    "results": [_A_RESULT],
                    "count": 1,
                    "memories": [A_MEMORY],
                    "limit": 50,
                    "offset": 0,
                    "has_more": False,
                }
            ]
        }
    )

    memories: list[AutoMemMemory]
    limit: int
    offset: int
    has_more: bool

    @classmethod
    def paged(cls, answer: RecallAnswer, *, limit: int, offset: int, total: int) -> Self:
        """Return an answer as a page of a list.

        Args:
            answer: Memories of the page.
            limit: Maximum size of the page.
            offset: Number of memories before it.
            total: Number of memories on all pages.
        """
        return cls(
            **dict(answer),
            memories=[result.memory for result in answer.results],
            limit=limit,
            offset=offset,
            has_more=offset + answer.count < total,
        )


def _result(hit: RecallHit, others: Mapping[str, Memory]) -> RecalledMemory:
    return RecalledMemory(
        id=hit.memory.id,
        score=hit.score,
        match_type=match_type_of(hit),
        memory=AutoMemMemory.of(hit.memory),
        relations=[
            _relation(relation, others[relation.other_id])
            for relation in hit.relations
            if relation.other_id in others
        ],
    )


def _relation(relation: Relation, other: Memory) -> RelationOfHit:
    return RelationOfHit(
        type=relation.type,
        direction="out" if relation.direction == "OUT" else "in",
        strength=relation.strength,
        memory=RelatedMemory(id=other.id, content=other.content, type=other.type),
    )


def match_type_of(hit: RecallHit) -> MatchType:
    """Return which list a hit stood highest on, of two meaning; what stood on none its surroundings found."""
    if not hit.places:
        return MatchType.RELATION
    return _LISTS[min(hit.places, key=lambda leg: (hit.places[leg], leg is not RecallLeg.VECTOR))]


_LISTS: Mapping[RecallLeg, MatchType] = {
    RecallLeg.VECTOR: MatchType.VECTOR,
    RecallLeg.WORDS: MatchType.KEYWORD,
    RecallLeg.NEWEST: MatchType.KEYWORD,
    RecallLeg.TAGS: MatchType.TAG,
}
