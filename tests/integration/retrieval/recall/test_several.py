"""Several queries in one recall, over real indexes."""

from collections.abc import Sequence

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.service import SeveralResult, SortOrder, recall_several
from tests.fixtures.states import reached

NOTES = ("bees fly in may", "bees dance in june", "green tea in the morning")


@pytest.fixture
async def ids(services, workspace_id) -> list[str]:
    drafts = [MemoryDraft(content=content, dedup=False) for content in NOTES]
    saved = [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]
    await reached(services, workspace_id, saved, MemoryState.EMBEDDED)
    return saved


@pytest.fixture
def found(services, workspace_id):
    """Return a function that recalls several queries at once."""

    async def found(text: str | None, further: Sequence[str] = (), **how) -> SeveralResult:
        page = {name: how.pop(name) for name in ("limit", "offset", "dry_run") if name in how}
        asked = RecallQuery(query=text, **page)
        return await recall_several(services.retrieval.recall, workspace_id, asked, further, **how)

    return found


@pytest.fixture
def used(services, workspace_id, ids):
    """Return a function that returns the number of uses of each note."""

    async def used() -> list[int]:
        await services.telemetry.usage.flush()
        stored = await services.memories.store.find_all(workspace_id, ids)
        return [stored[id_].usage_count for id_ in ids]

    return used


def contents(result: SeveralResult) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_each_query_is_ranked_separately_and_the_best_come_first(found, ids) -> None:
    """C19."""
    texts = ("bees fly in may", "green tea in the morning")
    both = await found(
        texts[0], texts[1:], limit=2, dry_run=True
    )  # a counted use would change the scores of the next recall
    alone = [await found(text, limit=1, dry_run=True) for text in texts]

    assert set(contents(both)) == set(texts)
    best = sorted((result.hits[0].score for result in alone), reverse=True)
    assert [hit.score for hit in both.hits] == best
    assert both.query == "bees fly in may"


@pytest.mark.parametrize(
    ("text", "further", "asked"),
    [
        ("bees fly in may", ["bees fly in may", " "], "bees fly in may"),
        (None, ["bees fly in may", ""], "bees fly in may"),
        (None, ["", " "], None),
    ],
)
async def test_blank_and_repeated_queries_are_ignored(
    services, workspace_id, found, ids, text, further, asked
) -> None:
    query = RecallQuery(query=asked, limit=3, dry_run=True)
    alone = await services.retrieval.recall.recall(workspace_id, query)

    result = await found(text, further, limit=3, dry_run=True)

    assert result.query == asked
    assert [(hit.memory.id, hit.score) for hit in result.hits] == [
        (hit.memory.id, hit.score) for hit in alone.hits
    ]


async def test_a_page_is_cut_from_the_hits_of_all_queries(found, ids) -> None:
    texts = ["bees dance in june", "green tea in the morning"]
    everything = contents(await found("bees fly in may", texts, limit=3, dry_run=True))

    pages = [
        contents(await found("bees fly in may", texts, limit=1, offset=offset, dry_run=True))
        for offset in range(4)
    ]

    assert pages == [[content] for content in everything] + [[]]
    assert (await found(None, texts, limit=1)).query is None


async def test_only_returned_hits_count_as_used(found, used) -> None:
    """A37: once, even if several queries found it; not if a page, a minimum score or a dry run omits it."""
    await found("bees fly in may", ["bees fly in may or in spring"], limit=1)
    await found("green tea in the morning", least_score=1.1)
    await found("green tea in the morning", dry_run=True)

    assert await used() == [1, 0, 0]


async def test_hits_below_the_minimum_score_are_dropped_and_others_sorted(found, ids) -> None:
    everything = await found("bees dance in june", limit=3, dry_run=True)
    least = everything.hits[1].score

    kept = await found(
        "bees dance in june", limit=3, least_score=least, order=SortOrder.TIME_ASC, dry_run=True
    )

    assert {hit.memory.id for hit in kept.hits} == {hit.memory.id for hit in everything.hits[:2]}
    times = [hit.memory.timestamp for hit in kept.hits]
    assert times == sorted(times)


async def test_one_invalid_query_refuses_all(found, ids) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await found("bees", ["\x00"])

    assert refusal.value.field == "query"
