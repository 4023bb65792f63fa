"""Finds possible names of known entities in a text, and decides which occurrences are names.

It compares names normalised by ``graph.knowledge.ontology.names.normalized``, at word boundaries. Of overlapping names
the longer one counts: "New York Times" does not mention New York.
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import regex

from graph.core.text.language import CJK, UNSPACED
from graph.knowledge.linking.kinds import COMMON_WORDS
from graph.knowledge.linking.models import How, Mention, NamedEntity, TextSpan
from graph.knowledge.ontology.names import normalized


class Taken:
    """Occupied parts of one text, as half-open ranges of characters."""

    def __init__(self) -> None:
        # Of overlapping ranges only the one that ends last is kept: the others lie before or inside it.
        self._starts: list[int] = []
        self._ends: dict[int, int] = {}
        self._reach: list[int] = []

    def add(self, stretches: Iterable[tuple[int, int]]) -> None:
        """Occupy ranges, which may overlap each other; one call with many ranges is faster than many calls."""
        for start, end in stretches:
            self._ends[start] = max(end, self._ends.get(start, end))
        self._starts = sorted(self._ends)
        self._reach = []
        reach = 0
        for start in self._starts:
            reach = max(reach, self._ends[start])
            self._reach.append(reach)

    def overlaps(self, start: int, end: int) -> bool:
        """Tell whether a range overlaps an occupied one."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._reach[before - 1] > start


class Apart:
    """Ranges of one text that do not overlap, occupied one by one."""

    def __init__(self) -> None:
        self._stretches: list[tuple[int, int]] = []

    def take(self, start: int, end: int) -> bool:
        """Occupy a range and return True, or return False if an occupied one overlaps it."""
        place = bisect_left(self._stretches, (end, 0))
        if place and self._stretches[place - 1][1] > start:
            return False
        insort(self._stretches, (start, end))
        return True


