"""Pages of a recall: with any page size, each recalled memory is on exactly one page."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.memories.models import MemoryDraft, MemoryFilter
from graph.operations.services import Services
from graph.retrieval.recall.candidate_retriever import RecallLimits
from graph.retrieval.recall.models import Fusion, RecallHit, RecallQuery, RecallStrategy
from graph.retrieval.recall.service import Recall, recall_several
from tests.fixtures.recall import recall_under
from tests.fixtures.timeouts import scaled_timeout

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
QUERY = "What is the pressure of the boiler?"
FURTHER = "What is in the cellar?"
SENTENCES = (
    "The boiler pressure is {} bar",
    "The boiler has a pressure of {} bar",
    "Ada reads the pressure of boiler {}",
    "The boiler is in the cellar",
)
ROWS = st.lists(st.tuples(st.sampled_from(SENTENCES), st.integers(1, 40), st.integers(0, 300)), max_size=90)
QUERIES = st.lists(st.sampled_from([FURTHER, "Who reads the boiler?"]), max_size=2, unique=True)
WAYS = st.fixed_dictionaries(
    {
        "diversity": st.sampled_from([0.0, 0.0, 0.5]),
        "fusion": st.sampled_from(Fusion),
        "strategy": st.sampled_from([RecallStrategy.HYBRID, RecallStrategy.SEMANTIC, RecallStrategy.FAST]),
        "filter": st.sampled_from([MemoryFilter(), MemoryFilter(any_tags=("m",))]),
    }
)

DISAGREEING = [(SENTENCES[0], number, day) for number, day in enumerate((1, 6, 8, 3, 2, 7, 5, 4), start=1)]
MANY = [(SENTENCES[number % 4], number % 31 + 1, number * 7 % 300) for number in range(90)]
BEYOND_A_PAGE = [(SENTENCES[number % 3], number, number * 7 % 300) for number in range(170)]
PLAIN: dict[str, Any] = {"filter": MemoryFilter(any_tags=("m",))}


class ByLetters:
    """A reranker whose order is unrelated to the ranking."""

    name = "test/letters"

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [sum(map(ord, text)) * 7 % 11 for text in texts]


async def pages(
    recall: Recall,
    workspace: str,
    size: int,
    ways: dict[str, Any],
    further: Sequence[str] = (),
    text: str = QUERY,
) -> list[list[str]]:
    """Return the ids of each page up to the last non-empty one."""
    found: list[list[str]] = []
    while True:
        query = RecallQuery(query=text, limit=size, offset=size * len(found), dry_run=True, **ways)
        if further:
            hits: Sequence[RecallHit] = (await recall_several(recall, workspace, query, further)).hits
        else:
            hits = (await recall.recall(workspace, query)).hits
        if not hits:
            return found
        found.append([hit.memory.id for hit in hits])


async def saved(services: Services, rows: Any) -> str:
    """Save memories in a new workspace; return its id."""
    workspace = (await services.tenancy.workspaces.create("pages")).id
    texts = [sentence.format(number) for sentence, number, _ in rows]
    vectors = (await services.vectors.embeddings.embed(texts)).tolist() if texts else []
    drafts = [
        MemoryDraft(
            content=text,
            tags=("m",),
            timestamp=EPOCH + timedelta(days=day),
            embedding=tuple(vector),
            dedup=False,
        )
        for text, vector, (_, _, day) in zip(texts, vectors, rows, strict=True)
    ]
    if drafts:
        await services.memories.store.save_all(workspace, drafts)
    return workspace


async def walk(
    services: Services, rows: Any, size: int, ways: dict[str, Any], further: Sequence[str], *, reranks: bool
) -> None:
    workspace = await saved(services, rows)
    reranker = ByLetters() if reranks else None
    recall = recall_under(services, reranker=reranker, limits=RecallLimits(pool=200))

    found = await pages(recall, workspace, size, ways, further)
    whole = await pages(recall, workspace, 100, ways, further)
    alone = [
        id_
        for text in (QUERY, *further)
        for page in await pages(recall, workspace, 100, ways, text=text)
        for id_ in page
    ]

    shown = [id_ for page in found for id_ in page]
    assert len(set(shown)) == len(shown)
    assert all(len(page) == size for page in found[:-1])
    assert shown == [id_ for page in whole for id_ in page]
    assert set(shown) == set(alone)


@pytest.mark.parametrize(
    ("rows", "size", "ways", "further", "reranks"),
    [
        pytest.param(DISAGREEING, 1, PLAIN, [], False, id="disagreeing"),
        pytest.param(DISAGREEING, 1, PLAIN, [FURTHER], False, id="disagreeing_by_two_queries"),
        pytest.param(MANY, 5, PLAIN, [], False, id="repeated"),
        pytest.param(MANY, 7, PLAIN, [], True, id="reranked"),
        pytest.param(MANY, 7, PLAIN | {"strategy": RecallStrategy.FAST}, [FURTHER], False, id="fast"),
        pytest.param(MANY, 30, PLAIN | {"diversity": 0.5}, [FURTHER], False, id="diversified"),
        pytest.param(BEYOND_A_PAGE, 50, PLAIN, [FURTHER], False, id="more_than_the_head"),
    ],
)
async def test_these_pages_show_each_memory_once(services, rows, size, ways, further, reranks) -> None:
    """C8, C14, issue 35."""
    await walk(services, rows, size, ways, further, reranks=reranks)


async def test_pages_of_any_size_show_each_memory_once(services) -> None:
    """C8, C14, issue 35: also with drawn rows, filters and rankings."""
    loop = asyncio.get_running_loop()

    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(rows=ROWS, size=st.integers(6, 40), ways=WAYS, further=QUERIES, reranks=st.booleans())
    def walked(rows, size, ways, further, reranks) -> None:
        work = walk(services, rows, size, ways, further, reranks=reranks)
        asyncio.run_coroutine_threadsafe(work, loop).result(scaled_timeout(60))

    await asyncio.to_thread(walked)
