"""Extracted memories in a model's prompt (D18), which are never extracted again (D22)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graph.conversations.capture.statements import without_injected
from graph.conversations.episodes.models import Episode, episode_block
from graph.conversations.extraction.reference_form import in_reference_form
from graph.knowledge.ontology.models import Entity
from graph.memories.models import Memory
from graph.retrieval.context.models import InjectionFormat, KnownEntity, Related
from graph.retrieval.context.wording import entity_block, memory_block
from graph.retrieval.recall.markdown import render
from graph.retrieval.recall.models import RecallHit, RecallResolution, RecallResult
from graph.telemetry.models import AgentPattern, pattern_block

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LIKES = "I like blocks of memory"
DISLIKE = "The user does not like Python"
MEMORY = Memory(
    id="mem_1",
    workspace_id="ws",
    content=LIKES,
    type="Preference",
    kind="factual",
    facet="preference",
    importance=0.5,
    confidence=0.9,
    source_type="extracted",
    timestamp=NOW,
    created_at=NOW,
    updated_at=NOW,
    state="STORED",
)


def memory(**fields: Any) -> Memory:
    return MEMORY.model_copy(update=fields)


def test_clients_of_the_reference_get_the_facts_object() -> None:
    """D16, D18, F§12: with the reference's metadata; other memories stay unchanged."""
    noted = {"category": "preference", "extractedAt": "2026-03-01", "source": "llm_response"}
    liked = memory(content="The user likes Go", metadata={**noted, "polarity": "positive", "object": "Go"})
    disliked = memory(content=DISLIKE, metadata={**noted, "polarity": "negative", "object": "Python"})
    lives = memory(content="The user lives in Oslo", metadata={**noted, "polarity": "positive"})
    own = memory(source_type="api", metadata={"object": "mine", "polarity": "positive"})

    forms = [in_reference_form(each) for each in (liked, disliked, lives, own)]

    assert [(each.content, dict(each.metadata)) for each in forms] == [
        ("Go", noted),
        ("Python", {**noted, "polarity": "negative"}),
        ("The user lives in Oslo", noted),
        (LIKES, {"object": "mine", "polarity": "positive"}),
    ]


def test_contexts_show_a_negative_fact_as_a_dislike() -> None:
    """D18: in each format of injection."""
    dislike = memory(content=DISLIKE, metadata={"object": "Python", "polarity": "negative"})
    for format_ in InjectionFormat:
        assert "The user does not like Python" in memory_block([hit(dislike)], format_, "q")


def hit(of: Memory) -> RecallHit:
    return RecallHit.model_construct(memory=of, score=0.5)


MANY_LINES = memory(content=f"{LIKES}\n\n{LIKES}\n \n- {LIKES}")


@pytest.mark.parametrize("format_", InjectionFormat)
@pytest.mark.parametrize("query", ["What do I like?", "我喜欢什么"])
def test_blocks_of_memories_are_recognised_with_any_content(format_: InjectionFormat, query: str) -> None:
    """D22: before and after the user's words, and with other line endings."""
    block = memory_block([hit(MEMORY), hit(MANY_LINES)], format_, query)

    for text in (f"I walk.\n\n{block}", f"{block}\n\nI walk.", f"I walk.\n\n{block}".replace("\n", "\r\n")):
        assert without_injected(text).split() == ["I", "walk."]


def test_the_other_layers_of_a_context_are_recognised() -> None:
    """D22: for a provider without a system role, the user's message begins with them."""
    entity = Entity.model_construct(name=LIKES, type="Thing", summary=LIKES, description=None)
    known = KnownEntity(entity, [Related("KNOWS", is_outgoing=True, entity=entity)])
    episode = Episode.model_construct(turn_count=2, summary=LIKES)
    pattern = AgentPattern.model_construct(
        action_type="deploy", node_type="Service", error_code="E", sequences=5, attempts=6, note=LIKES
    )
    blocks = [
        episode_block([episode, episode]),
        entity_block([known, known]),
        pattern_block([pattern]),
        memory_block([hit(MEMORY)], InjectionFormat.SYSTEM_PROMPT, "q"),
    ]

    assert without_injected("\n\n".join([*blocks, "I walk."])).split() == ["I", "walk."]


def test_results_of_a_recall_are_recognised() -> None:
    found = render(result([MEMORY, MANY_LINES]))
    nothing = render(result([]))

    for answer in (found, nothing):
        assert without_injected(f"{answer}\n\nI walk.").split() == ["I", "walk."]


def result(memories: list[Memory]) -> RecallResult:
    resolution = RecallResolution.model_construct(at=NOW, fallback=None)
    return RecallResult.model_construct(hits=[hit(each) for each in memories], resolution=resolution)


def test_text_about_memory_stays() -> None:
    text = "My memory context: none.\nI wrote --- and\n---\nthe end."

    assert without_injected(text) == text
