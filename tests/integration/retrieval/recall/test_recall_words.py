"""Words that find a memory: of its content and other fields, in any script, never as syntax."""

import pytest

from graph.memories.models import MemoryChange, MemoryDraft, MemoryState
from graph.retrieval.recall.models import Fusion, RecallQuery, RecallStrategy
from tests.fixtures.states import reached


def notes(*contents: str) -> list[MemoryDraft]:
    return [MemoryDraft(content=content, dedup=False) for content in contents]


async def recalled(services, workspace_id: str, text: str, **fields):
    return await services.retrieval.recall.recall(workspace_id, RecallQuery(query=text, **fields))


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_words_are_searched_in_key_tags_keywords_and_metadata(services, workspace_id):
    """C10: other fields find a memory as well, even after a change."""
    saved = await services.memories.store.save(
        workspace_id,
        MemoryDraft(
            content="plain content",
            key="preference:editor",
            tags=("work:desk",),
            keywords=("typing",),
            metadata={"files": ["app/Zebrafish.py", 4711], "deep": {"note": "wombat"}, "flag": True},
        ),
    )

    async def found(word: str) -> bool:
        result = await recalled(services, workspace_id, word, fusion=Fusion.RRF)
        return any("best match in words" in hit.why for hit in result.hits)

    words = ("editor", "desk", "typing", "zebrafish", "4711", "wombat", "plain")
    assert [word for word in words if not await found(word)] == []
    assert not await found("deep")
    await services.memories.store.update(
        workspace_id, saved.memory.id, MemoryChange(metadata={"deep": "numbat"})
    )
    assert (await found("numbat"), await found("wombat"), await found("4711")) == (True, False, True)


@pytest.mark.parametrize("source", [None, "a conversation"])
async def test_keywords_of_two_languages_find_a_memory_in_either(services, workspace_id, source):
    """C26: for a memory in either language, as a note and as a turn."""
    await services.memories.store.save_all(
        workspace_id,
        [
            MemoryDraft(content=content, keywords=keywords, dedup=False, source_conversation_id=source)
            for content, keywords in (
                ("Prefers coding in TypeScript", ("programming", "编程")),
                ("喜欢喝绿茶", ("green tea", "绿茶")),
            )
        ],
    )

    for query, content in (
        ("编程", "Prefers coding in TypeScript"),
        ("programming", "Prefers coding in TypeScript"),
        ("绿茶", "喜欢喝绿茶"),
        ("green tea", "喜欢喝绿茶"),
    ):
        result = await recalled(services, workspace_id, query, fusion=Fusion.RRF)
        assert contents(result)[0] == content, query
        assert "best match in words" in result.hits[0].why


async def test_words_find_chinese_text(services, workspace_id):
    """C26."""
    await services.memories.store.save_all(workspace_id, notes("我喜欢用TypeScript编程", "明天去上海出差"))

    result = await recalled(services, workspace_id, "编程语言", strategy=RecallStrategy.HYBRID, limit=1)

    assert contents(result) == ["我喜欢用TypeScript编程"]


@pytest.mark.parametrize(
    "text", ["", "   ", '+ - && || ! ( ) { } [ ] ^ " ~ * ? : \\ /', "AND OR NOT", "the of and"]
)
async def test_any_query_text_is_accepted(services, workspace_id, text):
    """C28."""
    (receipt,) = await services.memories.store.save_all(workspace_id, notes("eta"))
    await reached(services, workspace_id, [receipt.memory.id], MemoryState.EMBEDDED)

    assert contents(await recalled(services, workspace_id, text)) == ["eta"]


@pytest.mark.parametrize("query", ["auth service", "what is in auth.service.ts?", "max tokens", "MAX_TOKENS"])
async def test_words_inside_an_identifier_are_searched(services, workspace_id, query):
    """C10: identifiers are written as one word, but people ask with several."""
    await services.memories.store.save_all(
        workspace_id,
        notes("auth.service.ts reads max_tokens from the settings", "Tea at five", "A walk in the park"),
    )

    result = await recalled(services, workspace_id, query, fusion=Fusion.RRF)

    assert contents(result)[0].startswith("auth.service.ts")
    assert "best match in words" in result.hits[0].why
