"""Every mutation that takes an id changes nothing of another user's records (issue 15, point 1).

A new mutation fails the first test until this file calls it, or lists it with the reason not to call it.
"""

from collections.abc import Mapping
from typing import Any, Final

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLUnionType,
    get_named_type,
)
from neo4j import AsyncDriver

from app.surfaces.graphql.schema import schema
from graph.core.scope import ReadScope, seeing
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient
from tests.fixtures.graphs import NOW, OneOfEach, one_of_each, run
from tests.fixtures.telemetry import action
from tests.tenancy.test_no_query_crosses_users import LABELS

_OWN = """CYPHER 25
MATCH (node {workspace_id: $ws})
WHERE any(label IN labels(node) WHERE label IN $labels)
SET node.user_id = 'user_' + $mark, node.agent_id = '', node.said_at = $then, node.created_at = $then,
    node.episode_id = null, node.extracted_up_to = CASE WHEN node:Conversation THEN 1000 END
"""
_THEIRS = """CYPHER 25
MATCH (node {workspace_id: $ws, user_id: 'user_' + $mark})
WHERE any(label IN labels(node) WHERE label IN $labels)
RETURN labels(node) AS labels, properties(node) AS properties,
       COUNT { (node)--({user_id: 'user_' + $mark}) } AS edges
"""
_RUNS = """CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $ws})
RETURN sequence.session_id AS session, sequence.id AS id, COUNT { (sequence)-[:DID]->() } AS actions
"""
_IN_BACKGROUND = ("last_accessed_at", "last_used_at", "usage_count", "locked_at")
_SHARED = "of what all of a workspace share"
_ADMINISTRATORS = "forbidden to every key of a user"
_USERS_OWN = "kept by user: the same name is another thing for somebody else"
_NEW_ONLY = "takes no id of anything that is there"

NOT_CALLED: Final[Mapping[str, str]] = {
    "createWorkspace": _ADMINISTRATORS, "updateWorkspace": _ADMINISTRATORS, "deleteWorkspace": _ADMINISTRATORS,
    "createApiKey": _ADMINISTRATORS, "rotateApiKey": _ADMINISTRATORS, "limitApiKey": _ADMINISTRATORS,
    "revokeApiKey": _ADMINISTRATORS, "updateSettings": _ADMINISTRATORS, "updateVectorTier": _ADMINISTRATORS,
    "testEmbedder": _ADMINISTRATORS, "testReranker": _ADMINISTRATORS, "testVectorTier": _ADMINISTRATORS,
    "createWebhook": _ADMINISTRATORS, "deleteWebhook": _ADMINISTRATORS, "testWebhook": _ADMINISTRATORS,
    "setLanguageModel": _ADMINISTRATORS, "removeLanguageModel": _ADMINISTRATORS, "eraseUser": _ADMINISTRATORS,
    "reindex": _ADMINISTRATORS, "cleanupVectorTier": _ADMINISTRATORS, "verifyMemory": _NEW_ONLY,
    "upsertEntities": _SHARED, "upsertRelations": _SHARED, "deleteEntity": _SHARED, "restoreEntity": _SHARED,
    "deleteRelation": _SHARED, "mergeEntities": _SHARED, "unmergeEntities": _SHARED, "upsertConnection": _SHARED,
    "deleteConnection": _SHARED, "upsertEntityTypes": _SHARED, "upsertRelationTypes": _SHARED,
    "deleteEntityType": _SHARED, "deleteRelationType": _SHARED, "importOntology": _SHARED,
    "retryJob": _ADMINISTRATORS, "promotePatterns": _SHARED, "annotatePattern": _SHARED, "createMetric": _SHARED,
    "deleteMetric": _SHARED, "addDocument": _SHARED, "deleteDocument": _SHARED, "addArtifact": _SHARED,
    "deleteArtifact": _SHARED, "setWorkingSet": _USERS_OWN, "clearWorkingSet": _USERS_OWN,
    "recordActions": _USERS_OWN, "saveMemoryBatch": "saves as saveMemory does, each by itself",
    "moveConversation": "takes a key of both workspaces, which no key of a user is",
    "compactMemories": "takes what scoped queries list, of which test_no_query_crosses_users runs each",
    "distill": _NEW_ONLY, "rememberMessage": _NEW_ONLY,
}  # fmt: skip

