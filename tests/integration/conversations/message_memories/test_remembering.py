"""Messages that a person asks to remember, and reruns of their extraction."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from graph.conversations import message_memories
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.conversations.message_memories import MessageToRemember, Reruns
from graph.core.errors import Conflict, InvalidInput
from graph.core.jobs import JobFailed
from graph.core.models import JobKind
from graph.core.queries import ClaimJobsRow
from graph.core.text.summaries import extractive_summary
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter, SaveOutcome
from tests.fixtures.memories import MovingClock, ScriptedModel
from tests.integration.conversations.message_memories.conftest import SAID, SAID_AT

RECEIPT = """
  outcome degraded summarized
  memory {
    content sourceType sourceMessageId sourceConversationId sessionId category speaker summary apiKeyId timestamp
    version
  }
"""
REMEMBER = f"mutation($input: RememberMessageInput!) {{ rememberMessage(input: $input) {{ {RECEIPT} }} }}"
RERUN = f"""mutation($id: ID!, $synthesize: Boolean) {{
  rerunExtraction(id: $id, synthesize: $synthesize) {{ {RECEIPT} }}
}}"""


@dataclass
class EditedMeanwhile(ScriptedModel):
    """A language model that runs a callback once, during its first answer."""

    edit: Callable[[], Awaitable[None]] | None = None

    async def complete(self, system: str, prompt: str) -> str:
        edit, self.edit = self.edit, None
        if edit is not None:
            await edit()
        return await super().complete(system, prompt)


async def test_a_message_becomes_a_memory_of_the_user_with_its_provenance(
    graphql, services, workspace_id, message, stored_memories
) -> None:
    """A22, A10, D1, A38: with the message's text and edges; the memory is no turn and has no summary."""
    receipt = (await graphql.ok(REMEMBER, input={"messageId": message, "category": "fact"}))[
        "rememberMessage"
    ]

    assert (receipt["outcome"], receipt["degraded"], receipt["summarized"]) == ("CREATED", [], False)
    key = (await graphql.ok("{ me { keyId } }"))["me"]["keyId"]
    assert receipt["memory"] == {
        "content": SAID,
        "sourceType": "user",
        "sourceMessageId": message,
        "sourceConversationId": "chat-1",
        "sessionId": "s",
        "category": "fact",
        "speaker": "user",
        "summary": None,
        "apiKeyId": key,
        "timestamp": SAID_AT.isoformat(),
        "version": 1,
    }
    listed = await services.memories.store.page(workspace_id, MemoryFilter(source_types=("user",)))
    (memory,) = listed.items
    edges = (await stored_memories.get(workspace_id, memory.id))["outgoing"]
    assert sorted(edges) == [["FROM", "Conversation", "chat-1"], ["FROM", "Message", message]]


async def test_a_remembered_answer_keeps_its_author_and_time(services, capturing_workspace_id) -> None:
    """A22, D1: a captured message has a role and often no date; it is not the user's statement of today."""
    said = [MessageDraft(id="m1", role="assistant", content="I recommend the night train to Oslo.")]
    await services.conversations.capture.append(
        capturing_workspace_id, CaptureDraft(conversation_id="c", messages=said)
    )
    message = await services.conversations.capture.find_message(capturing_workspace_id, "m1")

    wish = MessageToRemember(message_id="m1")
    saved = await services.conversations.message_memories.remember(capturing_workspace_id, wish)

    assert (saved.memory.speaker, saved.memory.timestamp) == ("assistant", message.created_at)


async def test_a_message_remembered_twice_is_one_memory(graphql, message) -> None:
    """A21, A22."""
    first = await graphql.ok(REMEMBER, input={"messageId": message})
    second = await graphql.ok(REMEMBER, input={"messageId": message})

    assert first["rememberMessage"]["outcome"] == "CREATED"
    assert second["rememberMessage"]["outcome"] == "DEDUPLICATED"


