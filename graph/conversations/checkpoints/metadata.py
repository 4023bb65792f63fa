"""What metadata are found by: a list of pairs, since the graph has no index over the fields of JSON text."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

_MOST_CHARS: Final = 200
"""A longer value is found by its hash."""


def pairs_of(metadata: Mapping[str, Any]) -> list[str]:
    """Return a text for each name and value; equal values give equal texts, and null gives none."""
    return [
        beginning_of(name) + _value_text(value) + "]" for name, value in metadata.items() if value is not None
    ]


def beginning_of(name: str) -> str:
    """Return how the text of a pair of this name begins, and of no other."""
    return json.dumps([name], ensure_ascii=False)[:-1] + ","


def _value_text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # 1.0 and 1 are the same number
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text if len(text) <= _MOST_CHARS else hashlib.sha256(text.encode()).hexdigest()
