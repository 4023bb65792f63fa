"""The strategy ``exact`` (``recent``): word search among the newest memories."""

import pytest

from graph.core.models import RecallTier
from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery, RecallResult, RecallStrategy


async def recalled(services, workspace_id: str, text: str, **fields) -> RecallResult:
    query = RecallQuery(query=text, strategy=RecallStrategy.EXACT, **fields)
    return await services.retrieval.recall.recall(workspace_id, query)


def contents(result: RecallResult) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_the_exact_strategy_drops_memories_without_a_word_of_the_query(services, workspace_id):
    """C10: in content, key and metadata; more matching words come first, then newer memories."""
    drafts = [
        MemoryDraft(content="Prefers tabs over spaces", dedup=False),
        MemoryDraft(content="About indentation", key="preference:tabs", dedup=False),
        MemoryDraft(content="Likes green tea", dedup=False),
        MemoryDraft(content="Uses an editor", metadata={"about": ["tabs"]}, dedup=False),
    ]
    await services.memories.store.save_all(workspace_id, drafts)
    prefers, indentation, tea, editor = (draft.content for draft in drafts)

    async def found(query: str, **how) -> list[str]:
        return contents(await recalled(services, workspace_id, query, **how))

    assert await found("tabs") == [editor, indentation, prefers]
    assert await found("which tabs or spaces?") == [prefers, editor, indentation]
    assert await found("tabs", limit=1, offset=1) == [indentation]
    assert await found("zeppelin") == []
    assert await found("of the") == [editor, tea, indentation, prefers]


async def test_an_exact_hits_score_is_its_share_of_the_query(services, workspace_id):
    """C10."""
    await services.memories.store.save_all(
        workspace_id,
        [MemoryDraft(content=text, dedup=False) for text in ("tabs and spaces", "tabs", "spaces")],
    )

    result = await recalled(services, workspace_id, "tabs spaces")
    whole, *parts = result.hits

    assert (whole.memory.content, whole.score) == ("tabs and spaces", 1.0)
    assert sum(hit.score for hit in parts) == pytest.approx(1.0)
    assert whole.why == ["matches tabs, spaces"]
    assert {(hit.tier, hit.relevance, hit.text_score) for hit in result.hits} == {
        (RecallTier.KEYWORD, None, None)
    }


async def test_an_exact_recall_reports_ignored_arguments(services, workspace_id):
    """C12, C22: it has no cosines and no vectors, so it ignores a threshold and diversity."""
    drafts = [MemoryDraft(content=f"tabs {number}", dedup=False) for number in range(2)]
    await services.memories.store.save_all(workspace_id, drafts)

    asked = await recalled(services, workspace_id, "tabs", min_score=0.9, diversity=0.5)
    plain = await recalled(services, workspace_id, "tabs")

    assert contents(asked) == contents(plain) == ["tabs 1", "tabs 0"]
    assert plain.resolution.degraded == ()
    assert asked.resolution.degraded == (
        "minScore: ignored, because listed memories have no cosine",
        "diversity: not applied, because listed memories are not compared by meaning",
    )


async def test_an_exact_recall_says_that_it_searched_only_the_newest_hundred(services, workspace_id):
    """C4, issue 35: an older memory with the word is not found, so the result must not look complete."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="tabs", dedup=False))
    newer = [MemoryDraft(content=f"note {number}", dedup=False) for number in range(100)]
    await services.memories.store.save_all(workspace_id, newer[:98])
    within = await recalled(services, workspace_id, "tabs")

    await services.memories.store.save_all(workspace_id, newer[98:])
    beyond = await recalled(services, workspace_id, "tabs")

    assert (contents(within), within.resolution.degraded) == (["tabs"], ())
    assert (contents(beyond), beyond.resolution.degraded) == (
        [],
        ("list: only the newest 100 are searched",),
    )
