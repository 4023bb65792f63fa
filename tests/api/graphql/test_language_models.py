"""A workspace's own language model through GraphQL and REST (issue 16, point 4)."""

import pytest

from tests.fixtures.app import ADMIN_KEY

SET = """mutation($input: LanguageModelInput!, $ws: ID) {
  setLanguageModel(input: $input, workspaceId: $ws) { url model hasKey }
}"""
READ = "query($ws: ID) { languageModel(workspaceId: $ws) { url model hasKey } }"
REMOVE = "mutation($ws: ID) { removeLanguageModel(workspaceId: $ws) }"
URL = "http://127.0.0.1:11434/v1"


async def test_an_administrator_chooses_a_workspaces_language_model(admin, graphql, workspace_id) -> None:
    """Other keys cannot, since the model receives every conversation."""
    input_ = {"url": URL, "model": "small"}

    refused = await graphql.error(SET, input=input_)
    chosen = (await admin.ok(SET, input=input_, ws=workspace_id))["setLanguageModel"]
    read = (await admin.ok(READ, ws=workspace_id))["languageModel"]
    removed = (await admin.ok(REMOVE, ws=workspace_id))["removeLanguageModel"]

    assert refused["code"] == "FORBIDDEN"
    assert chosen == read == {"url": URL, "model": "small", "hasKey": False}
    assert removed is True
    assert (await admin.ok(READ, ws=workspace_id))["languageModel"] is None


async def test_a_key_is_refused_without_a_sealing_key(admin, workspace_id) -> None:
    """The tests' deployment has no sealing key; the error does not repeat the key."""
    error = await admin.error(SET, input={"url": URL, "model": "small", "key": "sk-secret"}, ws=workspace_id)

    assert (error["code"], error["field"]) == ("CONFLICT", "key")
    assert "sk-secret" not in error["message"]


@pytest.fixture
def path(workspace_id) -> str:
    return f"/v1/workspaces/{workspace_id}/language-model"


async def test_a_language_model_is_set_over_rest(http, path) -> None:
    """The status is 404 if the deployment's model is in use."""
    headers = {"Authorization": f"Bearer {ADMIN_KEY}"}

    before = await http.get(path, headers=headers)
    chosen = await http.put(path, json={"url": URL, "model": "small"}, headers=headers)
    shown = await http.get(path, headers=headers)
    wrong = await http.put(path, json={"url": "nowhere", "model": "small"}, headers=headers)
    removed = await http.delete(path, headers=headers)
    again = await http.delete(path, headers=headers)

    assert (before.status_code, again.status_code, removed.status_code) == (404, 404, 204)
    assert chosen.json() == shown.json() == {"url": URL, "model": "small", "has_key": False}
    assert (wrong.status_code, wrong.json()["field"]) == (400, "url")
