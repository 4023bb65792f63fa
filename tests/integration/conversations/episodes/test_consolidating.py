"""Consolidation of old messages into an episode, each message once."""

import asyncio
import json
from datetime import datetime, timedelta, timezone

import pytest

from graph.conversations import queries
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.conversations.episodes import service as episodes_service
from graph.conversations.episodes.models import Consolidation
from graph.conversations.episodes.service import Episodes
from graph.core.errors import InvalidInput
from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId
from graph.memories.models import MemoryState
from tests.fixtures.memories import MovingClock, SameModel, ScriptedModel
from tests.fixtures.waiting import until
from tests.integration.conversations.episodes.conftest import OLD, TEXTS

NONE_OR_OFF = "memory is off, or there is no such conversation"


async def test_a_summary_replaces_old_messages(
    services, capturing_workspace_id, talk, consolidate, left
) -> None:
    """F1, F2, F4, F7: the episode keeps the messages' ids and is found by meaning."""
    await talk(ids=True)

    episode = await consolidate(retain_last=2)

    assert episode.source_message_ids == ["m0", "m1", "m2", "m3"]
    assert (episode.turn_count, episode.is_deleted, episode.conversation_id) == (4, False, "c")
    assert episode.summary == (
        "The user likes tea number 0. The user likes tea number 1. The user likes tea number 2. "
        "The user likes tea number 3. The topics were tea, number."
    )
    assert episode.model is None
    assert await left() == [4, 5]
    page = await services.conversations.episodes.page(capturing_workspace_id, conversation_id="c")
    assert [each.id for each in page.items] == [episode.id]

    async def is_embedded() -> bool:
        found = await services.conversations.episodes.find_all(capturing_workspace_id, [episode.id])
        return found[episode.id].state is MemoryState.EMBEDDED

    assert await until(is_embedded)
    hits = (await services.retrieval.search.search(capturing_workspace_id, "tea number")).hits
    assert episode.id in [hit.id for hit in hits]


@pytest.mark.parametrize(
    ("young", "options", "expected"),
    [
        (0, {"retain_last": 20}, 0),
        (0, {"retain_last": 5}, 0),  # a tail of one message is skipped
        (0, {"retain_last": 4}, 2),
        (4, {"retain_last": 0}, 2),
        (6, {"retain_last": 0}, 0),
        (6, {"retain_last": 0, "max_age_days": 0}, 6),
        (0, {"retain_last": 0, "max_age_days": 41}, 0),
    ],
)
async def test_messages_must_be_old_and_not_among_the_newest(
    talk, consolidate, left, young, options, expected
) -> None:
    """F2, F5: both conditions apply, and an episode has at least two messages."""
    await talk(young=young)

    episode = await consolidate(**options)

    assert (episode.turn_count if episode else 0) == expected
    assert len(await left()) == len(TEXTS) - expected


async def test_repeated_or_concurrent_consolidation_creates_one_episode(
    services, capturing_workspace_id, talk, consolidate
) -> None:
    """F5, N6."""
    await talk()

    made = await asyncio.gather(*(consolidate(retain_last=2) for _ in range(4)))

    assert [each.turn_count for each in made if each] == [4]
    assert await consolidate(retain_last=2) is None
    assert len((await services.conversations.episodes.page(capturing_workspace_id)).items) == 1


async def test_if_the_summary_fails_nothing_is_deleted(
    talk, consolidate, left, monkeypatch, services, capturing_workspace_id
) -> None:
    """F4."""
    await talk()

    def failing(messages, specificity) -> tuple[str, frozenset[str]]:
        raise RuntimeError(len(messages))

    monkeypatch.setattr(episodes_service, "summary_and_omitted", failing)
    with pytest.raises(RuntimeError):
        await consolidate(retain_last=0)

    assert len(await left()) == len(TEXTS)
    assert (await services.conversations.episodes.page(capturing_workspace_id)).items == []


@pytest.mark.parametrize("how", [{"ids": True}, {"positions": True}, {}], ids=["ids", "positions", "texts"])
async def test_consolidated_messages_do_not_come_back(talk, consolidate, left, how) -> None:
    """D8, D10, F4: a page sends the whole conversation again, with a new message."""
    await talk(**how)
    await consolidate(retain_last=2)

    again = await talk(**how)
    more = await talk(texts=[*TEXTS, "And coffee"], **how)

    assert (again.added, again.known) == (0, 6)
    assert (more.added, more.known) == (1, 6)
    assert await left() == [4, 5, 6]


async def test_a_young_message_between_old_ones_stays_in_the_chain(
    services, capturing_workspace_id, consolidate, left
) -> None:
    messages = [
        MessageDraft(content=f"I like tea number {place}", said_at=None if place == 2 else OLD)
        for place in range(6)
    ]
    draft = CaptureDraft(conversation_id="c", messages=messages)
    await services.conversations.capture.append(capturing_workspace_id, draft)

    await consolidate(retain_last=1)

    assert await left() == [2, 5]
    third, last = (str(GlobalId(NodeKind.MESSAGE, capturing_workspace_id, id_, "c")) for id_ in ("#2", "#5"))
    found = (await services.knowledge.traversal.neighbours(capturing_workspace_id, [third]))[third]
    following = [beside.node.id for beside in found if beside.edge.type == "NEXT"]
    assert following == [last]


