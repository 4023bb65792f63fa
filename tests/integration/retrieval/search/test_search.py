"""Search over memories, entities, chunks, artifacts and episodes of a workspace (C23)."""

import secrets
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.bootstrap.runtime import open_runtime
from app.settings import EmbeddingSettings
from graph.core.errors import InvalidInput
from graph.core.models import RecallTier
from graph.memories.models import MemoryDraft
from graph.memories.policy import Retention, RetentionSurface
from graph.retrieval.search import knowledge
from graph.retrieval.search.markdown import render
from graph.retrieval.search.models import SearchKind
from graph.retrieval.search.service import Search
from tests.fixtures.graphs import run
from tests.fixtures.memories import MovingClock
from tests.fixtures.prompts import NOTE
from tests.fixtures.recall import recall_under

CREATE = (Path(__file__).parent / "knowledge.cypher").read_text(encoding="utf-8")
LABELS = {"entity": "Entity", "chunk": "Chunk", "artifact": "Artifact", "episode": "Episode"}
MEMORY, ENTITY, CHUNK, ARTIFACT, EPISODE = SearchKind


@pytest.fixture
def written(services, graph_driver):
    """Return a function that writes other records than memories and returns their ids."""

    async def write(
        workspace_id: str, *nodes: tuple[str, str], keys: str | None = None, **fields
    ) -> list[str]:
        vectors = (await services.vectors.embeddings.embed([text for _, text in nodes])).tolist()
        rows = [
            {
                "id": f"{kind[:3]}_{secrets.token_hex(8)}",
                "kind": kind,
                "label": LABELS[kind],
                "text": text,
                "keys": keys,
                "active": True,
                "vector": vector,
                **fields,
            }
            for (kind, text), vector in zip(nodes, vectors, strict=True)
        ]
        await run(
            graph_driver,
            CREATE,
            ws=workspace_id,
            nodes=rows,
            vector_property=services.vectors.embeddings.vector_property,
        )
        return [row["id"] for row in rows]

    return write


async def saved(services, workspace_id: str, *contents: str, **fields) -> list[str]:
    vectors = (await services.vectors.embeddings.embed(contents)).tolist()
    drafts = [
        MemoryDraft(content=content, embedding=tuple(vector), dedup=False, **fields)
        for content, vector in zip(contents, vectors, strict=True)
    ]
    return [receipt.memory.id for receipt in await services.memories.store.save_all(workspace_id, drafts)]


def kinds(result) -> list[SearchKind]:
    return [hit.kind for hit in result.hits]


async def test_hits_of_all_kinds_share_one_list_by_score(services, workspace_id, written):
    """C23: a full match of the query comes before a partial one of any kind."""
    await saved(services, workspace_id, "checkout deployments")
    await written(
        workspace_id,
        ("entity", "checkout deployments fail often"),
        ("chunk", "deployments and the weather"),
        ("artifact", "something else entirely"),
        ("episode", "checkout deployments fail"),
    )

    result = await services.retrieval.search.search(workspace_id, "checkout deployments fail")

    assert kinds(result) == [EPISODE, ENTITY, MEMORY, CHUNK, ARTIFACT]
    assert [hit.coverage == 1.0 for hit in result.hits] == [True, True, False, False, False]
    best = result.hits[0]
    assert (best.text, best.memory) == ("checkout deployments fail", None)
    assert best.vector_score == pytest.approx(1.0, abs=1e-5)
    assert best.why == ["closest in meaning of its kind", "best match in words of its kind"]
    memory = result.hits[2]
    assert memory.memory.content == memory.text == "checkout deployments"
    assert memory.why[:2] == ["closest in meaning", "best match in words"]
    assert result.resolution.tier is RecallTier.VECTOR
    assert result.resolution.degraded == ()
    assert {"embed", "graph", "rank", "knowledge_words", "knowledge_meaning", "blend", "read"} == set(
        result.resolution.stages_ms
    )


async def test_hits_are_tokenized_in_a_thread(services, workspace_id, written, monkeypatch):
    """C23: splitting hundreds of texts would block other requests."""
    threads: list[threading.Thread] = []

    def read(text: str) -> list[str]:
        threads.append(threading.current_thread())
        return words(text)

    words = knowledge.words
    monkeypatch.setattr(knowledge, "words", read)
    await written(workspace_id, ("chunk", "omega chunk"), ("entity", "omega entity"))

    result = await services.retrieval.search.search(workspace_id, "omega")

    assert len(result.hits) == len(threads) == 2
    assert threading.main_thread() not in threads


