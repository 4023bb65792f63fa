"""Completion of the prompt's arguments: entity types and workspaces."""

import pytest
from mcp import McpError
from mcp.types import PromptReference, ResourceTemplateReference

from graph.knowledge.ontology.models import EntityTypeDraft
from graph.tenancy.models import Scope
from tests.fixtures.waiting import until

PROMPT = PromptReference(type="ref/prompt", name="before_acting")


async def completed(agent, name: str, value: str, **chosen: str) -> list[str]:
    async with agent.session() as session:
        told = await session.complete(PROMPT, {"name": name, "value": value}, chosen or None)
    return told.completion.values


@pytest.fixture
async def types(services, workspace_id) -> None:
    """Save two types with a common beginning, and another one."""
    drafts = [EntityTypeDraft(name=name) for name in ("Turbine", "TurbineHall", "Weir")]
    await services.knowledge.ontology.types.upsert_entity_types(workspace_id, drafts)


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("Turb", ["Turbine", "TurbineHall"]),
        ("turbineh", ["TurbineHall"]),
        ("Weir,Turb", ["Weir,Turbine", "Weir,TurbineHall"]),
        ("Weir, wei", ["Weir,Weir"]),
        ("Nothing", []),
    ],
)
async def test_the_last_of_several_types_is_completed(agent, types, typed, values) -> None:
    assert await completed(agent, "target_types", typed) == values


async def test_completion_offers_no_types_of_another_tenant(agent, stranger, types, workspace_id) -> None:
    assert await completed(stranger, "target_types", "Turb") == []
    async with stranger.session() as session:
        argument = {"name": "target_types", "value": "Turb"}
        with pytest.raises(McpError, match="there is no workspace"):
            await session.complete(PROMPT, argument, {"workspace_id": workspace_id})


async def test_only_visible_workspaces_are_completed(
    agent, agent_of, workspace_id, other_workspace_id, types
) -> None:
    administrator = await agent_of(other_workspace_id, [Scope.ADMIN])

    assert await completed(agent, "workspace_id", "") == [workspace_id]
    assert await completed(agent, "workspace_id", other_workspace_id) == []
    assert await completed(administrator, "workspace_id", workspace_id) == [workspace_id]
    assert await completed(administrator, "target_types", "Wei", workspace_id=workspace_id) == ["Weir"]


async def test_other_arguments_and_ids_have_no_completion(agent) -> None:
    assert await completed(agent, "query", "de") == []
    async with agent.session() as session:
        ref = ResourceTemplateReference(type="ref/resource", uri="recollect://memory/{id}")
        told = await session.complete(ref, {"name": "id", "value": "mem"})
        with pytest.raises(McpError, match="there is no prompt 'nothing'"):
            await session.complete(
                PromptReference(type="ref/prompt", name="nothing"), {"name": "a", "value": ""}
            )
    assert told.completion.values == []


async def test_the_prompt_uses_the_named_workspace(learning_agent, agent_of, other_workspace_id) -> None:
    administrator = await agent_of(other_workspace_id, [Scope.ADMIN])
    text = "always open the sluice at noon"
    await learning_agent.call("remember", content=text)

    async def told(workspace_id: str) -> str:
        asked = {"query": text, "workspace_id": workspace_id}
        async with administrator.session() as session:
            return (await session.get_prompt("before_acting", asked)).messages[0].content.text

    async def is_there() -> bool:
        return (await told(learning_agent.workspace_id)).count(text) > 1  # the task repeats it

    await until(is_there)
    assert (await told(other_workspace_id)).count(text) == 1
