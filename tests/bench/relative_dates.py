"""Rate at which a relative time becomes the date that it means, with the same granularity."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from graph.memories.changes.relative_times import made_absolute
from tests.bench.results import Table, against

_SETS = Path(__file__).with_name("sets") / "relative_dates"
_LEAST = 0.9


def measure_relative_dates(half: str) -> list[Table]:
    """Return the share of right dates by language and half, and the wrong ones as details.

    Args:
        half: ``a``, ``b`` or ``all``; the rules were written with half a only.
    """
    shares = Table(
        "exactly right, with no other time in the text", ("language", "half", "sentences", "right", "target")
    )
    wrong = Table("wrong", ("id", "text", "expected", "found"), is_detail=True)
    for language in ("en", "zh"):
        for each in "ab" if half == "all" else half:
            cases = list(_cases(language, each))
            missed = [(case, found) for case in cases if (found := _found(case)) != [_expected(case)]]
            share = 1 - len(missed) / len(cases)
            shares.rows.append([language, each, str(len(cases)), f"{share:.3f}", against(share, _LEAST)])
            wrong.rows.extend(
                [case["id"], case["text"], str(_expected(case)), str(found)] for case, found in missed
            )
    return [shares, wrong]


def _cases(language: str, half: str) -> Iterator[Mapping[str, Any]]:
    for line in (_SETS / f"relative-dates-{language}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["half"] == half:
            yield case


def _expected(case: Mapping[str, Any]) -> tuple[str, ...]:
    return case["granularity"], case["from"], case["to"]


def _found(case: Mapping[str, Any]) -> Sequence[tuple[str, ...] | None]:
    times = made_absolute(case["text"], date.fromisoformat(case["said_at"])).times
    return [
        (time.span.granularity, str(time.span.first), str(time.span.last)) if time.span else None
        for time in times
    ]
