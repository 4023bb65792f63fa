"""Handoff summaries of conversations, for agents that continue them elsewhere."""

import asyncio
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.conversations.handoffs.models import HandoffLanguage, HandoffTopic, Summariser
from graph.conversations.handoffs.service import Handoffs
from graph.core.errors import NotFound
from graph.memories.models import MemoryDraft
from graph.memories.policy import SourceType
from tests.fixtures.graphs import run
from tests.fixtures.memories import MovingClock, SameModel, ScriptedModel

OLD = datetime.now(UTC) - timedelta(days=40)
WRITTEN = {
    "user_background": ["A nurse"],
    "project_topic": "Moving",
    "current_status": ["The train is chosen"],
    "key_information": [{"topic": "Travel", "points": ["The night train takes pets"]}],
    "open_items": ["The vaccination"],
    "continuation_point": "Draft a timeline",
}
TALK = [
    ("user", "I'm a nurse with two cats. I decided to take the night train."),
    ("assistant", "The night train takes pets. Which class do you want?"),
]


@pytest.fixture
async def talk(services, capturing_workspace_id):
    """Return a function that captures messages with a given time; extraction is off."""
    await services.tenancy.workspaces.update(capturing_workspace_id, settings={"extractionMode": "off"})

    async def talk(said=TALK, *, id_: str = "c", title: str | None = None, said_at: datetime | None = None):
        messages = [MessageDraft(role=role, content=content, said_at=said_at) for role, content in said]
        draft = CaptureDraft(conversation_id=id_, title=title, messages=messages)
        await services.conversations.capture.append(capturing_workspace_id, draft)

    return talk


@pytest.fixture
def handoffs_with(services):
    """Return a function that builds the service with a given language model."""

    def handoffs_with(model: ScriptedModel | None) -> Handoffs:
        return Handoffs(
            services.core.database,
            services.conversations.capture,
            services.conversations.episodes,
            MovingClock(),
            SameModel(model),
            services.core.text_work,
        )

    return handoffs_with


async def test_a_summary_is_stored_with_its_conversation(services, capturing_workspace_id, talk) -> None:
    """F11: it is found by the conversation and by its id."""
    await talk(title="Moving")

    made = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    assert (made.conversation_id, made.message_count) == ("c", 2)
    assert (made.summarised_by, made.model, made.fallback) == (Summariser.RULES, None, None)
    assert made.handoff.user_background == ["The user is a nurse with two cats."]
    assert made.handoff.key_information[0] == HandoffTopic(
        topic="Decisions", points=["The user decided to take the night train."]
    )
    assert await services.conversations.handoffs.of_conversations(capturing_workspace_id, ["c", "d"]) == {
        "c": made
    }
    assert await services.conversations.handoffs.find_all(capturing_workspace_id, [made.id]) == {
        made.id: made
    }


async def test_a_new_summary_replaces_the_previous_one(
    services, capturing_workspace_id, talk, graph_driver
) -> None:
    """N6: concurrent requests leave one summary."""
    await talk()
    first = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")
    await talk([*TALK, ("user", "First class.")])

    again = await asyncio.gather(
        *(services.conversations.handoffs.summarise(capturing_workspace_id, "c") for _ in range(4))
    )

    assert {each.id for each in again} == {first.id}
    assert {each.message_count for each in again} == {3}
    assert {each.created_at for each in again} == {first.created_at}
    found = await run(
        graph_driver,
        "MATCH (s:ConversationSummary {workspace_id: $ws})-[edge:SUMMARISES]->(c:Conversation) "
        "RETURN s.summary AS summary, count(edge) AS edges",
        ws=capturing_workspace_id,
    )
    assert [record.data() for record in found.records] == [
        {"summary": again[0].handoff.project_topic, "edges": 1}
    ]


async def test_a_chinese_conversation_has_a_chinese_summary(services, capturing_workspace_id, talk) -> None:
    """F12."""
    await talk([("user", "我是一名护士。我决定坐火车。"), ("assistant", "好的，火车很方便。")])

    made = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    assert made.language is HandoffLanguage.CHINESE
    assert made.handoff.user_background == ["用户是一名护士。"]
    assert made.handoff.key_information[0] == HandoffTopic(topic="决定", points=["用户决定坐火车。"])


async def test_a_language_model_writes_the_summary_if_configured(
    capturing_workspace_id, talk, handoffs_with
) -> None:
    """F11: the model gets the messages as data, in their own language, each with its local date."""
    await talk(said_at=datetime(2026, 3, 4, 1, tzinfo=timezone(timedelta(hours=8))))
    model = ScriptedModel(json.dumps(WRITTEN))

    made = await handoffs_with(model).summarise(capturing_workspace_id, "c")

    assert (made.summarised_by, made.model, made.fallback) == (Summariser.MODEL, "scripted", None)
    assert made.handoff.model_dump(mode="json") == WRITTEN
    (prompt,) = model.prompts
    assert json.loads(prompt)["messages"] == [
        {"speaker": role, "date": "2026-03-04", "text": text} for role, text in TALK
    ]


@pytest.mark.parametrize(
    "answer",
    [None, "no JSON", json.dumps({**WRITTEN, "project_topic": ""})],
    ids=["away", "another form", "nothing said"],
)
async def test_if_the_model_fails_rules_write_the_handoff_and_it_says_so(
    capturing_workspace_id, talk, handoffs_with, answer
) -> None:
    """N1."""
    await talk()

    made = await handoffs_with(ScriptedModel(answer)).summarise(capturing_workspace_id, "c")

    assert (made.summarised_by, made.model) == (Summariser.RULES, None)
    assert made.fallback == "put together from what was said: the language model failed"
    assert made.handoff.user_background == ["The user is a nurse with two cats."]