async def test_an_explicit_text_overrides_the_message(graphql, message) -> None:
    """A22: the message remains the source; with an explicit text it need not be stored."""
    receipt = (await graphql.ok(REMEMBER, input={"messageId": message, "content": "Lives in Oslo"}))[
        "rememberMessage"
    ]
    memory = receipt["memory"]
    assert (memory["content"], memory["sourceMessageId"]) == ("Lives in Oslo", message)
    assert memory["sourceConversationId"] == "chat-1"

    unknown = await graphql.ok(REMEMBER, input={"messageId": "m9", "content": "Works at the harbour"})
    memory = unknown["rememberMessage"]["memory"]
    assert (memory["sourceMessageId"], memory["sourceConversationId"]) == ("m9", None)


async def test_content_alone_needs_no_conversation(graphql) -> None:
    """A24: with a free category."""
    receipt = (await graphql.ok(REMEMBER, input={"content": "Ada likes tea", "category": "taste"}))[
        "rememberMessage"
    ]

    memory = receipt["memory"]
    assert (memory["content"], memory["category"], memory["sourceType"]) == ("Ada likes tea", "taste", "user")
    assert (memory["sourceMessageId"], memory["sourceConversationId"]) == (None, None)


@pytest.mark.parametrize(
    ("input_", "code", "field"),
    [
        ({}, "INVALID_INPUT", "messageId"),
        ({"messageId": None, "content": None}, "INVALID_INPUT", "messageId"),
        ({"category": "fact", "synthesize": True}, "INVALID_INPUT", "messageId"),
        ({"messageId": " "}, "INVALID_INPUT", "messageId"),
        ({"content": " "}, "INVALID_INPUT", "content"),
        ({"content": "x" * 2001}, "INVALID_INPUT", "content"),
        ({"messageId": "m2", "category": " "}, "INVALID_INPUT", "category"),
        ({"messageId": "m9"}, "NOT_FOUND", "messageId"),
        ({"messageId": "m2", "conversationId": "other"}, "NOT_FOUND", "messageId"),
    ],
    ids=repr,
)
async def test_a_request_without_a_message_and_text_is_refused(graphql, message, input_, code, field) -> None:
    """A22, A24, A6."""
    error = await graphql.error(REMEMBER, input=input_)

    assert (error["code"], error["field"]) == (code, field)


async def test_a_message_of_another_workspace_is_not_found(
    graphql, services, workspace_id, other_workspace_id
) -> None:
    """A22, I8."""
    theirs = MemoryDraft(content="theirs", source_conversation_id="c", source_message_id="m1")
    await services.memories.store.save(other_workspace_id, theirs)

    error = await graphql.error(REMEMBER, input={"messageId": "m1"})

    assert (error["code"], error["field"]) == ("NOT_FOUND", "messageId")
    assert await services.memories.store.count(workspace_id) == 0


async def test_a_long_message_is_truncated_to_the_length_of_a_memory(services, workspace_id) -> None:
    """A6: a long message is not refused; the receipt reports the truncation."""
    said = MemoryDraft(content="word " * 600, source_conversation_id="c", source_message_id="m1")
    await services.memories.store.save(workspace_id, said)

    saved = await services.conversations.message_memories.remember(
        workspace_id, MessageToRemember(message_id="m1")
    )

    assert saved.memory.content == ("word " * 400).strip()
    assert saved.degraded == ("content: the message has 2999 characters, a memory at most 2000",)


async def test_without_a_language_model_the_plain_text_is_stored_with_a_notice(graphql, message) -> None:
    """A23."""
    receipt = (await graphql.ok(REMEMBER, input={"messageId": message, "synthesize": True}))[
        "rememberMessage"
    ]

    assert receipt["memory"]["content"] == SAID
    assert receipt["degraded"] == ["synthesis: no language model is configured; the plain text stays"]


