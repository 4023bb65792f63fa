"""Workspaces through the API: created, changed, deleted, and paged without gaps."""

import asyncio
import secrets
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.tenancy import queries
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient

FIELDS = "id name isDefault memoryEnabled settings memoryCount"
CREATE = f"mutation($input: CreateWorkspaceInput!) {{ createWorkspace(input: $input) {{ {FIELDS} }} }}"
UPDATE = (
    "mutation($id: ID, $input: UpdateWorkspaceInput!) "
    f"{{ updateWorkspace(id: $id, input: $input) {{ {FIELDS} }} }}"
)
DELETE = "mutation($id: ID!, $hard: Boolean) { deleteWorkspace(id: $id, hard: $hard) }"
READ = f"query($id: ID) {{ workspace(id: $id) {{ {FIELDS} }} }}"
LIST = """
query($first: Int, $after: String, $called: String) {
  workspaces(first: $first, after: $after, called: $called) {
    edges { cursor node { id } }
    pageInfo { hasNextPage endCursor }
  }
}
"""
SAVE = 'mutation($ws: ID) { saveMemory(input: {content: "x"}, workspaceId: $ws) { outcome } }'


async def test_a_new_workspace_has_its_memory_toggle_off(admin) -> None:
    """I5."""
    name = f"Ada's {uuid4()}"
    made = (await admin.ok(CREATE, input={"name": f"  {name}  "}))["createWorkspace"]

    assert made == {
        "id": made["id"],
        "name": name,
        "isDefault": False,
        "memoryEnabled": False,
        "settings": {},
        "memoryCount": 0,
    }
    assert (await admin.ok(READ, id=made["id"]))["workspace"] == made


async def test_an_update_merges_settings_and_null_removes_one(admin, workspace_id) -> None:
    skills = {"*": [{"name": "tidy_up"}]}
    await admin.ok(UPDATE, id=workspace_id, input={"settings": {"maxTokens": 1, "skills": skills}})

    changed = await admin.ok(
        UPDATE,
        id=workspace_id,
        input={
            "name": f"new {workspace_id}",
            "memoryEnabled": True,
            "settings": {"maxTokens": None, "skillsEnabled": True},
        },
    )

    assert changed["updateWorkspace"] == {
        "id": workspace_id,
        "name": f"new {workspace_id}",
        "isDefault": False,
        "memoryEnabled": True,
        "settings": {"skills": skills, "skillsEnabled": True},
        "memoryCount": 0,
    }


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("maxToken", "maxTokens"), ("stratgy", "strategy"), ("memoryEmbeddingSource", "")],
)
async def test_an_unknown_setting_is_refused_with_the_nearest(admin, workspace_id, name, nearest) -> None:
    """C21: also a setting of the deployment, which has no effect here; nothing changes."""
    error = await admin.error(UPDATE, id=workspace_id, input={"settings": {name: 1}})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", f"settings.{name}")
    assert f"is not a setting of a workspace; the nearest is {nearest}" in error["message"]
    assert (await admin.ok(READ, id=workspace_id))["workspace"]["settings"] == {}


async def test_a_setting_of_an_earlier_release_stays_until_removed(admin, services, workspace_id) -> None:
    await queries.update_workspace(
        services.core.database,
        workspace_id=workspace_id,
        properties={"settings": '{"theme": "dark"}'},
        now=datetime.now(UTC),
    )

    kept = await admin.ok(UPDATE, id=workspace_id, input={"settings": {"maxTokens": 9}})
    gone = await admin.ok(UPDATE, id=workspace_id, input={"settings": {"theme": None}})

    assert kept["updateWorkspace"]["settings"] == {"theme": "dark", "maxTokens": 9}
    assert gone["updateWorkspace"]["settings"] == {"maxTokens": 9}


async def test_a_taken_name_is_refused_for_both_of_two_concurrent_requests(admin, services) -> None:
    """C21: an old store with duplicate names keeps them."""
    name = f"team {uuid4()}"
    made = await asyncio.gather(
        *(admin.post(CREATE, input={"name": each}) for each in (name, name.upper()) * 4)
    )
    bodies = [response.json() for response in made]
    refused = [body["errors"][0] for body in bodies if "errors" in body]
    twins = [await services.tenancy.workspaces.create(f"twin {name}") for _ in range(2)]

    assert len(refused) == len(bodies) - 1
    assert {error["extensions"]["code"] for error in refused} == {"CONFLICT"}
    assert {error["extensions"]["field"] for error in refused} == {"name"}
    error = await admin.error(UPDATE, id=twins[0].id, input={"name": f" {name} "})
    assert (error["code"], error["field"]) == ("CONFLICT", "name")
    for twin in twins:
        same = await admin.ok(UPDATE, id=twin.id, input={"name": twin.name, "memoryEnabled": True})
        assert same["updateWorkspace"]["name"] == twin.name


