"""Every tool, called with the ids of another workspace, finds and changes nothing there (N12, I8, K17)."""

import pytest
from mcp.shared.exceptions import McpError

from app.surfaces.dialects import TOOLS
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft
from tests.fixtures.telemetry import history

WORD = "zanzibarite"


@pytest.fixture
async def theirs(services, other_agents_workspace_id, agent_of) -> dict[str, str]:
    """Create records of another tenant and return their ids by kind."""
    workspace = other_agents_workspace_id
    saved = await services.memories.store.save(
        workspace, MemoryDraft(content=f"our {WORD} is secret", key="k")
    )
    same = MemoryDraft(content=f"Our {WORD} is secret!", tags=("ours",))
    await services.memories.store.save(workspace, same)
    (change,) = (await services.operations.changes.page(workspace)).items
    (entity,) = await services.knowledge.ontology.upsert_entities(
        workspace, [EntityDraft(type="Service", name=WORD)]
    )
    await services.telemetry.recorder.record(workspace, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(workspace)
    (pattern,) = (await services.telemetry.reader.patterns(workspace)).items
    return {
        "workspace": workspace,
        "memory": saved.memory.id,
        "change": change.id,
        "entity": entity.id,
        "pattern": pattern.id,
        "key": (await agent_of(workspace)).key_id,
    }


def calls(theirs: dict[str, str]) -> dict[str, dict[str, object]]:
    """Return arguments for each tool that name the other tenant's records."""
    asked = {"query": f"{WORD} deploy on service"}
    return {
        "store_memory": {"content": "ours alone"},
        "update_memory": {"memory_id": theirs["memory"], "content": "taken over"},
        "delete_memory": {"memory_id": theirs["memory"]},
        "remember": {"content": "ours alone, as ever"},
        "forget": {"memory_id": theirs["memory"]},
        "ask": {"question": f"What does {WORD} deploy?"},
        "recall": asked,
        "get": {"id": theirs["entity"]},
        "relate": {"from_id": theirs["memory"], "to_id": "mem_x", "type": "RELATES_TO"},
        "context": {**asked, "target_ids": [theirs["entity"]], "target_types": ["Service"]},
        "memory.search": asked,
        "memory.context": asked,
        "memory.annotate": {"pattern_id": theirs["pattern"], "suppressed": True},
        "memory.metric_create": {"name": "ours", "definition": {"aggregate": "COUNT"}},
        "memory.benchmark_get": {"metric": "sequence_count"},
        "record": {
            "actions": [
                {"session_id": "failed-0", "action_type": "a", "node_type": "B", "outcome": "SUCCESS",
                 "target_id": theirs["entity"]}
            ]
        },
        "omniroute_memory_search": {"apiKeyId": theirs["key"], "query": WORD},
        "omniroute_memory_add": {"apiKeyId": theirs["key"], "type": "factual", "key": "k", "content": "x"},
        "omniroute_memory_clear": {"apiKeyId": theirs["key"]},
        "x_save_memory": {"content": "ours as well"},
        "x_recall_memory": {"query": WORD},
        "x_workspace_search": {"query": WORD},
        "move_conversation": {"conversation_id": "c", "workspace_id": theirs["workspace"]},
        "list_changes": {},
        "profile": {},
        "undo_change": {"id": theirs["change"]},
        "workspace.enable_memory": {},
        "workspace.disable_memory": {},
    }  # fmt: skip


async def test_no_tool_reads_or_changes_records_of_another_tenant(learning_agent, services, theirs) -> None:
    """N12, I8, K17: for every tool."""
    given = calls(theirs)
    assert given.keys() == {tool.name for tool in TOOLS}
    workspace = theirs["workspace"]
    before = await services.memories.store.get(workspace, theirs["memory"])

    told = [repr(await learning_agent.result(name, **arguments)) for name, arguments in given.items()]

    leaks = [text for text in told if WORD in text.replace(f"{WORD} deploy", "") or "E_QUOTA" in text]
    assert leaks == []
    after = await services.memories.store.get(workspace, theirs["memory"])
    assert (after.content, after.version) == (before.content, before.version)
    assert [each.undone_at for each in (await services.operations.changes.page(workspace)).items] == [None]
    (pattern,) = (await services.telemetry.reader.patterns(workspace)).items
    assert not pattern.suppressed
    assert (await services.tenancy.workspaces.get(workspace)).memory_enabled
    assert len((await services.telemetry.reader.actions(workspace)).items) == 9


async def test_no_resource_of_another_tenant_is_read(learning_agent, theirs) -> None:
    """N12."""
    async with learning_agent.session() as session:
        for uri in (f"recollect://memory/{theirs['memory']}", f"recollect://entity/{theirs['entity']}"):
            with pytest.raises(McpError, match="there is nothing at"):
                await session.read_resource(uri)
