"""Changes of the embedder, which never stop the service (B10), on this module's own store."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from app.bootstrap.runtime import Runtime, open_runtime, working
from app.settings import EmbeddingSettings, Settings
from graph.core.database import Database
from graph.core.models import JobRules, RecallTier
from graph.core.ports import EmbedderCrashed, EmbedderState, EmbeddingFailed
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.operations.admin import online_indexes
from graph.operations.status import VectorMeta, read_vector_meta
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import run
from tests.fixtures.own_store import engine
from tests.fixtures.quick_runtime import open_quick_runtime
from tests.fixtures.reembedding import NEW, OLD, FixedCatalogue, eventually
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

ROOT = Path(__file__).parents[4]
COUNT = 500


def old_embedder() -> HashingEmbedder:
    return HashingEmbedder(model=OLD[0], dimension=OLD[1])


def new_embedder(model: str = NEW[0]) -> HashingEmbedder:
    return HashingEmbedder(model=model, dimension=NEW[1])


class Refusing(HashingEmbedder):
    """An embedder that refuses texts with a certain word, as providers do."""

    async def embed(self, texts, *, as_query=False):
        if any("indigestible" in text for text in texts):
            raise EmbeddingFailed("the provider refuses the text")
        return await super().embed(texts)


async def filled(settings, count: int = COUNT) -> str:
    """Save memories with the old embedder, wait until they are embedded and return the workspace."""
    async with engine(settings, old_embedder()) as runtime:
        services = runtime.services
        workspace = await services.tenancy.workspaces.create("changing")
        for start in range(0, count, 100):
            drafts = [note(number) for number in range(start, min(start + 100, count))]
            await services.memories.store.save_all(workspace.id, drafts)
        await embedded(services, workspace.id, count)
        return workspace.id


async def embedded(services, workspace_id: str, count: int) -> None:
    async with asyncio.timeout(scaled_timeout(180)):
        while True:
            (counts,) = (await services.operations.status.engine([workspace_id])).workspaces
            if counts.embedded >= count and counts.pending_jobs == 0:
                return
            await asyncio.sleep(0.05)


def note(number: int) -> MemoryDraft:
    return MemoryDraft(content=f"note {number} speaks of topic{number} and subject{number % 50}")


def is_settled(runtime: Runtime, signature: str) -> bool:
    indexes = runtime.services.vectors.embeddings.indexes
    return indexes.active.signature == signature and not indexes.building and not indexes.retiring


SIZES = """
CYPHER 25 MATCH (memory:Memory)
RETURN size(memory.embedding_a) AS a, size(memory.embedding_b) AS b, count(*) AS memories ORDER BY memories
"""
VECTORS = """
CYPHER 25 MATCH (node:Memory|Passage) WHERE node[$property] IS NOT NULL
RETURN coalesce(node.id, node.memory_id) AS id, node.ordinal AS ordinal, node[$property] AS vector
ORDER BY id, ordinal
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
    found = await services.vectors.embeddings.embed_query(text)
    (vector,) = found.vectors
    assert len(vector) == found.index.dimension
    return await records(
        driver,
        NEAREST.format(index=found.index.name),
        vector=vector,
        ws=workspace_id,
        property=found.index.vector_property,
    )


async def test_the_embedder_changes_under_a_stream_of_recalls_and_saves(own_settings, empty_store):
    """B10, B11, B16: no request fails, no query uses another model's vectors, all memories get new ones."""
    workspace_id = await filled(own_settings)
    new = new_embedder()
    seen: set[str] = set()
    saved = COUNT
    async with engine(own_settings, new, old_embedder()) as runtime:
        services = runtime.services
        while not is_settled(runtime, new.signature):
            number = saved % COUNT
            found = await nearest(empty_store, services, workspace_id, f"topic{number} subject{number % 50}")
            assert f"note {number} " in " ".join(row["content"] for row in found)
            state = services.vectors.embeddings.state
            assert state.ready
            seen.add(state.signature)
            recalled = await services.retrieval.recall.recall(
                workspace_id, RecallQuery(query=f"topic{number}", limit=5)
            )
            assert recalled.hits
            await services.memories.store.save(workspace_id, note(saved))
            saved += 1
        await embedded(services, workspace_id, saved)
        assert await services.memories.store.count(workspace_id, MemoryFilter()) == saved

    assert seen == {old_embedder().signature, new.signature}
    assert saved > COUNT
    assert await records(empty_store, SIZES) == [{"a": None, "b": NEW[1], "memories": saved}]
    assert await records(empty_store, INDEXES) == [
        {"name": "vectors_b", "dimension": NEW[1], "quantization": "SCALAR"}
    ]


