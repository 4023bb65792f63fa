"""Makes values storable: removes NUL bytes, lone surrogates and infinite numbers, and truncates; reports changes."""

import math
import re
from typing import Any

from graph.memories.policy import MOST_TURN_CHARS, cut_turn, is_cut

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_DEPTH = 64


class TooDeepError(ValueError):
    """Raised when a JSON value nests deeper than the service would take."""


class Scrubber:
    """Cleans the values of one record and collects its changes, each kind once."""

    def __init__(self) -> None:
        self._changes: dict[str, None] = {}

    @property
    def changes(self) -> list[str]:
        """Changes so far, in order."""
        return list(self._changes)

    def scrub(self, value: Any, depth: int = 0) -> Any:
        """Return the JSON value with every string in it, object names included, made storable.

        Raises:
            TooDeepError: The value nests deeper than 64 levels.
        """
        if depth > _MAX_DEPTH:
            raise TooDeepError(f"nests deeper than {_MAX_DEPTH} levels")
        if isinstance(value, str):
            return self._scrub_text(value)
        if isinstance(value, float) and not math.isfinite(value):
            self._changes["numbers that are not finite left out"] = None
            return None
        if isinstance(value, list):
            return [self.scrub(each, depth + 1) for each in value]
        if isinstance(value, dict):
            return {self._scrub_text(name): self.scrub(each, depth + 1) for name, each in value.items()}
        return value

    def cut(self, text: str, max_chars: int) -> str:
        """Return the first ``max_chars`` characters."""
        if len(text) <= max_chars or is_cut(text):
            return text
        self._changes[f"content cut to {max_chars} characters"] = None
        return text[:max_chars]

    def cut_turn(self, text: str, max_chars: int) -> str:
        """Return the beginning and the end of a turn that is longer than ``max_chars``."""
        kept = cut_turn(text.strip()) if len(text) > max_chars else text
        if is_cut(kept) and not is_cut(text):
            self._changes[f"content cut to its first and last {MOST_TURN_CHARS // 2} characters"] = None
        return self.cut(kept, max_chars)

    def _scrub_text(self, text: str) -> str:
        if "\0" in text:
            self._changes["NUL bytes removed"] = None
            text = text.replace("\0", "")
        if _LONE_SURROGATE.search(text):
            self._changes["lone surrogates replaced"] = None
            text = _LONE_SURROGATE.sub("\ufffd", text)
        return text
