"""Recall without a query: the newest memories, and memories with a tag."""

from datetime import UTC, datetime

import pytest

from graph.core.errors import InvalidInput
from graph.core.models import RecallTier
from graph.memories.filtering import having_any
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.retrieval.recall.models import RecallQuery, RecallResult, RecallStrategy
from tests.fixtures.recall import recall_under

DAY = [datetime(2024, 1, day, tzinfo=UTC) for day in range(1, 8)]
UNIT = (1.0,) + (0.0,) * 383


def note(content: str, **fields) -> MemoryDraft:
    return MemoryDraft(content=content, dedup=False, embedding=UNIT, **fields)


async def saved(services, workspace_id: str, *drafts: MemoryDraft) -> list[str]:
    return [receipt.memory.id for receipt in await services.memories.store.save_all(workspace_id, drafts)]


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def relate(services, workspace_id: str, from_id: str, to_id: str, strength: float) -> None:
    await services.memories.associations.associate(
        workspace_id, from_id=from_id, to_id=to_id, type_="RELATES_TO", strength=strength
    )


async def by_tags(services, workspace_id, *tags) -> RecallResult:
    wanted = RecallQuery(filter=having_any(tags), limit=50)
    return await services.retrieval.recall.recall(workspace_id, wanted)


@pytest.fixture
async def tagged(services, workspace_id) -> list[str]:
    """Save five memories; the last one has other tags."""
    return await saved(
        services,
        workspace_id,
        note("plain", tags=("slack",), importance=0.5, timestamp=DAY[2]),
        note("weighty", tags=("slack:channel:general",), importance=0.9, timestamp=DAY[0]),
        note("later", tags=("slack:user:U123",), importance=0.5, timestamp=DAY[3], category="fact"),
        note("both", tags=("SLACK", "work"), importance=0.4, timestamp=DAY[4]),
        note("other", tags=("slackline", "mail"), importance=1.0, timestamp=DAY[5]),
    )


async def test_memories_with_a_tag_are_ordered_by_importance_and_then_by_time(services, workspace_id, tagged):
    """C18, C19, C20: tags and their subtags match; the score is the importance."""
    result = await by_tags(services, workspace_id, "slack")

    assert contents(result) == ["weighty", "later", "plain", "both"]
    assert [hit.score for hit in result.hits] == [0.9, 0.5, 0.5, 0.4]
    assert {(hit.tier, hit.vector_score, hit.text_score) for hit in result.hits} == {
        (RecallTier.KEYWORD, None, None)
    }
    assert result.hits[0].why == ["tag slack"]
    assert (result.resolution.strategy, result.resolution.exact) == (RecallStrategy.EXACT, True)


async def test_one_of_several_tags_suffices(services, workspace_id, tagged):
    """C20."""
    result = await by_tags(services, workspace_id, "Work", "mail")

    assert contents(result) == ["other", "both"]
    assert [hit.why for hit in result.hits] == [["tag mail"], ["tag work"]]


@pytest.mark.parametrize(
    "tag",
    [
        'a "b" c',
        "back\\slash",
        "AND OR NOT",
        "x*",
        "wo?rd",
        "~fuzzy^9",
        "(a)",
        "a/b:c",
        "标签:子",
        "\u00dcber",
    ],
)
async def test_a_tag_is_found_with_any_characters(services, workspace_id, tag):
    """C18, C28, A46: no character is index syntax, and tags are not split."""
    await saved(services, workspace_id, note("this one", tags=(tag,)), note("not this", tags=("a", "x", "b")))

    assert contents(await by_tags(services, workspace_id, tag)) == ["this one"]
    both = RecallQuery(filter=MemoryFilter(all_tags=(tag, "a")))
    assert "not this" not in contents(await services.retrieval.recall.recall(workspace_id, both))