@pytest.mark.parametrize("hard", [None, False, True])
async def test_a_deleted_workspace_does_not_exist_any_more(admin, workspace_id, hard) -> None:
    await admin.ok(SAVE, ws=workspace_id)

    assert await admin.ok(DELETE, id=workspace_id, hard=hard) == {"deleteWorkspace": True}

    for query, variables in ((READ, {"id": workspace_id}), (SAVE, {"ws": workspace_id})):
        error = await admin.error(query, **variables)
        assert (error["code"], error["field"]) == ("NOT_FOUND", "workspaceId")


async def test_a_hard_delete_removes_all_data_of_a_workspace(admin, workspace_id, graph_driver) -> None:
    """Also after a soft delete."""
    await admin.ok(SAVE, ws=workspace_id)
    await admin.ok(DELETE, id=workspace_id)
    await admin.ok(DELETE, id=workspace_id, hard=True)

    left = await graph_driver.execute_query(
        "MATCH (n) WHERE n.workspace_id = $ws OR n.id = $ws RETURN count(n) AS count", ws=workspace_id
    )
    assert left.records[0]["count"] == 0
    assert (await admin.error(DELETE, id=workspace_id, hard=True))["code"] == "NOT_FOUND"


async def test_an_id_without_a_workspace_cannot_be_deleted(admin, graph_driver) -> None:
    """I14: settings and jobs of the deployment have such an id."""
    made = "CREATE (:Setting {workspace_id: 'deployment', id: 'set_kept', name: 'kept by a test'})"
    await graph_driver.execute_query(made)

    errors = [await admin.error(DELETE, id="deployment", hard=hard) for hard in (False, True)]

    deleted = "MATCH (kept:Setting {workspace_id: 'deployment', id: 'set_kept'}) DELETE kept RETURN count(*) AS count"
    assert (await graph_driver.execute_query(deleted)).records[0]["count"] == 1
    assert [error["code"] for error in errors] == ["NOT_FOUND", "NOT_FOUND"]


async def test_the_default_workspace_cannot_be_deleted(admin) -> None:
    me = (await admin.ok(READ))["workspace"]
    assert me["isDefault"] is True

    for hard in (False, True):
        error = await admin.error(DELETE, id=me["id"], hard=hard)
        assert error == {
            "message": "the default workspace cannot be deleted",
            "code": "CONFLICT",
            "field": "id",
        }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "name must not be blank; leave it out instead"),
        (" \t", "name must not be blank; leave it out instead"),
        ("x" * 201, "name must have at most 200 characters, got 201"),
        ("a\x00b", "name must not hold NUL characters"),
    ],
)
async def test_a_name_that_breaks_a_rule_is_refused_and_nothing_is_written(
    admin, workspace_id, name, message
) -> None:
    before = await admin.ok(READ, id=workspace_id)

    refused = {"message": message, "code": "INVALID_INPUT", "field": "name"}
    assert await admin.error(CREATE, input={"name": name}) == refused
    assert await admin.error(UPDATE, id=workspace_id, input={"name": name, "memoryEnabled": True}) == refused

    assert await admin.ok(READ, id=workspace_id) == before


@pytest.mark.parametrize("value", ["x", 1, [1], True])
async def test_settings_are_a_json_object(admin, workspace_id, value) -> None:
    error = await admin.error(UPDATE, id=workspace_id, input={"settings": value})

    assert error == {
        "message": "settings must be a JSON object",
        "code": "INVALID_INPUT",
        "field": "settings",
    }


async def pages(admin, size: int) -> list[list[str]]:
    found, after = [], None
    while True:
        page = (await admin.ok(LIST, first=size, after=after))["workspaces"]
        found.append([edge["node"]["id"] for edge in page["edges"]])
        if not page["pageInfo"]["hasNextPage"]:
            return found
        after = page["pageInfo"]["endCursor"]


