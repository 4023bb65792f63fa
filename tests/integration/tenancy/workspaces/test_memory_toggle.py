"""A workspace's memory switch: the work that stops, continues and resumes (I4, I5)."""

from datetime import UTC, datetime, timedelta

import pytest

from app.bootstrap.runtime import SystemClock
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.conversations.distillation.models import DistillSource, Output
from graph.core.errors import InvalidInput
from graph.core.models import JobKind
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft
from graph.retrieval.context.models import ContextQuery
from graph.retrieval.recall.models import RecallQuery
from graph.tenancy.workspaces import Workspaces
from tests.fixtures.graphs import fingerprint
from tests.fixtures.telemetry import action
from tests.fixtures.waiting import until

OLD = datetime.now(UTC) - timedelta(days=40)


@pytest.fixture
def toggled(services, capturing_workspace_id):
    """Return a function that sets the switch."""

    async def toggled(*, on: bool) -> None:
        await services.tenancy.workspaces.update(capturing_workspace_id, memory_enabled=on)

    return toggled


@pytest.fixture
async def captured(services, capturing_workspace_id):
    """Return a function that captures old messages without extraction and returns the number of new ones."""
    await services.tenancy.workspaces.update(capturing_workspace_id, settings={"extractionMode": "off"})

    async def captured(id_: str = "c") -> int:
        messages = [MessageDraft(content=f"I like tea {number} of {id_}", said_at=OLD) for number in range(2)]
        draft = CaptureDraft(conversation_id=id_, messages=messages)
        return (await services.conversations.capture.append(capturing_workspace_id, draft)).capture.added

    return captured


@pytest.fixture
def automatic(services, capturing_workspace_id, captured):
    """Return functions that do automatic memory work; each returns whether it did anything."""
    workspace_id = capturing_workspace_id

    async def capturing() -> bool:
        return bool(await captured("d"))

    async def consolidating() -> bool:
        made = await services.conversations.episodes.consolidate(workspace_id, "c", retain_last=0)
        return made.episode is not None

    async def recording() -> bool:
        return bool(await services.telemetry.recorder.record(workspace_id, [action("run")]))

    async def distilling() -> bool:
        output = Output(source=DistillSource.TOOL, text="nine pages", api_key_id="key_a")
        return (await services.conversations.distillation.enqueue(workspace_id, output)).taken

    async def injecting() -> bool:
        context = await services.retrieval.context.compose(
            workspace_id, ContextQuery(query="likes green tea", is_automatic=True)
        )
        return bool(context.prompt)

    return {
        "capturing": capturing,
        "consolidating": consolidating,
        "recording": recording,
        "distilling": distilling,
        "injecting": injecting,
    }


async def test_with_memory_off_nothing_is_captured_or_injected_automatically(
    services, capturing_workspace_id, toggled, captured, automatic, graph_driver
) -> None:
    """I4, F17, G13: without an error or a trace; enabling memory resumes everything."""
    await captured()
    await services.memories.store.save(capturing_workspace_id, MemoryDraft(content="likes green tea"))
    await _settled(services, capturing_workspace_id)
    await toggled(on=False)
    before = await _kept(graph_driver, capturing_workspace_id)

    off = {name: await act() for name, act in automatic.items()}

    assert off == dict.fromkeys(automatic, False)
    assert await _kept(graph_driver, capturing_workspace_id) == before
    await toggled(on=True)
    assert {name: await act() for name, act in automatic.items()} == dict.fromkeys(automatic, True)


async def test_with_memory_off_explicit_requests_work(
    services, capturing_workspace_id, toggled, captured
) -> None:
    """I4, E8: the ontology works, memories can be saved and recalled, and captured messages stay readable."""
    await captured()
    await toggled(on=False)

    saved = await services.memories.store.save(capturing_workspace_id, MemoryDraft(content="likes green tea"))
    found = await services.retrieval.recall.recall(capturing_workspace_id, RecallQuery(query="green tea"))
    (entity,) = await services.knowledge.ontology.upsert_entities(
        capturing_workspace_id, [EntityDraft(type="Service", name="kettle")]
    )
    handoff = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")
    messages = await services.conversations.capture.messages_of(capturing_workspace_id, ["c"])

    assert [hit.memory.id for hit in found.hits] == [saved.memory.id]
    assert entity.name == "kettle"
    assert handoff.message_count == 2
    assert [message.content for message in messages["c"].items] == ["I like tea 0 of c", "I like tea 1 of c"]


async def test_the_memory_switch_affects_one_workspace(
    services, capturing_workspace_id, other_workspace_id, toggled
) -> None:
    """I1, I4, I5: a new workspace has it off."""
    draft = CaptureDraft(conversation_id="c", messages=[MessageDraft(content="hello")])

    assert (await services.conversations.capture.append(other_workspace_id, draft)).capture.added == 0
    assert (await services.conversations.capture.append(capturing_workspace_id, draft)).capture.added == 1
    await services.tenancy.workspaces.update(other_workspace_id, memory_enabled=True)
    await toggled(on=False)
    assert (await services.conversations.capture.append(other_workspace_id, draft)).capture.added == 1


@pytest.mark.parametrize("is_on", [True, False])
async def test_a_deployment_sets_the_default_of_the_memory_switch(services, is_on) -> None:
    """I5: unless the creator sets it."""
    workspaces = Workspaces(services.core.database, SystemClock(), new_memory_enabled=is_on)

    assert (await workspaces.create("as usual")).memory_enabled is is_on
    assert (await workspaces.create("otherwise", memory_enabled=not is_on)).memory_enabled is not is_on


@pytest.mark.parametrize("is_on", [True, False])
async def test_the_name_of_a_setting_reads_and_writes_the_same_switch(services, workspace_id, is_on) -> None:
    """I4, M5: null is the deployment's default; contradicting or invalid values are refused."""
    workspaces = Workspaces(services.core.database, SystemClock(), new_memory_enabled=is_on)

    changed = await workspaces.update(workspace_id, settings={"memoryEnabled": not is_on, "maxTokens": 9})
    assert (changed.memory_enabled, dict(changed.settings)) == (not is_on, {"maxTokens": 9})
    assert (await workspaces.update(workspace_id, settings={"memoryEnabled": None})).memory_enabled is is_on
    for setting, memory_enabled in ((True, False), (False, True), ("yes", None), (1, None)):
        with pytest.raises(InvalidInput) as refusal:
            await workspaces.update(
                workspace_id, memory_enabled=memory_enabled, settings={"memoryEnabled": setting}
            )
        assert refusal.value.field == "settings.memoryEnabled"
    with pytest.raises(InvalidInput, match=r"^settings\.engineEnabled is not a setting of a workspace; "):
        await workspaces.update(workspace_id, settings={"engineEnabled": True})


async def _kept(driver, workspace_id: str) -> list[str]:
    """Return all of a workspace's records except conversations and jobs, whose progress may change."""
    rows = await fingerprint(driver, workspace_id)
    return [row for row in rows if "'labels': ['Job']" not in row and "'labels': ['Conversation']" not in row]


async def _settled(services, workspace_id: str) -> None:
    """Wait until no jobs are left except those that wait for a conversation's pause."""

    async def is_settled() -> bool:
        left = (await services.core.jobs.page(workspace_id)).items
        return all(job.kind is JobKind.EXTRACT for job in left)

    await until(is_settled)
