"""Warnings (A4, A13, A43) and hints (E3) about memories, which are saved regardless."""

import pytest

from graph.memories.models import MemoryDraft, MemoryType
from graph.memories.saving.preparing import quality_warnings, suggested_associations


def warnings(content, **fields):
    return quality_warnings(MemoryDraft(content=content, **fields))


@pytest.mark.parametrize(
    ("content", "beginning"),
    [
        ("ok", "content is very short"),
        ("Fixed a typo in the readme.", "content looks like a trivial edit"),
        ("[DECISION] Use PostgreSQL for all services", "content begins with a type prefix"),
        ("Preference: dark mode in every editor", "content begins with a type prefix"),
        ("Traceback (most recent call last): ZeroDivisionError", "content looks like debug output"),
        ("2026-11-21 01:00:00 ERROR worker died again today", "content looks like debug output"),
        ("word " * 101, "content has 505 characters"),
    ],
)
def test_a_weak_memory_is_warned_about(content, beginning):
    (warning,) = warnings(content)

    assert warning.startswith(beginning)


@pytest.mark.parametrize(
    "content",
    [
        "Ada prefers tabs over spaces in Python, because she can set their width herself",
        "The decision to use PostgreSQL was made in March",
        "用户喜欢在早上喝绿茶而不是咖啡",
        "Fixed a race in the worker: two leases overlapped when the clock was moved back",
    ],
)
def test_an_ordinary_memory_gets_no_warning(content):
    assert warnings(content) == []


def test_an_untypical_importance_is_reported_and_kept():
    """A13."""
    (warning,) = warnings("We use PostgreSQL for everything", type=MemoryType.DECISION, importance=0.2)

    assert warning == "importance 0.2 is unusual for type Decision: 0.9 to 1.0 is typical"
    assert warnings("We use PostgreSQL for everything", type=MemoryType.DECISION, importance=0.8) == []
    assert warnings("We use PostgreSQL for everything", importance=0.2) == []


def test_a_turn_is_stored_unchanged():
    assert warnings("ok", source_conversation_id="c") == []


@pytest.mark.parametrize(
    ("type_", "content", "expected"),
    [
        (MemoryType.CONTEXT, "Bob no longer works at Acme", ["INVALIDATED_BY"]),
        (MemoryType.INSIGHT, "The bug came from a stale cache", ["DERIVED_FROM"]),
        (MemoryType.DECISION, "Use PostgreSQL", ["PREFERS_OVER"]),
        (MemoryType.CONTEXT, "The API was migrated to GraphQL", ["EVOLVED_INTO"]),
        (MemoryType.CONTEXT, "The office is in Oslo", []),
    ],
)
def test_likely_associations_are_suggested(type_, content, expected):
    """E3."""
    assert suggested_associations(type_, content) == expected