async def test_a_process_after_a_killed_one_continues_its_work(own_settings, empty_store):
    """B12: vectors from before the kill -9 are not computed again."""
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
    async with asyncio.timeout(scaled_timeout(180)):
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
    assert await records(empty_store, SIZES) == [{"a": None, "b": NEW[1], "memories": COUNT}]


async def test_without_the_old_model_recall_reports_the_progress(own_settings, empty_store):
    """B15, C2: without their model, the old vectors cannot be searched until the new ones are complete."""
    workspace_id = await filled(own_settings, 40)
    new = new_embedder()
    async with open_quick_runtime(own_settings, embedder=new, catalogue=FixedCatalogue({})) as runtime:
        services = runtime.services
        with pytest.raises(EmbeddingFailed, match="fake:old:96, which cannot be loaded any more; 0 of"):
            await services.vectors.embeddings.embed_query("topic7")
        recalled = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="topic7"))
        assert recalled.hits[0].memory.content.startswith("note 7 ")
        assert "fake:old:96" in recalled.resolution.fallback

        async with working(runtime):
            await eventually(lambda: is_settled(runtime, new.signature))
        assert (await services.vectors.embeddings.embed_query("topic7")).index.signature == new.signature


async def test_a_text_refused_by_the_new_model_does_not_delay_others(own_settings, empty_store):
    """B15: the memory gets the reason; the others of its batch get their vectors."""
    async with engine(own_settings, old_embedder()) as runtime:
        services = runtime.services
        workspace = await services.tenancy.workspaces.create("refusing")
        drafts = [MemoryDraft(content="indigestible"), *(note(number) for number in range(40))]
        refused, *_ = await services.memories.store.save_all(workspace.id, drafts)
        await embedded(services, workspace.id, 41)
    new = Refusing(model=NEW[0], dimension=NEW[1])

    async with engine(own_settings, new, old_embedder()) as runtime:
        await eventually(lambda: is_settled(runtime, new.signature))
        memory = await runtime.services.memories.store.get(workspace.id, refused.memory.id)

    assert (memory.state, memory.failure) == ("FAILED", "the provider refuses the text")
    assert await records(empty_store, SIZES) == [
        {"a": None, "b": None, "memories": 1},
        {"a": None, "b": NEW[1], "memories": 40},
    ]


class Crashing(HashingEmbedder):
    """An embedder that crashes at texts with a certain word, as some servers do."""

    async def embed(self, texts, *, as_query=False):
        if any("indigestible" in text for text in texts):
            raise EmbedderCrashed("answered with status 500")
        return await super().embed(texts)