async def test_a_summary_of_a_language_model_outlasts_its_failure(
    services, capturing_workspace_id, talk, handoffs_with
) -> None:
    """Issue 35.1: a fallback never replaces a model's summary, and the response says so."""
    await talk()
    model = ScriptedModel(json.dumps(WRITTEN))
    handoffs = handoffs_with(model)
    first = await handoffs.summarise(capturing_workspace_id, "c")
    model.answer = None

    again = await handoffs.summarise(capturing_workspace_id, "c")

    assert again.fallback == "the language model failed; the summary that it wrote before stays"
    assert again.model_copy(update={"fallback": None}) == first
    stored = await services.conversations.handoffs.of_conversations(capturing_workspace_id, ["c"])
    assert stored["c"] == first


async def test_a_handoff_omits_memories_that_are_not_valid_now(
    services, capturing_workspace_id, talk, handoffs_with
) -> None:
    """F11, C25: and memories that are not valid yet; the model gets the others in chronological order."""
    await talk()
    now = datetime.now(UTC)
    ids = {}
    for name, fields in {
        "first": {}, "ended": {"t_invalid": now - timedelta(days=1)}, "coming": {"t_valid": now + timedelta(days=1)},
        "replaced": {}, "last": {},
    }.items():  # fmt: skip
        draft = MemoryDraft(
            content=f"The {name} of the plans", source_type=SourceType.EXTRACTED, source_conversation_id="c",
            dedup=False, timestamp=datetime(2026, 3, 4, 9, tzinfo=UTC), **fields,
        )  # fmt: skip
        ids[name] = (await services.memories.store.save(capturing_workspace_id, draft)).memory.id
    await services.memories.associations.associate(
        capturing_workspace_id, from_id=ids["replaced"], to_id=ids["last"], type_="INVALIDATED_BY"
    )
    model = ScriptedModel(json.dumps(WRITTEN))

    await handoffs_with(model).summarise(capturing_workspace_id, "c")

    (asked,) = model.prompts
    assert json.loads(asked)["remembered"] == [
        {"date": "2026-03-04 UTC", "text": "The first of the plans"},
        {"date": "2026-03-04 UTC", "text": "The last of the plans"},
    ]


async def test_a_handoff_includes_episodes_and_memories(services, capturing_workspace_id, talk) -> None:
    """F1, F11: a memory that is only a turn appears as a message."""
    await talk([("user", f"I like tea number {number}") for number in range(3)], said_at=OLD)
    made = await services.conversations.episodes.consolidate(capturing_workspace_id, "c", retain_last=0)
    episode = made.episode
    await services.memories.store.save(
        capturing_workspace_id,
        MemoryDraft(
            content="prefers the window seat",
            type="Preference",
            source_type=SourceType.EXTRACTED,
            source_conversation_id="c",
        ),
    )

    made = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    assert made.message_count == 0
    assert made.handoff.key_information == [
        HandoffTopic(topic="Preferences", points=["prefers the window seat"]),
        HandoffTopic(topic="Earlier in the conversation", points=[episode.summary]),
    ]


async def test_a_long_conversation_is_read_at_both_ends(services, capturing_workspace_id, talk) -> None:
    said = [("user", f"I decided on step {number} of the plan.") for number in range(450)]
    await talk([("user", "I'm a nurse."), *said])

    made = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    assert made.message_count == 400
    assert made.handoff.user_background == ["The user is a nurse."]
    assert made.handoff.current_status == ["The user said last: “I decided on step 449 of the plan.”"]


async def test_only_messages_that_the_author_read_are_counted(
    services, capturing_workspace_id, talk, handoffs_with
) -> None:
    """F11, issue 35: a model reads the newest that fit; messages of system and tools are never read."""
    await talk(
        [("system", "Be brief."), ("tool", "42"), *(("user", f"{number}" * 4000) for number in range(8))]
    )

    by_model = await handoffs_with(ScriptedModel(json.dumps(WRITTEN))).summarise(capturing_workspace_id, "c")
    by_rules = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    assert (by_model.summarised_by, by_model.message_count) == (Summariser.MODEL, 6)
    assert (by_rules.summarised_by, by_rules.message_count) == (Summariser.RULES, 8)


async def test_a_summary_is_deleted_with_its_conversation_and_workspace(
    services, capturing_workspace_id, other_workspace_id, talk
) -> None:
    """F9, I8, I14: another tenant cannot find it."""
    await talk()
    made = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    with pytest.raises(NotFound) as missing:
        await services.conversations.handoffs.summarise(other_workspace_id, "c")
    assert missing.value.field == "conversationId"
    assert await services.conversations.handoffs.find_all(other_workspace_id, [made.id]) == {}
    assert await services.conversations.handoffs.of_conversations(other_workspace_id, ["c"]) == {}

    assert await services.conversations.capture.delete(capturing_workspace_id, "c")
    assert await services.conversations.handoffs.find_all(capturing_workspace_id, [made.id]) == {}


async def test_with_memory_off_captured_messages_can_still_be_handed_over(
    services, capturing_workspace_id, talk
) -> None:
    """F17, I4: disabling stops capture; a summary captures nothing new."""
    await talk()
    await services.tenancy.workspaces.update(capturing_workspace_id, memory_enabled=False)

    made = await services.conversations.handoffs.summarise(capturing_workspace_id, "c")

    assert made.message_count == 2
