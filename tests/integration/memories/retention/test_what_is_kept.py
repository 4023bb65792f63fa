"""Raw text in each layer: none is kept longer than necessary (I13, formats F§14), in the whole workspace."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.conversations.distillation.models import DistillSource, Output
from graph.core.models import JobKind
from graph.knowledge.documents.models import DocumentDraft
from tests.fixtures.graphs import fingerprint
from tests.fixtures.telemetry import failing
from tests.fixtures.waiting import until

OLD = datetime.now(UTC) - timedelta(days=40)


@pytest.fixture
def holds(graph_driver, capturing_workspace_id):
    """Return a function that returns whether any node or edge of the workspace contains a text."""

    async def holds(text: str) -> bool:
        return any(text in row for row in await fingerprint(graph_driver, capturing_workspace_id))

    return holds


@pytest.fixture
def settled(services, capturing_workspace_id):
    """Return a function that waits for all jobs except those that wait for a conversation's pause."""

    async def is_settled() -> bool:
        left = (await services.core.jobs.page(capturing_workspace_id)).items
        return all(job.kind is JobKind.EXTRACT for job in left)

    async def settled() -> None:
        await until(is_settled)

    return settled


async def test_the_semantic_layer_keeps_a_documents_location_only(
    services, capturing_workspace_id, holds
) -> None:
    """I13, E10: and at most an excerpt of each part."""
    body = " ".join(f"Kettle number {number} boils in {number + 3} minutes." for number in range(60))
    draft = DocumentDraft(uri="file:///kettles.md", content=f"# Kettles\n\n{body}\n")

    document = await services.knowledge.documents.add(capturing_workspace_id, draft)

    assert await holds("file:///kettles.md")
    assert not await holds(body)
    chunks = await services.knowledge.documents.chunks_of(capturing_workspace_id, [document.id], first=50)
    excerpts = [chunk.excerpt for chunk in chunks[document.id].items]
    assert 0 < sum(len(excerpt) for excerpt in excerpts) <= len(body) / 2
    assert [chunk.text for chunk in chunks[document.id].items] == [None] * len(excerpts)


async def test_the_episodic_layer_keeps_only_summaries(
    services, capturing_workspace_id, holds, settled
) -> None:
    """I13, F1, F4."""
    await services.tenancy.workspaces.update(capturing_workspace_id, settings={"extractionMode": "off"})
    said = ["I like green tea.", "Could somebody tell me where the wombats of the north sleep at night?"]
    messages = [
        MessageDraft(id=f"m{place}", role="user", content=text, said_at=OLD)
        for place, text in enumerate(said)
    ]
    await services.conversations.capture.append(
        capturing_workspace_id, CaptureDraft(conversation_id="c", messages=messages)
    )
    assert await holds("wombats")

    made = await services.conversations.episodes.consolidate(capturing_workspace_id, "c", retain_last=0)
    episode = made.episode
    await settled()

    assert (episode.source_message_ids, episode.turn_count) == (["m0", "m1"], 2)
    assert await holds("The user likes green tea.")
    assert not await holds("I like green tea")
    assert not await holds("where the wombats of the north")
    assert not await holds("'Message'")


async def test_telemetry_keeps_types_and_outcomes_only(
    services, capturing_workspace_id, agents_keep, graph_driver
) -> None:
    """I13, G2: no field can store anybody's words."""
    await services.telemetry.recorder.record(capturing_workspace_id, [failing("run", latency_ms=5.0)])

    assert await agents_keep() == {
        "action_type", "agent_id", "error_code", "id", "latency_ms", "node_type", "occurred_at", "outcome",
        "position", "recorded_at", "sequence_id", "session_id", "user_id", "workspace_id",
    }  # fmt: skip


async def test_the_working_set_is_stored_only_in_redis(services, capturing_workspace_id, holds) -> None:
    """I13, H7: nothing is left after it is cleared."""
    await services.core.working_set.write(capturing_workspace_id, "c", "plan", {"next": "wombats"})

    assert await services.core.working_set.read(capturing_workspace_id, "c", "plan") == {"next": "wombats"}
    assert not await holds("wombats")
    assert await services.core.working_set.clear(capturing_workspace_id, "c") == 1
    assert await services.core.working_set.read(capturing_workspace_id, "c", "plan") is None


async def test_distillation_keeps_its_facts_and_deletes_the_source(
    services, capturing_workspace_id, holds, settled
) -> None:
    """I13, D3."""
    text = "We decided to keep the blue crates. The wombats of page nine were counted twice."
    output = Output(source=DistillSource.TOOL, text=text, api_key_id="key_a")

    assert await services.conversations.distillation.enqueue(capturing_workspace_id, output)
    await settled()

    assert await holds("We decided to keep the blue crates.")
    assert not await holds("wombats")


@pytest.fixture
def agents_keep(capturing_workspace_id, stored_telemetry):
    """Return a function that returns the names of an action's stored properties."""

    async def agents_keep() -> set[str]:
        (node,) = await stored_telemetry.labelled(capturing_workspace_id, "AgentAction")
        return {name for name, value in node["properties"].items() if value is not None}

    return agents_keep