@pytest.mark.parametrize("wish", [{"message_id": "m2"}, {"content": SAID}], ids=["message", "content"])
async def test_a_language_model_extracts_the_statement_to_keep(
    services, workspace_id, message, remembering_with, wish
) -> None:
    """A23, A33: version 1 is the original text."""
    model = ScriptedModel("The user has lived in Oslo since May 2024.")
    remembering = remembering_with(model)

    saved = await remembering.remember(workspace_id, MessageToRemember(synthesize=True, **wish))

    assert model.prompts == [SAID]
    assert (saved.degraded, saved.summarized, saved.original_length) == ((), True, len(SAID))
    memory = await services.memories.store.get(workspace_id, saved.memory.id)
    assert (memory.content, memory.version, memory.old_text) == (model.answer, 2, SAID)
    again = await remembering_with(ScriptedModel("They live in Oslo.")).remember(
        workspace_id, MessageToRemember(synthesize=True, **wish)
    )
    assert (again.outcome, again.memory.id) == (SaveOutcome.DEDUPLICATED, memory.id)


@pytest.mark.parametrize(
    "answer", ["The user has lived in Oslo since May 2024, and works at the harbour. " * 2, SAID]
)
async def test_a_restatement_that_is_not_shorter_gives_no_summary(
    workspace_id, message, remembering_with, answer
) -> None:
    """A5, A23, issue 35: the receipt reports a summary only if the text became shorter."""
    saved = await remembering_with(ScriptedModel(answer)).remember(
        workspace_id, MessageToRemember(message_id=message, synthesize=True)
    )

    assert saved.memory.content == answer.strip()
    assert (saved.summarized, saved.original_length, saved.summarized_length) == (False, None, None)


async def test_a_later_synthesis_reports_the_shorter_text(workspace_id, message, remembering_with) -> None:
    """A5, A23, issue 35: as if the message had been synthesized at first."""
    remembering = remembering_with(ScriptedModel("Lives in Oslo."))
    await remembering.remember(workspace_id, MessageToRemember(message_id=message))

    saved = await remembering.remember(workspace_id, MessageToRemember(message_id=message, synthesize=True))

    assert (saved.outcome, saved.memory.content) == (SaveOutcome.UPDATED, "Lives in Oslo.")
    assert (saved.original_length, saved.summarized_length) == (len(SAID), 14)


async def test_a_language_model_receives_the_date_of_the_message(
    workspace_id, message, remembering_with
) -> None:
    """A23, A40: the date resolves "tomorrow"; a text without a message has no date."""
    model = ScriptedModel("The user moved to Oslo.")
    remembering = remembering_with(model)

    of_message = await remembering.remember(
        workspace_id, MessageToRemember(message_id=message, synthesize=True)
    )
    await remembering.rerun_extraction(workspace_id, of_message.memory.id)
    await remembering.remember(workspace_id, MessageToRemember(content=SAID, synthesize=True))

    told = ["The message is of 2024-05-01 UTC: write a relative time" in each for each in model.systems]
    assert told == [True, True, True, False]


async def test_a_model_is_called_only_on_request(workspace_id, message, remembering_with) -> None:
    """A23: false by default."""
    model = ScriptedModel("something else")

    saved = await remembering_with(model).remember(workspace_id, MessageToRemember(message_id=message))

    assert (model.prompts, saved.memory.content) == ([], SAID)


@pytest.mark.parametrize("answer", [None, "", "x" * 501])
async def test_a_model_that_fails_leaves_the_plain_text(
    workspace_id, message, remembering_with, answer
) -> None:
    """A23: if it is unavailable or its answer is empty or too long."""
    saved = await remembering_with(ScriptedModel(answer)).remember(
        workspace_id, MessageToRemember(message_id=message, synthesize=True)
    )

    assert saved.memory.content == SAID
    assert saved.degraded == ("synthesis: the language model failed; the plain text stays",)


async def test_a_summary_of_a_language_model_outlasts_its_failure(
    workspace_id, message, remembering_with
) -> None:
    """Issue 35.1: a failed rerun replaces nothing, and the receipt says so."""
    model = ScriptedModel("Moved to Oslo.")
    remembering = remembering_with(model)
    saved = await remembering.remember(workspace_id, MessageToRemember(message_id=message))
    await remembering.rerun_extraction(workspace_id, saved.memory.id)
    model.answer = None

    rerun = await remembering.rerun_extraction(workspace_id, saved.memory.id)

    assert (rerun.memory.summary, rerun.outcome) == ("Moved to Oslo.", SaveOutcome.UNCHANGED)
    assert rerun.degraded == ("summary: the language model failed; the one before stays",)


