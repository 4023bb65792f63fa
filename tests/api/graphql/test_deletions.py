"""Deleting nodes of any kind by their ids, each by itself (issue 16, points 6 and 8)."""

import json

import pytest

from graph.tenancy.access.models import Scope
from tests.fixtures.app import GraphQLClient

DELETE = """mutation($ids: [ID!]!, $hard: Boolean, $ws: ID) {
  deleteNodes(ids: $ids, hard: $hard, workspaceId: $ws) { deletedIds errors { index code field message } }
}"""
PARENT = "mutation($ids: [ID!]!) { deleteNodes(ids: $ids) { deletedIds workspaces { id name memoryCount } } }"
MADE = """mutation {
  saveMemory(input: {content: "We indent with tabs"}) { memory { id globalId } }
  upsertEntities(inputs: [{type: "Service", name: "checkout"}]) { id globalId }
  addDocument(input: {key: "handbook", content: "# Handbook\\n\\nReleases are cut on Thursdays."}) { id globalId }
  addArtifact(input: {name: "chart"}) { id globalId }
  appendMessages(input: {conversationId: "talk", messages: [{content: "Hello"}]}) {
    id globalId messages { edges { node { id } } }
  }
}"""
ENDS = """mutation {
  saveMemories(inputs: [{content: "We indent with tabs"}, {content: "Releases are cut on Thursdays"}]) {
    memory { id }
  }
  upsertEntities(inputs: [{type: "Service", name: "checkout"}, {type: "Service", name: "orders"}]) { id }
  recordActions(inputs: [{sessionId: "s", actionType: "deploy", nodeType: "Service", outcome: SUCCESS}])
}"""
BETWEEN = """mutation($from: ID!, $to: ID!) {
  upsertRelations(inputs: [{type: "NEEDS", from: "Service:checkout", to: "Service:orders"}]) { id }
  associate(input: {fromId: $from, toId: $to, type: PREFERS_OVER}) { id }
  upsertEntityTypes(inputs: [{name: "Vessel"}]) { id }
  upsertRelationTypes(inputs: [{name: "SAILS_TO"}]) { id }
  createMetric(input: {name: "deployments", aggregate: COUNT, actionType: "deploy"}) { id }
}"""
WEBHOOK = """mutation($ws: ID) {
  createWebhook(input: {url: "https://x.example/hook", events: [JOB_FAILED]}, workspaceId: $ws) { webhook { id } }
}"""
LISTED = """{
  sequences { edges { node { id } } }
  entities { edges { node { relations { id } } } }
  memories { edges { node { associations { id } } } }
  ontology { entityTypes { id } relationTypes { id } }
  metrics { id }
}"""
FOUND = "query($id: ID!) { node(id: $id) { id } }"


@pytest.fixture
async def made(graphql, services, workspace_id):
    """One of each kind that can be deleted, as the service answered."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    answer = await graphql.ok(MADE)
    return {
        "memory": answer["saveMemory"]["memory"],
        "entity": answer["upsertEntities"][0],
        "document": answer["addDocument"],
        "artifact": answer["addArtifact"],
        "conversation": answer["appendMessages"],
    }


@pytest.fixture
async def others(graphql, services, workspace_id):
    """The id of one of each kind that no globalId names, but for webhooks."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    ends = [each["memory"]["id"] for each in (await graphql.ok(ENDS))["saveMemories"]]
    made = await graphql.ok(BETWEEN, **{"from": ends[0], "to": ends[1]})
    sequences = (await graphql.ok("{ sequences { edges { node { id } } } }"))["sequences"]["edges"]
    return {
        "sequence": sequences[0]["node"]["id"],
        "relation": made["upsertRelations"][0]["id"],
        "association": made["associate"]["id"],
        "type of entities": made["upsertEntityTypes"][0]["id"],
        "type of relations": made["upsertRelationTypes"][0]["id"],
        "metric": made["createMetric"]["id"],
    }


async def listed(graphql, ids) -> list[bool]:
    """Tell of each id whether a list has it."""
    answer = json.dumps(await graphql.ok(LISTED))
    return [f'"{id_}"' in answer for id_ in ids]


async def found(graphql, node) -> bool:
    return (await graphql.ok(FOUND, id=node["globalId"]))["node"] is not None


@pytest.mark.parametrize("name", ["id", "globalId"])
async def test_every_kind_is_deleted_and_named_by_its_id(graphql, made, name) -> None:
    answer = await graphql.ok(DELETE, ids=[node[name] for node in made.values()])

    assert answer["deleteNodes"] == {"deletedIds": [node["id"] for node in made.values()], "errors": []}
    assert [await found(graphql, node) for node in made.values()] == [False] * 5


async def test_what_cannot_be_deleted_is_named_by_its_place_and_the_others_are_deleted(graphql, made) -> None:
    message = made["conversation"]["messages"]["edges"][0]["node"]["id"]
    ids = ["nobody", made["memory"]["id"], message, made["artifact"]["id"], made["memory"]["id"]]

    answer = (await graphql.ok(DELETE, ids=ids))["deleteNodes"]

    assert answer["deletedIds"] == [ids[1], ids[3]]
    assert [(error["index"], error["code"], error["field"]) for error in answer["errors"]] == [
        (0, "NOT_FOUND", "ids"),
        (2, "INVALID_INPUT", "ids"),
        (4, "NOT_FOUND", "ids"),
    ]
    assert answer["errors"][1]["message"].endswith("delete its conversation")
    assert await found(graphql, made["conversation"])


