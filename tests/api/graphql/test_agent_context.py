"""The context that an agent fetches before it acts, through GraphQL."""

from datetime import UTC, datetime

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryState
from tests.fixtures.prompts import NOTE, fenced
from tests.fixtures.states import reached
from tests.fixtures.telemetry import history
from tests.fixtures.waiting import until

CONTEXT = """query($input: ContextInput!) { context(input: $input) {
  prompt messages tokens skipped missing { part why }
  memories { memory { id } tier tokens }
  entities { id name type }
  episodes { id summary turnCount conversationId }
  patterns { text state suppressed }
} }"""
FAILURE = "Known failure patterns for Service:\n- deploy on Service → E_QUOTA (6 sequences, 66%)"
TOLD = fenced(FAILURE)
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


async def test_one_query_returns_the_prompt_its_parts_and_ids(
    agents_graphql, services, agents_workspace_id
) -> None:
    """J10, J13, G12."""
    (payments,) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="payments")]
    )
    memory = (
        await services.memories.store.save(
            agents_workspace_id, MemoryDraft(content="always ask before a rollout")
        )
    ).memory
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(agents_workspace_id)
    said = [
        MessageDraft(content=f"I like tea number {number}", role="user", said_at=LONG_AGO)
        for number in range(3)
    ]
    await services.tenancy.workspaces.update(agents_workspace_id, settings={"extractionMode": "off"})
    await services.conversations.capture.append(
        agents_workspace_id, CaptureDraft(conversation_id="chat-1", messages=said)
    )
    made = await services.conversations.episodes.consolidate(agents_workspace_id, "chat-1", retain_last=0)
    episode = made.episode
    asked = {
        "query": "always ask before a rollout",
        "conversationId": "chat-1",
        "targetEntityIds": [payments.id],
        "actionType": "deploy",
    }

    async def embedded():
        context = (await agents_graphql.ok(CONTEXT, input=asked))["context"]
        return context["memories"] and context["memories"][0]["tier"] == "VECTOR" and context

    context = await until(embedded)

    prompt = fenced(
        f"Earlier conversation summaries (most recent last):\n- (3 turns) {episode.summary}\n\n"
        f"Known entities:\n- payments (Service)\n\n{FAILURE}\n\nMemory context: always ask before a rollout"
    )
    assert context == {
        "prompt": prompt,
        "messages": [{"role": "system", "content": prompt}],
        "tokens": -(-len(prompt) // 4),
        "skipped": [],
        "missing": [],
        "memories": [{"memory": {"id": memory.id}, "tier": "VECTOR", "tokens": 7}],
        "entities": [{"id": payments.id, "name": "payments", "type": "Service"}],
        "episodes": [
            {"id": episode.id, "summary": episode.summary, "turnCount": 3, "conversationId": "chat-1"}
        ],
        "patterns": [
            {
                "text": "deploy on Service → E_QUOTA (6 sequences, 66%)",
                "state": "PROMOTED",
                "suppressed": False,
            }
        ],
    }


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ({}, [{"role": "system", "content": TOLD}]),
        ({"provider": "zai/glm-4.6"}, [{"role": "user", "content": TOLD}]),
        ({"format": "SYSTEM_MESSAGE"}, [{"role": "system", "content": text} for text in (NOTE, FAILURE)]),
        ({"format": "USER_SUFFIX"}, [{"role": "user", "content": f"What now?\n\n{TOLD}"}]),
        ({"maxTokens": 3}, []),
        ({"maxTokens": None}, [{"role": "system", "content": TOLD}]),
    ],
    ids=repr,
)
async def test_messages_suit_format_provider_and_budget(
    agents_graphql, services, agents_workspace_id, given, messages
) -> None:
    """J3, J4, J5, C8."""
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(agents_workspace_id)
    asked = {"query": "What now?", "targetTypes": ["Service"], **given}

    assert (await agents_graphql.ok(CONTEXT, input=asked))["context"]["messages"] == messages


async def test_a_dry_run_counts_neither_a_recall_nor_a_use(
    agents_graphql, services, agents_workspace_id
) -> None:
    """A37, L4: the Studio's Playground previews contexts; each real one counts once."""
    saved = await services.memories.store.save(
        agents_workspace_id, MemoryDraft(content="always ask before a rollout")
    )
    await reached(services, agents_workspace_id, [saved.memory.id], MemoryState.LINKED)
    asked = {"query": "always ask before a rollout"}

    for dry_run in (True, False, None):
        context = (await agents_graphql.ok(CONTEXT, input={**asked, "dryRun": dry_run}))["context"]
        assert [each["memory"]["id"] for each in context["memories"]] == [saved.memory.id]
    await services.telemetry.usage.flush()

    assert (await services.memories.store.get(agents_workspace_id, saved.memory.id)).usage_count == 2


async def test_context_of_a_workspace_without_memory_has_no_patterns_and_says_so(
    graphql, workspace_id
) -> None:
    """G13: memory is off in a new workspace."""
    context = (await graphql.ok(CONTEXT, input={"query": "What now?", "targetTypes": ["Service"]}))["context"]

    assert context == {
        "prompt": "",
        "messages": [],
        "tokens": 0,
        "skipped": [
            (
                "patterns: memory is off in this workspace; "
                f"`recollect settings set enabled true --workspace {workspace_id}` turns it on"
            ),
            "episodes: no conversationId is named",
        ],
        "missing": [{"part": "patterns", "why": "off"}],
        "memories": [],
        "entities": [],
        "episodes": [],
        "patterns": [],
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": "\x00"}, "query"),
        ({"targetEntityIds": ["e"] * 101}, "targetEntityIds"),
        ({"targetTypes": ["T"] * 101}, "targetTypes"),
        ({"targetTypes": ["\x00"]}, "targetTypes"),
        ({"provider": "\x00"}, "provider"),
        ({"conversationId": "\x00"}, "conversationId"),
        ({"format": "BLINK"}, None),
    ],
    ids=repr,
)
async def test_an_invalid_question_is_refused(agents_graphql, change, field) -> None:
    error = await agents_graphql.error(CONTEXT, input={"query": "What now?", **change})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
