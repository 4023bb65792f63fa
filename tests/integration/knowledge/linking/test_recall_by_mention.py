"""Recall by mention: a query finds memories that mention its entities under any name."""

import pytest

from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryFilter, MemoryState
from graph.retrieval.recall.models import Fusion, RecallQuery
from tests.fixtures.states import reached

DISTRACTORS = [
    "The invoice of March was paid late",
    "Nobody waters the plants in the hall",
    "The shop opens at nine in the morning",
]


@pytest.fixture
async def cluster(services, workspace_id, remember):
    """Create Kubernetes, alias K8s, one memory that mentions it, and unrelated memories."""
    (entity,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Software", name="Kubernetes", aliases=("K8s",))]
    )
    memory = await remember("Kubernetes keeps crashing when pods run out of disk")
    for content in DISTRACTORS:
        await remember(content)
    return entity, memory


async def hits(services, workspace_id, query: str, **fields) -> list:
    result = await services.retrieval.recall.recall(
        workspace_id, RecallQuery(query=query, limit=10, **fields)
    )
    return list(result.hits)


async def test_an_alias_in_the_query_finds_memories_that_have_only_the_name(
    services, workspace_id, cluster
) -> None:
    """C1, C11: the mention alone ranks it first and explains it; the memory has no word of the query."""
    _, memory = cluster

    found = await hits(services, workspace_id, "what about k8s?")

    assert found[0].memory.id == memory.id
    assert found[0].text_score is None
    assert "mentions Kubernetes" in found[0].why


async def test_a_filtered_recall_also_searches_by_mention(services, workspace_id, cluster) -> None:
    """If the filter admits few memories, all are compared, including their mentions."""
    _, memory = cluster

    found = await hits(services, workspace_id, "what about k8s?", filter=MemoryFilter(min_importance=0.0))

    assert found[0].memory.id == memory.id
    assert "mentions Kubernetes" in found[0].why


async def test_a_hit_states_both_reasons(services, workspace_id, cluster) -> None:
    """The hit also matches in words."""
    _, memory = cluster

    (first, *_) = await hits(services, workspace_id, "is kubernetes crashing?")

    assert first.memory.id == memory.id
    assert {"best match in words", "mentions Kubernetes"} <= set(first.why)


async def test_an_entity_with_a_common_word_for_a_name_is_not_named_by_every_query(
    services, workspace_id, remember
) -> None:
    await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Department", name="IT")]
    )
    memory = await remember("The people of IT sit on the third floor")

    named = await hits(services, workspace_id, "where does IT sit?")
    unnamed = await hits(services, workspace_id, "where does it sit?")

    assert "mentions IT" in next(hit.why for hit in named if hit.memory.id == memory.id)
    assert "mentions IT" not in next(hit.why for hit in unnamed if hit.memory.id == memory.id)


async def test_aliases_of_another_workspace_do_not_count(services, workspace_id, remember) -> None:
    """E15: only the other workspace knows the alias."""
    other = await services.tenancy.workspaces.create("another", memory_enabled=True)
    await services.knowledge.ontology.upsert_entities(
        other.id, [EntityDraft(type="Software", name="Kubernetes", aliases=("K8s",))]
    )
    memory = await remember("Kubernetes keeps crashing when pods run out of disk")

    (hit,) = await hits(services, workspace_id, "what about k8s?")

    assert hit.memory.id == memory.id
    assert [reason for reason in hit.why if reason.startswith("mentions")] == []


async def test_a_deleted_memory_or_entity_is_not_found_by_it(services, workspace_id, cluster) -> None:
    entity, memory = cluster
    await services.knowledge.ontology.delete(workspace_id, entity.id)

    found = await hits(services, workspace_id, "what about k8s?")
    assert "mentions Kubernetes" not in next(hit.why for hit in found if hit.memory.id == memory.id)

    await services.knowledge.ontology.restore(workspace_id, entity.id)
    await services.memories.deletion.delete(workspace_id, memory.id)
    found = await hits(services, workspace_id, "what about k8s?")
    assert {hit.memory.content for hit in found} == set(DISTRACTORS)


async def test_reciprocal_rank_fusion_uses_two_lists_only(services, workspace_id, cluster) -> None:
    """Words and meaning (C5): mentions add no third list."""
    found = await hits(services, workspace_id, "what about k8s?", fusion=Fusion.RRF)

    assert len(found) == 1 + len(DISTRACTORS)
    assert [hit for hit in found if hit.text_score is None and hit.vector_score is None] == []


async def test_a_limited_number_of_a_hubs_mentions_is_read(services, workspace_id, cluster) -> None:
    """A hub costs no more than other entities; words still find memories beyond the limit."""
    drafts = [
        MemoryDraft(content=f"Kubernetes was restarted on host number {n}", dedup=False) for n in range(260)
    ]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    ids = [receipt.memory.id for receipt in receipts]
    for start in range(0, len(ids), 100):
        await reached(services, workspace_id, ids[start : start + 100], MemoryState.LINKED)

    found = await hits(services, workspace_id, "is k8s crashing?")

    assert found[0].memory.id == cluster[1].id
