"""Contexts with selected layers, and the reason for an empty context."""

import asyncio

import pytest

from graph.retrieval.context.layers import Layer, LayerContent
from graph.retrieval.context.models import ContextQuery, LayerName, WhyOff
from graph.retrieval.context.service import AgentContexts
from graph.tenancy.models import memory_off
from tests.fixtures.prompts import fenced
from tests.fixtures.timeouts import scaled_timeout


class Saying(Layer):
    """A layer with one word that records whether it was read."""

    urgency = 0

    def __init__(self, name: LayerName) -> None:
        self.name = name
        self.asked = False

    async def gather(self, workspace_id, asked):
        self.asked = True
        return LayerContent([str(self.name)])

    def render(self, items, asked):
        return " ".join(items)


@pytest.fixture
def layers() -> list[Saying]:
    return [Saying(name) for name in LayerName]


@pytest.mark.parametrize(
    "chosen", [frozenset(), frozenset({LayerName.MEMORIES}), frozenset(LayerName)], ids=len
)
async def test_only_selected_layers_are_read(services, agents_workspace_id, layers, chosen) -> None:
    """J11: for example, a chat message gets only memories."""
    contexts = AgentContexts(services.tenancy.workspaces, layers, deadline_seconds=30)

    context = await contexts.compose(agents_workspace_id, ContextQuery(query="x", layers=chosen))

    assert {layer.name for layer in layers if layer.asked} == chosen
    blocks = [name for name in LayerName if name in chosen]
    assert context.prompt == (fenced(*blocks) if blocks else "")
    assert (context.skipped, context.off) == ([], None)


async def test_an_explicit_request_waits_for_a_warm_up_and_a_turn_does_not(
    services, agents_workspace_id
) -> None:
    """J14, issue "Nothing lost, nothing misleading": the first context after a start equals the hundredth."""
    planned, begun = asyncio.Event(), asyncio.Event()

    class Planning(Saying):
        async def gather(self, workspace_id, asked):
            if asked.query == "deploy":
                return LayerContent([asked.query])
            begun.set()
            await planned.wait()
            return LayerContent([])

    layers = [Planning(LayerName.MEMORIES)]
    contexts = AgentContexts(services.tenancy.workspaces, layers, deadline_seconds=scaled_timeout(30))
    warming = contexts.warm_up(agents_workspace_id)
    at_once = asyncio.create_task(contexts.compose(agents_workspace_id, ContextQuery(query="deploy")))
    await begun.wait()

    asking = asyncio.create_task(contexts.compose(agents_workspace_id, ContextQuery(query="deploy")))
    turn = await contexts.compose(agents_workspace_id, ContextQuery(query="deploy", is_automatic=True))
    assert turn.prompt == fenced("deploy")
    assert not at_once.done()
    assert not asking.done()
    planned.set()
    assert [(await each).prompt for each in (at_once, asking)] == [turn.prompt] * 2
    await warming


@pytest.mark.parametrize(
    ("change", "tokens", "off"),
    [
        ({"memory_enabled": False}, 0, WhyOff.MEMORY),
        ({"settings": {"memoryEnabled": False}}, 100, WhyOff.MEMORY),
        ({}, 0, WhyOff.BUDGET),
    ],
    ids=["memory", "memory by the name of a setting", "budget"],
)
async def test_a_context_states_why_memory_is_off(
    services, agents_workspace_id, layers, change, tokens, off
) -> None:
    """I4, I5: an automatic context reads no layer and names the skipped layers."""
    await services.tenancy.workspaces.update(agents_workspace_id, **change)
    contexts = AgentContexts(services.tenancy.workspaces, layers, deadline_seconds=30)
    asked = ContextQuery(
        query="x", max_tokens=tokens, layers=frozenset({LayerName.MEMORIES}), is_automatic=True
    )

    context = await contexts.compose(agents_workspace_id, asked)

    reason = memory_off(agents_workspace_id) if off is WhyOff.MEMORY else off
    assert (context.off, context.prompt, context.skipped) == (off, "", [f"memories: {reason}"])
    assert not any(layer.asked for layer in layers)
