"""Recall with missing search indexes: the remaining parts answer, and the response says so."""

from datetime import UTC, datetime

from graph.core.models import RecallTier
from graph.memories.models import MemoryDraft, MemoryFilter, MemoryState
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import run
from tests.fixtures.own_store import engine
from tests.fixtures.waiting import until

TEXTS = ("green tea in the morning", "tabs over spaces", "a walk along the river")
QUERY = RecallQuery(query="tabs and spaces")
NO_VECTOR_INDEX = "the index vectors_a cannot be searched"
NO_NAMES_INDEX = "the index entity_names cannot be searched"
NO_TEXT_INDEX = "the index memory_text cannot be searched"
NO_TAG_INDEX = "the index memory_tags cannot be searched"


async def saved_and_embedded(services) -> str:
    """Save the texts one after another and return the workspace."""
    workspace = (await services.tenancy.workspaces.create("without indexes")).id
    for text in TEXTS:
        await services.memories.store.save(workspace, MemoryDraft(content=text, dedup=False))

    async def is_embedded() -> bool:
        page = await services.memories.store.page(workspace, MemoryFilter())
        return all(memory.state in (MemoryState.EMBEDDED, MemoryState.LINKED) for memory in page.items)

    await until(is_embedded)
    return workspace


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


async def test_a_missing_index_disables_only_its_leg(own_settings, empty_store):
    """C2, C28, M14: without the vector index words, without the full-text index vectors, else the newest."""
    embedder = HashingEmbedder()
    async with engine(own_settings, embedder) as runtime:
        services = runtime.services
        workspace = await saved_and_embedded(services)

        await run(empty_store, "DROP INDEX vectors_a")
        by_words = await services.retrieval.recall.recall(workspace, QUERY)
        again = await services.memories.store.save(workspace, MemoryDraft(content="saved without an index"))
        embedder.failure = "away"
        without_embedder = await services.retrieval.recall.recall(workspace, QUERY)
        embedder.failure = None

        await run(empty_store, "DROP INDEX entity_names")
        without_names = await services.retrieval.recall.recall(
            workspace, QUERY.model_copy(update={"filter": MemoryFilter(min_importance=0.1), "limit": 1})
        )
        await run(empty_store, "DROP INDEX memory_text")
        newest = await services.retrieval.recall.recall(workspace, QUERY)
        compared = await services.retrieval.recall.recall(
            workspace, QUERY.model_copy(update={"filter": MemoryFilter(min_importance=0.1), "limit": 1})
        )

    for result, reason in ((by_words, NO_VECTOR_INDEX), (without_embedder, "away")):
        assert contents(result) == ["tabs over spaces"]
        assert result.hits[0].vector_score is None
        assert result.resolution.tier is RecallTier.KEYWORD
        assert result.resolution.embedder is None
        assert result.resolution.fallback == f"keywords only: {reason}"
        assert result.resolution.degraded == (f"vector: {reason}",)
    assert contents(without_names) == ["tabs over spaces"]
    assert without_names.resolution.degraded == (f"names: {NO_NAMES_INDEX}",)
    assert again.memory.content == "saved without an index"
    assert contents(newest) == ["saved without an index", *reversed(TEXTS)]
    assert newest.resolution.tier is RecallTier.KEYWORD
    assert newest.resolution.fallback == "newest first: neither words nor vectors can be searched"
    assert tuple(sorted(newest.resolution.degraded)) == tuple(
        f"{leg}: the index {index} cannot be searched"
        for leg, index in (("names", "entity_names"), ("vector", "vectors_a"), ("words", "memory_text"))
    )
    assert contents(compared) == ["tabs over spaces"]
    assert compared.hits[0].text_score is None
    assert (compared.resolution.tier, compared.resolution.fallback) == (RecallTier.VECTOR, None)
    assert sorted(compared.resolution.degraded) == [f"names: {NO_NAMES_INDEX}", f"words: {NO_TEXT_INDEX}"]


async def test_tags_are_found_without_their_index(own_settings, empty_store):
    """A46, M14: recall reads every memory, in the same order of importance."""
    async with engine(own_settings, HashingEmbedder(dimension=384)) as runtime:
        services = runtime.services
        workspace = (await services.tenancy.workspaces.create("without tags")).id
        for content, importance in (("one", 0.2), ("two", 0.9), ("three", 0.5)):
            draft = MemoryDraft(content=content, tags=("a:b",), importance=importance, dedup=False)
            await services.memories.store.save(workspace, draft)
        await services.memories.store.save(workspace, MemoryDraft(content="four", tags=("b",), dedup=False))
        query = RecallQuery(filter=MemoryFilter(any_tags=("a",)), offset=1, limit=2)
        indexed = await services.retrieval.recall.recall(workspace, query)

        await run(empty_store, "DROP INDEX memory_tags")
        looked_at = await services.retrieval.recall.recall(workspace, query)

    assert contents(indexed) == contents(looked_at) == ["three", "one"]
    assert indexed.resolution.degraded == ()
    assert looked_at.resolution.degraded == (f"tags: {NO_TAG_INDEX}; every memory of the workspace was read",)


async def test_pages_by_tags_are_the_same_without_their_index(own_settings, empty_store):
    """Issue 35: ties are ordered by event time, superseded memories use no place, and offsets continue."""
    async with engine(own_settings, HashingEmbedder(dimension=384)) as runtime:
        services = runtime.services
        workspace = (await services.tenancy.workspaces.create("without tags")).id
        drafts = [
            MemoryDraft(
                content=f"note {number}",
                tags=("a",),
                importance=0.5,
                timestamp=datetime(2026, 1, day, tzinfo=UTC),
                dedup=False,
            )
            for number, day in enumerate((3, 5, 1, 4, 2))
        ]
        saved = await services.memories.store.save_all(workspace, drafts)
        await services.memories.associations.associate(
            workspace, from_id=saved[1].memory.id, to_id=saved[3].memory.id, type_="INVALIDATED_BY"
        )
        asked = RecallQuery(filter=MemoryFilter(any_tags=("a",)), limit=2, for_injection=True)
        pages = [asked.model_copy(update={"offset": offset}) for offset in (0, 2, 4)]
        indexed = [contents(await services.retrieval.recall.recall(workspace, page)) for page in pages]

        await run(empty_store, "DROP INDEX memory_tags")
        looked_at = [contents(await services.retrieval.recall.recall(workspace, page)) for page in pages]

    assert indexed == looked_at == [["note 3", "note 0"], ["note 4", "note 2"], []]


async def test_without_the_tag_index_no_superseded_memory_is_injected(own_settings, empty_store):
    """C12, C30, M14."""
    async with engine(own_settings, HashingEmbedder(dimension=384)) as runtime:
        services = runtime.services
        workspace = (await services.tenancy.workspaces.create("without tags")).id
        old, new = [
            (
                await services.memories.store.save(workspace, MemoryDraft(content=content, tags=("pinned",)))
            ).memory
            for content in ("Use imperial units", "Use the metric system")
        ]
        await services.memories.associations.associate(
            workspace, from_id=old.id, to_id=new.id, type_="INVALIDATED_BY"
        )
        await run(empty_store, "DROP INDEX memory_tags")
        query = RecallQuery(filter=MemoryFilter(any_tags=("pinned",)), for_injection=True)

        tagged = await services.retrieval.recall.tagged(workspace, query)
        injected = await services.retrieval.injection.for_turn(workspace, "Which units?")

    assert contents(tagged) == ["Use the metric system"]
    assert f"tags: {NO_TAG_INDEX}; every memory of the workspace was read" in injected.resolution.degraded
