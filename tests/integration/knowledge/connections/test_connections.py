"""Connections on the real server: deleting one removes its exclusive data and nothing else (E9)."""

import pytest

from graph.core.errors import InvalidInput, NotFound
from graph.knowledge import connections as limits
from graph.knowledge.models import ConnectionChange
from graph.knowledge.ontology.models import EntityDraft, EntityFilter, RelationDraft


async def names_in(services, workspace_id) -> list[str]:
    page = await services.knowledge.ontology.page(workspace_id, EntityFilter())
    return sorted(entity.name for entity in page.items)


async def test_the_first_use_creates_a_connection(services, workspace_id) -> None:
    (entity,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name="a", connection_id="crm")]
    )
    described = await services.knowledge.connections.upsert(
        workspace_id, "crm", ConnectionChange(name="The CRM", uri="https://crm.example.com")
    )
    other = await services.knowledge.connections.upsert(workspace_id, "wiki", ConnectionChange(kind="notion"))

    assert entity.connection_ids == ("crm",)
    assert (described.name, described.uri, described.kind) == ("The CRM", "https://crm.example.com", None)
    assert (other.name, other.kind) == ("wiki", "notion")
    page = await services.knowledge.connections.page(workspace_id, first=1)
    rest = await services.knowledge.connections.page(workspace_id, first=5, after=page.cursors[0].encode())
    assert (page.items, page.has_more) == ([described], True)
    assert (rest.items, rest.has_more) == ([other], False)
    assert await services.knowledge.connections.count_entities(workspace_id, ["crm", "wiki", "x"]) == {
        "crm": 1,
        "wiki": 0,
    }
    with pytest.raises(InvalidInput) as refused:
        await services.knowledge.connections.upsert(workspace_id, "crm", ConnectionChange(uri="data:,x"))
    assert refused.value.field == "uri"


async def test_deleting_a_connection_removes_its_exclusive_data(
    services, workspace_id, other_workspace_id, graph_driver
) -> None:
    """E9: the result is the number of removed entities and relations."""

    def draft(name: str, connection: str | None) -> EntityDraft:
        return EntityDraft(type="Service", name=name, connection_id=connection)

    drafts = [draft("only", "crm"), draft("also", "crm"), draft("both", "crm"), draft("hand", "crm")]
    await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    await services.knowledge.ontology.upsert_entities(
        workspace_id, [draft("both", "wiki"), draft("hand", None), draft("free", None)]
    )
    await services.knowledge.ontology.upsert_entities(other_workspace_id, [draft("theirs", "crm")])

    def edge(one: str, two: str, connection: str | None, type_: str = "NEEDS") -> RelationDraft:
        return RelationDraft(
            from_name=f"Service:{one}", to_name=f"Service:{two}", type=type_, connection_id=connection
        )

    relations = [
        edge("only", "also", "crm"),  # removed with both ends
        edge("only", "free", None),  # removed with one end
        edge("both", "free", "crm"),  # removed: only this connection is its source
        edge("both", "hand", "crm"),
        edge("both", "hand", "wiki"),  # another connection is a source, too
        edge("hand", "free", "crm", "USES"),
        edge("hand", "free", None, "USES"),  # also written by hand
    ]
    await services.knowledge.ontology.upsert_relations(workspace_id, relations)
    before = await services.knowledge.ontology.count_relations_by_type(workspace_id)
    assert before == {"NEEDS": 4, "USES": 1}

    removed = await services.knowledge.connections.delete(workspace_id, "crm")

    assert removed == 2 + 3
    assert await names_in(services, workspace_id) == ["both", "free", "hand"]
    assert await services.knowledge.ontology.count_relations_by_type(workspace_id) == {"NEEDS": 1, "USES": 1}
    both = await services.knowledge.ontology.find(workspace_id, key="Service:both")
    hand = await services.knowledge.ontology.find(workspace_id, key="Service:hand")
    assert (both.connection_ids, hand.connection_ids) == (("wiki",), ())
    (kept,) = (await services.knowledge.ontology.relations.of_entities(workspace_id, [both.id], first=5))[
        both.id
    ]
    assert kept.connection_ids == ("wiki",)
    assert [c.id for c in (await services.knowledge.connections.page(workspace_id)).items] == ["wiki"]
    assert await names_in(services, other_workspace_id) == ["theirs"]
    with pytest.raises(NotFound) as refused:
        await services.knowledge.connections.delete(workspace_id, "crm")
    assert refused.value.field == "id"


async def test_a_large_connection_is_deleted_in_bounded_transactions(
    services, workspace_id, monkeypatch
) -> None:
    """E9: each batch of entities and of edges is within its limit."""
    monkeypatch.setattr(limits, "_ENTITIES_SEEN_TOGETHER", 4)
    monkeypatch.setattr(limits, "_ENTITIES_PER_TRANSACTION", 3)
    monkeypatch.setattr(limits, "_EDGES_PER_TRANSACTION", 5)
    drafts = [EntityDraft(type="Service", name=f"s{i}", connection_id="crm") for i in range(10)]
    drafts += [EntityDraft(type="Service", name="hub")]
    await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    spokes = [
        RelationDraft(from_name=f"Service:s{i}", to_name="Service:hub", type="NEEDS", connection_id="crm")
        for i in range(10)
    ]
    ring = [
        RelationDraft(from_name=f"Service:s{i}", to_name=f"Service:s{(i + j) % 10}", type="NEEDS")
        for i in range(10)
        for j in (1, 2)
    ]
    await services.knowledge.ontology.upsert_relations(workspace_id, [*spokes, *ring])

    assert await services.knowledge.connections.delete(workspace_id, "crm") == 10 + 10 + 20
    assert await names_in(services, workspace_id) == ["hub"]
    assert await services.knowledge.ontology.count_relations_by_type(workspace_id) == {}
