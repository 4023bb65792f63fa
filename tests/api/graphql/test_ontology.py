"""The ontology over GraphQL: inputs, outputs, and the number of queries."""

from collections import Counter

import pytest

ENTITY = "id key type name aliases description properties uri connectionIds"
UPSERT = f"mutation($inputs: [EntityInput!]!) {{ upsertEntities(inputs: $inputs) {{ {ENTITY} }} }}"
RELATE = """
mutation($inputs: [RelationInput!]!) {
  upsertRelations(inputs: $inputs) { id type fromId toId strength properties from { name } to { name } }
}
"""
TYPES = """
mutation($entities: [EntityTypeInput!]!, $relations: [RelationTypeInput!]!) {
  upsertEntityTypes(inputs: $entities) { name parent properties }
  upsertRelationTypes(inputs: $relations) { name fromTypes toTypes properties }
}
"""
ONTOLOGY = """
{ ontology { isStrict entityTypes { name description parent count } relationTypes { name fromTypes count } } }
"""
DEEP = """
query($first: Int!) {
  entities(first: $first) { edges { node { name relations(first: 5) { type from { name } to { name } } } } }
}
"""


async def test_entities_and_relations_are_written_and_read(graphql) -> None:
    """E6, E7."""
    ada = {
        "type": "Person",
        "name": "Ada",
        "aliases": ["Countess"],
        "description": "wrote the first program",
        "properties": {"born": 1815},
        "uri": "https://example.com/ada",
        "connectionId": "crm",
    }
    one, two = (await graphql.ok(UPSERT, inputs=[ada, {"type": "Person", "name": "Charles"}]))[
        "upsertEntities"
    ]
    assert one == {
        "id": one["id"],
        "key": "Person:ada",
        **{name: value for name, value in ada.items() if name != "connectionId"},
        "connectionIds": ["crm"],
    }

    (edge,) = (
        await graphql.ok(
            RELATE,
            inputs=[{"from": one["id"], "to": "Person:charles", "type": "WORKED_WITH", "strength": 0.9}],
        )
    )["upsertRelations"]

    assert edge == {
        "id": edge["id"],
        "type": "WORKED_WITH",
        "fromId": one["id"],
        "toId": two["id"],
        "strength": 0.9,
        "properties": {},
        "from": {"name": "Ada"},
        "to": {"name": "Charles"},
    }
    read = f"query($id: ID, $key: String) {{ entity(id: $id, key: $key) {{ {ENTITY} relations {{ id }} }} }}"
    expected = {**two, "relations": [{"id": edge["id"]}]}
    assert (await graphql.ok(read, id=two["id"]))["entity"] == expected
    assert (await graphql.ok(read, key="Person:charles"))["entity"] == expected
    assert (await graphql.ok(read, id="ent_none"))["entity"] is None
    assert (await graphql.error(read))["field"] == "id"
    listed = await graphql.ok(
        "query($filter: EntityFilter) { entities(filter: $filter) { totalCount edges { node { name } } } }",
        filter={"name": "count"},
    )
    assert listed["entities"] == {"totalCount": 1, "edges": [{"node": {"name": "Ada"}}]}
    deleted = "mutation($id: ID!) { deleteRelation(id: $id) }"
    assert [(await graphql.ok(deleted, id=edge["id"]))["deleteRelation"] for _ in range(2)] == [True, False]
    hidden = "mutation($id: ID!) { deleteEntity(id: $id) }"
    assert [(await graphql.ok(hidden, id=one["id"]))["deleteEntity"] for _ in range(2)] == [True, False]
    restored = await graphql.ok("mutation($id: ID!) { restoreEntity(id: $id) { name } }", id=one["id"])
    assert restored["restoreEntity"] == {"name": "Ada"}