@pytest.mark.parametrize("synthesize", [False, True])
async def test_a_rerun_in_the_background_fails_with_its_model(
    services, workspace_id, message, remembering_with, synthesize
) -> None:
    """A40, issue 35.1: otherwise the job would count as done and would not be retried."""
    model = ScriptedModel(None)
    remembering = remembering_with(model)
    saved = await remembering.remember(workspace_id, MessageToRemember(message_id=message))
    core = services.core
    reruns = Reruns(core.database, services.memories.store, remembering, core.wake_up, MovingClock())
    job = ClaimJobsRow(
        id="job_x", workspace_id=workspace_id, subject_id=saved.memory.id, revision=1, attempts=1, waits=0,
        created_at=SAID_AT,
    )  # fmt: skip
    run = reruns.synthesize if synthesize else reruns.restate

    with pytest.raises(JobFailed, match="the language model failed"):
        await run([job])
    model.answer = "Moved to Oslo."
    await run([job])

    memory = await services.memories.store.get(workspace_id, saved.memory.id)
    assert (memory.summary, memory.content) == ("Moved to Oslo.", "Moved to Oslo." if synthesize else SAID)


async def test_extraction_is_rerun_on_the_same_memory(graphql, services, workspace_id, message) -> None:
    """A40, A38: without a model the summary consists of the message's sentences; the content stays."""
    content = f"Lives in Oslo. {'So much is known of it. ' * 10}".strip()
    receipt = await services.conversations.message_memories.remember(
        workspace_id, MessageToRemember(message_id=message, content=content)
    )
    memory = receipt.memory

    rerun = (await graphql.ok(RERUN, id=memory.id))["rerunExtraction"]

    assert (rerun["outcome"], rerun["memory"]["content"]) == ("UPDATED", content)
    assert rerun["memory"]["summary"] == extractive_summary(SAID)
    assert rerun["degraded"] == [
        "summary: no language model is configured; it was put together from the message's sentences"
    ]
    stored = await services.memories.store.get(workspace_id, memory.id)
    assert (stored.summary, stored.version) == (extractive_summary(SAID), 1)
    assert (await graphql.ok(RERUN, id=memory.id))["rerunExtraction"]["outcome"] == "UNCHANGED"
    assert await services.memories.store.count(workspace_id, MemoryFilter(source_types=("user",))) == 1


async def test_without_a_language_model_a_summary_is_shorter_than_the_content_or_null(
    graphql, services, workspace_id, message
) -> None:
    """Issue 35.25."""
    memory = (
        await services.conversations.message_memories.remember(
            workspace_id, MessageToRemember(message_id=message)
        )
    ).memory

    rerun = (await graphql.ok(RERUN, id=memory.id))["rerunExtraction"]

    assert (rerun["outcome"], rerun["memory"]["summary"]) == ("UNCHANGED", None)
    assert rerun["degraded"] == ["summary: no language model is configured; there is none"]


async def test_synthesized_content_is_rewritten_from_the_message(
    services, workspace_id, message, remembering_with
) -> None:
    """A40, A33: not from the memory's current text, which becomes a version."""
    memory = (
        await services.conversations.message_memories.remember(
            workspace_id, MessageToRemember(message_id=message)
        )
    ).memory
    await services.memories.store.update(workspace_id, memory.id, MemoryChange(content="Something else"))
    model = ScriptedModel("Lives in Oslo, works at the harbour.")

    rerun = await remembering_with(model).rerun_extraction(workspace_id, memory.id, synthesize=True)

    assert model.prompts == [SAID, SAID]
    assert (rerun.memory.id, rerun.memory.content, rerun.memory.summary) == (
        memory.id,
        model.answer,
        model.answer,
    )
    assert (rerun.memory.version, rerun.memory.old_text, rerun.degraded) == (3, "Something else", ())