async def test_only_the_requested_kinds_are_found(services, workspace_id, written):
    """C23."""
    await saved(services, workspace_id, "alpha memory")
    await written(workspace_id, *((kind, f"alpha {kind}") for kind in LABELS))

    async def found(*wanted: SearchKind) -> set[SearchKind]:
        return set(kinds(await services.retrieval.search.search(workspace_id, "alpha", kinds=wanted)))

    assert await found() == set(SearchKind)
    assert await found(MEMORY) == {MEMORY}
    assert await found(CHUNK, ENTITY, CHUNK) == {CHUNK, ENTITY}


async def test_many_hits_of_one_kind_do_not_hide_others(services, workspace_id, written):
    """C23: neither among the candidates nor on the page."""
    await written(workspace_id, *(("chunk", f"beta gamma {number}") for number in range(150)))
    (lone,) = await written(workspace_id, ("entity", "beta gamma delta epsilon zeta"))
    (word,) = await written(workspace_id, ("artifact", "gamma " + "filler " * 40), vector=None)

    result = await services.retrieval.search.search(workspace_id, "beta gamma", first=10)
    both = await services.retrieval.search.search(workspace_id, "beta gamma", first=100)

    assert lone in [hit.id for hit in result.hits]
    assert word in [hit.id for hit in both.hits]


async def test_entities_are_found_by_name_and_by_a_single_leg(services, workspace_id, written):
    """C23: each way of search works alone."""
    (named,) = await written(workspace_id, ("entity", "a payment company"), keys="Acme ACM", vector=None)
    (near,) = (await services.vectors.embeddings.embed(["eta theta"])).tolist()
    (meant,) = await written(workspace_id, ("chunk", "no word in common"), vector=near)

    by_name = await services.retrieval.search.search(workspace_id, "what does ACM do?")
    by_meaning = await services.retrieval.search.search(workspace_id, "eta theta")

    assert by_name.hits[0].id == named
    assert by_name.hits[0].vector_score is None
    assert [hit.id for hit in by_meaning.hits] == [meant]
    assert by_meaning.hits[0].coverage == 0.0


async def test_chinese_words_find_every_kind(services, workspace_id, written):
    """C26, C23."""
    (entity,) = await written(workspace_id, ("entity", "上海公司"), vector=None)
    await written(workspace_id, ("entity", "北京公司"), vector=None)

    result = await services.retrieval.search.search(workspace_id, "上海")

    assert [hit.id for hit in result.hits] == [entity]


async def test_pages_of_a_search_continue_each_other(services, workspace_id, written):
    """C23: the offset skips hits of the common list."""
    await saved(services, workspace_id, *(f"iota memory {number}" for number in range(4)))
    await written(workspace_id, *(("chunk", f"iota chunk {number}") for number in range(4)))

    whole = [hit.id for hit in (await services.retrieval.search.search(workspace_id, "iota", first=8)).hits]
    pages = [
        [
            hit.id
            for hit in (
                await services.retrieval.search.search(workspace_id, "iota", first=3, offset=start)
            ).hits
        ]
        for start in (0, 3, 6)
    ]

    assert sum(pages, []) == whole
    assert len(set(whole)) == 8


async def test_deleted_records_and_other_workspaces_are_not_found(
    services, workspace_id, other_workspace_id, written
):
    """C11, C23, N12."""
    await written(workspace_id, ("entity", "kappa gone"), active=False)
    await written(other_workspace_id, *((kind, f"kappa {kind}") for kind in LABELS))
    await saved(services, other_workspace_id, "kappa memory")
    (deleted,) = await saved(services, workspace_id, "kappa deleted")
    await services.memories.deletion.delete(workspace_id, deleted)

    assert (await services.retrieval.search.search(workspace_id, "kappa")).hits == ()
    assert len((await services.retrieval.search.search(other_workspace_id, "kappa")).hits) == 5


async def test_without_an_embedder_words_serve_with_a_notice(settings, workspace_id, written):
    """C2, C23."""
    await written(workspace_id, ("entity", "lambda company"), ("chunk", "nothing of it"))
    without = settings.model_copy(update={"embedding": EmbeddingSettings(source="none")})
    async with open_runtime(without) as runtime:
        result = await runtime.services.retrieval.search.search(workspace_id, "lambda")

    assert [hit.text for hit in result.hits] == ["lambda company"]
    assert result.hits[0].score == 1.0
    assert (result.hits[0].vector_score, result.hits[0].why) == (None, ["best match in words of its kind"])
    assert result.resolution.tier is RecallTier.KEYWORD
    assert result.resolution.fallback == "keywords only: no embedding model is configured"
    assert result.resolution.degraded == ("vector: no embedding model is configured",)