async def test_a_text_that_crashes_the_model_is_skipped(own_settings, empty_store):
    """Issue 35 (13): the current model gives up after the job's attempts; the change continues without it."""
    rules = JobRules(poll_seconds=0.1, gather_seconds=0.01, first_delay_seconds=0.01)
    old, new = Crashing(model=OLD[0], dimension=OLD[1]), Crashing(model=NEW[0], dimension=NEW[1])
    async with open_runtime(own_settings, embedder=old, job_rules=rules) as runtime, working(runtime):
        services = runtime.services
        workspace = await services.tenancy.workspaces.create("crashing")
        drafts = [MemoryDraft(content="indigestible"), *(note(number) for number in range(40))]
        given_up, *_ = await services.memories.store.save_all(workspace.id, drafts)

        async def is_parked() -> bool:
            return (await services.memories.store.get(workspace.id, given_up.memory.id)).state == "FAILED"

        await until(is_parked, seconds=180)
        await embedded(services, workspace.id, 40)

    async with engine(own_settings, new, old) as runtime:
        await eventually(lambda: is_settled(runtime, new.signature))
        memory = await runtime.services.memories.store.get(workspace.id, given_up.memory.id)

    assert (memory.state, memory.failure) == ("FAILED", "answered with status 500")
    assert await records(empty_store, SIZES) == [
        {"a": None, "b": None, "memories": 1},
        {"a": None, "b": NEW[1], "memories": 40},
    ]


async def test_a_changed_dimension_embeds_everything_again(own_settings, empty_store, embedding_server):
    """Issue 35 (13): it starts automatically, and the status explains the missing vectors."""
    embedding = EmbeddingSettings(
        source="remote", custom_url=embedding_server.url, provider_model="custom/one"
    )
    settings = own_settings.model_copy(update={"embedding": embedding})
    async with open_quick_runtime(settings) as runtime, working(runtime):
        services = runtime.services
        embeddings = services.vectors.embeddings
        await eventually(lambda: embeddings.active is not None)
        workspace = await services.tenancy.workspaces.create("changing")
        await services.memories.store.save(workspace.id, note(1))
        await embedded(services, workspace.id, 1)
        embedding_server.embedder.dimension = 16

        with pytest.raises(EmbeddingFailed, match="vectors of length 16 instead of 32"):
            await embeddings.embed_query("a first query")
        state = embeddings.state
        await eventually(lambda: is_settled(runtime, "remote:custom/one:16"))
        found = await services.retrieval.recall.recall(workspace.id, RecallQuery(query="topic1"))
        assert (await services.operations.status.health()).embedder == EmbedderState(
            ready=True, signature="remote:custom/one:16"
        )

    assert (state.ready, state.since is None) == (False, False)
    assert (found.resolution.tier, len(found.hits)) == (RecallTier.VECTOR, 1)


async def test_an_outage_of_the_new_model_only_delays_the_change(own_settings, empty_store):
    """B15: no text is marked as refused while the model refuses all; saves use the old model."""
    workspace_id = await filled(own_settings, 40)
    new = new_embedder()
    new.failure = "out of order"
    async with engine(own_settings, new, old_embedder()) as runtime:
        services = runtime.services
        await eventually(lambda: services.vectors.embeddings.building_target() is not None)
        await services.memories.store.save(workspace_id, note(40))
        await embedded(services, workspace_id, 41)
        assert services.vectors.embeddings.state.signature == old_embedder().signature
        new.failure = None
        await eventually(lambda: is_settled(runtime, new.signature))
        assert (await services.operations.status.engine([workspace_id])).workspaces[0].failed == 0


