"""The scope of each GraphQL operation; an unclassified operation fails here."""

from typing import Any

import pytest

from app.surfaces.graphql.schema import schema
from graph.tenancy.models import Scope
from tests.api.operations import FIND_NOTHING, NAMES_NOTHING_THERE, NAMING, OFF, OPERATIONS, SUBSCRIPTIONS
from tests.fixtures.app import GraphQLClient
from tests.fixtures.websockets import connected

MEANING_NONE = ("*", "", " ", "\t\n", "%", "ws_*", ".*", "null", "ws_a OR 1=1", "\x00", '"', "/")
"""Values of a workspace parameter that name no workspace."""
OF_THE_DEPLOYMENT = {"Mutation.testEmbedder", "Mutation.testReranker", "Mutation.testVectorTier"}
"""Operations that need an administrator of the default workspace."""


def operations() -> set[str]:
    graphql = schema._schema
    return {
        f"{root.name}.{name}" for root in (graphql.query_type, graphql.mutation_type) for name in root.fields
    }


def naming_operations() -> set[str]:
    """Return the operations with a workspace among their arguments or input fields."""
    graphql = schema._schema
    found = set()
    for root in (graphql.query_type, graphql.mutation_type):
        for name, field in root.fields.items():
            names = set(field.args)
            for argument in field.args.values():
                names |= set(getattr(getattr(argument.type, "of_type", argument.type), "fields", {}))
            if names & {"workspaceId", "workspaceIds"} or (name.endswith("orkspace") and "id" in names):
                found.add(f"{root.name}.{name}")
    return found


def test_every_operation_is_classified() -> None:
    assert OPERATIONS.keys() == operations()
    assert NAMING.keys() == naming_operations()
    subscriptions = schema._schema.subscription_type.fields
    assert SUBSCRIPTIONS.keys() == {f"Subscription.{name}" for name in subscriptions}
    assert all("workspaceId" in field.args for field in subscriptions.values())


async def client(http, services, workspace_id: str, *scopes: Scope) -> GraphQLClient:
    _, secret = await services.tenancy.keys.create(workspace_id, name="scoped", scopes=list(scopes))
    return GraphQLClient(http, secret)


async def outcome(client: GraphQLClient, query: str, **variables: Any) -> str:
    """Return the error's code, or OK."""
    body = (await client.post(query, **variables)).json()
    if "errors" not in body:
        return "OK"
    (error,) = body["errors"]
    return error["extensions"]["code"]


@pytest.mark.parametrize("held", list(Scope))
async def test_a_key_may_do_only_what_its_scope_allows(http, services, workspace_id, held) -> None:
    """A scope includes only itself, but an administrator's includes all."""
    caller = await client(http, services, workspace_id, held)

    found = {name: await outcome(caller, query) for name, (_, query) in OPERATIONS.items()}

    expected = {}
    for name, (needed, _) in OPERATIONS.items():
        allowed = needed in {None, held} or held is Scope.ADMIN
        answer = "NOT_FOUND" if name in NAMES_NOTHING_THERE else "CONFLICT" if name in OFF else "OK"
        expected[name] = answer if allowed and name not in OF_THE_DEPLOYMENT else "FORBIDDEN"
    assert found == expected


@pytest.mark.parametrize("held", list(Scope))
async def test_a_key_may_subscribe_within_its_scope(
    sockets, services, workspace_id, other_workspace_id, held
) -> None:
    _, secret = await services.tenancy.keys.create(workspace_id, name="scoped", scopes=[held])
    async with connected(sockets, key=secret) as subscriber:
        for needed, query in SUBSCRIPTIONS.values():
            if held not in {needed, Scope.ADMIN}:
                assert (await subscriber.error(await subscriber.subscribe(query)))["code"] == "FORBIDDEN"
                continue
            await subscriber.subscribe(query)
            for value in (
                "ws_missing",
                "*",
                "%",
                "ws_*",
                *([] if held is Scope.ADMIN else [other_workspace_id]),
            ):
                error = await subscriber.error(await subscriber.subscribe(query, ws=value))
                assert (error["code"], error["field"]) == ("NOT_FOUND", "workspaceId")
            if held is Scope.ADMIN:
                await subscriber.subscribe(query, ws=other_workspace_id)
        assert await subscriber.is_silent()


