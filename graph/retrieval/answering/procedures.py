"""Reads sections of texts with their steps, and compares their headings with questions for a procedure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.core.text.language import HAN, contains_cjk, content_words, sentences
from graph.core.text.normal_forms import simplified
from graph.retrieval.answering.coverage import Required, held, required
from graph.retrieval.recall.parsed_query import ParsedQuery

_MOST_SECTION_CHARS = 2000  # as the longest chunk
_MOST_HEADING_CHARS = 150
_UNMARKED = 7  # level of a heading without marks, below the six levels of Markdown
PATH_SEPARATOR = " \u203a "
"""Separator of headings in one line, as in ``graph.knowledge.documents.chunking``."""
_MARKDOWN_HEADING = re.compile(r"(#{1,6})\s(.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_STEP = re.compile(r"(?i)(?:step )?(\d{1,2})[.):\u3001\uff0e\uff1a](?!\d)\s*\S")
_BARE_NUMBER = re.compile(r"(?m)^([ \t]*\d{1,2}[.)\u3001])\n(?=\S)")  # chunks are also split behind a number
_BULLET = re.compile(r"[-*\u2022]\s+\S")
# "1. Stop it. 2. Wait.": steps in one line.
_NEXT_STEP = re.compile(r"(?<=[.!?;\u3002\uff01\uff1f\uff1b])\s*(?=\d{1,2}[.)\u3001](?!\d)\s*\S)")
# List items with a heading of their own.
_LED_ITEM = re.compile(
    r"[-*\u2022]\s+(?:\*\*)?(.{2,80}?)(?:\*\*)?(?::\s|\uff1a|\s[\u2013\u2014]\s)(?:\*\*)?(.+)"
)
_SENTENCE_ENDS = (".", "!", "?", ",", ";", "\u3002", "\uff01", "\uff1f", "\uff0c", "\uff1b")
# Words that only announce a procedure in its heading.
_FRAME = re.compile(
    r"(?i)\b(?:how to|steps|procedure|process|instructions?|guide|runbook)\b|"
    r"步骤|流程|方法|指南|手册|操作|怎么|如何|怎样"
)
# "Restart the cache in production": the object is in front of the preposition.
_BEHIND_OBJECT = re.compile(
    r"(?i)(?<=\w)\s+(?:in|on|at|for|with|from|to|after|before|when|if|by|via|using|during|without)\b.*"
)
_HAN_RUN = re.compile(f"[{HAN}]+")
_HAN_HEAD = 2  # characters of most Chinese words


@dataclass(frozen=True)
class TextSection:
    """Part of a text below one heading.

    Attributes:
        headings: Headings above it, the outermost first, and its own as the last.
        units: Its steps, list items and sentences, in order.
    """

    headings: tuple[str, ...]
    units: tuple[str, ...]

    @property
    def is_list(self) -> bool:
        """True if it has numbered steps."""
        return any(map(_STEP.match, self.units))

    @property
    def is_whole(self) -> bool:
        """True if no number of a step is missing."""
        numbers = [int(found[1]) for found in map(_STEP.match, self.units) if found]
        return not numbers or (
            numbers[0] == 1 and all(behind in (1, before + 1) for before, behind in pairwise(numbers))
        )

    @property
    def unnumbered(self) -> "TextSection":
        """The section without numbered steps."""
        return TextSection(self.headings, tuple(unit for unit in self.units if not _STEP.match(unit)))

    @property
    def items(self) -> "list[TextSection]":
        """The list items with a heading of their own: "Getting a badge: ask the reception."."""
        found = (_LED_ITEM.match(unit) for unit in self.units)
        return [TextSection((*self.headings, each[1].strip()), (each[2].strip(),)) for each in found if each]

    @property
    def text(self) -> str:
        """Its headings and units in one line; an ellipsis replaces the units beyond 2000 characters."""
        text = f"{self._path}{self.units[0]}"
        for unit in self.units[1:]:
            if len(text) + 1 + len(unit) > _MOST_SECTION_CHARS:
                return f"{text} \u2026"
            text = f"{text} {unit}"
        return text

    @property
    def whole_text(self) -> str:
        """Its headings and units, one unit a line."""
        return self._path + "\n".join(self.units)

    @property
    def _path(self) -> str:
        path = PATH_SEPARATOR.join(self.headings)
        if not path:
            return ""
        return path + ("\uff1a" if contains_cjk(path) else ": ")


def sections_of(text: str, headings: Sequence[str] = ()) -> Iterator[TextSection]:
    """Yield the sections of a text that have more than a heading, in order.

    Headings are lines of Markdown, and short lines before the first step of a list.

    Args:
        text: The text.
        headings: Headings above the text, the outermost first.
    """
    path = [(0, heading) for heading in headings]
    if not path and (first := heading_of(text)) and not text.lstrip().startswith("#"):
        path = [(_UNMARKED, heading) for heading in first.split(PATH_SEPARATOR)]
        text = text.strip().partition("\n")[2]
    lines: list[str] = []
    rows = [row for line in _BARE_NUMBER.sub(r"\1 ", text).split("\n") for row in _NEXT_STEP.split(line)]
    following = _following(rows)
    in_code = False
    for place, row in enumerate(rows):
        is_fence = _FENCE.match(row) is not None
        in_code ^= is_fence
        found = None if in_code or is_fence else _heading(row, following[place], path, lines)
        if found is None:
            lines.append(row)
            continue
        yield from _sections(path, lines)
        path, lines = [*(each for each in path if each[0] < found[0]), found], []
    yield from _sections(path, lines)


def _following(rows: Sequence[str]) -> list[str]:
    """Return for each row the next one with text; empty for the last."""
    found = [""] * len(rows)
    for place in range(len(rows) - 2, -1, -1):
        found[place] = rows[place + 1].strip() or found[place + 1]
    return found


def _heading(
    row: str, following: str, path: Sequence[tuple[int, str]], above: Iterable[str]
) -> tuple[int, str] | None:
    """Return the level and the text of a heading, or None for another line."""
    if found := _MARKDOWN_HEADING.match(row):
        return len(found[1]), found[2].strip().rstrip("# \t")
    line = row.strip().strip("*").strip()
    if not line or len(line) > _MOST_HEADING_CHARS or line.endswith(_SENTENCE_ENDS) or _starts_item(row):
        return None
    in_markdown = any(level < _UNMARKED for level, _ in path)
    # "Follow these steps:" below a heading is no heading, unless another list is between them.
    introduces = bool(path) and line.endswith((":", "\uff1a")) and not any(map(_STEP.match, above))
    step = _STEP.match(following)
    if in_markdown or introduces or step is None or step[1] != "1":
        return None
    return _UNMARKED, line.rstrip(":\uff1a")


def _sections(path: Sequence[tuple[int, str]], lines: Sequence[str]) -> Iterator[TextSection]:
    if units := tuple(_units(lines)):
        yield TextSection(tuple(heading for _, heading in path), units)


def _units(lines: Iterable[str]) -> list[str]:
    """Return steps and list items with their further lines, and the sentences of other lines."""
    units: list[str] = []
    indent: int | None = None  # of the current list
    is_apart = False
    for line in lines:
        plain = " ".join(line.split())
        if not plain:
            is_apart = True
            continue
        own = len(line) - len(line.lstrip())
        if _starts_item(line) and (indent is None or own <= indent):
            indent = own
            units.append(plain)
        elif indent is not None and (own > indent or not is_apart):
            units[-1] = f"{units[-1]} {plain}"
        else:
            indent = None
            units += sentences(plain)
        is_apart = False
    return units


def _starts_item(line: str) -> bool:
    return (_STEP.match(line.strip()) or _BULLET.match(line.strip())) is not None


def heading_of(text: str) -> str:
    r"""Return the first line of a text if it is a heading: short, not a sentence, and set apart from the rest.

    >>> heading_of("Rolling back checkout\n\n1. Run `ship back`."), heading_of("tea\ncoffee")
    ('Rolling back checkout', '')
    """
    first, _, rest = text.strip().partition("\n")
    if len(first) > _MOST_HEADING_CHARS or first.rstrip().endswith(_SENTENCE_ENDS):
        return ""
    is_apart = first.startswith("#") or PATH_SEPARATOR in first or rest.startswith(("\n", "#", "\r\n"))
    return first.lstrip("#").strip() if is_apart and rest.strip() else ""


def without_own_headings(text: str, headings: Sequence[str]) -> str:
    """Remove the headings at the beginning of a chunk's text."""
    lines = text.split("\n")
    while len(lines) > 1 and headings and _is_of_headings(lines[0].strip(), headings):
        del lines[0]
    return "\n".join(lines)


