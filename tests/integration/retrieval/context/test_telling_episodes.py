"""Episodes at the beginning of a conversation's contexts."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.context.models import ContextQuery, InjectionFormat
from tests.fixtures.prompts import NOTE, blocks_of, fenced
from tests.fixtures.states import reached
from tests.fixtures.telemetry import failing

OLD = datetime.now(UTC) - timedelta(days=40)
HEADING = "Earlier conversation summaries (most recent last):"


@pytest.fixture
async def episode(services, agents_workspace_id):
    """Return a function that captures two messages and consolidates them into an episode."""
    await services.tenancy.workspaces.update(agents_workspace_id, settings={"extractionMode": "off"})

    async def episode(subject: str, *, conversation_id: str = "c"):
        messages = [
            MessageDraft(content=f"I like {subject} {number}", role="user", said_at=OLD) for number in "12"
        ]
        draft = CaptureDraft(conversation_id=conversation_id, messages=messages)
        await services.conversations.capture.append(agents_workspace_id, draft)
        made = await services.conversations.episodes.consolidate(
            agents_workspace_id, conversation_id, retain_last=0
        )
        assert made.episode is not None
        return made.episode

    return episode


@pytest.fixture
def compose(services, agents_workspace_id):
    """Return a function that composes a context."""

    async def compose(**asked):
        query = ContextQuery(**{"query": "tea", "conversation_id": "c", **asked})
        return await services.retrieval.context.compose(agents_workspace_id, query)

    return compose


async def test_the_five_latest_episodes_are_listed_oldest_first(compose, episode) -> None:
    """F7, formats 5: this conversation has seven episodes, another one has one."""
    made = [await episode(f"tea of kind {kind}") for kind in "abcdefg"]
    await episode("coffee of kind", conversation_id="other")

    context = await compose()

    assert blocks_of(context.prompt).splitlines() == [
        HEADING,
        *(f"- (2 turns) {each.summary}" for each in made[2:]),
    ]
    assert [each.id for each in context.episodes] == [each.id for each in made[2:]]
    assert not [reason for reason in context.skipped if reason.startswith("episodes")]


async def test_episodes_come_before_everything_else(services, agents_workspace_id, compose, episode) -> None:
    """J2: episodes, ontology, patterns, memories; each in a system message of its own."""
    told = await episode("tea of kind")
    (entity,) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="payments")]
    )
    await services.telemetry.recorder.record(agents_workspace_id, [failing(f"s{n}") for n in range(5)])
    await services.telemetry.promoter.promote(agents_workspace_id)
    saved = await services.memories.store.save(
        agents_workspace_id, MemoryDraft(content="rollouts wait for approval")
    )
    await reached(services, agents_workspace_id, [saved.memory.id], MemoryState.LINKED)

    context = await compose(
        query="rollouts wait for approval",
        target_ids=(entity.id,),
        format=InjectionFormat.SYSTEM_MESSAGE,
    )

    assert [message["content"] for message in context.messages] == [
        NOTE,
        f"{HEADING}\n- (2 turns) {told.summary}",
        "Known entities:\n- payments (Service)",
        "Known failure patterns for Service:\n- deploy on Service → E_QUOTA (5 sequences, 100%)",
        "Memory context: rollouts wait for approval",
    ]
    assert context.skipped == []


async def test_if_tokens_are_short_the_latest_episodes_stay(compose, episode) -> None:
    """C8: the response names the omitted ones."""
    await episode("tea of kind")
    latest = await episode("coffee of kind")
    block = f"{HEADING}\n- (2 turns) {latest.summary}"

    context = await compose(max_tokens=-(-len(fenced(block)) // 4))

    assert context.prompt == fenced(block)
    assert "episodes: 1 of 2 left out, they exceed maxTokens" in context.skipped


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"conversation_id": None}, "no conversationId is named"),
        ({"conversation_id": "unheard of"}, "the conversation has no episodes"),
        ({"conversation_id": ""}, "the conversation has no episodes"),
    ],
    ids=repr,
)
async def test_a_context_without_episodes_says_why(compose, episode, asked, why) -> None:
    """F8: episodes of another conversation are not included."""
    await episode("tea of kind")

    context = await compose(**asked)

    assert (context.episodes, f"episodes: {why}" in context.skipped) == ([], True)
    assert HEADING not in context.prompt


async def test_another_workspace_reads_no_episodes(services, other_agents_workspace_id, episode) -> None:
    """I8: even if its conversation has the same id."""
    await episode("tea of kind")

    context = await services.retrieval.context.compose(
        other_agents_workspace_id, ContextQuery(query="tea", conversation_id="c")
    )

    assert (context.prompt, context.episodes) == ("", [])


async def test_episodes_of_a_deleted_conversation_are_not_included(
    services, agents_workspace_id, compose, episode
) -> None:
    """F9."""
    await episode("tea of kind")
    await services.conversations.capture.delete(agents_workspace_id, "c")

    context = await compose()

    assert (context.prompt, context.episodes) == ("", [])