async def test_another_keys_workspace_looks_nonexistent(
    http, services, workspace_id, other_workspace_id
) -> None:
    """The status is 404: code, field and message differ only in the id."""
    caller = await client(http, services, workspace_id, Scope.READ, Scope.WRITE)
    others = {name: await caller.error(query, ws=other_workspace_id) for name, query in NAMING.items()}
    missing = {name: await caller.error(query, ws="ws_missing") for name, query in NAMING.items()}

    assert {name: error["code"] for name, error in others.items()} == {
        name: "FORBIDDEN" if OPERATIONS[name][0] is Scope.ADMIN else "NOT_FOUND" for name in NAMING
    }
    for error in others.values():
        error["message"] = error["message"].replace(other_workspace_id, "ws_missing")
    assert others == missing


async def test_an_administrator_may_name_any_workspace(admin, other_workspace_id) -> None:
    named = [name for name in NAMING if name != "Mutation.deleteWorkspace"]
    found = {name: await outcome(admin, NAMING[name], ws=other_workspace_id) for name in named}

    assert found == {
        name: "NOT_FOUND" if name in FIND_NOTHING else "CONFLICT" if name in OFF else "OK" for name in named
    }


@pytest.mark.parametrize("role", ["administrator", "reader"])
async def test_no_workspace_value_selects_all_workspaces(http, services, admin, workspace_id, role) -> None:
    """In another product, a missing, empty or ``*`` workspace opened every tenant."""
    caller = (
        admin if role == "administrator" else await client(http, services, workspace_id, *list(Scope)[:2])
    )
    found = {
        (name, value): await outcome(caller, query, ws=value)
        for name, query in NAMING.items()
        if role == "administrator" or OPERATIONS[name][0] is not Scope.ADMIN
        for value in MEANING_NONE
    }

    wrong = {case: code for case, code in found.items() if code not in {"NOT_FOUND", "INVALID_INPUT"}}
    assert wrong == {}


async def test_a_workspace_key_sees_only_its_own_workspace(graphql, workspace_id) -> None:
    data = await graphql.ok(
        "{ workspaces { edges { node { id } } pageInfo { hasNextPage } } engine { workspaces { workspaceId } } }"
    )

    assert [edge["node"]["id"] for edge in data["workspaces"]["edges"]] == [workspace_id]
    assert [row["workspaceId"] for row in data["engine"]["workspaces"]] == [workspace_id]
    assert data["workspaces"]["pageInfo"] == {"hasNextPage": False}


async def test_keys_of_another_workspace_are_not_listed(
    admin, services, workspace_id, other_workspace_id
) -> None:
    key, _ = await services.tenancy.keys.create(workspace_id, name="mine", scopes=[Scope.READ])
    await services.tenancy.keys.create(other_workspace_id, name="theirs", scopes=[Scope.READ])

    data = await admin.ok("query($ws: ID) { apiKeys(workspaceId: $ws) { id name } }", ws=workspace_id)

    assert data["apiKeys"] == [{"id": key.id, "name": "mine"}]


async def test_a_secret_is_shown_once_and_never_stored(admin, workspace_id, graph_driver) -> None:
    data = await admin.ok(
        "mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret key { prefix scopes } } }",
        input={"name": "shown once", "scopes": ["READ", "WRITE"], "workspaceId": workspace_id},
    )
    made = data["createApiKey"]
    stored = await graph_driver.execute_query(
        "MATCH (k:ApiKey {workspace_id: $ws}) RETURN properties(k) AS properties", ws=workspace_id
    )

    assert made["key"] == {"prefix": made["secret"][:10], "scopes": ["READ", "WRITE"]}
    assert made["secret"] not in repr(stored.records)
