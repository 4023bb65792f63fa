"""Facts that rules extract into memories: each once, with its source, and about the right person."""

from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs

from graph.conversations.capture.models import MessageDraft, MessageRole
from graph.conversations.extraction import fact_saving, found_facts
from graph.conversations.extraction.reference_form import in_reference_form
from graph.conversations.queries import find_extraction
from graph.core.events import channel_of_memories
from graph.core.models import MemoriesChanged, MemoryEventType
from graph.memories.models import MemoryChange, MemoryDraft, MemoryType
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.graphs import run

REFERENCE = (
    "I prefer TypeScript. I'll use Postgres for this project. "
    "I always commit before pushing. I don't like Python."
)
SAID_AT = datetime(2026, 5, 1, 12, tzinfo=UTC)


async def test_the_reference_sentence_becomes_its_four_memories(talk) -> None:
    """D11, D15, D16, D18, F§12: facts with their source, and no memories of the turns themselves."""
    message = MessageDraft(content=REFERENCE, id="m1", role=MessageRole.USER, session_id="s", said_at=SAID_AT)
    await talk.say(message)
    await talk.pass_by(30)

    memories = await talk.memories()
    assert [(each.key, each.category, each.kind, each.content) for each in memories] == [
        (
            "decision:postgres_for_this_project",
            "decision",
            "episodic",
            "The user will use Postgres for this project",
        ),
        ("pattern:commit_before_pushing", "pattern", "factual", "The user always commits before pushing"),
        ("preference:python", "preference", "factual", "The user does not like Python"),
        ("preference:typescript", "preference", "factual", "The user prefers TypeScript"),
    ]
    decision, _, dislike, preference = memories
    assert (decision.type, dislike.type) == (MemoryType.DECISION, MemoryType.PREFERENCE)
    assert preference.metadata == {
        "category": "preference",
        "extractedAt": talk.clock.now().isoformat(),
        "source": "llm_response",
        "polarity": "positive",
        "object": "TypeScript",
    }
    assert (dislike.metadata["polarity"], dislike.metadata["object"]) == ("negative", "Python")
    assert [in_reference_form(each).content for each in memories] == [
        "Postgres for this project",
        "commit before pushing",
        "Python",
        "TypeScript",
    ]
    for memory in memories:
        assert (memory.source_type, memory.source_conversation_id) == ("extracted", talk.id)
        assert (memory.source_message_id, memory.session_id) == ("m1", "s")
        assert (memory.speaker, memory.timestamp, memory.confidence) == ("user", SAID_AT, 0.9)
    assert (await talk.conversation()).extracted_up_to == 0


async def test_a_second_worker_finishes_the_reading_that_another_began(
    talk, services, graph_driver, monkeypatch
) -> None:
    """Otherwise the second worker takes the messages as extracted, and retention may delete them."""
    monkeypatch.setattr(fact_saving, "_READ_TOGETHER", 1)
    await talk.say("I prefer TypeScript.", "I don't like Python.")
    extraction = talk.conversations.extraction
    state = await find_extraction(
        services.core.database, workspace_id=talk.workspace_id, conversation_id=talk.id
    )
    await run(
        graph_driver,
        "MATCH (conversation:Conversation {workspace_id: $ws, id: $id}) SET conversation.facts_up_to = 0",
        ws=talk.workspace_id,
        id=talk.id,
    )

    await extraction._facts.extract(state, extraction._policy_of(state.workspace_settings))

    assert await talk.keys() == ["preference:python"]  # the other worker saves the first fact


async def test_a_repeated_statement_adds_no_rows(talk) -> None:
    """D15, D33, D34: it updates only the time of the last statement."""
    await talk.say("I like green tea.")
    await talk.pass_by(30)
    before = await talk.memories()

    await talk.say("As I said, I really like green tea!", "I prefer green tea.")
    await talk.pass_by(30)

    (known,), (now,) = before, await talk.memories()
    times = {"timestamp": now.timestamp, "updated_at": now.updated_at}
    assert now == known.model_copy(update=times)
    assert (await talk.conversation()).extracted_up_to == 2


