"""Removal of injected memories from messages, so that they are never extracted again."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.capture.statements import (
    beginning_without_injected,
    end_without_injected,
    without_injected,
)
from graph.conversations.episodes.models import Episode, episode_block
from graph.core.models import RecallTier
from graph.core.text.prompts import DATA_NOTE, FENCE_CLOSE, FENCE_OPEN
from graph.knowledge.ontology.models import Entity
from graph.memories.models import Memory
from graph.retrieval.context.models import InjectionFormat, KnownEntity
from graph.retrieval.context.wording import entity_block, framed, memory_block, messages_of
from graph.retrieval.recall.markdown import render_lines
from graph.retrieval.recall.models import RecallHit, RecallResolution, RecallResult, RecallStrategy
from graph.telemetry.models import AgentPattern, pattern_block

AT = datetime(2026, 3, 5, tzinfo=UTC)


def hit(content: str) -> RecallHit:
    memory = Memory(
        id="m", workspace_id="w", content=content, type="Preference", kind="factual", facet="preference",
        importance=0.5, confidence=0.9, source_type="user", timestamp=AT, created_at=AT, updated_at=AT, state="STORED",
    )  # fmt: skip
    return RecallHit(
        memory=memory, score=0.9, vector_score=0.9, text_score=None, tier=RecallTier.VECTOR, tokens=5, why=[]
    )


def blocks(format_: InjectionFormat) -> list[str]:
    """Return one block of each kind, as a context renders it."""
    entity = Entity(
        id="e", workspace_id="w", key="k", type="Service", name="payments", state="STORED", created_at=AT,
        updated_at=AT,
    )  # fmt: skip
    episode = Episode(
        id="e", workspace_id="w", conversation_id="c", summary="The user likes tea.", source_message_ids=["m"],
        turn_count=2, is_deleted=False, state="STORED", created_at=AT,
    )  # fmt: skip
    pattern = AgentPattern(
        id="p", workspace_id="w", action_type="deploy", node_type="Service", error_code="E_QUOTA", state="PROMOTED",
        sequences=5, attempts=5, confidence=1.0, note=None, suppressed=False, first_seen_at=AT, last_seen_at=AT,
        promoted_at=AT, demoted_at=None, updated_at=AT,
    )  # fmt: skip
    hits = [hit("Prefers tabs"), hit("Two\n\nparagraphs")]
    return [
        episode_block([episode]),
        entity_block([KnownEntity(entity, ())]),
        pattern_block([pattern]),
        memory_block(hits, format_, "q"),
    ]


@pytest.mark.parametrize("format_", list(InjectionFormat))
@pytest.mark.parametrize("provider", ["openai", "o1"])
def test_nothing_of_an_injected_context_is_kept(format_, provider) -> None:
    """D22, F11: in every format; only the user's own words stay."""
    told = messages_of(blocks(format_), format_, query="Which colour\nis it?", provider=provider)

    left = [without_injected(message["content"]) for message in told]

    own = ["Which colour\nis it?"] if format_ is InjectionFormat.USER_SUFFIX else []
    assert [text for text in left if text] == own


@pytest.mark.parametrize("only_memories", [False, True])
def test_blocks_with_folded_line_breaks_are_removed(only_memories) -> None:
    """Issue 35, point 25: as the browser extension reads a chat; the words around a block stay."""
    given = blocks(InjectionFormat.USER_SUFFIX)[3 if only_memories else 0 :]
    told = framed(given, InjectionFormat.USER_SUFFIX)
    (message,) = messages_of(
        told, InjectionFormat.USER_SUFFIX, query="Which colour is it?", provider="openai"
    )
    folded = " ".join(message["content"].split())

    assert FENCE_OPEN in folded or only_memories
    assert without_injected(folded) == "Which colour is it?"
    assert without_injected(f"{folded} I ask twice.") == "Which colour is it? I ask twice."


@pytest.mark.parametrize("only_memories", [False, True])
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\n", ""),
        ("\n", "\n\n"),
        ("\n", "\n  "),
        ("\n", " \n"),
        ("\n", "\r"),
        ("\n", "\u00a0"),
        ("\n", "\u2028"),
        ("\n", "\u200b"),
        (" ", "\u00a0"),
        ("---", "\u2014"),
        ("---\n", ""),
        ("\n---", ""),
    ],
    ids=ascii,
)
def test_blocks_are_removed_with_the_white_space_of_any_page(only_memories, written, shown) -> None:
    """Issue 35, point 25: a page shows each line as a paragraph, with hard spaces, or a rule as a line."""
    given = blocks(InjectionFormat.USER_SUFFIX)[3 if only_memories else 0 :]
    (message,) = messages_of(
        framed(given, InjectionFormat.USER_SUFFIX),
        InjectionFormat.USER_SUFFIX,
        query="Tea?",
        provider="openai",
    )
    page = message["content"].replace(written, shown)

    assert without_injected(page) == "Tea?"
    assert without_injected(f"{page}\n\nAnd milk?").split() == ["Tea?", "And", "milk?"]


