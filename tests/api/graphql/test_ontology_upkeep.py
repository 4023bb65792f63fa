"""Connections and merges over GraphQL."""

from tests.api.graphql.test_ontology import RELATE, UPSERT

CONNECTIONS = """
query($first: Int, $after: String) {
  connections(first: $first, after: $after) {
    edges { node { id name kind uri entityCount } } pageInfo { hasNextPage endCursor }
  }
}
"""
MERGE = """
mutation($from: ID!, $into: ID!) {
  mergeEntities(from: $from, into: $into) { id fromId intoId copied undoneAt into { name aliases } }
}
"""
UNMERGE = "mutation($id: ID!) { unmergeEntities(id: $id) { id name } }"
ALIKE = "{ alikeEntities { entity { id } duplicate { id } } }"
MERGES = "{ entityMerges { edges { node { id fromId undoneAt into { name } } } } }"


async def test_connections_are_listed_described_and_removed(graphql) -> None:
    """E9."""
    entities = [{"type": "Service", "name": name, "connectionId": "crm"} for name in ("a", "b")]
    await graphql.ok(UPSERT, inputs=[*entities, {"type": "Service", "name": "c", "connectionId": "wiki"}])
    await graphql.ok(
        RELATE, inputs=[{"from": "Service:a", "to": "Service:c", "type": "NEEDS", "connectionId": "crm"}]
    )
    describe = "mutation($input: ConnectionInput!) { upsertConnection(input: $input) { id name kind uri } }"
    crm = {"id": "crm", "name": "The CRM", "kind": "sales", "uri": "https://crm.example.com"}
    assert (await graphql.ok(describe, input=crm))["upsertConnection"] == crm

    first = (await graphql.ok(CONNECTIONS, first=1))["connections"]
    assert first["edges"] == [{"node": {**crm, "entityCount": 2}}]
    rest = (await graphql.ok(CONNECTIONS, first=5, after=first["pageInfo"]["endCursor"]))["connections"]
    wiki = {"id": "wiki", "name": "wiki", "kind": None, "uri": None, "entityCount": 1}
    assert (rest["edges"], rest["pageInfo"]["hasNextPage"]) == ([{"node": wiki}], False)

    delete = "mutation($id: ID!) { deleteConnection(id: $id) }"
    assert (await graphql.ok(delete, id="crm"))["deleteConnection"] == 3
    assert (await graphql.ok(CONNECTIONS))["connections"]["edges"] == [{"node": wiki}]
    error = await graphql.error(delete, id="crm")
    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")


async def test_a_merge_is_made_and_undone(graphql) -> None:
    """The issue requires that "merges of duplicates are reversible"."""
    drafts = [{"type": "Company", "name": name} for name in ("IBM", "I.B.M.")]
    one, two = (await graphql.ok(UPSERT, inputs=drafts))["upsertEntities"]

    alike = {"entity": {"id": one["id"]}, "duplicate": {"id": two["id"]}}
    assert (await graphql.ok(ALIKE))["alikeEntities"] == [alike]

    merge = (await graphql.ok(MERGE, **{"from": two["id"], "into": one["id"]}))["mergeEntities"]

    assert (await graphql.ok(ALIKE))["alikeEntities"] == []
    assert merge == {
        "id": merge["id"],
        "fromId": two["id"],
        "intoId": one["id"],
        "copied": 0,
        "undoneAt": None,
        "into": {"name": "IBM", "aliases": ["I.B.M."]},
    }
    listed = (await graphql.ok(MERGES))["entityMerges"]["edges"]
    assert listed == [
        {"node": {"id": merge["id"], "fromId": two["id"], "undoneAt": None, "into": {"name": "IBM"}}}
    ]
    assert (await graphql.ok(UNMERGE, id=two["id"]))["unmergeEntities"] == {"id": two["id"], "name": "I.B.M."}
    error = await graphql.error(UNMERGE, id=merge["id"])
    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")
    (again,) = (await graphql.ok(MERGES))["entityMerges"]["edges"]
    assert again["node"]["undoneAt"] is not None
    same = await graphql.error(MERGE, **{"from": one["id"], "into": one["id"]})
    assert (same["code"], same["field"]) == ("INVALID_INPUT", "into")
