"""Choosing what a text has worth remembering, by rules or from a language model's answer."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.distillation.choosing import (
    WrittenMemories,
    WrittenMemory,
    chosen,
    distilled_from,
    instructions,
    prompt_for,
)
from graph.conversations.distillation.models import Distillation, Distilled, DistillSource
from graph.memories.policy import SourceType

AT = datetime(2026, 1, 1, tzinfo=UTC)
REPORT = (
    "The search took four seconds and read nine pages. We decided to keep the blue crates for the winter. "
    "Is that cheaper? The root cause of the delay is the narrow gate at the north side. Thanks."
)


def pending(text: str, source: DistillSource = DistillSource.TOOL, **fields) -> Distillation:
    return Distillation(
        id="dst_1", workspace_id="w", source=source, text=text, api_key_id="key_1", created_at=AT, is_wanted=True,
        **fields,
    )  # fmt: skip


def written(content: str, confidence: float = 0.9, **fields) -> WrittenMemory:
    return WrittenMemory(**{"content": content, "summary": "crates", "confidence": confidence, **fields})


def test_only_decisions_and_conclusions_of_a_tools_result_are_kept() -> None:
    """D3: without a language model, figures and questions of a call become no memories."""
    assert chosen(pending(REPORT)) == [
        Distilled(content="We decided to keep the blue crates for the winter."),
        Distilled(content="The root cause of the delay is the narrow gate at the north side."),
    ]


@pytest.mark.parametrize("source", [DistillSource.TOOL, DistillSource.ANSWER])
def test_first_and_second_person_sentences_are_skipped(source) -> None:
    """D3, A9: on its own such a sentence would read as the user's."""
    text = "I decided to sell the crates. You prefer tea to coffee. 我喜欢喝绿茶。We decided to keep the blue crates."

    assert [each.content for each in chosen(pending(text, source))] == ["We decided to keep the blue crates."]


@pytest.mark.parametrize(
    "text",
    ['{"rows": [1, 2], "note": "we decided to keep all of it"}', "ok", "", "Nine pages were read in all."],
)
def test_output_for_programs_is_skipped(text) -> None:
    assert chosen(pending(text)) == []


@pytest.mark.parametrize(
    "source", [DistillSource.DEEP_THINK, DistillSource.RESEARCH, DistillSource.COMPACTION]
)
def test_each_conclusion_of_research_becomes_a_memory(source) -> None:
    """D4: a repeated conclusion is one memory; a summary would be no shorter (issue 35.25)."""
    found = chosen(pending(" ".join([REPORT] * 3), source))

    assert [each.content for each in found] == [
        "The search took four seconds and read nine pages.",
        "We decided to keep the blue crates for the winter.",
        "The root cause of the delay is the narrow gate at the north side.",
    ]
    assert [each.summary for each in found] == [None, None, None]


def test_only_certain_facts_of_a_model_are_kept() -> None:
    """D28: at most a few, of bounded length."""
    answer = WrittenMemories(
        memories=[
            written(" Uses blue crates \n", category="fact"),
            written("maybe", 0.5),
            written(" "),
            *(written(f"{number} " + "x" * 999, summary="") for number in range(9)),
        ]
    )

    found = distilled_from(answer)

    assert found[0] == Distilled(
        content="Uses blue crates", summary="crates", category="fact", confidence=0.9
    )
    assert [len(each.content) for each in found] == [16, 500, 500, 500, 500]
    assert found[1].summary is None


def test_long_facts_of_a_model_are_cut_at_sentences() -> None:
    """D28: a cut within a sentence changed its meaning."""
    whole = "The service runs in two regions and is deployed by the night crew"
    long = ", ".join(["with the approval of the lead"] * 16)

    (found,) = distilled_from(WrittenMemories(memories=[written(f"{whole}. It is never stopped {long}.")]))

    assert found.content == f"{whole}."
    (listed,) = distilled_from(WrittenMemories(memories=[written("Servers:\n- atlas\n- bodega")]))
    assert listed.content == "Servers:\n- atlas\n- bodega"


def test_the_model_reads_the_text_as_data() -> None:
    """D28: with its date, from which "tomorrow" becomes a date."""
    assert json.loads(prompt_for(pending("a text", DistillSource.RESEARCH))) == {
        "brought_by": "research",
        "date": "2026-01-01 UTC",
        "text": "a text",
    }
    assert "Write a relative time as the date that it means" in instructions(DistillSource.RESEARCH)


def test_the_model_keeps_relative_times_of_a_tools_result() -> None:
    """D28, issue 35: otherwise "tomorrow" on last year's page would mean the day after the fetch."""
    assert json.loads(prompt_for(pending("a text", tool_name="web_search"))) == {
        "brought_by": "web_search",
        "text": "a text",
    }
    told = instructions(DistillSource.TOOL)
    assert "Keep a relative time" in told
    assert "Write a relative time" not in told


@pytest.mark.parametrize(
    ("source", "saved_as"),
    [
        (DistillSource.TOOL, SourceType.MODEL),
        (DistillSource.ANSWER, SourceType.MODEL),
        (DistillSource.DEEP_THINK, SourceType.AUTO_DEEP_THINK),
        (DistillSource.RESEARCH, SourceType.AUTO_RESEARCH),
        (DistillSource.COMPACTION, SourceType.AUTO_COMPACTION),
    ],
)
def test_memories_name_their_source(source, saved_as) -> None:
    """A9, D3, D4."""
    assert source.source_type is saved_as


@given(st.text(), st.sampled_from(list(DistillSource)))
def test_any_text_gives_few_bounded_statements(text, source) -> None:
    found = chosen(pending(text, source))

    assert len(found) <= 5
    assert all(each.content.strip() and len(each.content) <= 500 for each in found)
