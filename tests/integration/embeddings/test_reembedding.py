"""Changing the embedder never stops the service (design §5, B10): on a store of this module's own."""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from neo4j import AsyncGraphDatabase

from app.bootstrap import Runtime, open_runtime, working
from app.embedded.neo4j import EmbeddedNeo4j
from app.embedded.ports import free_port
from app.settings import EmbeddingSettings, Neo4jSettings, RedisSettings, Settings, WorkerSettings
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.ports import EmbeddingFailed
from graph.recall.models import RecallQuery
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import run
from tests.fixtures.reembedding import NEW, OLD, FixedShelf, eventually

ROOT = Path(__file__).parents[3]
COUNT = 500


def old_embedder() -> HashingEmbedder:
    return HashingEmbedder(model=OLD[0], dimension=OLD[1])


def new_embedder(model: str = NEW[0]) -> HashingEmbedder:
    return HashingEmbedder(model=model, dimension=NEW[1])


class Refusing(HashingEmbedder):
    """Refuses texts that hold a word, as providers do with what they cannot take."""

    async def embed(self, texts):
        if any("indigestible" in text for text in texts):
            raise EmbeddingFailed("the provider refuses the text")
        return await super().embed(texts)


@pytest.fixture(scope="module")
async def own_settings(redis_url) -> AsyncIterator[Settings]:
    with tempfile.TemporaryDirectory(prefix="recollect-reembedding-") as folder:
        server = EmbeddedNeo4j(
            Path(folder), bolt_port=free_port(), http_port=free_port(), heap_mb=512, pagecache_mb=128
        )
        address = await server.start()
        try:
            yield Settings(
                _env_file=None,
                neo4j=Neo4jSettings(uri=address.uri, user=address.user, password=address.password),
                redis=RedisSettings(url=redis_url),
                embedding=EmbeddingSettings(refresh_seconds=0.3),
                worker=WorkerSettings(batch_size=32, poll_seconds=0.3, lease_seconds=5),
            )
        finally:
            await server.stop()


@pytest.fixture(scope="module")
async def driver(own_settings):
    neo4j = own_settings.neo4j
    auth = (neo4j.user, neo4j.password.get_secret_value())
    async with AsyncGraphDatabase.driver(neo4j.uri, auth=auth, notifications_min_severity="OFF") as opened:
        yield opened


@pytest.fixture
async def empty(driver) -> None:
    """The store as new: each test here changes what is one for the whole deployment."""
    await run(driver, "CYPHER 25 MATCH (n) DETACH DELETE n")
    for slot in "ab":
        await run(driver, f"DROP INDEX vectors_{slot} IF EXISTS")


@asynccontextmanager
async def engine(settings, embedder, *others) -> AsyncIterator[Runtime]:
    async with (
        open_runtime(settings, embedder=embedder, shelf=FixedShelf.of(*others)) as runtime,
        working(runtime),
    ):
        yield runtime


async def filled(settings, count: int = COUNT) -> str:
    """Save memories with the old embedder, wait for their vectors and return the workspace."""
    async with engine(settings, old_embedder()) as runtime:
        services = runtime.services
        workspace = await services.workspaces.create("changing")
        for start in range(0, count, 100):
            drafts = [note(number) for number in range(start, min(start + 100, count))]
            await services.memories.save_all(workspace.id, drafts)
        await embedded(services, workspace.id, count)
        return workspace.id


async def embedded(services, workspace_id: str, count: int) -> None:
    async with asyncio.timeout(180):
        while (await services.status.engine([workspace_id])).workspaces[0].embedded < count:
            await asyncio.sleep(0.05)


def note(number: int) -> MemoryDraft:
    return MemoryDraft(content=f"note {number} speaks of topic{number} and subject{number % 50}")


def is_settled(runtime: Runtime, signature: str) -> bool:
    indexes = runtime.services.embeddings.indexes
    return indexes.active.signature == signature and not indexes.building and not indexes.retiring


