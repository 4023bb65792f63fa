"""The texts of compacted memories (F13, F14)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.ids import new_memory_id, new_uuid
from graph.core.text.budget import estimate_tokens
from graph.memories.compaction.service import CompactionReport
from graph.memories.compaction.wording import (
    LEAST_LINE_CHARS,
    LINE_CHARS,
    first_sentences,
    fitting_line_chars,
    may_be_compacted,
    oldest_first,
    shortened,
    shrinking,
    summary_text,
)
from graph.memories.models import Memory, MemoryType

AT = datetime(2026, 1, 1, tzinfo=UTC)


def memory(content: str, *, type_: str = "Context", summary: str | None = None, hours: int = 0) -> Memory:
    return Memory(
        id=f"mem_{hours}", workspace_id="w", content=content, summary=summary, type=type_, kind="factual",
        facet="context", importance=0.5, confidence=0.9, source_type="api", timestamp=AT,
        created_at=AT + timedelta(hours=hours), updated_at=AT, state="STORED",
    )  # fmt: skip


def test_a_summary_has_a_line_for_each_memory_with_its_type_in_front() -> None:
    """F14: in the order in which they were saved."""
    memories = [memory("likes\n tea", type_="Preference", hours=2), memory("moved on", type_="Decision")]

    assert summary_text(oldest_first(memories)) == "Decision: moved on\nPreference: likes tea"


def test_a_line_says_who_said_it_and_when_where_that_is_not_when_it_was_saved() -> None:
    """F14: in a summary, "I" would be nobody, and "last week" of another day is another week."""
    earlier = {"timestamp": AT - timedelta(days=3)}
    told = memory("I moved last week").model_copy(update={"speaker": "Bob", **earlier})
    by_role = memory("I like tea").model_copy(update={"speaker": "user"})

    assert summary_text([told, by_role]) == (
        "Context: [29 December, 2025] Bob: I moved in the week of 2025-12-22\nContext: I like tea"
    )


def test_a_long_memory_is_represented_by_its_summary_or_its_most_informative_sentences() -> None:
    long = "The crates are red. " * 40

    assert summary_text([memory(long, summary="Red crates")]) == "Context: Red crates"
    assert summary_text([memory(long)]).startswith("Context: The crates are red.")
    assert len(summary_text([memory(long)])) <= LINE_CHARS


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One. Two. Three. Four. Five.", "One. Two. Three."),
        ("One.  Two.\nThree.", "One.  Two.\nThree."),
        ("一。二。三。四。", "一。 二。 三。"),
        ("no marks at all", "no marks at all"),
    ],
)
def test_the_first_three_sentences_stay(text, kept) -> None:
    """F13."""
    assert first_sentences(text) == kept
    assert first_sentences(kept) == kept


def test_lines_use_the_available_length() -> None:
    assert fitting_line_chars(2, 10_000) == LINE_CHARS
    assert fitting_line_chars(10, 1000) == 99
    assert fitting_line_chars(10, 10 * (LEAST_LINE_CHARS + 1)) == LEAST_LINE_CHARS
    assert fitting_line_chars(10, 10 * LEAST_LINE_CHARS) is None


def test_saved_tokens_are_old_tokens_minus_new_ones() -> None:
    """F16."""
    assert CompactionReport(dry_run=True, tokens_before=100, tokens_after=30).tokens_saved == 70


@given(
    st.lists(st.tuples(st.text(min_size=1), st.sampled_from(list(MemoryType))), min_size=1, max_size=20),
    st.integers(LEAST_LINE_CHARS, LINE_CHARS),
)
def test_any_memories_have_a_line_each_that_fits(contents, line_chars) -> None:
    memories = [memory(content, type_=type_) for content, type_ in contents]

    lines = summary_text(memories, line_chars=line_chars).split("\n")

    assert len(lines) == len(memories)
    assert all(len(line) <= line_chars for line in lines)
    assert all(line.startswith(f"{type_}: ") for line, (_, type_) in zip(lines, contents, strict=True))


WORDY = st.tuples(st.text(min_size=1, max_size=9), st.integers(1, 90)).map(lambda made: made[0] * made[1])


@given(st.lists(WORDY, max_size=20), st.integers(LEAST_LINE_CHARS, LINE_CHARS))
def test_a_summary_never_has_more_tokens_than_its_sources(contents, line_chars) -> None:
    """F16."""
    lined = shrinking([memory(content) for content in contents], line_chars)

    before = sum(estimate_tokens(each.content) for each, _ in lined)
    assert estimate_tokens("\n".join(line for _, line in lined)) <= before
    assert len(lined) == 0 or estimate_tokens("\n".join(line for _, line in lined)) < before


@given(st.lists(st.text(), max_size=9))
def test_a_text_is_shortened_only_if_that_saves_tokens(texts) -> None:
    """F13, F16."""
    for text, cut in zip(texts, shortened(texts), strict=True):
        assert cut == text or (cut == first_sentences(text) and estimate_tokens(cut) < estimate_tokens(text))


@pytest.mark.parametrize("new_id", [new_memory_id, new_uuid])
def test_generated_ids_do_not_prevent_compaction(new_id) -> None:
    assert may_be_compacted(memory("likes tea").model_copy(update={"id": new_id()}))


def test_a_derived_key_does_not_prevent_compaction() -> None:
    """Issue 35 (14): nobody chose the key; it is stored as derived, for memories of any source."""
    keyed = {"id": new_memory_id(), "key": "preference:tea", "key_is_derived": True}
    assert may_be_compacted(memory("likes tea").model_copy(update=keyed))


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "note-7"},
        {"key": "diet"},
        {"importance": 0.9},
        {"metadata": {"pinned": True}},
        {"tags": ("house", "pinned")},
        {"tags": ("Pinned:rules",)},
        {"tags": ("langgraph/users/ada",)},
    ],
    ids=str,
)
def test_keyed_and_pinned_memories_may_not_be_compacted(fields) -> None:
    """F13, F14."""
    assert not may_be_compacted(memory("likes tea").model_copy(update={"id": new_memory_id(), **fields}))


def test_a_tag_beginning_like_pinned_does_not_prevent_compaction() -> None:
    tagged = {"id": new_memory_id(), "tags": ("pinned-board",)}
    assert may_be_compacted(memory("likes tea").model_copy(update=tagged))


@given(st.text())
def test_cutting_a_text_again_changes_nothing(text) -> None:
    """N6."""
    assert first_sentences(first_sentences(text)) == first_sentences(text)
