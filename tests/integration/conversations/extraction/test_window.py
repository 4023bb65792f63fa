"""When conversations are read: after a pause, each message once, wherever the workers run (D27-D29, D34)."""

import asyncio
from collections.abc import Sequence

import pytest

from graph.conversations.capture.models import MessageDraft
from graph.conversations.extraction import fact_saving, found_facts
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.models import JobState


def at(position: int, text: str) -> MessageDraft:
    return MessageDraft(content=text, position=position, role="user")


async def test_a_conversation_is_read_once_after_thirty_seconds_of_silence(talk, monkeypatch) -> None:
    """D29: messages at T=0, 3, 8 are read once, at T=38."""
    read: list[str] = []
    original = found_facts.facts_in_message
    monkeypatch.setattr(
        found_facts,
        "facts_in_message",
        lambda text, **fields: (read.append(text), original(text, **fields))[1],
    )
    texts = ["I like apples.", "I like pears.", "I like plums."]
    await talk.say(texts[0])
    await talk.pass_by(3)
    await talk.say(texts[1])
    await talk.pass_by(5)
    await talk.say(texts[2])
    for seconds in (22, 7.9):
        await talk.pass_by(seconds)
        assert [text for text in read if text in texts] == []
        assert (await talk.conversation()).extracted_up_to is None

    await talk.pass_by(0.1)

    assert [text for text in read if text in texts] == texts
    assert await talk.keys() == ["preference:apples", "preference:pears", "preference:plums"]
    assert (await talk.conversation()).extracted_up_to == 2
    assert await talk.pending() == []


async def test_the_due_time_survives_a_restart(talk, talking) -> None:
    """D29: it is in the graph, so another process uses it."""
    await talk.say("I like apples.")
    (job,) = await talk.pending()
    assert (job.state, job.subject_id) == (JobState.PENDING, talk.id)
    talk.clock.move(seconds=29)

    restarted = talking(clock=talk.clock)
    await restarted.work()
    assert await restarted.keys() == []
    await restarted.pass_by(1)

    assert await restarted.keys() == ["preference:apples"]


async def test_only_new_messages_are_read(talk, monkeypatch) -> None:
    """D27: reading starts at the cursor; a changed message is read again, with all after it."""
    read: list[str] = []
    original = found_facts.facts_in_message

    def noting(text: str, **fields: object) -> object:
        read.append(text)
        return original(text, **fields)

    monkeypatch.setattr(found_facts, "facts_in_message", noting)

    async def newly_read(*messages: MessageDraft) -> Sequence[str]:
        read.clear()
        await talk.say(*messages)
        await talk.pass_by(30)
        return [text for text in read if "kites" in text]

    assert await newly_read(at(0, "kites 0"), at(2, "kites 2")) == ["kites 0", "kites 2"]
    assert await newly_read(at(3, "kites 3"), at(0, "kites 0")) == ["kites 3"]
    assert await newly_read(at(1, "kites 1")) == ["kites 1", "kites 2", "kites 3"]
    assert await newly_read(at(2, "kites two")) == ["kites two", "kites 3"]
    assert await newly_read(at(3, "kites")) == []
    assert (await talk.conversation()).extracted_up_to == 3


async def test_messages_that_arrive_during_reading_wait_for_silence_too(talk, monkeypatch) -> None:
    """D29: the running job is scheduled again, thirty seconds after the new message."""
    original = fact_saving.FactSaver.extract

    async def slowly(self, state, policy):
        await original(self, state, policy)
        if state.workspace_id != talk.workspace_id:
            return
        monkeypatch.setattr(fact_saving.FactSaver, "extract", original)
        talk.clock.move(seconds=2)
        await talk.say("I like pears.")

    monkeypatch.setattr(fact_saving.FactSaver, "extract", slowly)
    await talk.say("I like apples.")
    await talk.pass_by(30)
    assert await talk.keys() == ["preference:apples"]

    await talk.pass_by(29)
    assert await talk.keys() == ["preference:apples"]
    await talk.pass_by(1)

    assert await talk.keys() == ["preference:apples", "preference:pears"]
    assert await talk.pending() == []