@pytest.mark.parametrize("offset", [0, 5])
@pytest.mark.parametrize("threshold", [None, 0.99])
def test_recalls_in_lines_are_removed(offset, threshold) -> None:
    """Issue 35, point 21: an agent may send the output of ``recall``."""
    hits = [hit("Prefers tabs").model_copy(update={"relevance": 0.2}), hit("Two\n\nparagraphs")]
    resolution = RecallResolution(
        strategy=RecallStrategy.HYBRID, tier=RecallTier.VECTOR, exact=True, stages_ms={}, at=AT, embedder=None,
        fallback=None, threshold=threshold, degraded=["list: only the best 20 candidates are ranked"],
    )  # fmt: skip
    told = render_lines(
        RecallResult(hits=hits[:1] if threshold else hits, resolution=resolution), offset=offset
    )

    assert without_injected(f"Before\n\n{told}\n\nAfter") == "Before\n\nAfter"


def test_text_after_an_injected_block_stays() -> None:
    block = memory_block([hit("Prefers tabs")], InjectionFormat.USER_SUFFIX, "q")

    assert without_injected(f"Before\n\n{block}\n\nAfter") == "Before\n\nAfter"
    assert without_injected(f"Before\r\n\r\n{block}".replace("\n", "\r\n")) == "Before"


@pytest.mark.parametrize(
    "text",
    [
        "The memory context: it matters",
        "---\nA rule and a line\n---",
        "Known entities: none",
        "We spoke of earlier conversation summaries (most recent last):\n- mine",
    ],
)
def test_text_that_resembles_a_block_stays(text) -> None:
    assert without_injected(text) == text


@pytest.mark.parametrize(
    "begun",
    [
        f"{DATA_NOTE}\n{FENCE_OPEN}\n",
        DATA_NOTE,
        f"   {DATA_NOTE}\n",
        f"{DATA_NOTE} {FENCE_OPEN} ",
        "--- [MemoryX Context · 1 memory] ",
        "--- [MemoryX Context · 1 memory] (Above is user background info. ",
        "# Recalled memories\n\nNo matching memories.  ",
        "---\n[MemoryX Context a\n",
        "# Recalled memories\n\n",
        "Known failure patterns for a:",
    ],
)
@pytest.mark.proof("measures processor time")
def test_unclosed_blocks_take_linear_time(begun) -> None:
    """C16: no opening and no omitted block makes the rest be read again."""

    def seconds(chars: int) -> float:
        text, start = begun * (chars // len(begun)), time.thread_time()
        without_injected(text)
        return time.thread_time() - start

    taken = min(seconds(1_600_000) for _ in range(3))
    assert taken < 0.3 or taken < 20 * min(seconds(200_000) for _ in range(3))


def test_only_the_stored_part_of_a_long_message_is_searched() -> None:
    """The beginning or end of the user's words is found also if a block precedes or follows them."""
    block = memory_block([hit("Prefers tabs")], InjectionFormat.USER_SUFFIX, "q")
    said = "I walk. " * 100_000

    assert beginning_without_injected(f"{block}\n\n{said}", 70) == said[:70]
    assert end_without_injected(f"{said}\n\n{block}", 70) == said.strip()[-70:]
    assert (beginning_without_injected("I walk.", 70), end_without_injected("I walk.", 70)) == (
        "I walk.",
    ) * 2


PARTS = (
    *(
        DATA_NOTE,
        f"{DATA_NOTE}\n{FENCE_OPEN}\n",
        FENCE_CLOSE,
        "---",
        "[MemoryX Context",
        "Memory context: ",
        "I walk.",
    ),
    *(
        "Known entities:",
        "\n- a",
        "# Recalled memories",
        "\n1. **a**",
        "\n   b",
        "No matching memories.",
        "\n",
        " ",
    ),
)


@given(st.text() | st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_removing_blocks_is_idempotent(text) -> None:
    once = without_injected(text)

    assert without_injected(once) == once


@pytest.mark.parametrize(
    "block",
    [
        f"# Search results\n\n{DATA_NOTE}\n\n1. **mem_1** (memory, score 0.90)\n   The user has a dog",
        "# Search results\n\nNothing matches.",
        f"# Recalled memories\n\nNo matching memories. These are the newest.\n\n{DATA_NOTE}\n\n1. **m**\n   A dog",
        f"# Recalled memories\n\n{DATA_NOTE}\n\n1. **m**\n   A dog\n\n12 more did not fit.",
        f"# Recalled memories\n\n{DATA_NOTE}\n\n1. **m**\n   A dog\n\nLimits: query: only its end was read",
        "# Search results\n\nNothing matches.\n\nLimits: query: only its end was read",
    ],
)
def test_tool_outputs_are_skipped(block: str) -> None:
    """D22: an agent repeats memories that a tool gave it."""
    assert without_injected(f"{block}\n\nI live in Oslo.") == "I live in Oslo."