SIZES = """
CYPHER 25 MATCH (memory:Memory)
RETURN size(memory.embedding_a) AS a, size(memory.embedding_b) AS b, count(*) AS memories ORDER BY memories
"""
INDEXES = """
SHOW INDEXES YIELD name, type, options WHERE type = 'VECTOR'
RETURN name, options.indexConfig['vector.dimensions'] AS dimension,
       options.indexConfig['vector.quantization.type'] AS quantization ORDER BY name
"""
NEAREST = """
CYPHER 25 MATCH (found:Memory)
SEARCH found IN (VECTOR INDEX {index} FOR $vector
                 WHERE found.workspace_id = $ws AND found.active = true AND found.search_kind = 'memory' LIMIT 3)
SCORE AS score
RETURN found.content AS content, size(found[$property]) AS dimension
"""


async def records(driver, query: str, **parameters) -> list[dict]:
    return [record.data() for record in (await run(driver, query, **parameters)).records]


async def nearest(driver, services, workspace_id: str, text: str) -> list[dict]:
    found = await services.embeddings.embed_query(text)
    (vector,) = found.vectors
    assert len(vector) == found.index.dimension
    return await records(
        driver,
        NEAREST.format(index=found.index.name),
        vector=vector,
        ws=workspace_id,
        property=found.index.vector_property,
    )


@pytest.mark.usefixtures("empty")
async def test_the_embedder_changes_under_a_stream_of_recalls_and_saves(own_settings, driver):
    """B10, B11, B16: no request fails, no query meets another model's vectors, and every memory has the new vector."""
    workspace_id = await filled(own_settings)
    new = new_embedder()
    seen: set[str] = set()
    saved = COUNT
    async with engine(own_settings, new, old_embedder()) as runtime:
        services = runtime.services
        while not is_settled(runtime, new.signature):
            number = saved % COUNT
            found = await nearest(driver, services, workspace_id, f"topic{number} subject{number % 50}")
            assert f"note {number} " in " ".join(row["content"] for row in found)
            state = services.embeddings.state
            assert state.ready
            seen.add(state.signature)
            recalled = await services.recall.recall(
                workspace_id, RecallQuery(query=f"topic{number}", limit=5)
            )
            assert recalled.hits
            await services.memories.save(workspace_id, note(saved))
            saved += 1
        await embedded(services, workspace_id, saved)
        assert await services.memories.count(workspace_id, MemoryFilter()) == saved

    assert seen == {old_embedder().signature, new.signature}
    assert saved > COUNT
    assert await records(driver, SIZES) == [{"a": None, "b": NEW[1], "memories": saved}]
    assert await records(driver, INDEXES) == [
        {"name": "vectors_b", "dimension": NEW[1], "quantization": "SCALAR"}
    ]