async def test_while_memory_is_off_nothing_is_consolidated_but_episodes_are_readable(
    services, capturing_workspace_id, talk, consolidate, left
) -> None:
    """F17, I5."""
    await talk()
    episode = await consolidate(retain_last=3)
    await services.tenancy.workspaces.update(capturing_workspace_id, memory_enabled=False)

    assert await consolidate(retain_last=0) is None
    assert await left() == [3, 4, 5]
    assert [
        each.id for each in (await services.conversations.episodes.page(capturing_workspace_id)).items
    ] == [episode.id]


async def test_episodes_are_deleted_with_their_conversation(
    services, capturing_workspace_id, talk, consolidate
) -> None:
    """F9, I14: episodes of other conversations stay."""
    for id_ in ("a", "b"):
        await talk(id_)
        await consolidate(id_, retain_last=3)
        await consolidate(id_, retain_last=1)

    await services.conversations.capture.delete(capturing_workspace_id, "a")

    page = await services.conversations.episodes.page(capturing_workspace_id)
    assert [each.conversation_id for each in page.items] == ["b", "b"]
    assert [each.turn_count for each in page.items] == [2, 3]
    assert (await talk("a")).added == len(TEXTS)


async def test_a_conversation_of_another_workspace_is_not_found(
    services, other_workspace_id, talk, consolidate
) -> None:
    """I8, N12."""
    await talk()
    await services.tenancy.workspaces.update(other_workspace_id, memory_enabled=True)

    made = await services.conversations.episodes.consolidate(other_workspace_id, "c", retain_last=0)
    assert made == Consolidation(notice=f"{NONE_OR_OFF}; nothing was changed")
    episode = await consolidate(retain_last=0)
    assert await services.conversations.episodes.find_all(other_workspace_id, [episode.id]) == {}
    assert (await services.conversations.episodes.page(other_workspace_id, conversation_id="c")).items == []


@pytest.mark.parametrize(
    ("options", "field"),
    [({"retain_last": -1}, "retainLast"), ({"max_age_days": 36_501}, "maxAgeDays")],
)
async def test_a_number_out_of_range_is_refused_by_its_field(consolidate, options, field) -> None:
    """K18."""
    with pytest.raises(InvalidInput) as refused:
        await consolidate(**options)

    assert refused.value.field == field


async def test_with_keep_an_episode_exists_beside_its_messages(
    services, capturing_workspace_id, talk, consolidate, left
) -> None:
    """D10: `keep`; each message is in one episode only, and sending all again changes nothing."""
    await services.tenancy.workspaces.update(
        capturing_workspace_id, settings={"rawConversationRetention": "keep"}
    )
    await talk(ids=True)

    first = await consolidate(retain_last=2)
    again = await consolidate(retain_last=2)
    report = await talk(ids=True)
    rest = await consolidate(retain_last=0)

    assert first.source_message_ids == ["m0", "m1", "m2", "m3"]
    assert again is None
    assert (report.added, report.changed, report.known) == (0, 0, 6)
    assert rest.source_message_ids == ["m4", "m5"]
    assert await left() == [0, 1, 2, 3, 4, 5]


@pytest.fixture
def consolidate_with(services, capturing_workspace_id):
    """Return a function that consolidates a conversation with a given language model."""

    async def consolidate(model: ScriptedModel, id_: str = "c", **options):
        episodes = Episodes(
            services.core.database,
            services.core.wake_up,
            MovingClock(),
            text_work=services.core.text_work,
            language_models=SameModel(model),
        )
        return await episodes.consolidate(capturing_workspace_id, id_, **options)

    return consolidate


def written(summary: str) -> ScriptedModel:
    return ScriptedModel(json.dumps({"summary": summary}))


async def test_a_language_model_writes_the_summary_with_roles_for_names(
    services, capturing_workspace_id, consolidate_with, left
) -> None:
    """F3: the model gets roles instead of names; a name in its summary becomes the role.

    A pronoun that the model guesses is removed (issue 35.24). The model gets the local date of each message,
    so that it can resolve "today".
    """
    east = timezone(timedelta(hours=8))
    messages = [
        MessageDraft(content=text, role=role, speaker=speaker, said_at=datetime(2026, 3, day, 1, tzinfo=east))
        for text, role, speaker, day in (
            ("I moved to Oslo today.", "user", "Ada Berg", 4),
            ("Welcome, Ada.", "assistant", "Botty", 5),
        )
    ]
    draft = CaptureDraft(conversation_id="c", messages=messages)
    await services.conversations.capture.append(capturing_workspace_id, draft)
    model = written("Ada Berg moved\nto Oslo; Botty welcomed her.")

    episode = (await consolidate_with(model, retain_last=0)).episode

    assert episode.summary == "the user moved to Oslo; the assistant welcomed them."
    assert (episode.model, episode.turn_count) == ("scripted", 2)
    (prompt,) = model.prompts
    assert [(each["speaker"], each["date"]) for each in json.loads(prompt)["messages"]] == [
        ("user", "2026-03-04"),
        ("assistant", "2026-03-05"),
    ]
    assert "Write a relative time as the date that it means" in model.systems[0]
    assert await left() == []
    (stored,) = (await services.conversations.episodes.page(capturing_workspace_id)).items
    assert stored == episode.model_copy(update={"state": stored.state})


