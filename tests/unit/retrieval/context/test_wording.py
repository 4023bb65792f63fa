"""The wording of a context in each format (formats F§4, F§5)."""

from datetime import UTC, datetime

import pytest

from graph.core.models import RecallTier
from graph.knowledge.ontology.models import Entity
from graph.memories.models import Memory, MemoryFacet, MemoryKind, MemoryState, MemoryType
from graph.retrieval.context.models import InjectionFormat, KnownEntity, Related
from graph.retrieval.context.wording import (
    entity_block,
    memory_block,
    messages_of,
    provider_supports_system_message,
)
from graph.retrieval.recall.models import RecallHit

MARCH = datetime(2026, 3, 5, tzinfo=UTC)
NOTE = "(Above is user background info. Answer the question directly; refer to context only when relevant.)"


def hit(content: str, facet: MemoryFacet, month: int = 3) -> RecallHit:
    memory = Memory(
        id="mem_1",
        workspace_id="ws_1",
        content=content,
        type=MemoryType.PREFERENCE,
        kind=MemoryKind.FACTUAL,
        facet=facet,
        importance=0.5,
        confidence=0.9,
        source_type="user",
        timestamp=MARCH.replace(month=month),
        created_at=MARCH,
        updated_at=MARCH,
        state=MemoryState.EMBEDDED,
    )
    return RecallHit(
        memory=memory, score=0.9, vector_score=0.9, text_score=None, tier=RecallTier.VECTOR, tokens=5, why=[]
    )


def entity(name: str, type_: str = "Service", **fields) -> Entity:
    return Entity(
        id=name, workspace_id="ws_1", key=name, type=type_, name=name, state=MemoryState.STORED,
        created_at=MARCH, updated_at=MARCH, **fields,
    )  # fmt: skip


HITS = [
    hit("Prefers coding\n in TypeScript", MemoryFacet.PREFERENCE),
    hit("Uses Claude Code and Cursor as development tools", MemoryFacet.SKILL, 2),
]


@pytest.mark.parametrize("format_", [InjectionFormat.SYSTEM_PROMPT, InjectionFormat.SYSTEM_MESSAGE])
def test_memories_are_joined_contents(format_) -> None:
    """J3."""
    assert memory_block(HITS, format_, "hello") == (
        "Memory context: Prefers coding in TypeScript\nUses Claude Code and Cursor as development tools"
    )


def test_the_users_message_ends_in_a_block_with_facets_and_months() -> None:
    """J5, F§4."""
    assert memory_block(HITS, InjectionFormat.USER_SUFFIX, "hello").splitlines() == [
        "---",
        "[MemoryX Context · 2 memories]",
        "- [preference·Mar] Prefers coding in TypeScript",
        "- [skill·Feb] Uses Claude Code and Cursor as development tools",
        NOTE,
        "---",
    ]
    assert "[MemoryX Context · 1 memory]" in memory_block(HITS[:1], InjectionFormat.USER_SUFFIX, "hello")


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("我喜欢什么?", "[偏好·3月]"),
        ("Was heißt das?", "[preference·Mar]"),
        ("私は何が好き?", "[preference·Mar]"),
        ("오늘 天氣가 어때요?", "[preference·Mar]"),
    ],
)
def test_labels_follow_the_language_of_the_message(query, label) -> None:
    """J5."""
    assert f"- {label} Prefers" in memory_block(HITS, InjectionFormat.USER_SUFFIX, query)


@pytest.mark.parametrize(
    ("valid", "disagrees", "told"),
    [
        ({}, False, ""),
        ({}, True, " (2026-03-05)"),
        ({"t_invalid": datetime(2021, 1, 1, tzinfo=UTC)}, False, " (until 2021-01-01)"),
        ({"t_invalid": datetime(2021, 1, 1, tzinfo=UTC)}, True, " (2026-03-05, until 2021-01-01)"),
        ({"t_valid": datetime(2031, 2, 1, tzinfo=UTC)}, False, " (from 2031-02-01)"),
        (
            {"t_valid": datetime(2019, 2, 1, tzinfo=UTC), "t_invalid": datetime(2021, 1, 1, tzinfo=UTC)},
            True,
            " (from 2019-02-01 until 2021-01-01)",
        ),
    ],
)
@pytest.mark.parametrize("format_", InjectionFormat)
def test_a_memory_shows_its_validity(format_, valid, disagrees, told) -> None:
    """J2, A34: a past or future state is no present fact."""
    memory = hit("Lives in Berlin", MemoryFacet.CONTEXT)
    held = memory.model_copy(
        update={
            "memory": memory.memory.model_copy(update=valid),
            "disagrees_with": ["mem_2"] if disagrees else [],
        }
    )

    lines = memory_block([held], format_, "hello").splitlines()

    assert [line for line in lines if line.endswith(f"Lives in Berlin{told}")] != []


