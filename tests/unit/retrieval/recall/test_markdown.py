from datetime import UTC, datetime

from graph.core.tiers import RecallTier
from graph.memories.models import Memory
from graph.retrieval.recall.markdown import render
from graph.retrieval.recall.models import RecallHit, RecallResolution, RecallResult, RecallStrategy
from tests.fixtures.prompts import NOTE

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RESOLUTION = RecallResolution(
    strategy=RecallStrategy.HYBRID,
    tier=RecallTier.VECTOR,
    embedder=None,
    fallback=None,
    exact=False,
    stages_ms={},
)


def hit(id_: str, content: str, category: str | None, score: float) -> RecallHit:
    memory = Memory(
        id=id_, workspace_id="ws_1", content=content, category=category, type="Context", kind="factual",
        facet="context", importance=0.5, confidence=0.9, source_type="api", timestamp=NOW, created_at=NOW,
        updated_at=NOW, state="EMBEDDED",
    )  # fmt: skip
    return RecallHit(
        memory=memory,
        score=score,
        vector_score=None,
        text_score=None,
        tier=RecallTier.VECTOR,
        tokens=1,
        why=[],
    )


def test_memories_are_rendered_as_the_recall_tool_promises():
    """C22, F§3."""
    result = RecallResult(
        hits=[
            hit("mem_abc123", "User prefers responses in bullet-point format", "preference", 0.92),
            hit(
                "mem_def456", "User wants concise answers, no longer than 3 paragraphs", "instruction", 0.849
            ),
        ],
        resolution=RESOLUTION,
    )

    assert render(result) == (
        f"# Recalled memories\n\n{NOTE}\n\n"
        "1. **mem_abc123** (preference, score 0.92)\n"
        "   User prefers responses in bullet-point format\n\n"
        "2. **mem_def456** (instruction, score 0.85)\n"
        "   User wants concise answers, no longer than 3 paragraphs"
    )


def test_numbers_go_on_after_the_offset_and_a_missing_category_is_said():
    """C22."""
    assert render(RecallResult(hits=[hit("m", "text", None, 0.5)], resolution=RESOLUTION), offset=5) == (
        f"# Recalled memories\n\n{NOTE}\n\n6. **m** (uncategorized, score 0.50)\n   text"
    )


def test_nothing_found_is_said():
    """C22."""
    assert (
        render(RecallResult(hits=[], resolution=RESOLUTION)) == "# Recalled memories\n\nNo matching memories."
    )