async def test_two_workers_save_nothing_twice(talk, talking) -> None:
    """D34, N6: even if one takes over a conversation from a slow one that is still running."""
    await talk.say(*(f"I like fruit number {number}." for number in range(5)))
    talk.clock.move(seconds=30)
    state = await fact_saving.queries.find_extraction(
        talk.services.core.database, workspace_id=talk.workspace_id, conversation_id=talk.id
    )
    policy = talk.conversations.extraction._policy
    savers = [each.conversations.extraction._facts for each in (talk, talking(clock=talk.clock))]

    await asyncio.gather(*(saver.extract(state, policy) for saver in savers))

    memories = await talk.memories()
    assert len(memories) == 5
    assert {memory.version for memory in memories} == {1}


async def test_the_rules_can_read_immediately(talking) -> None:
    """D29: this is a setting; the whole extraction still waits."""
    talk = talking(at_once=True)
    await talk.say("I like apples.")

    await talk.work()

    assert await talk.keys() == ["preference:apples"]
    assert (await talk.conversation()).extracted_up_to is None
    await talk.pass_by(30)
    assert (await talk.conversation()).extracted_up_to == 0
    assert await talk.keys() == ["preference:apples"]


async def test_in_model_mode_the_rules_do_not_read_immediately(talking) -> None:
    """D29."""
    talk = talking(at_once=True, mode="llm")
    await talk.say("I like apples.")

    assert [job.kind for job in await talk.pending()] == ["EXTRACT"]


async def test_messages_captured_with_extraction_off_are_never_extracted(talk) -> None:
    """I5, D20, N13: enabling extraction again does not read them."""
    await talk.services.tenancy.workspaces.update(talk.workspace_id, settings={"extractionMode": "off"})
    await talk.say("I like apples.")
    assert await talk.pending() == []
    await talk.services.tenancy.workspaces.update(talk.workspace_id, settings={"extractionMode": None})

    await talk.say("I like pears.")
    await talk.pass_by(30)

    assert await talk.keys() == ["preference:pears"]


async def test_extraction_switched_off_during_a_wait_reads_nothing(talk) -> None:
    """I4, I5."""
    await talk.say("I like apples.")
    await talk.services.tenancy.workspaces.update(talk.workspace_id, memory_enabled=False)
    await talk.pass_by(30)
    await talk.services.tenancy.workspaces.update(talk.workspace_id, memory_enabled=True)

    assert await talk.keys() == []
    assert await talk.pending() == []


async def test_a_person_can_request_extraction_of_the_whole_conversation(talk) -> None:
    """D28: it does not wait for the window, and the confidence threshold is lower."""
    await talk.say("I like apples.", "I want a bigger garden.", "I think I like quinces.")
    await talk.pass_by(30)
    assert await talk.keys() == ["preference:apples"]
    await talk.say("I like pears.")

    job = await talk.conversations.extraction.request(talk.workspace_id, talk.id)
    await talk.work()

    assert (job.kind, job.subject_id, job.due_at) == ("EXTRACT", talk.id, talk.clock.now())
    assert await talk.keys() == [
        "plan:wants_a_bigger_garden",
        "preference:apples",
        "preference:pears",
        "preference:quinces",
    ]
    assert (await talk.conversation()).extracted_up_to == 3
    await talk.say("I want a bigger house.")
    await talk.pass_by(30)
    assert len(await talk.keys()) == 4, "the wish is fulfilled: what comes later must be surer again"


