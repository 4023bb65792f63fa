"""The audit log of deletions beyond memories, and of failed sign-ins, by ids."""

import httpx
import pytest

from app.main import create_app
from graph.core.models import AuditAction
from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.models import ArtifactDraft
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from tests.fixtures.graphs import run

WORDS = "quokkamarmalade"
DELETE = "mutation($id: ID!) {{ {mutation}(id: $id) }}"


@pytest.fixture
def acts(graphql, services, workspace_id, audit_of):
    """Return a function that gives the audited actions of the test's own key, oldest first."""

    async def acts():
        own = (await services.tenancy.access.authenticate(graphql.key)).key_id
        mine = await audit_of(workspace_id)
        assert WORDS not in repr(mine)
        return [
            (entry.action, entry.subject_id, entry.count)
            for entry in reversed(mine)
            if entry.actor_key_id == own
        ]

    return acts


async def add_document(services, workspace_id) -> str:
    draft = DocumentDraft(title=WORDS, content=f"# {WORDS}\n\nA line.", media_type="text/markdown")
    return (await services.knowledge.documents.add(workspace_id, draft)).id


async def add_artifact(services, workspace_id) -> str:
    return (await services.knowledge.artifacts.add(workspace_id, ArtifactDraft(name=WORDS))).id


async def add_entity(services, workspace_id) -> str:
    (entity,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name=WORDS)]
    )
    return entity.id


@pytest.mark.parametrize(
    ("add", "mutation", "action"),
    [
        (add_document, "deleteDocument", AuditAction.DOCUMENT_REMOVED),
        (add_artifact, "deleteArtifact", AuditAction.ARTIFACT_REMOVED),
        (add_entity, "deleteEntity", AuditAction.ENTITY_DELETED),
    ],
)
async def test_a_deletion_is_logged_once(
    graphql, services, workspace_id, acts, add, mutation, action
) -> None:
    """By its id; the second attempt deletes nothing."""
    id_ = await add(services, workspace_id)

    assert (await graphql.ok(DELETE.format(mutation=mutation), id=id_))[mutation] is True
    assert (await graphql.ok(DELETE.format(mutation=mutation), id=id_))[mutation] is False

    assert await acts() == [(action, id_, 1)]


async def test_a_removed_connection_is_audited_with_its_size(graphql, services, workspace_id, acts) -> None:
    """E9: two entities, their relation, and a document."""
    ends = [EntityDraft(type="Service", name=name, connection_id="crm") for name in ("one", "two")]
    await services.knowledge.ontology.upsert_entities(workspace_id, ends)
    await services.knowledge.ontology.upsert_relations(
        workspace_id,
        [RelationDraft(from_name="Service:one", to_name="Service:two", type="NEEDS", connection_id="crm")],
    )
    await services.knowledge.documents.add(
        workspace_id, DocumentDraft(title=WORDS, content="A line.", connection_id="crm")
    )

    removed = await graphql.ok(DELETE.format(mutation="deleteConnection"), id="crm")
    await graphql.error(DELETE.format(mutation="deleteConnection"), id="crm")

    assert removed["deleteConnection"] == 4
    assert await acts() == [(AuditAction.CONNECTION_REMOVED, "crm", 4)]


@pytest.mark.parametrize("add", [add_document, add_artifact, add_entity])
async def test_a_deletion_across_workspaces_is_not_logged(
    graphql, services, other_workspace_id, acts, add
) -> None:
    id_ = await add(services, other_workspace_id)
    mutation = {add_document: "deleteDocument", add_artifact: "deleteArtifact", add_entity: "deleteEntity"}

    assert (await graphql.ok(DELETE.format(mutation=mutation[add]), id=id_))[mutation[add]] is False

    assert await acts() == []


async def test_the_log_records_a_memory_switch_by_another_surface(
    graphql, services, workspace_id, acts
) -> None:
    """Oxagen's routes change the same switch as an administrator through GraphQL."""
    headers = {"Authorization": f"Bearer {graphql.key}"}
    path = f"/v1/workspaces/{workspace_id}"
    for body in ("memory/enable", "memory/disable"):
        answer = await graphql.http.post(f"{path}/{body}", headers=headers)
        assert answer.is_success, answer.text

    assert await acts() == [(AuditAction.WORKSPACE_UPDATED, None, 1)] * 2


@pytest.mark.parametrize(
    ("address", "told"),
    [("203.0.113.9", "203.0.113.9"), ("fe80::9%eth0", "fe80::9"), (f"{WORDS}.test", None)],
    ids=["an address", "with a zone", "what a proxy passed on"],
)
async def test_failed_sign_ins_are_audited_by_address(
    services, graph_driver, audit_of, address, told
) -> None:
    """The log contains neither the tried key nor any other text."""

    async def failures():
        return [entry for entry in await audit_of("deployment") if entry.action is AuditAction.SIGN_IN_FAILED]

    before = {entry.id for entry in await failures()}
    transport = httpx.ASGITransport(create_app(services), client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        tried = await client.post("/sign-in", data={"key": f"rk_{WORDS}", "next": f"/{WORDS}"})
        empty = await client.post("/sign-in", data={"key": ""})

    assert (tried.status_code, empty.status_code) == (401, 401)
    (entry,) = [entry for entry in await failures() if entry.id not in before]
    assert (entry.workspace_id, entry.actor_key_id, entry.subject_id) == ("deployment", None, told)
    stored = await run(
        graph_driver, "MATCH (entry:AuditEntry {id: $id}) RETURN entry {.*} AS it", id=entry.id
    )
    assert WORDS not in repr(stored.records)