async def test_a_recall_by_tags_alone_has_every_filter(services, workspace_id, tagged):
    """C19: with other filters, required tags, pages and a budget."""

    async def found(**fields) -> list[str]:
        filter_ = {"any_tags": ("slack",), **fields.pop("filter", {})}
        query = RecallQuery(filter=MemoryFilter(**filter_), **fields)
        return contents(await services.retrieval.recall.recall(workspace_id, query))

    assert await found(filter={"min_importance": 0.5}, limit=2) == ["weighty", "later"]
    assert await found(filter={"categories": ("fact",)}) == ["later"]
    assert await found(filter={"all_tags": ("work",)}) == ["both"]
    assert await found(filter={"since": DAY[2], "until": DAY[3]}) == ["later", "plain"]
    assert await found(limit=2, offset=2) == ["plain", "both"]
    assert await found(max_tokens=2) == ["weighty"]
    assert await found(strategy=RecallStrategy.EXACT) == ["both", "later", "weighty", "plain"]


@pytest.mark.parametrize(
    ("filter_", "limit", "field"),
    [({}, 0, "limit"), ({}, 101, "limit"), ({"any_tags": ("a", "")}, 50, "tags")],
)
async def test_blank_tags_and_excessive_limits_are_refused(services, workspace_id, filter_, limit, field):
    """C20: 1 to 100."""
    wanted = RecallQuery(filter=MemoryFilter(**{"any_tags": ("a",), **filter_}), limit=limit)
    with pytest.raises(InvalidInput) as refusal:
        await services.retrieval.recall.recall(workspace_id, wanted)

    assert refusal.value.field == field


async def test_tags_of_another_workspace_are_not_found(services, other_workspace_id, tagged):
    """C20, N12."""
    assert (await by_tags(services, other_workspace_id, "slack")).hits == ()


async def test_each_hit_shows_its_strongest_relations_up_to_the_limit(services, workspace_id):
    """C19, C21: in a list, in a recall by tags and in a ranked recall."""
    hub, *others = await saved(
        services,
        workspace_id,
        note("hub of eta", tags=("hub",)),
        *(note(f"other {number}") for number in range(7)),
    )
    for number, other in enumerate(others):
        ends = (hub, other) if number % 2 else (other, hub)
        await relate(services, workspace_id, *ends, strength=(number + 1) / 10)
    await services.memories.deletion.delete(workspace_id, others[-1])

    results = [
        await services.retrieval.recall.recall(workspace_id, RecallQuery(query="hub of eta", limit=1)),
        await services.retrieval.recall.recall(
            workspace_id, RecallQuery(filter=MemoryFilter(any_tags=("hub",)))
        ),
        await services.retrieval.recall.recall(
            workspace_id, RecallQuery(filter=MemoryFilter(any_tags=("hub",)), strategy=RecallStrategy.EXACT)
        ),
    ]

    for result in results:
        (hit,) = result.hits
        assert [relation.other_id for relation in hit.relations] == list(reversed(others[1:6]))
        assert [relation.strength for relation in hit.relations] == [0.6, 0.5, 0.4, 0.3, 0.2]
        assert [relation.direction for relation in hit.relations] == ["OUT", "IN", "OUT", "IN", "OUT"]


@pytest.mark.parametrize("query", [None, "hub"])
async def test_the_number_of_relations_is_a_setting(services, workspace_id, query):
    """C21."""
    hub, *others = await saved(services, workspace_id, *(note(f"hub {number}") for number in range(4)))
    for other in others:
        await relate(services, workspace_id, hub, other, strength=0.5)

    async def shown(limit: int, *, expands: bool = True) -> int:
        recall = recall_under(services, relation_limit=limit, merge_above=2.0)
        result = await recall.recall(workspace_id, RecallQuery(query=query, expand_relations=expands))
        return max(len(hit.relations) for hit in result.hits)

    assert [await shown(limit) for limit in (0, 1, 2, 9)] == [0, 1, 2, 3]
    assert await shown(9, expands=False) == 0


async def test_the_newest_are_listed_up_to_a_hundred(services, workspace_id):
    """C4, C22: each page continues the previous one, and the last one reports the end of the list."""
    await saved(services, workspace_id, *(note(f"n{number}") for number in range(103)))

    async def page(offset: int, limit: int) -> tuple[list[str], bool]:
        query = RecallQuery(offset=offset, limit=limit)
        found = await services.retrieval.recall.recall(workspace_id, query)
        return contents(found), "list: only the newest 100 are listed" in found.resolution.degraded

    newest = [f"n{number}" for number in reversed(range(3, 103))]
    assert await page(0, 100) == (newest, False)
    assert await page(98, 5) == (newest[98:], True)
    assert await page(100, 5) == ([], True)
