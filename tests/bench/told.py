"""Rates at which extraction keeps statements, passing remarks and fiction.

The sets in ``sets/told`` were written before the rules. The rules were widened by half a of
``messages``; half b was opened once, at the end.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.models import ExtractionPolicy
from graph.conversations.extraction.reading import facts_in_message
from tests.bench.results import Table, against

_SETS = Path(__file__).with_name("sets") / "told"
_POLICY = ExtractionPolicy()
Row = Mapping[str, Any]
_READ = ("en", "zh")
_MOST_NEGATIVES, _LEAST_FOUND = 0.03, 0.9


def measure_told(half: str) -> list[Table]:
    """Return the rates of messages kept automatically, and of fiction kept at any confidence."""
    facts, fiction, messages = (_load(name, half) for name in ("facts", "fiction", "messages"))
    negatives, positives = _parted(facts, lambda each: not each["is_fact"])
    invented, beside = _parted(fiction, lambda each: each["is_fiction"])
    remarks, statements = _parted(messages, lambda each: not each["is_fact"])
    stated = [each for each in beside if each["lang"] in _READ]
    unread = [each for each in beside if each["lang"] not in _READ]
    rows = [
        _row("negatives kept automatically", negatives, _automatic, _MOST_NEGATIVES, at_most=True),
        _row("facts found", positives, _automatic, _LEAST_FOUND),
        _row(
            "remarks of everyday messages kept automatically",
            remarks,
            _automatic,
            _MOST_NEGATIVES,
            at_most=True,
        ),
        _row("facts of everyday messages found", statements, _automatic, _LEAST_FOUND),
        _row("fiction kept, however unsure", [*invented, *beside], _kept_invented, 0.0, at_most=True),
        _row("facts found beside fiction", stated, _automatic, _LEAST_FOUND),
        _row("the same, in languages without rules", unread, _automatic, None),
    ]
    note = "A message counts as found where one fact of it is sure enough to be kept automatically."
    return [
        Table(
            f"Statements, passing remarks and fiction: half {half}",
            ("what", "messages", "kept", "share", "target"),
            rows,
            note,
        )
    ]


def _load(name: str, half: str) -> list[Row]:
    lines = (_SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [each for each in map(json.loads, lines) if half in (each["half"], "all")]


def _parted(rows: Sequence[Row], is_first: Callable[[Row], bool]) -> tuple[list[Row], list[Row]]:
    return [each for each in rows if is_first(each)], [each for each in rows if not is_first(each)]


def _automatic(row: Row) -> bool:
    facts = facts_in_message(row["text"], role=MessageRole.USER, speaker=None)
    return any(fact.confidence >= _POLICY.least_confidence for fact in facts)


def _kept_invented(row: Row) -> bool:
    """Tell whether fiction is kept: any fact of a fictional message, else one with a ``must_not`` phrase."""
    facts = facts_in_message(row["text"], role=MessageRole.USER, speaker=None)
    kept = [fact.content for fact in facts if fact.confidence >= _POLICY.least_confidence_on_request]
    return (
        bool(kept) if row["is_fiction"] else any(words in text for words in row["must_not"] for text in kept)
    )


def _row(
    name: str,
    rows: Sequence[Row],
    is_kept: Callable[[Row], bool],
    target: float | None,
    *,
    at_most: bool = False,
) -> list[str]:
    kept = sum(map(is_kept, rows))
    share = kept / len(rows) if rows else 0.0
    return [name, str(len(rows)), str(kept), f"{share:.3f}", against(share, target, at_most=at_most)]
