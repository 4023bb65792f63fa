"""The parts of a context that fit into its tokens, and the parts that count as used."""

import pytest
from structlog.testing import capture_logs

from graph.retrieval.context.models import ContextQuery, LayerName
from tests.fixtures.layers import Saying, contexts
from tests.fixtures.prompts import fenced


async def test_urgent_layers_receive_tokens_first_and_the_order_stays(services, agents_workspace_id) -> None:
    """C8, J2: the response names the truncated layers, and only included items count as used."""
    words = "x" * 36  # nine tokens, ten with the separator
    first = Saying(LayerName.ONTOLOGY, words, words, urgency=2)
    second = Saying(LayerName.PATTERNS, words, urgency=0)
    third = Saying(LayerName.MEMORIES, "y" * 36, "z" * 36, urgency=1)

    context = await contexts(services, first, second, third).compose(
        agents_workspace_id, ContextQuery(query="x", max_tokens=55)
    )

    assert context.prompt == fenced(words, "y" * 36)
    assert context.tokens == -(-len(context.prompt) // 4)
    assert context.skipped == [
        "ontology: 2 of 2 left out, they exceed maxTokens",
        "memories: 1 of 2 left out, they exceed maxTokens",
    ]
    assert (first.used, second.used, third.used) == ([], [words], ["y" * 36])


async def test_urgent_layers_leave_room_for_the_best_of_the_others(services, agents_workspace_id) -> None:
    """J2, C8: forty targets do not displace pinned memories; they get the tokens that remain."""
    targets = [f"{number:02}" + "t" * 198 for number in range(40)]
    urgent = Saying(LayerName.ONTOLOGY, *targets, urgency=1)
    pinned = ["p" * 200, "q" * 200]
    later = Saying(LayerName.MEMORIES, *pinned, urgency=3)

    context = await contexts(services, urgent, later).compose(
        agents_workspace_id, ContextQuery(query="x", max_tokens=1000)
    )

    assert later.used == pinned
    assert urgent.used == targets[: len(urgent.used)]
    one_more = fenced(" ".join(targets[: len(urgent.used) + 1]), " ".join(pinned))
    assert len(context.prompt) <= 4000 < len(one_more)


async def test_the_best_urgent_entry_is_included_even_if_it_takes_most_of_the_room(
    services, agents_workspace_id
) -> None:
    """J2, C8."""
    warning = "w" * 2400
    urgent = Saying(LayerName.PATTERNS, warning, "v" * 200, urgency=0)
    later = Saying(LayerName.MEMORIES, *("m" * 200 for _ in range(20)), urgency=3)

    context = await contexts(services, urgent, later).compose(
        agents_workspace_id, ContextQuery(query="x", max_tokens=1000)
    )

    assert warning in context.prompt
    assert urgent.used == [warning]
    assert later.used


@pytest.mark.parametrize(("max_tokens", "most"), [(8000, 1), (2000, 20), (25, 20)])
async def test_a_layer_is_worded_a_few_times_however_many_items_it_has(
    services, agents_workspace_id, max_tokens, most
) -> None:
    """J14: rendering blocks the event loop, so its cost must not grow with the square of the items."""
    words = [f"item {number:03}" for number in range(400)]
    layer = Saying(LayerName.ONTOLOGY, *words)
    asked = ContextQuery(query="x", max_tokens=max_tokens)

    context = await contexts(services, layer).compose(agents_workspace_id, asked)

    told = list(context.included[LayerName.ONTOLOGY])
    assert told == words[: len(told)]
    assert context.prompt == (fenced(" ".join(told)) if told else "")
    one_more = fenced(" ".join(words[: len(told) + 1]))
    assert context.tokens <= max_tokens
    assert len(told) == 400 or len(one_more) > 4 * max_tokens
    assert layer.renderings <= most


@pytest.mark.parametrize(
    ("setting", "asked", "told"),
    [(None, 8000, 2), (8000, 8000, 2), (8000, 60, 1), (60, 8000, 1), (60, None, 1), (0, 8000, 0)],
)
async def test_the_workspace_limits_the_tokens_of_a_context(
    services, agents_workspace_id, setting, asked, told
) -> None:
    """M4, C9: the smaller of the workspace's limit and the request's."""
    words = ["a", "b" * 400]
    await services.tenancy.workspaces.update(agents_workspace_id, settings={"maxTokens": setting})

    context = await contexts(services, Saying(LayerName.ONTOLOGY, *words)).compose(
        agents_workspace_id, ContextQuery(query="x", max_tokens=asked)
    )

    assert context.prompt == (fenced(" ".join(words[:told])) if told else "")


async def test_an_entry_that_is_too_long_does_not_block_others(services, agents_workspace_id) -> None:
    """C8: for example, a pasted log comes before a short memory."""
    layer = Saying(LayerName.MEMORIES, "a", "x" * 400, "b", "y" * 400, "c")

    context = await contexts(services, layer).compose(
        agents_workspace_id, ContextQuery(query="x", max_tokens=40)
    )

    assert context.prompt == fenced("a b c")
    assert layer.used == ["a", "b", "c"]
    assert context.skipped == ["memories: 2 of 5 left out, they exceed maxTokens"]


async def test_a_dry_run_counts_no_use(services, agents_workspace_id) -> None:
    """A37: a preview injects nothing."""
    layer = Saying(LayerName.MEMORIES, "a")

    with capture_logs() as logs:
        context = await contexts(services, layer).compose(
            agents_workspace_id, ContextQuery(query="x", dry_run=True)
        )

    assert (context.prompt, layer.used) == (fenced("a"), None)
    assert [each for each in logs if each["event"].startswith("memory.injection")] == []


@pytest.mark.parametrize("max_tokens", [0, -1])
async def test_a_budget_of_zero_gives_no_context(services, agents_workspace_id, max_tokens) -> None:
    """C9."""
    layer = Saying(LayerName.ONTOLOGY, "a")

    context = await contexts(services, layer).compose(
        agents_workspace_id, ContextQuery(query="x", max_tokens=max_tokens)
    )

    assert (context.prompt, context.messages, context.tokens) == ("", [], 0)
    assert context.skipped == ["ontology: maxTokens leaves no room"]
    assert not layer.ended.is_set()
