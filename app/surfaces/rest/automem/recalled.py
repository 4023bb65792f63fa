"""What AutoMem's reading routes answer: hits, why they are there, and what they are connected with."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from app.surfaces.rest.automem.models import A_MEMORY, AN_ID, ANOTHER_ID, AutoMemMemory
from graph.memories.models import Memory, MemoryType
from graph.memories.service import Memories
from graph.retrieval.recall.models import RecallHit, RecallLeg, RecallResult, Relation

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
    """Whether one of the tags must match, or all of them."""

    ANY = "any"
    ALL = "all"


class SortOrder(StrEnum):
    """How results are ordered: by their score, or by when they happened or were changed."""

    SCORE = "score"
    TIME_DESC = "time_desc"
    TIME_ASC = "time_asc"
    UPDATED_DESC = "updated_desc"
    UPDATED_ASC = "updated_asc"


class MatchType(StrEnum):
    """What found a memory: its meaning, its words, a tag, or what it is connected with.

    A list of the newest, which nothing had to find, counts as one of words, the tier that serves it.
    """

    VECTOR = "vector"
    KEYWORD = "keyword"
    TAG = "tag"
    RELATION = "relation"


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True)


class RelatedMemory(_Told):
    """The other end of a relation."""

    id: str
    content: str
    type: MemoryType


class RelationOfHit(_Told):
    """An association of a hit, seen from the hit."""

    type: str
    direction: Literal["out", "in"]
    strength: float | None
    memory: RelatedMemory


class RecalledMemory(_Told):
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


class RecallAnswer(_Told):
    """What was found, the best first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"status": "success", "query": "which database", "results": [_A_RESULT], "count": 1}]
        }
    )

    status: Literal["success"] = "success"
    query: str | None
    results: list[RecalledMemory]
    count: int

    @classmethod
    async def of(
        cls, found: RecallResult, memories: Memories, workspace_id: str, *, query: str | None
    ) -> Self:
        """Return AutoMem's form of a recall, with the memories that its hits are connected with."""
        ids = list(dict.fromkeys(relation.other_id for hit in found.hits for relation in hit.relations))
        others = await memories.find_all(workspace_id, ids) if ids else {}
        results = [_result(hit, others) for hit in found.hits]
        return cls(query=query, results=results, count=len(results))

    def sorted(self, order: SortOrder) -> "RecallAnswer":
        """Return the answer with its results in another order."""
        if order is SortOrder.SCORE:
            return self
        by_time = order in (SortOrder.TIME_DESC, SortOrder.TIME_ASC)
        results = sorted(
            self.results,
            key=lambda result: result.memory.timestamp if by_time else result.memory.updated_at,
            reverse=order in (SortOrder.TIME_DESC, SortOrder.UPDATED_DESC),
        )
        return self.model_copy(update={"results": results})


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
