"""Ids, owners and sources of memories."""

import asyncio
import re
import uuid

import pytest
from pydantic import ValidationError

from app.bootstrap.dependencies import memory_policy
from app.settings import Settings
from graph.core.errors import Conflict
from graph.core.ids import default_key_id
from graph.memories.models import Deletion, MemoryChange, MemoryDraft, MemoryFilter
from graph.memories.policy import IdFormat, SourceType
from graph.retrieval.recall.models import RecallQuery
from graph.tenancy.models import Scope
from tests.fixtures.graphs import run

MEM = re.compile(r"mem_[A-Za-z0-9]{24}")
UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
IN_THE_DEFAULT_WORKSPACE = """
CYPHER 25
MATCH (memory:Memory {id: $id}), (workspace:Workspace {id: memory.workspace_id, default_marker: 'default'})
RETURN count(*) AS count
"""


@pytest.mark.parametrize(
    ("setting", "surface", "expected"),
    [
        (IdFormat.AUTO, IdFormat.MEM, MEM),
        (IdFormat.AUTO, IdFormat.UUID, UUID4),
        (IdFormat.AUTO, IdFormat.AUTO, MEM),
        (IdFormat.MEM, IdFormat.UUID, MEM),
        (IdFormat.UUID, IdFormat.MEM, UUID4),
    ],
)
async def test_a_new_id_has_the_form_of_the_surface_unless_the_deployment_names_one(
    workspace_id, memories_under, setting, surface, expected
) -> None:
    """A2: ``id_format``."""
    memories = memories_under(id_format=setting)

    receipts = await memories.save_all(
        workspace_id, [MemoryDraft(content="one"), MemoryDraft(content="two")], id_format=surface
    )

    assert all(expected.fullmatch(receipt.memory.id) for receipt in receipts)
    assert receipts[0].memory.id != receipts[1].memory.id


async def test_graphql_uses_its_own_form_of_ids(graphql) -> None:
    """A2."""
    saved = await graphql.ok('mutation { saveMemory(input: {content: "one"}) { memory { id } } }')

    assert MEM.fullmatch(saved["saveMemory"]["memory"]["id"])


@pytest.mark.parametrize("id_format", [IdFormat.MEM, IdFormat.UUID])
async def test_every_lookup_accepts_both_forms_of_ids(services, workspace_id, id_format) -> None:
    """A2: read, list, change, associate, recall, delete, restore."""
    memories = services.memories.store
    drafts = [MemoryDraft(content="the quokka naps"), MemoryDraft(content="rain over Paris")]
    first, second = [
        receipt.memory.id for receipt in await memories.save_all(workspace_id, drafts, id_format=id_format)
    ]

    assert (await memories.get(workspace_id, first)).id == first
    assert set(await memories.find_all(workspace_id, [first, second])) == {first, second}
    assert (await memories.update(workspace_id, first, MemoryChange(importance=0.9))).importance == 0.9
    edge = await services.memories.associations.associate(
        workspace_id, from_id=first, to_id=second, type_="RELATES_TO"
    )
    assert (edge.from_id, edge.to_id) == (first, second)
    found = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="quokka", limit=1))
    assert [hit.memory.id for hit in found.hits] == [first]
    assert await services.memories.deletion.remove(workspace_id, first) is Deletion.DELETED
    assert (await memories.restore(workspace_id, first)).deleted_at is None
    assert await services.memories.deletion.remove(workspace_id, first, hard=True) is Deletion.DELETED


@pytest.mark.parametrize("value", ["nanoid", "MEM", ""])
def test_an_unknown_id_format_is_refused(value) -> None:
    """A2."""
    with pytest.raises(ValidationError, match="id_format"):
        Settings(_env_file=None, memory={"id_format": value})


@pytest.mark.parametrize("source", SourceType)
async def test_a_caller_can_name_the_source_of_a_memory(graphql, source) -> None:
    """A9: each valid source can be saved, read and filtered by."""
    saved = await graphql.ok(
        'mutation($source: String) { saveMemory(input: {content: "one", sourceType: $source}) '
        "{ memory { sourceType } } }",
        source=source.value,
    )
    assert saved["saveMemory"]["memory"]["sourceType"] == source.value

    listed = await graphql.ok(
        "query($sources: [String!]!) { memories(filter: {sourceTypes: $sources}) { totalCount } }",
        sources=[source.value],
    )
    assert listed["memories"]["totalCount"] == 1


@pytest.mark.parametrize("source", ["chat", "API", "auto_", ""])
async def test_an_unknown_source_is_refused(graphql, source) -> None:
    """A9: the error names the field and the valid sources."""
    error = await graphql.error(
        'mutation($source: String) { saveMemory(input: {content: "one", sourceType: $source}) { outcome } }',
        source=source,
    )

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "sourceType")
    assert "'api'" in error["message"]
    assert "'auto_deep_think'" in error["message"]


async def test_the_default_source_is_the_api(graphql) -> None:
    """A9."""
    for given in ("", ", sourceType: null"):
        saved = await graphql.ok(
            f'mutation {{ saveMemory(input: {{content: "one"{given}}}) {{ memory {{ sourceType }} }} }}'
        )
        assert saved["saveMemory"]["memory"]["sourceType"] == "api"