async def test_the_response_states_why_nothing_is_extracted(talk) -> None:
    """D28, I4, I5."""
    request = talk.conversations.extraction.request
    with pytest.raises(NotFound):
        await request(talk.workspace_id, "nowhere")
    await talk.say("I like apples.")
    await talk.services.tenancy.workspaces.update(talk.workspace_id, memory_enabled=False)
    command = f"`recollect settings set enabled true --workspace {talk.workspace_id}` turns it on"
    with pytest.raises(Conflict, match=f"^memory is off in this workspace; {command}$"):
        await request(talk.workspace_id, talk.id)


async def test_a_deleted_conversation_leaves_no_job(talk) -> None:
    await talk.say("I like apples.")

    await talk.conversations.capture.delete(talk.workspace_id, talk.id)

    assert await talk.pending() == []
    await talk.pass_by(30)
    assert await talk.keys() == []


async def test_another_workspace_never_sees_it(talk, services) -> None:
    """I1, E15: two conversations have the same id."""
    other = (await services.tenancy.workspaces.create("another's talks", memory_enabled=True)).id
    theirs = talk.elsewhere(workspace_id=other)
    await talk.say("I like apples.")
    await theirs.say("I like pears.")
    await talk.pass_by(30)

    assert (await talk.keys(), await theirs.keys()) == (["preference:apples"], ["preference:pears"])


@pytest.mark.parametrize("ids", [True, False])
async def test_texts_can_be_deleted_after_extraction(talking, services, ids) -> None:
    """D10: `until_extracted`; repeated messages stay known, and later ones are read and deleted as well."""
    talk = talking(raw_conversation_retention="until_extracted")
    first = [
        MessageDraft(content=text, role="user", id=f"m{place}" if ids else None)
        for place, text in enumerate(["I like apples.", "I like pears."])
    ]
    later = MessageDraft(content="I like plums.", role="user", id="m2" if ids else None)

    async def left() -> list[str | None]:
        found = await services.conversations.capture.messages_of(talk.workspace_id, [talk.id])
        return [message.content for message in found[talk.id].items]

    await talk.say(*first)
    await talk.pass_by(29)
    assert await left() == ["I like apples.", "I like pears."]
    await talk.pass_by(1)

    assert await left() == []
    assert await talk.keys() == ["preference:apples", "preference:pears"]
    report = await talk.say(*first, later)
    assert (report.added, report.changed, report.known) == (1, 0, 2)
    assert await left() == ["I like plums."]
    await talk.pass_by(30)
    assert await left() == []
    assert await talk.keys() == ["preference:apples", "preference:pears", "preference:plums"]
    assert (await talk.conversation()).extracted_up_to == 2


async def test_late_texts_are_deleted_as_well(talking, services) -> None:
    """D10: even if they belong before messages that were already read and deleted."""
    talk = talking(raw_conversation_retention="until_extracted")
    await talk.say(at(0, "I like apples."), at(2, "I like plums."))
    await talk.pass_by(30)
    await talk.say(at(3, "I like figs."))
    await talk.pass_by(30)

    await talk.say(at(1, "I like pears."))
    await talk.pass_by(30)

    found = await services.conversations.capture.messages_of(talk.workspace_id, [talk.id])
    assert [message.content for message in found[talk.id].items] == []
    assert await talk.keys() == [f"preference:{kind}" for kind in ("apples", "figs", "pears", "plums")]


async def test_a_workspace_sets_the_retention_of_texts(talking, services) -> None:
    """D10: its setting overrides the deployment's, and invalid values are refused."""
    talk = talking(raw_conversation_retention="until_extracted")
    await services.tenancy.workspaces.update(
        talk.workspace_id, settings={"rawConversationRetention": "until_consolidated"}
    )
    await talk.say("I like apples.")
    await talk.pass_by(30)

    found = await services.conversations.capture.messages_of(talk.workspace_id, [talk.id])
    assert [message.content for message in found[talk.id].items] == ["I like apples."]
    with pytest.raises(InvalidInput) as refusal:
        await services.tenancy.workspaces.update(
            talk.workspace_id, settings={"rawConversationRetention": "a week"}
        )
    assert refusal.value.field == "settings.rawConversationRetention"
