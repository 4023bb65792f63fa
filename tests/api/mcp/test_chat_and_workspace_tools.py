"""The x_ tools, which return texts, and the switch of a workspace's memory."""

import pytest

from graph.conversations.distillation.service import Distillations
from graph.knowledge.models import ArtifactDraft
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.memories.policy import SourceType
from graph.tenancy.models import Scope
from tests.fixtures.mcp_agents import text_of
from tests.fixtures.prompts import NOTE
from tests.fixtures.waiting import until


async def test_a_memory_is_saved_and_recalled_as_text(agent, services) -> None:
    """K13, C22, D2, F§3: in the same Markdown as in the chat proxy."""
    saved = await agent.result("x_save_memory", content="The user likes green tea", category="preference")
    (memory,) = (await services.memories.store.page(agent.workspace_id, MemoryFilter())).items

    async def recalled() -> str:
        text = text_of(await agent.result("x_recall_memory", query="green tea"))
        return text if memory.id in text else ""

    text = await until(recalled)

    assert text_of(saved) == f"Saved as {memory.id}."
    assert (memory.source_type, memory.category, memory.summary) == (SourceType.MODEL, "preference", None)
    assert memory.id.startswith("mem_")
    assert text.startswith(f"# Recalled memories\n\n{NOTE}\n\n1. **{memory.id}** (preference, score ")
    assert text.endswith("\n   The user likes green tea")


async def test_the_result_is_plain_text(agent) -> None:
    """F§3."""
    result = await agent.result("x_recall_memory", query="nothing there")

    assert text_of(result).startswith("# Recalled memories\n\nNo matching memories.")
    assert result.structuredContent is None


async def test_the_workspace_is_searched(agent, services) -> None:
    """C23."""
    await agent.text("x_save_memory", content="The user likes green tea")

    async def found() -> str:
        text = text_of(await agent.result("x_workspace_search", query="green tea"))
        return text if "memory" in text and "green tea" in text else ""

    assert await until(found)


async def test_results_of_a_search_are_not_distilled(agent, services, monkeypatch) -> None:
    """C23, D3: the tool is annotated as read-only; the chat proxy distils its results."""
    taken = []

    async def enqueue(*given) -> None:
        taken.append(given)

    monkeypatch.setattr(Distillations, "enqueue", enqueue)
    await services.knowledge.artifacts.add(
        agent.workspace_id, ArtifactDraft(name="Crates", summary="We decided to keep the blue crates.")
    )

    async def found() -> bool:
        return "blue crates" in text_of(await agent.result("x_workspace_search", query="crates decided"))

    assert await until(found)
    assert taken == []


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("x_save_memory", {}, "content"),
        ("x_save_memory", {"content": " "}, "content"),
        ("x_save_memory", {"content": "x" * 2001}, "content"),
        ("x_recall_memory", {}, "query"),
        ("x_recall_memory", {"query": "x", "limit": 0}, "limit"),
        ("x_recall_memory", {"query": "x", "offset": -1}, "offset"),
        ("x_workspace_search", {"query": " "}, "query"),
        ("x_workspace_search", {"query": "x", "limit": "few"}, "limit"),
    ],
    ids=lambda value: repr(value)[:50],
)
async def test_bad_input_is_named_and_nothing_is_written(agent, services, tool, arguments, field) -> None:
    error = await agent.error(tool, **arguments)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert await services.memories.store.count(agent.workspace_id) == 0


async def test_memory_is_turned_on_and_off_for_the_workspace_of_the_key(
    agent, workspace_id, services
) -> None:
    """I6, I12: without arguments, for a key with write scope; a repetition changes nothing."""
    seen = []
    for tool in ("enable", "enable", "disable", "disable"):
        told = await agent.call(f"workspace.{tool}_memory")
        seen.append((told, (await services.tenancy.workspaces.get(workspace_id)).memory_enabled))

    assert seen == [
        ({"workspace_id": workspace_id, "memory_enabled": enabled}, enabled)
        for enabled in (True, True, False, False)
    ]


async def test_the_memory_switch_takes_no_workspace(agent, other_workspace_id, services) -> None:
    """I6, N12: the key determines it."""
    error = await agent.error("workspace.enable_memory", workspaceId=other_workspace_id)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "workspaceId")
    assert error["message"] == "there is no argument 'workspaceId'; the arguments are: user_id, agent_id"
    assert not (await services.tenancy.workspaces.get(other_workspace_id)).memory_enabled


async def test_a_conversation_is_moved_to_another_workspace(
    agent_of, services, workspace_id, other_workspace_id
) -> None:
    """I15: only an administrator's key knows both workspaces."""
    draft = MemoryDraft(content="Said in a chat", source_conversation_id="c", source_message_id="m")
    await services.memories.store.save(workspace_id, draft)
    asked = {"conversation_id": "c", "workspace_id": other_workspace_id}

    refused = await (await agent_of(workspace_id)).result("move_conversation", **asked)
    moved = await (await agent_of(workspace_id, list(Scope))).result("move_conversation", **asked)

    assert refused.isError
    assert moved.structuredContent == {"conversation_id": "c", "workspace_id": other_workspace_id}
    assert await services.conversations.capture.find(workspace_id, "c") is None