async def test_a_memory_is_restored_unless_it_was_deleted_hard(graphql, made) -> None:
    id_ = made["memory"]["id"]
    restore = "mutation($id: ID!) { restoreMemory(id: $id) { id } }"

    await graphql.ok(DELETE, ids=[id_])
    assert (await graphql.ok(restore, id=id_))["restoreMemory"]["id"] == id_
    await graphql.ok(DELETE, ids=[id_], hard=True)

    assert (await graphql.error(restore, id=id_))["code"] == "NOT_FOUND"


async def test_another_workspaces_node_is_not_there(
    graphql, made, http, services, other_workspace_id
) -> None:
    _, secret = await services.tenancy.keys.create(
        other_workspace_id, name="stranger", scopes=[Scope.READ, Scope.WRITE]
    )
    stranger = GraphQLClient(http, secret)
    ids = [made["memory"]["id"], made["memory"]["globalId"]]

    answer = (await stranger.ok(DELETE, ids=ids))["deleteNodes"]

    assert answer["deletedIds"] == []
    assert [error["code"] for error in answer["errors"]] == ["NOT_FOUND", "NOT_FOUND"]
    assert await found(graphql, made["memory"])


async def test_more_than_100_are_refused_whole(graphql, made) -> None:
    refused = await graphql.error(DELETE, ids=[made["memory"]["id"]] * 101)

    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "ids")
    assert await found(graphql, made["memory"])


@pytest.mark.parametrize(
    "kind", ["sequence", "relation", "association", "type of entities", "type of relations", "metric"]
)
async def test_what_no_global_id_names_is_deleted_by_its_own(graphql, others, kind) -> None:
    assert await listed(graphql, others.values()) == [True] * 6

    first = (await graphql.ok(DELETE, ids=[others[kind]]))["deleteNodes"]
    again = (await graphql.ok(DELETE, ids=[others[kind]]))["deleteNodes"]

    assert first == {"deletedIds": [others[kind]], "errors": []}
    assert [(error["code"], error["field"]) for error in again["errors"]] == [("NOT_FOUND", "ids")]
    assert await listed(graphql, others.values()) == [each != kind for each in others]


async def test_a_type_that_is_needed_stays(graphql, others) -> None:
    types = (await graphql.ok("{ ontology { entityTypes { id name } } }"))["ontology"]["entityTypes"]
    needed = next(type_["id"] for type_ in types if type_["name"] == "Service")

    (error,) = (await graphql.ok(DELETE, ids=[needed]))["deleteNodes"]["errors"]

    assert error["code"] == "CONFLICT"
    assert await listed(graphql, [needed]) == [True]


async def test_a_webhook_takes_an_administrator(graphql, admin, made, workspace_id) -> None:
    """With the scope that `deleteWebhook` takes; the rest of the call is not its concern."""
    id_ = (await admin.ok(WEBHOOK, ws=workspace_id))["createWebhook"]["webhook"]["id"]
    ids = [id_, made["memory"]["id"]]

    refused = (await graphql.ok(DELETE, ids=ids))["deleteNodes"]
    taken = (await admin.ok(DELETE, ids=[id_], ws=workspace_id))["deleteNodes"]

    assert refused["deletedIds"] == [made["memory"]["id"]]
    assert [(error["index"], error["code"]) for error in refused["errors"]] == [(0, "FORBIDDEN")]
    assert taken == {"deletedIds": [id_], "errors": []}
    assert (await admin.ok("query($ws: ID) { webhooks(workspaceId: $ws) { id } }", ws=workspace_id)) == {
        "webhooks": []
    }


async def test_nothing_of_another_workspace_is_deleted_by_its_own_id(
    graphql, others, admin, http, services, workspace_id, other_workspace_id
) -> None:
    webhook = (await admin.ok(WEBHOOK, ws=workspace_id))["createWebhook"]["webhook"]["id"]
    _, secret = await services.tenancy.keys.create(
        other_workspace_id, name="stranger", scopes=[Scope.READ, Scope.WRITE, Scope.ADMIN]
    )
    stranger = GraphQLClient(http, secret)

    answer = (await stranger.ok(DELETE, ids=[*others.values(), webhook]))["deleteNodes"]

    assert answer["deletedIds"] == []
    assert [error["code"] for error in answer["errors"]] == ["NOT_FOUND"] * 7
    assert await listed(graphql, others.values()) == [True] * 6
    assert await services.operations.webhooks.delete(workspace_id, webhook)


async def test_the_workspaces_are_there_once_as_they_are_afterwards(
    graphql, made, admin, workspace_id, other_workspace_id
) -> None:
    """Issue 16: the parent, so that caches refresh its counts; none where nothing was deleted."""
    save = """mutation($ws: ID) {
      saveMemory(input: {content: "Ships call at Oslo"}, workspaceId: $ws) { memory { globalId } }
    }"""
    kept = [(await admin.ok(save, ws=place))["saveMemory"] for place in (workspace_id, other_workspace_id)]
    other = kept[1]["memory"]["globalId"]
    ids = [made["memory"]["globalId"], other, made["artifact"]["globalId"], "nobody"]

    first = (await admin.ok(PARENT, ids=ids))["deleteNodes"]
    again = (await admin.ok(PARENT, ids=ids))["deleteNodes"]

    assert first["workspaces"] == [
        {"id": workspace_id, "name": "a test's own", "memoryCount": 1},
        {"id": other_workspace_id, "name": "a test's own", "memoryCount": 0},
    ]
    assert again == {"deletedIds": [], "workspaces": []}
