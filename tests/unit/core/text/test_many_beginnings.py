"""Blocks that open repeatedly and never close: no opening scans the rest of the text again."""

import re
from re import _constants as codes
from re import _parser as parser
from typing import Any

from tests.unit.core.text.test_linear_time import LONGEST_READ, found_patterns, grows, used

FEWEST_CHARS, MOST_BEGINNINGS = 20, 6
SHORT, LONG = 16_000, 128_000
UNNOTICED_SECONDS = 0.01


def beginnings_of(pattern: re.Pattern[Any]) -> list[str]:
    """Return the longest texts with which matches begin, up to a repetition."""
    found: set[str] = set()

    def of(tree: Any, before: str) -> str:
        for code, value in tree:
            if code is codes.LITERAL:
                before += chr(value)
            elif code is codes.SUBPATTERN:
                before = of(value[3], before)
            elif code is codes.ATOMIC_GROUP:
                before = of(value, before)
            elif code is codes.BRANCH:
                before = max((of(each, before) for each in value[1]), key=len)
            elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
                found.add(before)
                inner = of(value[2], before)
                before = inner if value[0] else before
        found.add(before)
        return before

    of(parser.parse(pattern.pattern, pattern.flags), "")
    long_enough = [each for each in found if len(each) >= FEWEST_CHARS]
    return sorted(long_enough, key=lambda each: (len(each), each))[-MOST_BEGINNINGS:]


def test_repeated_openings_take_linear_time() -> None:
    """C16: a block that opens repeatedly and never closes, in texts of up to 128,000 characters."""
    slow = []
    for pattern, (name, searched) in found_patterns().items():
        if not searched or isinstance(pattern.pattern, bytes) or name.startswith(tuple(LONGEST_READ)):
            continue
        work = used(pattern, searched=True)
        for begun in beginnings_of(pattern):
            for unit in (begun, f"{begun}\n"):
                texts = [unit * (LONG // len(unit)), unit * (SHORT // len(unit))]
                if all(grows(work, texts, UNNOTICED_SECONDS, times=times) for times in (2, 5)):
                    slow.append((name, pattern.pattern[:80], unit[-60:]))

    assert slow == []