_TOKEN = re.compile(r"\S+")
_BOUNDS = (
    r"/\\|,;:()\[\]{}<>=\"\u201c\u201d\u00ab\u00bb\u2013\u2014\u2026\u3001\u3002\uff0c\uff1a\uff08\uff09"
)
_ATOM = re.compile(rf"[{CJK}]|[^\s{_BOUNDS}{CJK}]+")
_UNSPACED = regex.compile(UNSPACED)
_ATOM_OR_CLUSTER = regex.compile(rf"[{CJK}]|(?={UNSPACED})\X|[^\s{_BOUNDS}{CJK}{UNSPACED}]+", regex.VERSION1)
_ONE_CHARACTER = regex.compile(rf"[{CJK}]|(?={UNSPACED})\X")
_EDGES = ".,;:!?\"'`*_~()[]{}<>\u201c\u201d\u2018\u2019\u2026\u3002\uff1f\uff01"
_POSSESSIVE = re.compile("['\u2019]s$")
_ENDING = re.compile(
    r"-(?:based|native|like|style|related|specific|driven|powered|compatible|hosted|owned|led|only|first)$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"://|@|[/\\][^/\\]*[/\\]")
_SENTENCE_START = re.compile(r"(?:^|[.!?:#|>\n\u2022\"\u201c(*\-])\s*$")
_MOST_WORDS = 5
_MOST_ATOMS = 8
_MOST_CLUSTERS = 16  # of a script without spaces, where each letter is an atom
_MOST_SPANS = 30_000  # of one text; a turn of 32,000 characters has about that many
_MOST_OF_A_NAME = 5  # mentioned entities for one name, if several entities have it


def spans(text: str) -> list[TextSpan]:
    """Return every sequence of up to five words that may be a name; a single character only if it is a word."""
    return list(_limited(_all_spans(text), _MOST_SPANS))


def keys_of(found: Iterable[TextSpan]) -> list[str]:
    """Return the distinct normalised names of spans."""
    return list(dict.fromkeys(span.key for span in found))


def possible_names(*texts: str, most: int = _MOST_SPANS) -> list[str]:
    """Return the distinct normalised names of a query; common words only with capitals.

    Args:
        *texts: The query or its parts, the most significant first.
        most: Maximum number of names; the rest of a long text is not read.
    """
    keys = (
        span.key
        for text in texts
        for span in _limited(_all_spans(text), _MOST_SPANS)
        if not _is_common(span.key) or _is_marked(text, span)
    )
    return list(islice(_distinct(keys), most))


def mentions_in(
    text: str, found: Sequence[TextSpan], entities: Mapping[str, Sequence[NamedEntity]]
) -> list[tuple[TextSpan, Mention]]:
    """Return the entities that a text names, each once, in the order of the text.

    Args:
        text: Text with the spans.
        found: See :func:`spans`.
        entities: Entities by their normalised names.
    """
    named = [span for span in found if span.key in entities]
    named.sort(key=lambda span: (-(span.end - span.start), span.start))
    taken = Apart()
    result: dict[str, tuple[TextSpan, Mention]] = {}
    for span in named:
        bearers = [each for each in entities[span.key] if _is_meant(text, span, each)]
        if not bearers or not taken.take(span.start, span.end):
            continue
        surface = text[span.start : span.end]
        for entity in _preferred(bearers):
            how = How.NAME if normalized(entity.name) == span.key else How.ALIAS
            mention = Mention(entity.id, how, surface)
            if entity.id not in result or span.start < result[entity.id][0].start:
                result[entity.id] = (span, mention)
    return sorted(result.values(), key=lambda each: each[0])


def by_name(entities: Iterable[NamedEntity]) -> dict[str, list[NamedEntity]]:
    """Return entities by each of their normalised names, in order of their ids."""
    result: dict[str, list[NamedEntity]] = {}
    for entity in sorted(entities, key=lambda entity: entity.id):
        for key in entity.name_keys:
            result.setdefault(key, []).append(entity)
    return result


def begins_a_sentence(text: str, start: int) -> bool:
    """Tell whether the word at ``start`` begins a sentence, which explains its capital."""
    return _SENTENCE_START.search(text, max(0, start - 8), start) is not None or start == 0


def _preferred(bearers: Sequence[NamedEntity]) -> Sequence[NamedEntity]:
    """Return the entities that people wrote, or all if there are none: linking may have created duplicates earlier."""
    written = [entity for entity in bearers if entity.by_hand]
    return (written or bearers)[:_MOST_OF_A_NAME]


def _is_meant(text: str, span: TextSpan, entity: NamedEntity) -> bool:
    """Tell whether a span means the entity with its name: a common word only in the spelling of the name."""
    if not _is_common(span.key):
        return True
    return text[span.start : span.end] in (entity.name, *entity.aliases) and _is_marked(text, span)


def _is_common(key: str) -> bool:
    return len(key) == 1 or key in COMMON_WORDS


def _is_marked(text: str, span: TextSpan) -> bool:
    """Tell whether capitals mark a common word as a name."""
    surface = text[span.start : span.end]
    return not surface.islower() and not (surface.istitle() and begins_a_sentence(text, span.start))


def _all_spans(text: str) -> Iterator[TextSpan]:
    atoms = list(_atoms(text))
    for first, (start, _, word) in enumerate(atoms):
        most = _MOST_CLUSTERS if _UNSPACED.match(text, start) else _MOST_ATOMS
        for _, ends, last_word in atoms[first : first + most]:
            if last_word - word >= _MOST_WORDS:
                break
            for end in ends:
                yield from _span(text, start, end)
    for token in _TOKEN.finditer(text):
        start, ends = _trimmed(text, *token.span())
        for end in ends:
            yield from _span(text, start, end)


def _span(text: str, start: int, end: int) -> Iterator[TextSpan]:
    surface = text[start:end]
    if any(char.isalnum() for char in surface) and not _ONE_CHARACTER.fullmatch(surface):
        yield TextSpan(start, end, normalized(surface))


def _atoms(text: str) -> Iterator[tuple[int, Sequence[int], int]]:
    """Yield the start of each part of a word, its possible ends, and the number of its word; addresses stay whole."""
    atom_in_text = _ATOM_OR_CLUSTER if _UNSPACED.search(text) else _ATOM
    for number, token in enumerate(_TOKEN.finditer(text)):
        if _ADDRESS.search(token[0]):
            yield (*_trimmed(text, *token.span()), number)
            continue
        for atom in atom_in_text.finditer(text, *token.span()):
            start, ends = _trimmed(text, *atom.span())
            if start < ends[0]:
                yield start, ends, number


def _trimmed(text: str, start: int, end: int) -> tuple[int, list[int]]:
    """Return the start of a range without leading punctuation, and its possible ends."""
    surface = text[start:end]
    first = start + len(surface) - len(surface.lstrip(_EDGES))
    bare = text[first:end].rstrip(_EDGES)
    ends = [first + len(bare)]
    shorter = (ending.search(bare) for ending in (_POSSESSIVE, _ENDING))
    ends += [first + found.start() for found in shorter if found]
    if end > ends[0] and text[ends[0]] in ".!?":
        ends.append(ends[0] + 1)  # "Yahoo!", "I.B.M."
    return first, ends


def _distinct(keys: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for key in keys:
        if key not in seen:
            seen.add(key)
            yield key


def _limited(found: Iterator[TextSpan], most: int) -> Iterator[TextSpan]:
    seen: set[TextSpan] = set()
    for span in found:
        if span not in seen:
            seen.add(span)
            yield span
        if len(seen) == most:
            return
