"""Recall by words among many deleted or expired memories: the index lists only active ones."""

import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files

import pytest

from graph.memories.bulk import BulkChange, Selection
from graph.memories.models import MemoryChange, MemoryClearing, MemoryDraft
from graph.memories.saving.indexing import SEARCHED
from graph.retrieval import queries
from graph.retrieval.recall.candidate_retriever import RecallLimits
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from graph.vectors.index.queries import list_embedding_sources, list_sources_to_reembed
from tests.fixtures.graphs import run
from tests.fixtures.locks import overtaken_by
from tests.fixtures.memories import MovingClock

_SEARCHED = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
RETURN memory.search_text AS text, memory.search_window AS window, memory.search_keys AS keys,
       memory.search_text_cjk AS cjk
"""
_RESTORED = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.active = true, memory.deleted_at = null"""
_DELETED = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.active = false, memory.deleted_at = datetime(), memory.search_text = null, memory.search_window = null,
    memory.search_keys = null, memory.search_text_cjk = null"""
_TERMS = "MATCH (memory:Memory {workspace_id: $ws, id: $id}) RETURN memory.terms AS terms"
_CHAIN = """MATCH (memory:Memory {workspace_id: $ws, id: $id})<-[:NEXT]-(previous)
RETURN previous.id AS previous, memory.position AS position"""
_WORD = "axolotl"
_TURN = {"source_conversation_id": "c", "timestamp": datetime(2026, 5, 1, tzinfo=UTC)}
_MORE = RecallLimits().text_list + 10


async def by_words(services, workspace_id: str, query: str = _WORD) -> set[str]:
    """Return the ids of the memories that the words of a query find."""
    recall = services.retrieval.recall
    ranking = await recall.rank(
        workspace_id, recall.parse(query), None, recall.trace(RecallStrategy.HYBRID, "test")
    )
    return set(ranking.pool.text_scores)


async def by_turns_around(services, workspace_id: str) -> set[str]:
    """Return the ids of the memories that a word finds through their neighbouring turns."""
    recall = services.retrieval.recall
    ranking = await recall.rank(
        workspace_id, recall.parse(_WORD), None, recall.trace(RecallStrategy.HYBRID, "test")
    )
    return set(ranking.pool.window_scores)


async def saved(services, workspace_id: str, *contents: str, **fields) -> list[str]:
    drafts = [MemoryDraft(content=content, dedup=False, **fields) for content in contents]
    return [receipt.memory.id for receipt in await services.memories.store.save_all(workspace_id, drafts)]


async def searched(graph_driver, workspace_id: str, id_: str) -> list[str | None]:
    (row,) = (await run(graph_driver, _SEARCHED, ws=workspace_id, id=id_)).records
    return [row["text"], row["window"], row["keys"], row["cjk"]]


async def test_deleted_memories_do_not_displace_live_ones(services, workspace_id) -> None:
    """A30, C1: deleted memories score as well as active ones, and would fill the candidate list."""
    await saved(services, workspace_id, *[f"{_WORD} {number}" for number in range(_MORE)])
    await services.memories.deletion.clear(workspace_id, MemoryClearing())
    (live,) = await saved(services, workspace_id, f"{_WORD} in the pond behind the old mill")

    assert await by_words(services, workspace_id) == {live}


async def test_swept_memories_do_not_displace_live_ones(services, workspace_id, memories_under) -> None:
    """A35, A21."""
    past = MovingClock()
    past.move(days=-2)
    drafts = [
        MemoryDraft(content=f"{_WORD} {number}", expires_at=past.now() + timedelta(hours=1), dedup=False)
        for number in range(_MORE)
    ]
    await memories_under(clock=past).save_all(workspace_id, drafts)
    (live,) = await saved(services, workspace_id, f"{_WORD} in the pond behind the old mill")

    await services.memories.deletion.sweep_expired()

    assert await by_words(services, workspace_id) == {live}


async def test_an_expired_turn_is_not_found_by_the_turns_around_it(
    services, workspace_id, memories_under
) -> None:
    """A35, E4: the neighbours' windows must not keep its words."""
    past = MovingClock()
    past.move(days=-2)
    ends = [None, past.now() + timedelta(hours=1), None]
    drafts = [
        MemoryDraft(content=content, expires_at=end, **_TURN)
        for content, end in zip(("who lives there?", f"an {_WORD}", "it is pink"), ends, strict=True)
    ]
    before, _, after = [
        receipt.memory.id for receipt in await memories_under(clock=past).save_all(workspace_id, drafts)
    ]
    assert await by_turns_around(services, workspace_id) == {before, after}

    await services.memories.deletion.sweep_expired()

    assert await by_turns_around(services, workspace_id) == set()