async def test_a_models_text_is_rewritten_until_somebody_edits_it(
    services, workspace_id, message, remembering_with
) -> None:
    """A40: by every rerun, without a request to synthesize."""
    model = ScriptedModel("Lives in Oslo since May.")
    remembering = remembering_with(model)
    wish = MessageToRemember(message_id=message, synthesize=True)
    memory = (await remembering.remember(workspace_id, wish)).memory
    model.answer = "Lives in Oslo, works at the harbour."

    again = await remembering.rerun_extraction(workspace_id, memory.id)
    model.answer = "Lives at the harbour."
    once_more = await remembering.rerun_extraction(workspace_id, memory.id)
    await services.memories.store.update(workspace_id, memory.id, MemoryChange(content="Moved to Bergen"))
    by_hand = await remembering.rerun_extraction(workspace_id, memory.id)

    assert (again.outcome, again.memory.content) == ("UPDATED", "Lives in Oslo, works at the harbour.")
    assert once_more.memory.content == "Lives at the harbour."
    assert (by_hand.memory.content, by_hand.memory.summary) == ("Moved to Bergen", "Lives at the harbour.")
    assert by_hand.memory.metadata == {}


@pytest.mark.parametrize("synthesize", [False, True])
async def test_an_edit_during_a_model_call_is_not_overwritten(
    services, workspace_id, message, remembering_with, synthesize
) -> None:
    """A40: the rerun still updates the summary."""
    model = EditedMeanwhile("Lives in Oslo since May.")
    remembering = remembering_with(model)
    wish = MessageToRemember(message_id=message, synthesize=True)
    memory = (await remembering.remember(workspace_id, wish)).memory

    async def edit() -> None:
        await services.memories.store.update(workspace_id, memory.id, MemoryChange(content="Moved to Bergen"))

    model.answer, model.edit = "Lives at the harbour.", edit
    rerun = await remembering.rerun_extraction(workspace_id, memory.id, synthesize=synthesize)

    assert (rerun.memory.content, rerun.memory.summary) == ("Moved to Bergen", "Lives at the harbour.")
    assert (rerun.memory.metadata, rerun.memory.version) == ({}, memory.version + 1)
    assert rerun.degraded == ("synthesis: the text was changed meanwhile; it stays",)


async def test_whether_to_rewrite_a_models_text_is_decided_when_the_job_ends(
    services, workspace_id, message, remembering_with, monkeypatch
) -> None:
    """A40: the text may change while the job waits, so the job keeps only the request."""
    enqueued: list[JobKind] = []

    async def noted(tx, *, kind: JobKind, **_: object) -> None:
        enqueued.append(kind)

    wish = MessageToRemember(message_id=message, synthesize=True)
    stated = await remembering_with(ScriptedModel("Lives in Oslo since May.")).remember(workspace_id, wish)
    monkeypatch.setattr(message_memories, "enqueue_jobs", noted)
    for synthesize in (False, True):
        await services.conversations.reruns.request(workspace_id, stated.memory.id, synthesize=synthesize)

    assert enqueued == [JobKind.RESTATE, JobKind.SYNTHESIZE]


async def test_a_memory_without_a_message_cannot_be_rerun(graphql, services, workspace_id, message) -> None:
    """A40: no message, a deleted message, or no such memory."""
    plain = (await services.memories.store.save(workspace_id, MemoryDraft(content="Ada likes tea"))).memory
    gone = (
        await services.conversations.message_memories.remember(
            workspace_id, MessageToRemember(message_id="m9", content="Ada likes coffee")
        )
    ).memory

    for id_, code, field in (
        (plain.id, "INVALID_INPUT", "id"),
        (gone.id, "CONFLICT", "sourceMessageId"),
        ("mem_none", "NOT_FOUND", "id"),
    ):
        error = await graphql.error(RERUN, id=id_)
        assert (error["code"], error["field"]) == (code, field)
    with pytest.raises(Conflict):
        await services.conversations.message_memories.rerun_extraction(workspace_id, gone.id)
    with pytest.raises(InvalidInput):
        await services.conversations.message_memories.rerun_extraction(workspace_id, plain.id)