async def test_the_registry_shows_types_with_their_counts(graphql) -> None:
    """E7: created explicitly or through their first use."""
    schema = {"properties": {"port": {"type": "integer"}}}
    made = await graphql.ok(
        TYPES,
        entities=[{"name": "Thing"}, {"name": "Service", "parent": "Thing", "properties": schema}],
        relations=[{"name": "DEPENDS_ON", "fromTypes": ["Service"]}],
    )
    assert made == {
        "upsertEntityTypes": [
            {"name": "Thing", "parent": None, "properties": {}},
            {"name": "Service", "parent": "Thing", "properties": schema},
        ],
        "upsertRelationTypes": [
            {"name": "DEPENDS_ON", "fromTypes": ["Service"], "toTypes": [], "properties": {}}
        ],
    }
    drafts = [
        {"type": "Service", "name": "a"},
        {"type": "Service", "name": "b"},
        {"type": "Team", "name": "c"},
    ]
    await graphql.ok(UPSERT, inputs=drafts)
    relations = [
        {"from": "Service:a", "to": "Service:b", "type": "DEPENDS_ON"},
        {"from": "Service:a", "to": "Team:c", "type": "OWNED_BY"},
    ]
    await graphql.ok(RELATE, inputs=relations)

    assert (await graphql.ok(ONTOLOGY))["ontology"] == {
        "isStrict": False,
        "entityTypes": [
            {"name": "Service", "description": None, "parent": "Thing", "count": 2},
            {"name": "Team", "description": None, "parent": None, "count": 1},
            {"name": "Thing", "description": None, "parent": None, "count": 0},
        ],
        "relationTypes": [
            {"name": "DEPENDS_ON", "fromTypes": ["Service"], "count": 1},
            {"name": "OWNED_BY", "fromTypes": [], "count": 1},
        ],
    }
    gone = "mutation($name: String!) { deleteEntityType(name: $name) }"
    error = await graphql.error(gone, name="Team")
    assert (error["code"], error["field"]) == ("CONFLICT", "name")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"type": "lower"}, "INVALID_INPUT", "type"),
        ({"type": "Memory"}, "INVALID_INPUT", "type"),
        ({"name": ""}, "INVALID_INPUT", "name"),
        ({"name": None}, "INVALID_INPUT", None),
        ({"properties": [1]}, "INVALID_INPUT", "properties"),
        ({"properties": "x"}, "INVALID_INPUT", "properties"),
        ({"uri": "data:,x"}, "INVALID_INPUT", "uri"),
        ({"id": "ent_none"}, "NOT_FOUND", "id"),
        ({"key": "\x00"}, "INVALID_INPUT", "key"),
    ],
    ids=repr,
)
async def test_a_bad_entity_is_refused(graphql, change, code, field) -> None:
    error = await graphql.error(UPSERT, inputs=[{"type": "Person", "name": "Ada", **change}])

    assert (error["code"], error["field"]) == (code, field)


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"type": "MENTIONS"}, "INVALID_INPUT", "type"),
        ({"strength": -0.1}, "INVALID_INPUT", "strength"),
        ({"from": "ent_none"}, "NOT_FOUND", "from"),
        ({"to": "Person:nobody"}, "NOT_FOUND", "to"),
        ({"to": "Person:ada"}, "INVALID_INPUT", "to"),
        ({"properties": [1]}, "INVALID_INPUT", "properties"),
    ],
    ids=repr,
)
async def test_a_bad_relation_is_refused(graphql, change, code, field) -> None:
    await graphql.ok(UPSERT, inputs=[{"type": "Person", "name": name} for name in ("Ada", "Bob")])
    input_ = {"from": "Person:ada", "to": "Person:bob", "type": "KNOWS", **change}

    error = await graphql.error(RELATE, inputs=[input_])

    assert (error["code"], error["field"]) == (code, field)


async def test_many_entities_take_as_many_queries_as_one(graphql, services, monkeypatch) -> None:
    """K1: compares the queries for twenty parents and for one."""
    await graphql.ok(UPSERT, inputs=[{"type": "Person", "name": f"p{i}"} for i in range(20)])
    pairs = [(f"Person:p{i}", f"Person:p{(i + 1) % 20}") for i in range(20)]
    await graphql.ok(RELATE, inputs=[{"from": one, "to": two, "type": "KNOWS"} for one, two in pairs])
    asked: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        asked[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)
    counts = []
    for first in (1, 20):
        asked.clear()
        data = await graphql.ok(DEEP, first=first)
        assert len(data["entities"]["edges"]) == first
        counts.append({name: asked[name] for name in ("list_entities", "list_relations", "get_entities")})

    assert counts == [{"list_entities": 1, "list_relations": 1, "get_entities": 1}] * 2
    assert all(len(edge["node"]["relations"]) == 2 for edge in data["entities"]["edges"])


async def test_entities_are_found_with_a_report_on_the_search(graphql) -> None:
    """E7, C10: in a filtered list, and in a search with the scores of each leg."""
    drafts = [
        {"type": "Service", "name": "Payments", "description": "takes money"},
        {"type": "Team", "name": "Crew", "description": "counts money"},
    ]
    await graphql.ok(UPSERT, inputs=drafts)

    listed = await graphql.ok(
        """query($filter: EntityFilter) {
          entities(filter: $filter, first: 1) {
            edges { node { name } } pageInfo { hasNextPage } totalCount resolution { strategy }
          }
        }""",
        filter={"query": "the payments' money", "types": ["Service", "Team"]},
    )
    found = await graphql.ok(
        """{ searchEntities(query: "payments money", types: ["Team"], minScore: 0.5) {
          hits { entity { name } score textScore why } resolution { fallback degraded }
        } }"""
    )

    assert listed["entities"] == {
        "edges": [{"node": {"name": "Payments"}}],
        "pageInfo": {"hasNextPage": True},
        "totalCount": 2,
        "resolution": {"strategy": "HYBRID"},
    }
    (hit,) = found["searchEntities"]["hits"]
    assert hit["entity"] == {"name": "Crew"}
    assert hit["why"][0] == "best match in words"
    assert found["searchEntities"]["resolution"] == {"fallback": None, "degraded": []}
