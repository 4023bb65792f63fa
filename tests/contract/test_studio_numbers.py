"""The defaults and limits of the Studio's forms, equal in TypeScript and Python."""

import re
from pathlib import Path

import pytest

from graph.conversations.distillation.service import LEAST_CHARS
from graph.conversations.episodes.service import (
    DEFAULT_MAX_AGE_DAYS,
    DEFAULT_RETAIN_LAST,
    MOST_AGE_DAYS,
    MOST_RETAINED,
)
from graph.core.text.budget import MOST_TOKENS
from graph.tenancy.settings import MOST_RETENTION_DAYS, MOST_TOKENS_SET

SOURCES = Path(__file__).parents[2] / "app" / "studio" / "src"


@pytest.mark.parametrize(
    ("source", "constants"),
    [
        (
            "conversations/Episodes.tsx",
            {"USUAL": [DEFAULT_RETAIN_LAST, DEFAULT_MAX_AGE_DAYS], "MOST": [MOST_RETAINED, MOST_AGE_DAYS]},
        ),
        ("conversations/Distil.tsx", {"FEWEST": [LEAST_CHARS]}),
        ("settings/SettingsForm.tsx", {"MOST_TOKENS": [MOST_TOKENS_SET], "MOST_DAYS": [MOST_RETENTION_DAYS]}),
        ("playground/simulation.ts", {"MOST_TOKENS": [MOST_TOKENS]}),
    ],
)
def test_numbers_are_the_same_in_typescript(source: str, constants: dict[str, list[int]]) -> None:
    text = (SOURCES / source).read_text(encoding="utf-8")

    found = {
        name: numbers_in(value) for name, value in re.findall(r"^const (\w+) = ([^;]+);", text, re.MULTILINE)
    }
    assert {name: found.get(name) for name in constants} == constants


def numbers_in(value: str) -> list[int]:
    return [int(number.replace("_", "")) for number in re.findall(r"(?<!\w)\d[\d_]*", value)]
