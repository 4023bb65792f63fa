"""The page of decisions, which names existing places."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "contributing" / "decisions.md"


def test_every_path_in_the_decisions_exists() -> None:
    rows = re.findall(r"^\| .* \| .* \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    places = {place for row in rows for place in re.findall(r"`([^` ]+)`", row)}

    assert places
    assert [place for place in sorted(places) if not (ROOT / place).exists()] == []