async def test_search_drops_memories_older_than_the_setting(services, workspace_id, memories_under):
    """A36, C23."""
    clock = MovingClock()
    memories = memories_under(
        clock=clock, retention=Retention(days=30, applies_to=(RetentionSurface.API_MEMORY,))
    )
    clock.move(days=-31)
    await memories.save(workspace_id, MemoryDraft(content="mu note"))
    clock.move(days=31)
    search = Search(services.core.database, recall_under(services, memories=memories, clock=clock), memories)

    assert len((await search.search(workspace_id, "mu")).hits) == 1
    assert (await search.search(workspace_id, "mu", surface=RetentionSurface.API_MEMORY)).hits == ()


async def test_a_search_counts_no_use(services, workspace_id):
    """A37: a search is not a recall."""
    (id_,) = await saved(services, workspace_id, "nu note")

    await services.retrieval.search.search(workspace_id, "nu")
    await services.telemetry.usage.flush()

    assert (await services.memories.store.get(workspace_id, id_)).usage_count == 0


async def test_the_text_for_a_model_marks_ended_memories(services, workspace_id):
    """C11, C23."""
    await saved(services, workspace_id, "omicron note", t_invalid=datetime(2021, 1, 1, tzinfo=UTC))

    text = render(await services.retrieval.search.for_model(workspace_id, "omicron note"))

    assert ", held until 2021-01-01)\n   omicron note" in text


async def test_results_are_text_for_a_model(services, workspace_id, written):
    """C23, F§3: each hit has its kind and one line of data; a chunk counts as a document."""
    (memory,) = await saved(services, workspace_id, "xi memory")
    (chunk,) = await written(workspace_id, ("chunk", "xi chunk\nof two lines " + "x" * 600))

    text = render(await services.retrieval.search.for_model(workspace_id, "xi memory"), offset=0)
    second = render(
        await services.retrieval.search.for_model(workspace_id, "xi memory", limit=1, offset=1), offset=1
    )
    nothing = render(await services.retrieval.search.for_model(workspace_id, "xi", offset=9), offset=9)
    many = await services.retrieval.search.for_model(workspace_id, "xi", limit=100)

    lines = text.split("\n")
    assert lines[0] == "# Search results"
    assert lines[2] == NOTE
    assert lines[4].startswith(f"1. **{memory}** (memory, score ")
    assert lines[5] == "   xi memory"
    assert lines[7].startswith(f"2. **{chunk}** (document, score ")
    assert lines[8].startswith("   xi chunk of two lines xxx")
    assert lines[8].endswith("x…")
    assert second.startswith(f"# Search results\n\n{NOTE}\n\n2. **{chunk}**")
    assert nothing == "# Search results\n\nNothing matches."
    assert len(many.hits) == 2


@pytest.mark.parametrize(
    ("text", "fields", "field"),
    [
        ("", {}, "query"),
        (" \n", {}, "query"),
        ("\x00", {}, "query"),
        ("x", {"first": 0}, "first"),
        ("x", {"first": 101}, "first"),
        ("x", {"offset": -1}, "offset"),
    ],
)
async def test_invalid_input_is_refused_with_its_field(services, workspace_id, text, fields, field):
    with pytest.raises(InvalidInput) as refusal:
        await services.retrieval.search.search(workspace_id, text, **fields)

    assert refusal.value.field == field
    assert refusal.value.message.startswith(field)


@pytest.mark.parametrize(
    "text",
    ['+ - && || ! ( ) { } [ ] ^ " ~ * ? : \\ /', "AND OR NOT", "the of and", "search_kind:memory", "😀"],
)
async def test_any_query_text_is_accepted(services, workspace_id, written, text):
    """C28."""
    await written(workspace_id, ("entity", "omicron"))

    assert len((await services.retrieval.search.search(workspace_id, text)).hits) == 1


async def test_deleted_records_do_not_displace_active_ones(services, workspace_id, written) -> None:
    """C23: there are as many of them as candidates, and they score as high."""
    await written(workspace_id, *[("entity", "narwhal")] * 60, active=False)
    (live,) = await written(workspace_id, ("entity", "the narwhal that swims by the northern pier"))

    found = await services.retrieval.search.search(workspace_id, "narwhal", kinds=[ENTITY])

    assert [(hit.id, hit.why[1]) for hit in found.hits] == [(live, "best match in words of its kind")]