def _is_of_headings(line: str, headings: Sequence[str]) -> bool:
    return not line.strip("=-") or line in headings or _MARKDOWN_HEADING.match(line) is not None


def heading_fit(asked: Required, section: TextSection, title: str) -> float:
    """Return how well a section's heading fits a question for a procedure, 0..1; 0 if it does not fit.

    The heading has the verb of the question; headings above it and the document's title may have other words. The
    heading may have further words, but its object is in the question.

    Args:
        asked: Required words of the question.
        section: The section; without headings, the title is compared.
        title: Title of the document.
    """
    *above, heading = section.headings or (title,)
    # A line above it makes the heading count as a procedure; see ``AnswerType.is_headed``.
    own = held(asked, heading, above="\n")
    whole = held(asked, heading, above="\n".join(("", title, *above)))
    if not (whole.share >= 1.0 and whole.has_names and own.has_verb):
        return 0.0
    plain = _FRAME.sub(" ", heading)
    if not _has_object_of(plain, asked.question):
        return 0.0
    return held(required(ParsedQuery(plain)), asked.question).share


def _has_object_of(heading: str, question: str) -> bool:
    """Tell whether a question has the last word of a heading, which names the object in English and Chinese."""
    if runs := _HAN_RUN.findall(simplified(heading)):
        return runs[-1][-_HAN_HEAD:] in simplified(question)
    left = content_words(_BEHIND_OBJECT.sub("", heading))
    return not left or held(required(ParsedQuery(left[-1])), question).share >= 1.0
