"""Deleting nodes of any kind by their ids, each by itself (issue 16, points 6 and 8)."""

import pytest

from graph.tenancy.access.models import Scope
from tests.fixtures.app import GraphQLClient

DELETE = """mutation($ids: [ID!]!, $hard: Boolean) {
  deleteNodes(ids: $ids, hard: $hard) { deletedIds errors { index code field message } }
}"""
MADE = """mutation {
  saveMemory(input: {content: "We indent with tabs"}) { memory { id globalId } }
  upsertEntities(inputs: [{type: "Service", name: "checkout"}]) { id globalId }
  addDocument(input: {key: "handbook", content: "# Handbook\\n\\nReleases are cut on Thursdays."}) { id globalId }
  addArtifact(input: {name: "chart"}) { id globalId }
  appendMessages(input: {conversationId: "talk", messages: [{content: "Hello"}]}) {
    id globalId messages { edges { node { id } } }
  }
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
    _, secret = await services.tenancy.access.create_key(
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