CALLS: Final[Mapping[str, str]] = {
    "saveMemory": '(input: {id: "mem_MARK0", content: "Nobody is at home"}) { memory { id } }',
    "saveMemories": """(inputs: [{content: "Nobody is at home", sourceConversationId: "conv_MARK"}]) { outcome }""",
    "updateMemory": '(id: "mem_MARK0", input: {content: "Nobody is at home"}) { id }',
    "deleteMemory": '(id: "mem_MARK0", hard: true)',
    "restoreMemory": '(id: "mem_MARK0", version: 1) { id }',
    "clearMemories": '(input: {apiKeyId: "key_MARK"}, hard: true)',
    "deleteMemories": '(selection: {ids: ["mem_MARK0"]}, hard: true) { matched }',
    "changeMemories": '(selection: {ids: ["mem_MARK0"]}, change: {addTags: ["x"]}) { matched }',
    "rerunExtraction": '(id: "mem_MARK0") { outcome }',
    "associate": '(input: {fromId: "mem_MARK0", toId: "mem_MARK3", type: RELATES_TO}) { id }',
    "dissociate": '(id: "rel_aMARK")',
    "deleteSequence": '(id: "seq_MARK")',
    "appendMessages": """(input: {conversationId: "conv_MARK", messages: [
      {id: "msg_MARK", content: "Nobody is at home", role: USER}]}) { id }""",
    "deleteConversation": '(id: "conv_MARK")',
    "extractMemories": '(conversationId: "conv_MARK") { id }',
    "confirmDeletion": '(memoryId: "mem_MARK1")',
    "dismissDeletion": '(memoryId: "mem_MARK1")',
    "undoAutomaticChange": '(id: "chg_MARK") { id }',
    "consolidateConversation": '(id: "conv_MARK", retainLast: 0, maxAgeDays: 0) { id }',
    "handoffSummary": '(conversationId: "conv_MARK") { id }',
}


@pytest.fixture
async def owned(graph_driver: AsyncDriver, services: Any) -> OneOfEach:
    """Return a workspace in which one user owns all records that users can own, from long ago."""
    names = await one_of_each(graph_driver)
    then = NOW.replace(year=2020)
    await run(graph_driver, _OWN, ws=names.workspace_id, mark=names.mark, labels=LABELS, then=then)
    return names


async def theirs(driver: AsyncDriver, names: OneOfEach) -> list[str]:
    found = await run(driver, _THEIRS, ws=names.workspace_id, mark=names.mark, labels=LABELS)
    for record in found.records:
        for name in _IN_BACKGROUND:
            record["properties"].pop(name, None)
    return sorted(
        repr((sorted(record["labels"]), sorted(record["properties"].items()), record["edges"]))
        for record in found.records
    )


def test_every_mutation_is_called_or_classified() -> None:
    """Issue 15."""
    assert schema._schema.mutation_type is not None
    mutations = set(schema._schema.mutation_type.fields)

    assert mutations == CALLS.keys() | NOT_CALLED.keys()
    assert not CALLS.keys() & NOT_CALLED.keys()


