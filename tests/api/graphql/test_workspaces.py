"""Workspaces through the API: made, changed, deleted, and paged without gaps."""

import secrets

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FIELDS = "id name isDefault memoryEnabled settings memoryCount"
CREATE = f"mutation($input: CreateWorkspaceInput!) {{ createWorkspace(input: $input) {{ {FIELDS} }} }}"
UPDATE = (
    "mutation($id: ID, $input: UpdateWorkspaceInput!) "
    f"{{ updateWorkspace(id: $id, input: $input) {{ {FIELDS} }} }}"
)
DELETE = "mutation($id: ID!, $hard: Boolean) { deleteWorkspace(id: $id, hard: $hard) }"
READ = f"query($id: ID) {{ workspace(id: $id) {{ {FIELDS} }} }}"
LIST = """
query($first: Int, $after: String) {
  workspaces(first: $first, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } }
}
"""
SAVE = 'mutation($ws: ID) { saveMemory(input: {content: "x"}, workspaceId: $ws) { outcome } }'


async def test_a_new_workspace_has_its_memory_toggle_off(admin) -> None:
    """I5."""
    made = (await admin.ok(CREATE, input={"name": "  Ada's  "}))["createWorkspace"]

    assert made == {
        "id": made["id"],
        "name": "Ada's",
        "isDefault": False,
        "memoryEnabled": False,
        "settings": {},
        "memoryCount": 0,
    }
    assert (await admin.ok(READ, id=made["id"]))["workspace"] == made


async def test_an_update_merges_settings_and_null_removes_one(admin, workspace_id) -> None:
    await admin.ok(UPDATE, id=workspace_id, input={"settings": {"a": 1, "b": {"c": "é"}}})

    changed = await admin.ok(
        UPDATE,
        id=workspace_id,
        input={"name": "new", "memoryEnabled": True, "settings": {"a": None, "d": [1]}},
    )

    assert changed["updateWorkspace"] == {
        "id": workspace_id,
        "name": "new",
        "isDefault": False,
        "memoryEnabled": True,
        "settings": {"b": {"c": "é"}, "d": [1]},
        "memoryCount": 0,
    }


@pytest.mark.parametrize("hard", [None, False, True])
async def test_a_deleted_workspace_does_not_exist_any_more(admin, workspace_id, hard) -> None:
    await admin.ok(SAVE, ws=workspace_id)

    assert await admin.ok(DELETE, id=workspace_id, hard=hard) == {"deleteWorkspace": True}

    for query, variables in ((READ, {"id": workspace_id}), (SAVE, {"ws": workspace_id})):
        error = await admin.error(query, **variables)
        assert (error["code"], error["field"]) == ("NOT_FOUND", "workspaceId")


async def test_a_hard_delete_leaves_nothing_of_it(admin, workspace_id, graph_driver) -> None:
    """Also after a soft one."""
    await admin.ok(SAVE, ws=workspace_id)
    await admin.ok(DELETE, id=workspace_id)
    await admin.ok(DELETE, id=workspace_id, hard=True)

    left = await graph_driver.execute_query(
        "MATCH (n) WHERE n.workspace_id = $ws OR n.id = $ws RETURN count(n) AS count", ws=workspace_id
    )
    assert left.records[0]["count"] == 0
    assert (await admin.error(DELETE, id=workspace_id, hard=True))["code"] == "NOT_FOUND"


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
    return [(await services.workspaces.create(f"page {secrets.token_hex(4)}")).id for _ in range(12)]


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(5, 200))
async def test_pages_of_any_size_show_each_workspace_once_oldest_first(admin, some_workspaces, size) -> None:
    found = await pages(admin, size)

    flat = [id_ for page in found for id_ in page]
    assert len(flat) == len(set(flat))
    assert [id_ for id_ in flat if id_ in set(some_workspaces)] == some_workspaces
    assert all(len(page) == size for page in found[:-1])


@pytest.mark.parametrize("after", ["", "x", "e30", "*", "eyJkYXRlIjoieCJ9", "\u00e9", "AAAA" * 1000])
async def test_a_cursor_that_no_page_returned_is_refused_or_begins_anew(admin, after) -> None:
    body = (await admin.post(LIST, after=after)).json()

    if after:
        assert body["errors"][0]["extensions"] == {"code": "INVALID_INPUT", "field": "after"}
    else:
        assert "errors" not in body


TOGGLE = "mutation($id: ID, $on: Boolean!) { updateWorkspace(id: $id, input: {memoryEnabled: $on}) { memoryEnabled } }"
CAPTURE = """mutation { appendMessages(input: {conversationId: "c", messages: [{content: "hello"}]}) {
  messageCount capture { added skipped }
} }"""


async def test_an_administrator_throws_the_memory_toggle_and_the_next_request_follows_it(
    admin, graphql, workspace_id
) -> None:
    """I4, I6: no process has to be started again."""
    shown = []
    for on in (False, True, False):
        thrown = await admin.ok(TOGGLE, id=workspace_id, on=on)
        assert thrown == {"updateWorkspace": {"memoryEnabled": on}}
        shown.append((await graphql.ok(CAPTURE))["appendMessages"])

    off = {"added": 0, "skipped": "memory is off in this workspace"}
    assert shown == [
        {"messageCount": 0, "capture": off},
        {"messageCount": 1, "capture": {"added": 1, "skipped": None}},
        {"messageCount": 1, "capture": off},
    ]


async def test_nobody_else_throws_it(graphql, workspace_id, other_workspace_id) -> None:
    """I6, I7: neither who may only write nor who is of another workspace."""
    for id_ in (workspace_id, other_workspace_id, None):
        assert (await graphql.error(TOGGLE, id=id_, on=True))["code"] == "FORBIDDEN"
    assert (await graphql.ok(READ))["workspace"]["memoryEnabled"] is False
