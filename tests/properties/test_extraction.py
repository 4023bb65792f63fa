"""Fact extraction from any text."""

from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.capture.models import MessageRole
from graph.conversations.capture.statements import without_injected
from graph.conversations.extraction.facts import LONGEST, SHORTEST, fact_key
from graph.conversations.extraction.reading import facts_in_message
from graph.conversations.extraction.reference_form import MAX_EXTRACTION_TEXT_LENGTH, extract_facts

_BEGINNINGS = st.sampled_from(
    [
        "I prefer ",
        "I don't like ",
        "I'll use ",
        "I always ",
        "I live in ",
        "My wife ",
        "我喜欢",
        "我住在",
        "Translate: ",
        "> ",
    ]
)
_PIECES = st.one_of(
    _BEGINNINGS, st.text(max_size=12), st.sampled_from([". ", ", ", "\n", "?", "。", "```", '"', "---\n"])
)
TEXTS = st.lists(_PIECES, max_size=30).map("".join)
ROLES = st.sampled_from([None, *MessageRole])
LINES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=60).map(
    lambda line: line or "x"
)


@given(TEXTS)
def test_the_reference_finds_distinct_facts_of_bearable_length(text: str) -> None:
    """D15, D19: and extraction is deterministic."""
    facts = extract_facts(text)

    assert facts == extract_facts(text)
    assert len({fact.key for fact in facts}) == len(facts)
    for fact in facts:
        assert fact.object is not None
        assert SHORTEST <= len(fact.object) <= LONGEST
        assert fact.object == " ".join(fact.object.split())
        assert fact.key == fact_key(fact.category, fact.object)
        assert fact.key == fact.key.lower()


@given(TEXTS)
def test_text_before_the_last_64_kib_is_ignored(text: str) -> None:
    """D17."""
    padded = f"{text:>{MAX_EXTRACTION_TEXT_LENGTH}}"

    assert extract_facts("I prefer what is cut. " + padded) == extract_facts(padded)


@given(TEXTS, ROLES, st.sampled_from([None, "user", "Ada"]))
def test_any_message_can_be_read(text: str, role: MessageRole | None, speaker: str | None) -> None:
    """D15, D25: each fact has a valid memory key, and keys are distinct."""
    facts = facts_in_message(text, role=role, speaker=speaker)

    assert len({fact.key for fact in facts}) == len(facts)
    for fact in facts:
        assert SHORTEST <= len(fact.object or fact.content) <= LONGEST
        assert fact.content == " ".join(fact.content.split())
        assert len(fact.key) <= 512
        assert 0 < fact.confidence <= 1
        assert all(word.strip() for word in fact.keywords)


@given(st.lists(LINES, min_size=1, max_size=5), TEXTS)
def test_an_injected_block_is_never_read(lines: list[str], text: str) -> None:
    """D22: extraction ignores the memories in the block and reads the message around it."""
    suffix = "\n".join(
        [
            "---",
            f"[MemoryX Context · {len(lines)} memories]",
            *(f"- [preference·Mar] {line}" for line in lines),
            "(Above is user background info. Answer the question directly; refer to context only when relevant.)",
            "---",
        ]
    )
    message = "Memory context: " + "\n".join(f"I prefer {line}" for line in lines)

    for block in (suffix, message):
        assert without_injected(block).strip() == ""
        whole = facts_in_message(f"{block}\n\nI walk to work.", role=MessageRole.USER, speaker=None)
        assert [fact.content for fact in whole] == ["The user walks to work"]
