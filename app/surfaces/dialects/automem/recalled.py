"""Responses of AutoMem's reading routes: hits with their match types and relations."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Literal, Self

from pydantic import ConfigDict
from pydantic.config import JsonDict

from app.surfaces.dialects.automem.models import A_MEMORY, AN_ID, ANOTHER_ID, AutoMemMemory, left_out
from app.surfaces.http.shapes import ResponseModel
from graph.core.errors import InvalidInput
from graph.memories.models import Memory, MemoryType
from graph.memories.service import Memories
from graph.retrieval.recall.models import HitRelation, RecallHit, RecallLeg

Span = tuple[datetime, datetime]

_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_MOST_UNITS: Final = 10_000
_UNITS: Final[Mapping[str, timedelta]] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": _DAY,
    "week": _WEEK,
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
_LAST_UNITS: Final = re.compile(rf"(?:the )?(?:last|past) (\d{{1,5}}) ({'|'.join(_UNITS)})s?")
SPAN_PATTERN: Final = (
    "^(today|yesterday|(this|last|past) (week|month|year)"
    f"|(the )?(last|past) [1-9][0-9]{{0,3}} ({'|'.join(each for each in _UNITS if each != 'year')})s?"
    "|(the )?(last|past) [1-9][0-9]{0,2} years?)$"
)
"""Pattern of a span for the OpenAPI document; :func:`span_of` also ignores case and extra spaces."""
_EXPECTED: Final = (
    "time_query must be 'today', 'yesterday', 'this' or 'last' with 'week', 'month' or 'year', or 'last N' with "
    "'minutes', 'hours', 'days', 'weeks', 'months' or 'years'"
)


def span_of(text: str, now: datetime) -> Span:
    """Return the start and the exclusive end of a span.

    "Last week" is the previous week from Monday to Sunday; "last month" and "last year" are the previous calendar
    ones. "Last N" units end now, with months of 30 days and years of 365.

    >>> from datetime import UTC
    >>> [moment.isoformat() for moment in span_of("yesterday", datetime(2026, 3, 4, 5, tzinfo=UTC))]
    ['2026-03-03T00:00:00+00:00', '2026-03-04T00:00:00+00:00']

    Raises:
        InvalidInput: The words name no known span.
    """
    words = " ".join(text.lower().split()).replace("past ", "last ", 1)
    if named := _NAMED.get(words):
        return named(now)
    found = _LAST_UNITS.fullmatch(words)
    if found is None or not 1 <= int(found[1]) <= _MOST_UNITS:
        raise InvalidInput("time_query", f"{_EXPECTED}; got {text[:60]!r}")
    try:
        return now - int(found[1]) * _UNITS[found[2]], now
    except OverflowError:
        raise InvalidInput("time_query", f"time_query begins before the year 1; got {text[:60]!r}") from None


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _month(moment: datetime) -> datetime:
    return _midnight(moment).replace(day=1)


def _year(moment: datetime) -> datetime:
    return _month(moment).replace(month=1)


def _week(moment: datetime) -> datetime:
    return _midnight(moment) - moment.weekday() * _DAY


_NAMED: Final[Mapping[str, Callable[[datetime], Span]]] = {
    "today": lambda now: (_midnight(now), _midnight(now) + _DAY),
    "yesterday": lambda now: (_midnight(now) - _DAY, _midnight(now)),
    "this week": lambda now: (_week(now), _week(now) + _WEEK),
    "last week": lambda now: (_week(now) - _WEEK, _week(now)),
    "this month": lambda now: (_month(now), _month(_month(now) + 32 * _DAY)),
    "last month": lambda now: (_month(_month(now) - _DAY), _month(now)),
    "this year": lambda now: (_year(now), _year(_year(now) + 367 * _DAY)),
    "last year": lambda now: (_year(_year(now) - _DAY), _year(now)),
}


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

    Hits of a list of the newest memories have the type ``keyword``, after the tier that serves the list.
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
    """A recalled memory.

    Attributes:
        score: Rank score, higher is better; in a recall by tags, the importance.
        relations: Strongest relations, five by default (the setting ``RECALL_RELATION_LIMIT``).
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_A_RESULT]})

    id: str
    score: float
    match_type: MatchType
    memory: AutoMemMemory
    relations: list[RelationOfHit]


class TimeWindow(ResponseModel):
    """The time span of ``time_query``; ``end`` is exclusive."""

    start: datetime
    end: datetime

    @classmethod
    def of(cls, span: Span) -> Self:
        """Return the form of a span."""
        return cls(start=span[0], end=span[1])

    @property
    def last(self) -> datetime:
        """The last microsecond of the span."""
        return self.end - timedelta(microseconds=1)


class RecallAnswer(ResponseModel):
    """Hits of a recall, best first.

    Attributes:
        queries: Further queries of the request; omitted if there are none.
        time_window: Time span of ``time_query``; omitted without it.
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
        """Return AutoMem's form of hits, with their related memories."""
        ids = list(dict.fromkeys(relation.other_id for hit in hits for relation in hit.relations))
        others = await memories.find_all(workspace_id, ids) if ids else {}
        results = [_result(hit, others) for hit in hits]
        return cls(query=query, results=results, count=len(results))


class TaggedAnswer(RecallAnswer):
    """A page of memories with a tag.

    Attributes:
        memories: The memories of ``results``.
        has_more: Whether another page follows.
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


def _relation(relation: HitRelation, other: Memory) -> RelationOfHit:
    return RelationOfHit(
        type=relation.type,
        direction="out" if relation.direction == "OUT" else "in",
        strength=relation.strength,
        memory=RelatedMemory(id=other.id, content=other.content, type=other.type),
    )


def match_type_of(hit: RecallHit) -> MatchType:
    """Return the match type of the list with the hit's best rank; vectors win a tie.

    A hit without a rank was found by its relations.
    """
    if not hit.places:
        return MatchType.RELATION
    return _LISTS[min(hit.places, key=lambda leg: (hit.places[leg], leg is not RecallLeg.VECTOR))]


_LISTS: Mapping[RecallLeg, MatchType] = {
    RecallLeg.VECTOR: MatchType.VECTOR,
    RecallLeg.WORDS: MatchType.KEYWORD,
    RecallLeg.NEWEST: MatchType.KEYWORD,
    RecallLeg.TAGS: MatchType.TAG,
}