def lives_in(town: str, year: int) -> MessageDraft:
    said_at = datetime(year, 5, 1, tzinfo=UTC)
    return MessageDraft(content=f"I live in {town}.", id=f"m{year}", role=MessageRole.USER, said_at=said_at)


async def test_a_repeated_statement_is_newer_than_those_between(talk) -> None:
    """D15: a superseded fact becomes current again; an older statement does not change its time."""
    for town, year in (("Oslo", 2024), ("Bergen", 2025), ("Oslo", 2026), ("Oslo", 2023)):
        await talk.say(lives_in(town, year))
        await talk.pass_by(30)

    assert {each.content: (each.timestamp.year, each.version) for each in await talk.memories()} == {
        "The user lives in Bergen": (2025, 1),
        "The user lives in Oslo": (2026, 1),
    }


@pytest.mark.parametrize("is_superseded", [True, False])
async def test_an_ended_fact_that_is_stated_again_is_a_new_memory(talk, is_superseded) -> None:
    """D15: the earlier memory keeps its end; further repetitions add no third memory."""
    await talk.say(lives_in("Oslo", 2024), lives_in("Bergen", 2025))
    await talk.pass_by(30)
    bergen, oslo = sorted(await talk.memories(), key=lambda each: each.content)
    memories = talk.services.memories
    if is_superseded:
        await memories.associations.associate(
            talk.workspace_id, from_id=oslo.id, to_id=bergen.id, type_="INVALIDATED_BY"
        )
    else:
        change = MemoryChange(t_invalid=datetime(2025, 5, 1, tzinfo=UTC))
        await memories.store.update(talk.workspace_id, oslo.id, change)
    for year in (2023, 2026, 2027):
        await talk.say(lives_in("Oslo", year))
        await talk.pass_by(30)

    lived = [each for each in await talk.memories() if each.content == oslo.content]
    before, again = sorted(lived, key=lambda each: each.timestamp)
    assert (before.id, before.key, before.timestamp.year) == (oslo.id, None, 2024)
    assert (again.key, again.timestamp.year, again.t_invalid) == (oslo.key, 2027, None)


async def test_a_changed_opinion_replaces_the_earlier_one(talk) -> None:
    """D18: the memory gets the new sentence and polarity; the earlier sentence stays as a version."""
    for text, content, polarity in (
        ("I like olives.", "The user likes olives", "positive"),
        ("I don't like olives.", "The user does not like olives", "negative"),
        ("I really like olives.", "The user really likes olives", "positive"),
    ):
        await talk.say(text)
        await talk.pass_by(30)

        (memory,) = await talk.memories()
        assert (memory.key, memory.content, memory.metadata["polarity"]) == (
            "preference:olives",
            content,
            polarity,
        )
    versions = await talk.services.memories.store.versions(talk.workspace_id, [memory.id], first=10)
    assert [version.content for version in versions[memory.id]] == [
        "The user does not like olives",
        "The user likes olives",
    ]
    back = await talk.services.memories.store.restore(talk.workspace_id, memory.id, version=2)
    assert back.content == "The user does not like olives"
    assert not back.metadata.keys() & {"object", "polarity"}  # they describe the previous sentence


async def test_a_reworded_fact_is_read_in_its_new_words(talk) -> None:
    """F§12: the stored object and polarity describe the old sentence; changed by id or by key."""
    memories = talk.services.memories.store
    await talk.say("I like olives.", "I prefer tea.")
    await talk.pass_by(30)
    olives, tea = await talk.memories()
    await memories.update(talk.workspace_id, olives.id, MemoryChange(content="Olives, but only green ones"))
    await memories.save(talk.workspace_id, MemoryDraft(content="Tea, but no black one", key=tea.key))

    assert [in_reference_form(each).content for each in await talk.memories()] == [
        "Olives, but only green ones",
        "Tea, but no black one",
    ]
    assert [each.metadata["category"] for each in await talk.memories()] == ["preference", "preference"]


