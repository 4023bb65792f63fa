"""Detection of changes: share of the hand-written pairs in ``sets`` whose older statement the rules close.

A pair is an older and a newer text, each with the day on which it was said. Some pairs are changes in other
words, others only look like changes. The rules were written with half a.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from graph.memories.changes.statements import closes, slot_statements
from tests.bench.results import Table, against

HALVES = ("a", "b", "all")
_FOLDER = Path(__file__).with_name("sets") / "changes"
_LANGUAGES = {"en": "English", "zh": "Chinese"}
_WANTED = 0.9
_OLDER_ON, _NEWER_ON = "2025-06-01", "2026-03-05"


def measure_changes(half: str) -> list[Table]:
    """Return the numbers of pairs that the rules close, among changes and among other pairs."""
    table = Table(f"changes, half {half}", ["set", "pairs", "closed", "target"])
    missed: list[Sequence[str]] = []
    for code, language in _LANGUAGES.items():
        sets = [
            ("changes", True, list(_pairs(f"changes-{code}", half))),
            ("no-changes", False, list(_pairs(f"no-changes-{code}", half))),
            ("more changes", True, list(_pairs(f"more-changes-{code}", half))),
            ("more no-changes", False, list(_pairs(f"more-no-changes-{code}", half))),
            ("pairs", True, list(_short_pairs(code, half, is_change=True))),
            ("pairs that look alike", False, list(_short_pairs(code, half, is_change=False))),
        ]
        for name, is_change, pairs in sets:
            if not pairs:
                continue
            closed = [pair for pair in pairs if _is_closed(pair)]
            target = (
                against(len(closed) / len(pairs), _WANTED)
                if is_change
                else against(len(closed), 0, at_most=True)
            )
            table.rows.append([f"{language}: {name}", str(len(pairs)), str(len(closed)), target])
            missed += [[pair["id"]] for pair in pairs if (pair in closed) != is_change]
    return [table, Table("read wrongly", ["pair"], missed, is_detail=True)]


def _pairs(name: str, half: str) -> Iterator[Mapping[str, Any]]:
    for line in (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        if half in {"all", pair["half"]}:
            yield pair


def _short_pairs(code: str, half: str, *, is_change: bool) -> Iterator[Mapping[str, Any]]:
    """Yield the pairs in short form, which all belong to half a."""
    older = ""
    lines = (_FOLDER / f"pairs-{code}.txt").read_text(encoding="utf-8").splitlines()
    for line in () if half == "b" else lines:
        mark, _, text = line.partition(" ")
        if mark == "O":
            older = text.partition(" | ")[2]
        elif mark == ("+" if is_change else "-"):
            yield {
                "id": f"{older} | {text}",
                "older": {"said_at": _OLDER_ON, "text": older},
                "newer": {"said_at": _NEWER_ON, "text": text},
            }


def _is_closed(pair: Mapping[str, Any]) -> bool:
    """Tell whether the newer text closes the older one, which requires the same user and a later day."""
    older_on, newer_on = (date.fromisoformat(pair[each]["said_at"]) for each in ("older", "newer"))
    if newer_on <= older_on or "newer_speaker" in pair:
        return False
    olders = slot_statements(pair["older"]["text"], stated_on=older_on)
    newers = slot_statements(pair["newer"]["text"], stated_on=newer_on)
    return any(closes(newer, older, older_stated_on=older_on) for newer in newers for older in olders)