async def test_another_quantisation_copies_the_vectors(own_settings, empty_store):
    """B17, B9: the index is rebuilt and its record updated; no text is embedded again."""
    empty = Database(empty_store, name="neo4j", timeout_seconds=30)
    assert await read_vector_meta(empty, online=()) == VectorMeta(None, None, None, vec_loaded=False)
    workspace_id = await filled(own_settings, 20)
    async with engine(own_settings, old_embedder()) as runtime:
        services = runtime.services
        text = "A lantern is lit. An orchard sleeps. Nobody is there."
        await services.memories.store.save(workspace_id, MemoryDraft(content=text, dedup=False))
        await embedded(services, workspace_id, 21)
    vectors = await records(empty_store, VECTORS, property="embedding_a")
    plain = own_settings.model_copy(update={"embedding": EmbeddingSettings(quantization="NONE")})
    same = old_embedder()

    async with engine(plain, same) as runtime:
        services = runtime.services
        await eventually(lambda: services.vectors.embeddings.active.index_signature == same.signature)
        await eventually(lambda: is_settled(runtime, same.signature))
        online = await online_indexes(services.core.database)
        meta = await read_vector_meta(services.core.database, online=online)
        since = services.vectors.embeddings.active.since
        again = [each for call in same.calls for each in call if "topic" in each or "lantern" in each]
        by_meaning = await services.retrieval.recall.recall(
            workspace_id, RecallQuery(query="orchard lantern lit")
        )
        same.failure = "away"
        by_words = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="orchard"))

    assert meta == VectorMeta(OLD[1], same.signature, since, vec_loaded=True)
    assert again == []
    assert len(vectors) == 24
    assert await records(empty_store, VECTORS, property="embedding_b") == vectors
    assert await records(empty_store, VECTORS, property="embedding_a") == []
    assert await records(empty_store, INDEXES) == [
        {"name": "vectors_b", "dimension": OLD[1], "quantization": "NONE"}
    ]
    assert by_meaning.hits[0].memory.content == text
    assert by_meaning.resolution.embedder == same.signature
    assert by_meaning.resolution.degraded == ()
    assert by_words.resolution.fallback == "keywords only: away"
    assert [hit.memory.content for hit in by_words.hits] == [text]


async def test_returning_to_the_current_model_cancels_the_change(own_settings, empty_store):
    await filled(own_settings, 20)
    async with open_quick_runtime(own_settings, embedder=new_embedder()) as runtime:
        assert runtime.services.vectors.embeddings.building.signature == new_embedder().signature

    async with engine(own_settings, old_embedder()) as runtime:
        await eventually(lambda: is_settled(runtime, old_embedder().signature))

    assert await records(empty_store, SIZES) == [{"a": OLD[1], "b": None, "memories": 20}]


async def test_a_workspace_can_be_embedded_again(own_settings, empty_store):
    """B12: without force only memories without a vector, with force all; the report counts them."""
    workspace_id = await filled(own_settings, 20)
    async with open_quick_runtime(own_settings, embedder=old_embedder()) as runtime:
        embeddings = runtime.services.vectors.embeddings
        nothing = await embeddings.reindex(workspace_id)
        everything = await embeddings.reindex(workspace_id, force=True)

    assert (nothing.started, nothing.pending) == (False, 0)
    assert (everything.started, everything.pending) == (True, 20)


async def test_a_store_keeps_its_local_model_until_a_setting_names_another(own_settings, empty_store):
    """B10: a new default of a release does not start a re-embedding; recall keeps its vectors."""

    def with_model(name: str | None) -> Settings:
        embedding = EmbeddingSettings(local_model=name)
        return own_settings.model_copy(update={"embedding": embedding})

    async def signatures(settings: Settings, wanted: str) -> tuple[str, bool]:
        """Return the signature of the active vectors, and whether others are being computed."""
        async with open_quick_runtime(settings) as runtime, working(runtime):
            embeddings = runtime.services.vectors.embeddings
            await eventually(lambda: embeddings.active is not None and embeddings.state.signature == wanted)
            await embeddings.refresh()
            found = await runtime.services.retrieval.recall.recall(
                workspace_id, RecallQuery(query="indentation")
            )
            assert (found.resolution.tier, len(found.hits)) == (RecallTier.VECTOR, 1)
            return embeddings.state.signature or "", embeddings.building is not None

    minilm, e5 = "transformers:all-MiniLM-L6-v2:384", "local:e5-small-v2-q:384"
    async with open_quick_runtime(with_model("e5-small-v2-q")) as runtime, working(runtime):
        services = runtime.services
        workspace_id = (await services.tenancy.workspaces.create("old")).id
        await services.memories.store.save(workspace_id, MemoryDraft(content="Ada prefers tabs over spaces"))
        await embedded(services, workspace_id, 1)

    assert await signatures(with_model(None), e5) == (e5, False)
    assert await signatures(with_model("all-MiniLM-L6-v2"), minilm) == (minilm, False)
    assert await signatures(with_model(None), minilm) == (minilm, False)
