"""Deletion of each kind of node by its own mutation (issue 16, points 6 and 8)."""

import json

import pytest

from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient

DELETE = {
    "memory": "mutation($id: ID!) { deleted: deleteMemory(id: $id) }",
    "entity": "mutation($id: ID!) { deleted: deleteEntity(id: $id) }",
    "document": "mutation($id: ID!) { deleted: deleteDocument(id: $id) }",
    "artifact": "mutation($id: ID!) { deleted: deleteArtifact(id: $id) }",
    "conversation": "mutation($id: ID!) { deleted: deleteConversation(id: $id) }",
    "sequence": "mutation($id: ID!) { deleted: deleteSequence(id: $id) }",
    "relation": "mutation($id: ID!) { deleted: deleteRelation(id: $id) }",
    "association": "mutation($id: ID!) { deleted: dissociate(id: $id) }",
    "type of entities": "mutation($id: String!) { deleted: deleteEntityType(name: $id) }",
    "type of relations": "mutation($id: String!) { deleted: deleteRelationType(name: $id) }",
    "metric": "mutation($id: ID!) { deleted: deleteMetric(id: $id) }",
}
MADE = """mutation {
  saveMemories(inputs: [
    {content: "We indent with tabs"}, {content: "Releases are cut on Thursdays"}, {content: "Ships call at Oslo"}
  ]) { memory { id } }
  upsertEntities(inputs: [
    {type: "Service", name: "checkout"}, {type: "Service", name: "orders"}, {type: "Service", name: "payments"}
  ]) { id }
  addDocument(input: {key: "handbook", content: "# Handbook\\n\\nReleases are cut on Thursdays."}) { id }
  addArtifact(input: {name: "chart"}) { id }
  appendMessages(input: {conversationId: "talk", messages: [{content: "Hello"}]}) { id }
  recordActions(inputs: [{sessionId: "s", actionType: "deploy", nodeType: "Service", outcome: SUCCESS}])
}"""
BETWEEN = """mutation($from: ID!, $to: ID!) {
  upsertRelations(inputs: [{type: "NEEDS", from: "Service:checkout", to: "Service:orders"}]) { id }
  associate(input: {fromId: $from, toId: $to, type: PREFERS_OVER}) { id }
  upsertEntityTypes(inputs: [{name: "Vessel"}]) { name }
  upsertRelationTypes(inputs: [{name: "SAILS_TO"}]) { name }
  createMetric(input: {name: "deployments", aggregate: COUNT, actionType: "deploy"}) { id }
}"""
LISTED = """{
  sequences { edges { node { id } } }
  entities { edges { node { id relations { id } } } }
  memories { edges { node { id associations { id } } } }
  documents { edges { node { id } } }
  artifacts { edges { node { id } } }
  conversations { edges { node { id } } }
  ontology { entityTypes { name } relationTypes { name } }
  metrics { id }
}"""


@pytest.fixture
async def made(graphql, services, workspace_id) -> dict[str, str]:
    """Create one node of each kind and return their ids."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    first = await graphql.ok(MADE)
    memory, *ends = [each["memory"]["id"] for each in first["saveMemories"]]
    second = await graphql.ok(BETWEEN, **{"from": ends[0], "to": ends[1]})
    sequences = (await graphql.ok("{ sequences { edges { node { id } } } }"))["sequences"]["edges"]
    return {
        "memory": memory,
        "entity": first["upsertEntities"][2]["id"],
        "document": first["addDocument"]["id"],
        "artifact": first["addArtifact"]["id"],
        "conversation": first["appendMessages"]["id"],
        "sequence": sequences[0]["node"]["id"],
        "relation": second["upsertRelations"][0]["id"],
        "association": second["associate"]["id"],
        "type of entities": second["upsertEntityTypes"][0]["name"],
        "type of relations": second["upsertRelationTypes"][0]["name"],
        "metric": second["createMetric"]["id"],
    }


async def missing(graphql, made) -> list[str]:
    """Return the kinds that are in no list."""
    answer = json.dumps(await graphql.ok(LISTED))
    return [kind for kind, id_ in made.items() if f'"{id_}"' not in answer]


@pytest.mark.parametrize("kind", DELETE)
async def test_each_kind_of_node_is_deleted_once_and_only_by_its_workspace(
    graphql, made, http, services, other_workspace_id, kind
) -> None:
    _, secret = await services.tenancy.keys.create(
        other_workspace_id, name="stranger", scopes=[Scope.READ, Scope.WRITE, Scope.ADMIN]
    )

    assert await GraphQLClient(http, secret).ok(DELETE[kind], id=made[kind]) == {"deleted": False}
    assert await missing(graphql, made) == []
    assert await graphql.ok(DELETE[kind], id=made[kind]) == {"deleted": True}
    assert await graphql.ok(DELETE[kind], id=made[kind]) == {"deleted": False}
    assert await missing(graphql, made) == [kind]


async def test_a_used_type_is_not_deleted(graphql, made) -> None:
    error = await graphql.error(DELETE["type of entities"], id="Service")

    assert error["code"] == "CONFLICT"
    assert '"Service"' in json.dumps(await graphql.ok(LISTED))