@pytest.mark.parametrize("name", CALLS)
async def test_a_bound_key_changes_nothing_of_another_user(
    name: str, owned: OneOfEach, http: Any, services: Any, graph_driver: AsyncDriver
) -> None:
    """I2, issue 15: the same mutation by the owner does change something."""
    call = CALLS[name].replace("MARK", owned.mark)

    async def call_as(user_id: str) -> list[str]:
        _, secret = await services.tenancy.keys.create(
            owned.workspace_id, name="bound", scopes=[Scope.READ, Scope.WRITE], user_id=user_id
        )
        await GraphQLClient(http, secret).post(f"mutation {{ {name}{call} }}")
        return await theirs(graph_driver, owned)

    before = await theirs(graph_driver, owned)
    as_stranger = await call_as("a stranger")
    as_owner = await call_as(f"user_{owned.mark}")

    assert as_stranger == before
    assert as_owner != before, "the mutation does nothing even for the user"


def argument(type_: GraphQLInputType) -> str:
    """Return the minimal argument of that type."""
    if isinstance(type_, GraphQLNonNull):
        return argument(type_.of_type)
    if isinstance(type_, GraphQLList):
        return f"[{argument(type_.of_type)}]"
    if isinstance(type_, GraphQLInputObjectType):
        return f"{{{arguments(type_.fields)}}}"
    if isinstance(type_, GraphQLEnumType):
        return next(iter(type_.values))
    return {"Int": "1", "Boolean": "false"}.get(type_.name, '"example"')


def arguments(fields: Mapping[str, Any]) -> str:
    needed = {name: field.type for name, field in fields.items() if isinstance(field.type, GraphQLNonNull)}
    return ", ".join(f"{name}: {argument(type_)}" for name, type_ in needed.items())


@pytest.mark.parametrize("name", [name for name, why in NOT_CALLED.items() if why == _ADMINISTRATORS])
async def test_workspace_administration_is_forbidden_to_a_bound_key(
    name: str, workspace_id: str, http: Any, services: Any
) -> None:
    """I2, J5: even the mutations that need only the write scope in other workspaces."""
    assert schema._schema.mutation_type is not None
    field = schema._schema.mutation_type.fields[name]
    given = arguments(field.args)
    type_ = get_named_type(field.type)
    fields = " { __typename }" if isinstance(type_, GraphQLObjectType | GraphQLUnionType) else ""
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="bound", scopes=[Scope.READ, Scope.WRITE], user_id="alice"
    )

    call = f"{name}({given})" if given else name
    response = await GraphQLClient(http, secret).post(f"mutation {{ {call}{fields} }}")

    answer = response.json()
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["FORBIDDEN"], answer


async def test_a_user_scope_cannot_forget_other_users_runs(
    owned: OneOfEach, services: Any, graph_driver: AsyncDriver
) -> None:
    """Issue 15: neither the run nor its counts in the memories that it used."""
    before = await theirs(graph_driver, owned)

    with seeing(ReadScope(user_id="a stranger")):
        forgotten = await services.telemetry.promoter.forget(owned.workspace_id, [owned.sequence_id])

    assert forgotten == []
    assert await theirs(graph_driver, owned) == before


async def test_an_agent_scope_cannot_forget_runs_continued_by_another(
    capturing_workspace_id: str, services: Any, graph_driver: AsyncDriver
) -> None:
    """Issue 15: a run belongs to the agent of its first action, with all other actions of its session."""
    record, workspace_id = services.telemetry.recorder.record, capturing_workspace_id
    await record(workspace_id, [action("shared", agent_id="ann"), action("alone", agent_id="ann")])
    await record(workspace_id, [action("shared", agent_id="ben")])
    runs = {each["session"]: each for each in (await run(graph_driver, _RUNS, ws=workspace_id)).records}
    ids = sorted(each["id"] for each in runs.values())

    with seeing(ReadScope(agent_id="ann")):
        forgotten = await services.telemetry.promoter.forget(workspace_id, ids)

    assert forgotten == [runs["alone"]["id"]]
    (left,) = (await run(graph_driver, _RUNS, ws=workspace_id)).records
    assert left.data() == runs["shared"].data()
    assert await services.telemetry.promoter.forget(workspace_id, ids) == [left["id"]]
