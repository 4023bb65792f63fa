"""The audit log of the deployment, which contains ids and no user's words."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import InvalidInput
from graph.core.models import AuditAction
from graph.memories.models import MemoryDraft
from graph.tenancy.models import Scope

ROTATE = "mutation($id: ID!) { rotateApiKey(id: $id) { secret } }"
LOG = """query($actions: [AuditAction!], $first: Int, $after: String) {
  auditLog(actions: $actions, first: $first, after: $after) {
    edges { node { action actorKeyId workspaceId subjectId count at } }
    pageInfo { hasNextPage endCursor }
  }
}"""


@pytest.fixture
def admins_key_id(services):
    async def admins_key_id(admin) -> str:
        return (await services.tenancy.access.authenticate(admin.key)).key_id

    return admins_key_id


async def test_administrative_actions_are_audited(admin, services, audit_of, admins_key_id) -> None:
    """Each entry names the actor, action, time and subject by ids; they outlive the workspace."""
    by = await admins_key_id(admin)
    before = datetime.now(UTC)
    made = await admin.ok(
        "mutation($name: String!) { createWorkspace(input: {name: $name}) { id } }",
        name=f"a secret name {uuid4()}",
    )
    ws = made["createWorkspace"]["id"]
    created = await admin.ok(
        "mutation($ws: ID) {"
        ' createApiKey(input: {name: "words", scopes: [READ], workspaceId: $ws}) { key { id } secret } }',
        ws=ws,
    )
    key_id = created["createApiKey"]["key"]["id"]
    await admin.ok(ROTATE, id=key_id)
    await admin.ok("mutation($id: ID!) { limitApiKey(id: $id, requestsPerMinute: 5) { id } }", id=key_id)
    await admin.ok(
        "mutation($ws: ID!) { updateWorkspace(id: $ws, input: {memoryEnabled: true}) { id } }", ws=ws
    )
    await admin.ok("mutation($id: ID!) { revokeApiKey(id: $id) }", id=key_id)
    await admin.ok("mutation($ws: ID!) { deleteWorkspace(id: $ws, hard: true) }", ws=ws)

    entries = (await audit_of(ws))[::-1]

    assert [(entry.action, entry.subject_id) for entry in entries] == [
        (AuditAction.WORKSPACE_CREATED, None),
        (AuditAction.KEY_CREATED, key_id),
        (AuditAction.KEY_ROTATED, key_id),
        (AuditAction.KEY_LIMITED, key_id),
        (AuditAction.WORKSPACE_UPDATED, None),
        (AuditAction.KEY_REVOKED, key_id),
        (AuditAction.WORKSPACE_DELETED, None),
        (AuditAction.WORKSPACE_REMOVED, None),
    ]
    assert {entry.actor_key_id for entry in entries} == {by}
    assert {entry.count for entry in entries} == {1}
    moments = [entry.at for entry in entries]
    assert moments == sorted(moments)
    assert before <= moments[0]
    assert "secret name" not in repr(entries)
    assert "words" not in repr(entries)


async def test_the_audit_log_records_permanent_deletions(graphql, services, workspace_id, audit_of) -> None:
    """A softly deleted memory is not logged: it can be restored."""
    drafts = [MemoryDraft(content=f"Crate {number}", dedup=False) for number in range(4)]
    ids = [saved.memory.id for saved in await services.memories.store.save_all(workspace_id, drafts)]
    own = (await services.tenancy.access.authenticate(graphql.key)).key_id
    delete = "mutation($id: ID!, $hard: Boolean) { deleteMemory(id: $id, hard: $hard) }"
    await graphql.ok(delete, id=ids[0], hard=False)
    await graphql.ok(delete, id=ids[1], hard=True)
    await graphql.ok(delete, id=ids[1], hard=True)
    await graphql.ok("mutation { clearMemories(input: {}, hard: true) }")

    entries = [entry for entry in await audit_of(workspace_id) if entry.actor_key_id == own]

    assert [(entry.action, entry.subject_id, entry.count) for entry in entries] == [
        (AuditAction.MEMORIES_REMOVED, None, 3),
        (AuditAction.MEMORIES_REMOVED, ids[1], 1),
    ]


async def test_a_removed_conversation_is_audited(services, capturing_workspace_id, audit_of) -> None:
    draft = CaptureDraft(conversation_id="c", messages=[MessageDraft(content="A word")])
    await services.conversations.capture.append(capturing_workspace_id, draft)

    await services.conversations.capture.delete(capturing_workspace_id, "c")
    await services.conversations.capture.delete(capturing_workspace_id, "c")

    removed = [
        entry.subject_id
        for entry in await audit_of(capturing_workspace_id)
        if entry.action is AuditAction.CONVERSATION_REMOVED
    ]
    assert removed == ["c"]


async def test_sign_ins_are_audited_with_their_key(services, sign_in, workspace_id, audit_of) -> None:
    await sign_in(workspace_id)

    (api_key,) = await services.tenancy.keys.list_live(workspace_id)
    signed_in = [entry for entry in await audit_of(workspace_id) if entry.action is AuditAction.SIGNED_IN]
    assert [(entry.actor_key_id, entry.subject_id) for entry in signed_in] == [(api_key.id, api_key.id)]


async def test_a_failed_action_leaves_no_audit_entry(admin, services, workspace_id, audit_of) -> None:
    before = await audit_of(workspace_id)
    with pytest.raises(InvalidInput):
        await services.tenancy.keys.create(workspace_id, name=" ", scopes=[Scope.READ])
    with pytest.raises(InvalidInput):
        await services.tenancy.workspaces.update(workspace_id, name="")
    assert (await admin.error(ROTATE, id="key_none"))["field"] == "id"

    assert await audit_of(workspace_id) == before


async def test_the_log_is_paged_and_filtered_by_action(admin, services, workspace_id) -> None:
    for number in range(3):
        await services.tenancy.keys.create(workspace_id, name=f"key {number}", scopes=[Scope.READ])

    seen, after = [], None
    for _ in range(3):
        page = (await admin.ok(LOG, actions=["KEY_CREATED"], first=2, after=after))["auditLog"]
        seen += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]

    assert {node["action"] for node in seen} == {"KEY_CREATED"}
    assert len({node["subjectId"] for node in seen}) == len(seen) == 6
    moments = [node["at"] for node in seen]
    assert moments == sorted(moments, reverse=True)