async def test_words_keys_and_neighbouring_turns_find_a_restored_memory(
    services, workspace_id, graph_driver
) -> None:
    """A32: as before, even if a turn was added after it in the meantime."""
    before, turn = await saved(services, workspace_id, "who lives there?", f"an {_WORD} 六角恐龙", **_TURN)
    held = await searched(graph_driver, workspace_id, turn)
    await services.memories.deletion.remove(workspace_id, turn)
    assert await searched(graph_driver, workspace_id, turn) == [None] * 4
    (after,) = await saved(services, workspace_id, "it is pink", **_TURN)
    assert await searched(graph_driver, workspace_id, turn) == [None] * 4

    await services.memories.store.restore(workspace_id, turn)

    text, window, keys, cjk = await searched(graph_driver, workspace_id, turn)
    assert (text, keys, cjk) == (held[0], held[2], held[3])
    assert "it is pink" in window
    assert await by_words(services, workspace_id) == {turn}
    assert _WORD in (await searched(graph_driver, workspace_id, after))[1]
    assert _WORD in (await searched(graph_driver, workspace_id, before))[1]


async def test_a_turn_behind_a_deleted_one_is_not_searched_together_with_it(
    services, workspace_id, graph_driver
) -> None:
    """A30, E4: it follows the deleted turn, but is found through the active turns before that."""
    _, gone = await saved(services, workspace_id, "the pond is old", f"who has an {_WORD}?", **_TURN)
    await services.memories.deletion.remove(workspace_id, gone)

    next_, last = await saved(services, workspace_id, "Bob has", "it is pink", **{**_TURN, "speaker": "Bob"})

    assert await by_words(services, workspace_id) == await by_turns_around(services, workspace_id) == set()
    (row,) = (await run(graph_driver, _CHAIN, ws=workspace_id, id=next_)).records
    assert (row["previous"], row["position"]) == (gone, 2)
    text, window, _, _ = await searched(graph_driver, workspace_id, last)
    assert (_WORD in text, "the pond is old" in window, "Bob has" in window) == (False, True, True)
    (row,) = (await run(graph_driver, _TERMS, ws=workspace_id, id=next_)).records
    assert _WORD not in row["terms"]


async def test_a_turn_that_is_deleted_while_the_next_is_saved_is_not_searched_together_with_it(
    services, workspace_id, graph_driver
) -> None:
    """A30, E4: and the deleted turn's search fields do not return."""
    before, gone = await saved(services, workspace_id, "the pond is old", f"an {_WORD}", **_TURN)

    (after,) = await overtaken_by(
        graph_driver,
        _DELETED,
        saved(services, workspace_id, "it is pink", **_TURN),
        ws=workspace_id,
        id=gone,
    )

    assert await searched(graph_driver, workspace_id, gone) == [None] * 4
    assert _WORD not in (await searched(graph_driver, workspace_id, after))[1]
    assert "it is pink" in (await searched(graph_driver, workspace_id, before))[1]


