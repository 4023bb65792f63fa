"""Words and brackets of a query's code, for checks of its structure."""

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cypher.masking import mask

_TOKEN = re.compile(r"\$?[^\W\d]\w*|\d\w*|\S")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_ARROW = re.compile(r"<?-(?:\[\])?->?")


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of token positions."""

    start: int
    end: int

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.end))

    def __len__(self) -> int:
        return max(0, self.end - self.start)


class Tokens:
    """The tokens of one text: names, ``$parameters``, numbers and single signs; immutable."""

    def __init__(self, words: list[str], lines: list[int]) -> None:
        self._words = words
        self._lines = lines
        self._closing = _pair_up(words)

    @classmethod
    def of(cls, text: str) -> "Tokens":
        """Split a text, omitting its comments and the contents of its strings.

        Raises:
            ValueError: Its brackets do not match.
        """
        code = mask(text)
        breaks = [match.start() for match in re.finditer("\n", code)]
        matches = list(_TOKEN.finditer(code))
        lines = [bisect.bisect(breaks, match.start()) + 1 for match in matches]
        return cls([match.group() for match in matches], lines)

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, index: int) -> str:
        return self._words[index] if index < len(self._words) else ""

    def upper(self, index: int) -> str:
        """Return a token in upper case, as keywords are compared."""
        return self[index].upper()

    def words(self, span: Span) -> list[str]:
        """Return the tokens of a span in upper case."""
        return [self.upper(index) for index in span]

    def line(self, index: int) -> int:
        """Return the line of a token, counted from 1."""
        return self._lines[min(index, len(self._lines) - 1)] if self._lines else 1

    def is_name(self, index: int) -> bool:
        """Tell whether a token is a keyword, variable, label or function name."""
        return self[index].isidentifier()

    def closing(self, index: int) -> int:
        """Return the position of the bracket that closes the one at ``index``."""
        return self._closing[index]

    def inside(self, index: int) -> Span:
        """Return the span between the bracket at ``index`` and its closing one."""
        return Span(index + 1, self._closing[index])

    def top_level(self, span: Span) -> Iterator[int]:
        """Yield the positions of a span outside its brackets, opening brackets included."""
        index = span.start
        while index < span.end:
            yield index
            index = self._closing.get(index, index) + 1

    def find(self, word: str, span: Span) -> int:
        """Return the first top-level position of an upper-case word or sign, or the span's end."""
        return next((index for index in self.top_level(span) if self.upper(index) == word), span.end)

    def split(self, span: Span, separator: str) -> Iterator[Span]:
        """Yield the parts of a span between its top-level separators; nothing for an empty span."""
        start = span.start
        for index in self.top_level(span):
            if self.upper(index) == separator:
                yield Span(start, index)
                start = index + 1
        if start < span.end:
            yield Span(start, span.end)

    def condition(self, span: Span, end: str | None = None) -> Span:
        """Return the condition after the span's ``WHERE`` up to an ending word; empty if there is none."""
        start = min(self.find("WHERE", span) + 1, span.end)
        return Span(start, self.find(end, Span(start, span.end)) if end else span.end)

    def path_end(self, index: int) -> int | None:
        """Return the end of the path that begins with the node at ``index``; None if no hop follows."""
        end = self._closing[index] + 1
        while (hop := self._hop_end(end)) is not None:
            end = hop
        return end if end > self._closing[index] + 1 else None

    def _hop_end(self, start: int) -> int | None:
        """Return the end of ``-[…]->(…)`` at ``start``, including a quantifier after the arrow."""
        signs = ""
        index = start
        while self[index] in ("<", "-", ">", "["):
            signs += "[]" if self[index] == "[" else self[index]
            index = self._closing.get(index, index) + 1
        if not _ARROW.fullmatch(signs):
            return None
        if self[index] in ("{", "+", "*"):
            index = self._closing.get(index, index) + 1
        return self._closing[index] + 1 if self[index] == "(" else None


def _pair_up(words: list[str]) -> dict[int, int]:
    open_ones: list[int] = []
    closing: dict[int, int] = {}
    for index, word in enumerate(words):
        if word in _BRACKETS:
            open_ones.append(index)
        elif word in _BRACKETS.values():
            if not open_ones or _BRACKETS[words[open_ones[-1]]] != word:
                raise ValueError(f"unmatched {word!r}")
            closing[open_ones.pop()] = index
    if open_ones:
        raise ValueError(f"unmatched {words[open_ones[-1]]!r}")
    return closing