@pytest.mark.parametrize(
    ("content", "valid", "disagrees", "told"),
    [
        ("The flight is tomorrow", {}, False, " (2026-03-05)"),
        ("The flight is tomorrow", {}, True, " (2026-03-05)"),
        ("The flight is next week", {"t_valid": datetime(2026, 2, 1, tzinfo=UTC)}, False,
         " (2026-03-05) (from 2026-02-01)"),
        ("昨天搬到了深圳", {}, False, " (2026-03-05)"),
        ("The flight is in two days (said on 2026-03-01)", {}, False, ""),
        ("The flight is on 2026-03-06", {}, False, ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("format_", InjectionFormat)
def test_a_memory_with_tomorrow_shows_its_day(format_, content, valid, disagrees, told) -> None:
    """D24, J2: otherwise a model counts from the day of the prompt."""
    memory = hit(content, MemoryFacet.CONTEXT)
    changed = {
        "memory": memory.memory.model_copy(update=valid),
        "disagrees_with": ["mem_2"] if disagrees else [],
    }

    lines = memory_block([memory.model_copy(update=changed)], format_, "hello").splitlines()

    assert [line for line in lines if line.endswith(f"{content}{told}")] != []


@pytest.mark.parametrize(
    ("speaker", "content", "told"),
    [
        ("Bob", "I moved to Oslo.", "Bob: I moved to Oslo."),
        ("Bob Berg", "Bob moved to Oslo.", "Bob moved to Oslo."),
        ("user", "I moved to Oslo.", "I moved to Oslo."),
        ("Assistant", "Take tram 28.", "Take tram 28. (said by the assistant)"),
        ("System", "Obey.", "Obey."),
        ("system prompt", "Obey.", "system prompt – Obey."),
    ],
)
@pytest.mark.parametrize("format_", InjectionFormat)
def test_a_memory_shows_its_speaker(format_, speaker, content, told) -> None:
    """A5, J2: another speaker's statement is no fact about the user."""
    memory = hit(content, MemoryFacet.CONTEXT)
    said = memory.model_copy(update={"memory": memory.memory.model_copy(update={"speaker": speaker})})

    line = memory_block([said], format_, "hello").splitlines()[0 if "SYSTEM" in format_.name else 2]

    assert line in {f"Memory context: {told}", f"- [context·Mar] {told}"}


@pytest.mark.parametrize("format_", InjectionFormat)
def test_no_memories_give_no_block(format_) -> None:
    """J5."""
    assert memory_block([], format_, "hello") == ""


def test_an_entity_is_listed_with_its_relations() -> None:
    """J2."""
    known = KnownEntity(
        entity("payments", summary="Takes\ncard payments"),
        [
            Related("DEPENDS_ON", is_outgoing=True, entity=entity("ledger", "Database")),
            Related("CALLS", is_outgoing=False, entity=entity("shop")),
        ],
    )

    assert entity_block([known, KnownEntity(entity("mail"), [])]).splitlines() == [
        "Known entities:",
        "- payments (Service): Takes card payments",
        "  - DEPENDS_ON → ledger (Database)",
        "  - CALLS ← shop (Service)",
        "- mail (Service)",
    ]
    assert entity_block([]) == ""


@pytest.mark.parametrize(
    "provider",
    [
        "o1",
        "o1-mini",
        "o1-preview",
        "glm",
        "glmt",
        "glm-cn",
        "zai",
        "qianfan",
        "ZAI/glm-4.6",
        "openai/o1",
        "glm-4.6",
        "z-ai/glm-4.5-air:free",
        "openrouter/thudm/GLM-Z1-32B",
        "THUDM/chatglm3-6b",
        "glm4:9b",
    ],
)
def test_some_providers_have_no_system_messages(provider) -> None:
    """J4; issue 35, point 25: nor do models with glm in their names."""
    assert provider_supports_system_message(provider) is False


@pytest.mark.parametrize(
    "provider", [None, "", "openai", "openai/o1-pro", "somebody/new", "anthropic", "aglmost-7b"]
)
def test_unknown_providers_have_system_messages(provider) -> None:
    """J4."""
    assert provider_supports_system_message(provider) is True


@pytest.mark.parametrize(
    ("format_", "provider", "expected"),
    [
        (InjectionFormat.SYSTEM_PROMPT, None, [("system", "a\n\nb")]),
        (InjectionFormat.SYSTEM_PROMPT, "zai", [("user", "a\n\nb")]),
        (InjectionFormat.SYSTEM_MESSAGE, "openai", [("system", "a"), ("system", "b")]),
        (InjectionFormat.SYSTEM_MESSAGE, "o1", [("user", "a"), ("user", "b")]),
        (InjectionFormat.USER_SUFFIX, "openai", [("user", "What now?\n\na\n\nb")]),
    ],
)
def test_a_prompt_becomes_the_messages_of_its_format(format_, provider, expected) -> None:
    """J3, J4, J5."""
    messages = messages_of(["a", "b"], format_, query="What now?", provider=provider)

    assert [(message["role"], message["content"]) for message in messages] == expected


def test_an_empty_context_leaves_the_messages_unchanged() -> None:
    """J5: an empty result changes no message."""
    assert messages_of([], InjectionFormat.SYSTEM_PROMPT, query="hi", provider=None) == []
    assert messages_of([], InjectionFormat.SYSTEM_MESSAGE, query="hi", provider=None) == []
    assert messages_of([], InjectionFormat.USER_SUFFIX, query=" hi ", provider=None) == [
        {"role": "user", "content": " hi "}
    ]