@pytest.mark.parametrize("source", SourceType)
async def test_an_extracted_memory_is_not_a_turn(services, workspace_id, stored_memories, source) -> None:
    """A9, A10: only turns join the conversation's chain and are kept at any length."""
    is_turn = source in {SourceType.API, SourceType.IMPORTED}
    draft = MemoryDraft(content="Ada lives in Oslo", source_type=source, source_conversation_id="c")

    memory = (await services.memories.store.save(workspace_id, draft)).memory

    assert (memory.source_conversation_id, draft.is_turn) == ("c", is_turn)
    after = (await services.memories.store.save(workspace_id, draft)).memory
    edges = (await stored_memories.get(workspace_id, memory.id))["outgoing"]
    assert (["NEXT", "Memory", after.id] in edges) is is_turn
    assert (after.id == memory.id) is not is_turn


async def test_memories_saved_without_a_key_belong_to_the_default_key(services, workspace_id) -> None:
    """A47: the workspace's first key, even if it is created later."""
    before = (await services.memories.store.save(workspace_id, MemoryDraft(content="before"))).memory
    key, secret = await services.tenancy.keys.create(workspace_id, name="first", scopes=[Scope.READ])
    second, _ = await services.tenancy.keys.create(workspace_id, name="second", scopes=[Scope.READ])
    after = (await services.memories.store.save(workspace_id, MemoryDraft(content="after"))).memory
    own = (
        await services.memories.store.save(workspace_id, MemoryDraft(content="own", api_key_id=second.id))
    ).memory

    default = (await services.tenancy.workspaces.get(workspace_id)).default_key_id
    assert before.api_key_id == after.api_key_id == default == key.id != second.id
    assert (await services.tenancy.access.authenticate(secret)).key_id == default
    listed = await services.memories.store.page(workspace_id, MemoryFilter(api_key_id=default))
    assert {memory.id for memory in listed.items} == {before.id, after.id}
    assert own.api_key_id == second.id


async def test_the_default_key_is_returned_with_its_workspace(graphql, workspace_id) -> None:
    """A47."""
    shown = await graphql.ok("{ workspace { defaultKeyId } me { keyId } }")

    assert shown["workspace"]["defaultKeyId"] == default_key_id(workspace_id) == shown["me"]["keyId"]


async def test_an_upsert_keeps_the_owner(services, workspace_id) -> None:
    """A47, A20: even if it restores a deleted memory."""
    fields = {"key": f"k-{uuid.uuid4()}"}
    memory = (
        await services.memories.store.save(
            workspace_id, MemoryDraft(content="one", api_key_id="key-a", **fields)
        )
    ).memory
    await services.memories.deletion.remove(workspace_id, memory.id)

    again = (await services.memories.store.save(workspace_id, MemoryDraft(content="two", **fields))).memory

    assert (again.id, again.api_key_id) == (memory.id, "key-a")


async def test_a_memory_without_a_workspace_goes_to_the_default_one(admin, services, graph_driver) -> None:
    """A44: the key's workspace, by default the administrator's; every memory belongs to a workspace."""
    default = await services.tenancy.workspaces.ensure_default()
    conversation = f"chat-{uuid.uuid4()}"

    saved = await admin.ok(
        'mutation($c: ID) { saveMemory(input: {content: "said", sourceConversationId: $c}) '
        "{ memory { id workspaceId apiKeyId } } }",
        c=conversation,
    )

    memory = saved["saveMemory"]["memory"]
    assert memory["workspaceId"] == default.id
    assert (
        await services.memories.store.get(default.id, memory["id"])
    ).source_conversation_id == conversation
    result = await run(graph_driver, IN_THE_DEFAULT_WORKSPACE, id=memory["id"])
    assert result.records[0]["count"] == 1
    await services.memories.deletion.remove(default.id, memory["id"], hard=True)


def test_the_engine_takes_these_rules_from_the_settings() -> None:
    """A2, B15: and the switch for placeholder vectors, which is off by default."""
    settings = Settings(_env_file=None, memory={"id_format": "uuid", "placeholder_vectors": True})
    policy = memory_policy(settings.memory)
    assert (policy.id_format, policy.placeholder_vectors) == (IdFormat.UUID, True)
    assert memory_policy(Settings(_env_file=None).memory).placeholder_vectors is False


async def test_only_the_conflicting_one_of_concurrent_saves_is_refused(services, workspace_id) -> None:
    """A20."""
    store = services.memories.store
    await store.save(workspace_id, MemoryDraft(content="holds the key", key="taken"))
    drafts = [MemoryDraft(content=f"note {number}", dedup=False) for number in range(12)]
    drafts[5] = MemoryDraft(id="mem_another", key="taken", content="claims it")

    results = await asyncio.gather(
        *(store.save(workspace_id, draft) for draft in drafts), return_exceptions=True
    )

    assert [place for place, result in enumerate(results) if isinstance(result, Conflict)] == [5]
    saved = [result.memory.content for result in results if not isinstance(result, BaseException)]
    assert saved == [f"note {number}" for number in range(12) if number != 5]