@pytest.mark.parametrize(
    "answer", [None, "no JSON", json.dumps({"summary": " "}), json.dumps({"summary": "\0"})]
)
async def test_a_failing_language_model_changes_nothing_and_is_reported(
    talk, consolidate_with, left, answer
) -> None:
    """F3, F4."""
    await talk()

    made = await consolidate_with(ScriptedModel(answer), retain_last=0)

    assert made == Consolidation(notice="the language model failed; nothing was changed")
    assert await left() == [0, 1, 2, 3, 4, 5]


async def test_if_rules_find_nothing_the_conversation_is_unchanged_and_the_result_says_so(
    services, capturing_workspace_id, talk, left
) -> None:
    """F4: a summary must contain something before it replaces messages."""
    await talk(texts=["!", "Hello", "Yes.", "Okay, thanks"])

    made = await services.conversations.episodes.consolidate(capturing_workspace_id, "c", retain_last=0)

    assert made == Consolidation(notice="no fact and no topic was found in the messages; nothing was changed")
    assert await left() == [0, 1, 2, 3]


async def test_a_summary_stored_incorrectly_deletes_no_messages(
    talk, consolidate_with, left, monkeypatch
) -> None:
    """F4: the service reads the summary back before it deletes messages."""
    create = queries.create_episode

    async def created(*args, **options):
        return (await create(*args, **options)).model_copy(update={"summary": ""})

    monkeypatch.setattr(queries, "create_episode", created)
    await talk()

    made = await consolidate_with(written("The user likes tea."), retain_last=0)

    assert made.notice == "the summary was not stored as it was written; nothing was changed"
    assert await left() == [0, 1, 2, 3, 4, 5]


async def test_only_messages_that_the_model_read_are_replaced(talk, consolidate_with, left) -> None:
    """F4: messages that the summary cannot cover stay."""
    await talk(texts=["word " * 2000] * 30)
    model = written("The user repeated a word.")

    first = await consolidate_with(model, retain_last=0)
    second = await consolidate_with(model, retain_last=0)

    assert (first.episode.turn_count, second.episode.turn_count) == (12, 12)
    assert await left() == [24, 25, 26, 27, 28, 29]


async def test_the_model_is_not_called_if_nothing_can_be_consolidated(
    services, capturing_workspace_id, talk, consolidate_with
) -> None:
    """F5, I5: no message leaves the workspace."""
    await talk()
    model = written("Talk.")

    too_few = await consolidate_with(model, retain_last=5)
    await services.tenancy.workspaces.update(capturing_workspace_id, memory_enabled=False)
    off = await consolidate_with(model, retain_last=0)

    assert [too_few, off] == [
        Consolidation(
            notice="fewer than 2 messages are old enough and not among the 5 newest; nothing was changed"
        ),
        Consolidation(notice=f"{NONE_OR_OFF}; nothing was changed"),
    ]
    assert model.prompts == []


async def test_messages_consolidated_during_a_model_call_are_not_summarized_twice(
    services, capturing_workspace_id, talk, consolidate, consolidate_with
) -> None:
    """F5, N6: another call may change the conversation during the model call, because nothing is locked."""
    await talk()

    class Slow(ScriptedModel):
        async def complete(self, system: str, prompt: str) -> str:
            assert (await consolidate(retain_last=0)).turn_count == 6
            return await super().complete(system, prompt)

    made = await consolidate_with(Slow(written("Talk.").answer), retain_last=0)

    assert made == Consolidation(notice="another call has consolidated the messages; nothing was changed")
    assert len((await services.conversations.episodes.page(capturing_workspace_id)).items) == 1


async def test_messages_changed_during_the_model_call_prevent_consolidation(
    services, capturing_workspace_id, talk, consolidate_with, left
) -> None:
    """F4: the summary would describe outdated messages."""
    await talk(ids=True)

    class Slow(ScriptedModel):
        async def complete(self, system: str, prompt: str) -> str:
            changed = MessageDraft(id="m0", content="I like coffee", role="user", said_at=OLD)
            draft = CaptureDraft(conversation_id="c", messages=[changed])
            await services.conversations.capture.append(capturing_workspace_id, draft)
            return await super().complete(system, prompt)

    made = await consolidate_with(Slow(written("Talk.").answer), retain_last=0)

    assert made == Consolidation(
        notice="the messages changed while the language model read them; nothing was changed"
    )
    assert await left() == [0, 1, 2, 3, 4, 5]