async def test_memories_of_people_under_the_same_key_stay_unchanged(talk) -> None:
    """I17."""
    saved = await talk.services.memories.store.save(
        talk.workspace_id, MemoryDraft(content="Olives, but only green ones", key="preference:olives")
    )

    await talk.say("I don't like olives.")
    await talk.pass_by(30)

    (memory,) = await talk.memories()
    assert (memory.content, memory.updated_at) == (saved.memory.content, saved.memory.updated_at)


async def test_injected_memory_and_credentials_are_not_extracted(talking) -> None:
    """D22, A43."""
    talk = talking()
    token = "AKIAIOSFODNN7ABCDEFG"
    await talk.say(
        "What now?\n\n---\n[MemoryX Context · 1 memory]\n- [preference·Mar] I like rain\n(Above is ...)\n---",
        "Memory context: I like snow\nI like ice",
        f"I'll use {token} for the deploy.",
        "I like sun.",
    )
    await talk.pass_by(30)

    assert "preference:sun" in await talk.keys()
    assert not [key for key in await talk.keys() if "rain" in key or "snow" in key or "ice" in key]


@pytest.mark.parametrize(
    ("speakers", "keys"),
    [
        ("both", ["assistant:decision:blue_tiles", "preference:tea"]),
        ("user", ["preference:tea"]),
        ("assistant", ["assistant:decision:blue_tiles"]),
        (None, ["preference:tea"]),
    ],
)
async def test_a_setting_selects_the_authors_to_read(talking, speakers, keys) -> None:
    """D29: messages of the system and of tools are never read; the default is the user's messages."""
    talk = talking()
    await talk.choose(extractFrom=speakers)
    await talk.say(
        MessageDraft(content="I prefer tea.", role="user"),
        MessageDraft(content="I'll use blue tiles.", role="assistant"),
        MessageDraft(content="I like being helpful.", role="system"),
        MessageDraft(content="I like exit codes.", role="tool"),
    )
    await talk.pass_by(30)

    assert await talk.keys() == keys


async def test_a_workspace_overrides_the_extraction_settings(talk) -> None:
    """D29: and invalid values are refused."""
    update = talk.services.tenancy.workspaces.update
    await update(
        talk.workspace_id,
        settings={"extractFrom": "assistant", "extractionWindowSeconds": 5, "extractionConfidence": 0.5},
    )
    await talk.say(
        MessageDraft(content="I prefer tea.", role="user"),
        MessageDraft(content="I'll use blue tiles.", role="assistant"),
    )
    await talk.pass_by(5)

    assert await talk.keys() == ["assistant:decision:blue_tiles"]


async def test_an_assistants_statement_about_itself_is_not_a_fact_of_the_user(talking) -> None:
    """D29, F§12: the fact is about the assistant; the reference form has the reference's key for both."""
    talk = talking()
    await talk.choose(extractFrom="both")
    await talk.say(
        MessageDraft(content="I don't like Python.", role="user"),
        MessageDraft(content="I like Python.", role="assistant"),
    )
    await talk.pass_by(30)

    theirs, own = await talk.memories()
    assert (theirs.content, theirs.metadata["subject"]) == ("The assistant likes Python", "assistant")
    assert (own.content, "subject" in own.metadata) == ("The user does not like Python", False)
    assert [in_reference_form(each).key for each in (theirs, own)] == ["preference:python"] * 2