@pytest.fixture
async def some_workspaces(services) -> list[str]:
    return [(await services.tenancy.workspaces.create(f"page {secrets.token_hex(4)}")).id for _ in range(12)]


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(5, 200))
async def test_pages_of_any_size_show_each_workspace_once_oldest_first(admin, some_workspaces, size) -> None:
    found = await pages(admin, size)

    flat = [id_ for page in found for id_ in page]
    assert len(flat) == len(set(flat))
    assert [id_ for id_ in flat if id_ in set(some_workspaces)] == some_workspaces
    assert all(len(page) == size for page in found[:-1])


@pytest.mark.parametrize("after", ["", "x", "e30", "*", "eyJkYXRlIjoieCJ9", "\u00e9", "AAAA" * 1000])
async def test_an_unknown_cursor_is_refused_or_starts_at_the_beginning(admin, after) -> None:
    body = (await admin.post(LIST, after=after)).json()

    if after:
        assert body["errors"][0]["extensions"] == {"code": "INVALID_INPUT", "field": "after"}
    else:
        assert "errors" not in body


TOGGLE = "mutation($id: ID, $on: Boolean!) { updateWorkspace(id: $id, input: {memoryEnabled: $on}) { memoryEnabled } }"
CAPTURE = """mutation { appendMessages(input: {conversationId: "c", messages: [{content: "hello"}]}) {
  messageCount capture { added skipped }
} }"""


@pytest.mark.parametrize("who", ["admin", "graphql"])
async def test_a_write_key_switches_memory_for_the_next_request(request, graphql, workspace_id, who) -> None:
    """I4, I6; issue 35, point 25: as over REST, and without a restart."""
    caller = request.getfixturevalue(who)
    shown = []
    for on in (False, True, False):
        thrown = await caller.ok(TOGGLE, id=workspace_id, on=on)
        assert thrown == {"updateWorkspace": {"memoryEnabled": on}}
        shown.append((await graphql.ok(CAPTURE))["appendMessages"])

    off = {"added": 0, "skipped": "memory is off in this workspace"}
    assert shown == [
        {"messageCount": 0, "capture": off},
        {"messageCount": 1, "capture": {"added": 1, "skipped": None}},
        {"messageCount": 1, "capture": off},
    ]


async def test_a_read_key_cannot_switch_memory(
    graphql, http, services, workspace_id, other_workspace_id
) -> None:
    """I6, I7: nor can a key of another workspace."""
    _, secret = await services.tenancy.keys.create(workspace_id, name="reader", scopes=[Scope.READ])
    reader = GraphQLClient(http, secret)
    assert (await reader.error(TOGGLE, id=None, on=True))["code"] == "FORBIDDEN"
    assert (await graphql.error(TOGGLE, id=other_workspace_id, on=True))["code"] == "NOT_FOUND"
    assert (await graphql.ok(READ))["workspace"]["memoryEnabled"] is False


async def test_a_bound_key_cannot_switch_memory(http, services, workspace_id) -> None:
    """I6, N12: the switch applies to every user."""
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="bound", scopes=[Scope.READ, Scope.WRITE], user_id="ada"
    )
    assert (await GraphQLClient(http, secret).error(TOGGLE, id=None, on=True))["code"] == "FORBIDDEN"


@pytest.mark.parametrize("beside", [{"name": "other"}, {"settings": {"maxTokens": 9}}])
async def test_changing_other_settings_needs_an_administrator(graphql, beside) -> None:
    """I6."""
    changed = "mutation($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { id } }"
    for input_ in (beside, beside | {"memoryEnabled": True}, {}):
        assert (await graphql.error(changed, input=input_))["code"] == "FORBIDDEN"


async def ids_of(client, called: str) -> list[str]:
    return [edge["node"]["id"] for edge in (await client.ok(LIST, called=called))["workspaces"]["edges"]]


async def test_workspaces_can_be_read_by_id_and_by_name(admin, services) -> None:
    """I15: two workspaces may have the same name unless one has claimed it."""
    name = f"Twin {uuid4()}"
    twins = [(await services.tenancy.workspaces.create(name)).id for _ in range(2)]

    assert await ids_of(admin, name) == twins
    assert await ids_of(admin, twins[1]) == [twins[1]]
    assert await ids_of(admin, name.lower()) == []


async def test_a_key_of_one_workspace_finds_no_other_by_id_or_name(graphql, services, workspace_id) -> None:
    """I1."""
    own = await services.tenancy.workspaces.get(workspace_id)
    other = await services.tenancy.workspaces.create(f"not yours {uuid4()}")

    assert await ids_of(graphql, own.name) == await ids_of(graphql, own.id) == [workspace_id]
    assert await ids_of(graphql, other.name) == await ids_of(graphql, other.id) == []