@pytest.mark.usefixtures("empty")
async def test_a_killed_process_is_followed_by_one_that_goes_on(own_settings, driver):
    """B12: what was embedded before a kill -9 is not embedded again."""
    await filled(own_settings)
    neo4j = own_settings.neo4j
    plain = own_settings.model_dump(mode="json") | {
        "neo4j": {"uri": neo4j.uri, "user": neo4j.user, "password": neo4j.password.get_secret_value()}
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.fixtures.reembedding",
        json.dumps(plain),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    done = 0
    async with asyncio.timeout(180):
        while done < 100:
            line = (await process.stdout.readline()).decode().strip()
            done = int(line) if line.lstrip("-").isdigit() else done
    process.kill()
    await process.wait()
    new = new_embedder()

    async with engine(own_settings, new, old_embedder()) as runtime:
        await eventually(lambda: is_settled(runtime, new.signature))

    again = [text for call in new.calls for text in call if text.startswith("note ")]
    assert len(again) <= COUNT - done
    assert await records(driver, SIZES) == [{"a": None, "b": NEW[1], "memories": COUNT}]


@pytest.mark.usefixtures("empty")
async def test_without_the_old_model_recall_says_how_far_the_new_vectors_are(own_settings):
    """B15, C2: stored vectors whose model is gone are of no use until the new ones are complete."""
    workspace_id = await filled(own_settings, 40)
    new = new_embedder()
    async with open_runtime(own_settings, embedder=new, shelf=FixedShelf({})) as runtime:
        services = runtime.services
        with pytest.raises(EmbeddingFailed, match="fake:old:96, which cannot be loaded any more; 0 of"):
            await services.embeddings.embed_query("topic7")
        recalled = await services.recall.recall(workspace_id, RecallQuery(query="topic7"))
        assert recalled.hits[0].memory.content.startswith("note 7 ")
        assert "fake:old:96" in recalled.resolution.fallback

        async with working(runtime):
            await eventually(lambda: is_settled(runtime, new.signature))
        assert (await services.embeddings.embed_query("topic7")).index.signature == new.signature


@pytest.mark.usefixtures("empty")
async def test_a_text_the_new_model_refuses_does_not_hold_up_the_others(own_settings, driver):
    """B15: it is marked with the reason; its neighbours in the batch have their vectors."""
    async with engine(own_settings, old_embedder()) as runtime:
        services = runtime.services
        workspace = await services.workspaces.create("refusing")
        drafts = [MemoryDraft(content="indigestible"), *(note(number) for number in range(40))]
        refused, *_ = await services.memories.save_all(workspace.id, drafts)
        await embedded(services, workspace.id, 41)
    new = Refusing(model=NEW[0], dimension=NEW[1])

    async with engine(own_settings, new, old_embedder()) as runtime:
        await eventually(lambda: is_settled(runtime, new.signature))
        memory = await runtime.services.memories.get(workspace.id, refused.memory.id)

    assert (memory.state, memory.failure) == ("FAILED", "the provider refuses the text")
    assert await records(driver, SIZES) == [
        {"a": None, "b": None, "memories": 1},
        {"a": None, "b": NEW[1], "memories": 40},
    ]


@pytest.mark.usefixtures("empty")
async def test_an_outage_of_the_new_model_only_delays_the_change(own_settings):
    """B15: nothing is marked as refused while the model refuses everything; saves go on with the old one."""
    workspace_id = await filled(own_settings, 40)
    new = new_embedder()
    new.failure = "out of order"
    async with engine(own_settings, new, old_embedder()) as runtime:
        services = runtime.services
        await eventually(lambda: services.embeddings.building_target() is not None)
        await services.memories.save(workspace_id, note(40))
        await embedded(services, workspace_id, 41)
        assert services.embeddings.state.signature == old_embedder().signature
        new.failure = None
        await eventually(lambda: is_settled(runtime, new.signature))
        assert (await services.status.engine([workspace_id])).workspaces[0].failed == 0


@pytest.mark.usefixtures("empty")
async def test_another_quantisation_is_another_index(own_settings, driver):
    """B17: the index really is rebuilt, and the signature of the index says so."""
    await filled(own_settings, 20)
    plain = own_settings.model_copy(
        update={"embedding": EmbeddingSettings(refresh_seconds=0.3, quantization="NONE")}
    )
    before = old_embedder().signature

    async with engine(plain, old_embedder()) as runtime:
        await eventually(lambda: runtime.services.embeddings.active.index_signature == before)
        await eventually(lambda: is_settled(runtime, before))

    assert await records(driver, INDEXES) == [
        {"name": "vectors_b", "dimension": OLD[1], "quantization": "NONE"}
    ]
    assert await records(driver, SIZES) == [{"a": None, "b": OLD[1], "memories": 20}]


@pytest.mark.usefixtures("empty")
async def test_going_back_to_the_model_in_use_gives_up_the_other(own_settings, driver):
    await filled(own_settings, 20)
    async with open_runtime(own_settings, embedder=new_embedder()) as runtime:
        assert runtime.services.embeddings.building.signature == new_embedder().signature

    async with engine(own_settings, old_embedder()) as runtime:
        await eventually(lambda: is_settled(runtime, old_embedder().signature))

    assert await records(driver, SIZES) == [{"a": OLD[1], "b": None, "memories": 20}]


@pytest.mark.usefixtures("empty")
async def test_a_workspace_can_be_embedded_again(own_settings):
    """B12: without force only what lacks a vector, with force everything; the report counts it."""
    workspace_id = await filled(own_settings, 20)
    async with open_runtime(own_settings, embedder=old_embedder()) as runtime:
        embeddings = runtime.services.embeddings
        nothing = await embeddings.reindex(workspace_id)
        everything = await embeddings.reindex(workspace_id, force=True)

    assert (nothing.started, nothing.pending) == (False, 0)
    assert (everything.started, everything.pending) == (True, 20)
