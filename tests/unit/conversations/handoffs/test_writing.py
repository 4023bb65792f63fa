"""The language model's prompt for a handoff, and the reading of its answer."""

import json
from datetime import UTC, datetime

import pytest

from graph.conversations.capture.models import Message
from graph.conversations.handoffs.extracting import HandoffSource
from graph.conversations.handoffs.models import HandoffLanguage, HandoffTopic
from graph.conversations.handoffs.writing import (
    UnusableHandoff,
    WrittenHandoff,
    WrittenTopic,
    instructions,
    prompt_for,
    validated,
)
from graph.memories.models import Memory

AT = datetime(2026, 1, 1, tzinfo=UTC)


def said(role: str, content: str) -> Message:
    return Message(id="1", workspace_id="w", conversation_id="c", created_at=AT, role=role, content=content)


def written(**sections) -> WrittenHandoff:
    given = {
        "user_background": [],
        "project_topic": "Moving",
        "current_status": ["Trains are booked"],
        "key_information": [],
        "open_items": [],
        "continuation_point": "",
    }
    return WrittenHandoff(**{**given, **sections})


def read(*messages: Message) -> list[dict[str, str]]:
    prompt = prompt_for(HandoffSource("Moving", messages, (), ()))
    read = json.loads(prompt.text)["messages"]
    assert prompt.message_count == len(read)
    return read


def test_the_prompt_names_speakers_and_omits_injected_memory() -> None:
    """F11: each message has its day, from which "tomorrow" becomes a date."""
    messages = (
        said("system", "Be brief."),
        said("user", "Where to?\n\nMemory context: likes the sea"),
        said("assistant", "North."),
    )

    assert read(*messages) == [
        {"speaker": "user", "date": "2026-01-01 UTC", "text": "Where to?"},
        {"speaker": "assistant", "date": "2026-01-01 UTC", "text": "North."},
    ]


def test_the_model_reads_the_newest_messages_of_a_long_conversation() -> None:
    texts = [f"{number} " + "x" * 5000 for number in range(20)]

    found = [each["text"] for each in read(*(said("user", text) for text in texts))]

    assert found == [text[:4000] for text in texts[-6:]]


def test_a_changed_memory_has_no_date_in_the_prompt() -> None:
    """F11, issue 35: in a text that was edited later, the day of "tomorrow" is unknown."""
    memories = [
        Memory(
            id="m", workspace_id="w", content=f"The flight is tomorrow, version {version}", type="Context",
            kind="factual", facet="context", importance=0.5, confidence=0.9, source_type="manual", timestamp=AT,
            created_at=AT, updated_at=AT, state="STORED", version=version,
        )
        for version in (2, 1)
    ]  # fmt: skip

    prompt = prompt_for(HandoffSource(None, (), (), memories))

    assert json.loads(prompt.text)["remembered"] == [
        {"date": "2026-01-01 UTC", "text": "The flight is tomorrow, version 1"},
        {"text": "The flight is tomorrow, version 2"},
    ]


@pytest.mark.parametrize(
    ("language", "named"), [(HandoffLanguage.ENGLISH, "English"), (HandoffLanguage.CHINESE, "Chinese")]
)
def test_the_prompt_names_the_language(language, named) -> None:
    """F12."""
    assert f"Write in {named}." in instructions(language)
    assert "Write a relative time as the date that it means" in instructions(language)


def test_an_answer_is_kept_in_bounded_single_lines() -> None:
    answer = written(
        user_background=["- A\nnurse ", " ", "bad \x00"],
        key_information=[
            WrittenTopic(topic="Travel", points=["x" * 9999]),
            WrittenTopic(topic=" ", points=["y"]),
            WrittenTopic(topic="Empty", points=[]),
        ],
        open_items=[f"item {number}" for number in range(99)],
    )

    handoff = validated(answer)

    assert handoff.user_background == ["A nurse"]
    assert handoff.key_information == [HandoffTopic(topic="Travel", points=["x" * 599 + "…"])]
    assert handoff.open_items == [f"item {number}" for number in range(12)]


@pytest.mark.parametrize("empty", [{"project_topic": " "}, {"current_status": ["", "-"]}])
def test_an_empty_answer_is_unusable(empty) -> None:
    with pytest.raises(UnusableHandoff):
        validated(written(**empty))