async def test_turns_deleted_together_leave_their_neighbours_texts(
    services, workspace_id, graph_driver
) -> None:
    """A30, E4: each deletion waits for the other's changes."""
    first, gone, also, last = await saved(
        services, workspace_id, "the pond is old", f"an {_WORD}", "it is pink", "and small", **_TURN
    )

    await overtaken_by(
        graph_driver,
        _DELETED,
        services.memories.deletion.remove(workspace_id, also),
        ws=workspace_id,
        id=gone,
    )

    assert await searched(graph_driver, workspace_id, gone) == [None] * 4
    windows = [(await searched(graph_driver, workspace_id, id_))[1] for id_ in (first, last)]
    assert [_WORD in window or "pink" in window for window in windows] == [False, False]


async def test_no_vector_covers_a_deleted_turn(services, workspace_id) -> None:
    """A30, E4, D1: in every way of re-embedding its neighbours."""
    before, gone, after = await saved(
        services, workspace_id, "the pond is old", f"an {_WORD}", "it is pink", **_TURN
    )
    await services.memories.deletion.remove(workspace_id, gone)
    database = services.core.database

    named = await list_embedding_sources(
        database, subjects=[{"workspace_id": workspace_id, "id": id_} for id_ in (before, after)]
    )
    listed = [
        await list_sources_to_reembed(
            database, vector_property="embedding_none", signature="none", after=f"{id_} ", limit=1
        )
        for id_ in (before, after)
    ]

    own = [source for page in listed for source in page]
    assert [source.id for source in own] == [before, after]
    assert [(source.previous, source.following) for source in (*named, *own)] == [(None, None)] * 4


@pytest.mark.parametrize("in_bulk", [False, True])
async def test_a_turn_with_other_tags_is_still_found_by_the_turns_around_it(
    services, workspace_id, graph_driver, in_bulk
) -> None:
    """A46, C2: and by its new tags."""
    before, turn, after = await saved(
        services, workspace_id, f"an {_WORD}", "it is pink", "and small", **_TURN
    )
    _, window, _, _ = await searched(graph_driver, workspace_id, turn)

    if in_bulk:
        change = BulkChange(add_tags=("ponds",))
        await services.memories.bulk.change(workspace_id, Selection(ids=(turn,)), change)
    else:
        await services.memories.store.update(
            workspace_id, turn, MemoryChange(tags=("ponds",), importance=0.9)
        )

    assert (await searched(graph_driver, workspace_id, turn))[1:3] == [window, "ponds"]
    assert await by_turns_around(services, workspace_id) == {before, turn, after}
    assert await by_words(services, workspace_id, "ponds") == {turn}


async def test_a_changed_speaker_of_a_turn_changes_what_finds_it(
    services, workspace_id, graph_driver
) -> None:
    """C2: its neighbours stay in its window."""
    _, turn = await saved(services, workspace_id, f"an {_WORD}", "it is pink", **_TURN)

    draft = MemoryDraft(id=turn, content="it is pink", speaker="Leander", **_TURN)
    await services.memories.store.save(workspace_id, draft)

    window = (await searched(graph_driver, workspace_id, turn))[1]
    assert ("Leander" in window, _WORD in window) == (True, True)


def test_cypher_and_python_remove_the_same_index_properties() -> None:
    """A30: deletions use Cypher, changes of deleted memories use Python."""
    fragment = files("cypher").joinpath("fragments", "out_of_text_indexes.cypher").read_text(encoding="utf-8")

    assert tuple(re.findall(r"memory\.(\w+) = null", fragment)) == SEARCHED


@pytest.mark.parametrize("query", [_WORD, None])
async def test_a_memory_deleted_during_a_recall_is_not_a_hit(
    services, workspace_id, monkeypatch, query
) -> None:
    """Issue 35: the deletion falls between the search and the reading of texts."""
    kept, gone = await saved(services, workspace_id, f"{_WORD} one", f"{_WORD} two")
    read = queries.get_hits

    async def read_after_deletion(*given, **fields):
        await services.memories.deletion.delete(workspace_id, gone)
        return await read(*given, **fields)

    monkeypatch.setattr(queries, "get_hits", read_after_deletion)
    found = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=query, dry_run=True))

    assert [hit.memory.id for hit in found.hits] == [kept]
