"""Entities in a context: none that consists of a name only."""

from graph.knowledge.ontology.models import EntityDraft, EntityFilter, RelationDraft
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.context.models import ContextQuery
from tests.fixtures.states import reached


async def test_an_automatically_linked_name_alone_is_not_listed(services, agents_workspace_id) -> None:
    """J2: it adds nothing to the query, unless it is a target, has relations or was written manually."""
    saved = await services.memories.store.save(
        agents_workspace_id, MemoryDraft(content="the auditors met Zdenka Dvorak, and were served tea")
    )
    await reached(services, agents_workspace_id, [saved.memory.id], MemoryState.LINKED)
    (zdenka,) = (await services.knowledge.ontology.page(agents_workspace_id, EntityFilter())).items

    async def told(**asked) -> list[str]:
        query = ContextQuery(query="where is Zdenka Dvorak?", **asked)
        context = await services.retrieval.context.compose(agents_workspace_id, query)
        return sorted(entity.name for entity in context.entities)

    assert await told() == []
    assert await told(target_ids=(zdenka.id,)) == ["Zdenka Dvorak"]

    (office,) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Place", name="Prague office of Zdenka Dvorak")]
    )
    assert await told() == [office.name]

    await services.knowledge.ontology.upsert_relations(
        agents_workspace_id, [RelationDraft(from_name=zdenka.id, to_name=office.id, type="WORKS_IN")]
    )
    assert await told() == [office.name, "Zdenka Dvorak"]