@pytest.mark.parametrize("pause", [0, 30])
async def test_requested_fiction_contains_no_facts(talking, pause: float) -> None:
    """D22: even if the request was read in an earlier run."""
    talk = talking()
    await talk.choose(extractFrom="both")
    await talk.say("Write a story about a pirate.")
    await talk.pass_by(pause)
    await talk.say(
        MessageDraft(content="I always drink rum. I prefer the sea. You live on a ship.", role="assistant")
    )
    await talk.pass_by(30)
    assert await talk.keys() == []

    await talk.say("Thanks!", MessageDraft(content="You live in Oslo.", role="assistant"))
    await talk.pass_by(30)
    assert [each.content for each in await talk.memories()] == ["The user lives in Oslo"]


async def test_an_assistants_conclusion_yields_to_the_users_statement(talking) -> None:
    """D24: it has a lower confidence, and its metadata names the assistant."""
    talk = talking()
    await talk.choose(extractFrom="both")
    await talk.say(MessageDraft(content="Noted, you prefer tea.", role="assistant"))
    await talk.pass_by(30)
    (concluded,) = await talk.memories()
    assert (concluded.content, concluded.confidence) == ("The user prefers tea", 0.6)
    assert concluded.metadata["concludedBy"] == "assistant"

    await talk.say("I prefer tea.")
    await talk.pass_by(30)
    (stated,) = await talk.memories()
    assert (stated.id, stated.content, stated.confidence) == (concluded.id, "The user prefers tea", 0.9)
    assert "concludedBy" not in stated.metadata

    await talk.say(MessageDraft(content="So you don't like tea.", role="assistant"))
    await talk.pass_by(30)
    assert [each.content for each in await talk.memories()] == ["The user prefers tea"]


async def test_an_extracted_fact_is_marked_as_saved_automatically(talk, monkeypatch) -> None:
    """D6, K1: AUTO_SAVED."""
    told: list[tuple[str, str]] = []
    bus = talk.services.memories.subscriptions._bus
    monkeypatch.setattr(
        bus,
        "publish",
        lambda channel, text: told.append((channel, text)) if "memories" in channel else None,
    )
    await talk.say("I prefer tea.")
    await talk.pass_by(30)

    (memory,) = await talk.memories()
    events = [
        MemoriesChanged.model_validate_json(text)
        for channel, text in told
        if channel == channel_of_memories(talk.workspace_id)
    ]
    assert [(event.type, event.ids) for event in events] == [(MemoryEventType.AUTO_SAVED, (memory.id,))]


async def test_a_failure_is_logged_and_nothing_else(talk, monkeypatch) -> None:
    """D20: the log contains no words of the message, and the job is retried."""

    def fail(*_args: object, **_fields: object) -> None:
        raise ValueError("the secret plan of the user")

    await talk.say("I prefer tea.")
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr(found_facts, "facts_in_message", fail)
        await talk.pass_by(30)

    (failed,) = [log for log in logs if log["event"] == "memory.extraction.background.failed"]
    assert (failed["reason"], failed["workspace_id"]) == ("ValueError", talk.workspace_id)
    assert "secret plan" not in str(logs)
    (job,) = await talk.pending()
    assert (job.state, job.error, job.attempts) == ("PENDING", "ValueError", 1)
    await talk.pass_by(10)
    assert await talk.keys() == ["preference:tea"]
    assert await talk.pending() == []


async def test_an_english_keyword_finds_a_fact_in_chinese(talk) -> None:
    """D23, D26, C26: the fact stays in Chinese; its keywords are in both languages."""
    await talk.say("我每天早上都要喝咖啡，我喜欢安静的地方。")
    await talk.pass_by(30)

    memories = {memory.content: memory for memory in await talk.memories()}
    assert set(memories) == {"用户每天早上都要喝咖啡", "用户喜欢安静的地方"}
    memory = memories["用户每天早上都要喝咖啡"]
    assert {"咖啡", "coffee"} <= set(memory.keywords)
    found = await talk.services.retrieval.recall.recall(talk.workspace_id, RecallQuery(query="coffee"))
    assert [(hit.memory.id, hit.text_score is not None) for hit in found.hits] == [(memory.id, True)]
