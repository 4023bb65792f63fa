"""Selects excerpts of a text without a language model: by topic, by rare words, or by a query."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

from graph.core.text.language import STOP_WORDS, Specificity, sentences, stem, stems, words

SUMMARY_CHARS = 300
_CUT = "…"
_LEAST_SHARE = 0.2  # share of the first sentence's weight below which a sentence is not about the subject
_WORD_CHARS = 16  # maximum number of characters read behind a cut within a word
_ONCE = 0.1  # weight of a word that no other sentence contains


def extractive_summary(text: str, *, most_chars: int = SUMMARY_CHARS) -> str:
    """Return whole sentences of a text, in order, of at most ``most_chars`` characters in total.

    The weight of a word is the number of other sentences that contain it, so that the most repeated words are the
    subject; selected words then count half, which avoids repetition. If no sentence fits, the beginning is truncated.
    """
    parts = sentences(text)
    if sum(len(part) + 1 for part in parts) <= most_chars + 1:
        return " ".join(parts)
    stems_of_parts = [stems(word for word in words(part) if word not in STOP_WORDS) for part in parts]
    counts = Counter(stem for found in stems_of_parts for stem in found)
    weights = {stem: count - 1 + _ONCE for stem, count in counts.items()}
    chosen: list[int] = []
    room, first = most_chars, 0.0
    # Weights only decrease, so the top of the heap is the best sentence if its weight is up to date.
    waiting = [(-_weight(found, weights), place) for place, found in enumerate(stems_of_parts) if found]
    heapify(waiting)
    while waiting:
        known, best = heappop(waiting)
        if len(parts[best]) > room:
            continue
        weight = _weight(stems_of_parts[best], weights)
        if weight < -known:
            heappush(waiting, (-weight, best))
            continue
        first = weight if not chosen else first
        if weight < _LEAST_SHARE * first:
            break
        chosen.append(best)
        room -= len(parts[best]) + 1
        weights |= {stem: weights[stem] / 2 for stem in stems_of_parts[best]}
    return " ".join(parts[place] for place in sorted(chosen)) or _cut(" ".join(parts), most_chars)


def fitting(text: str, *, most_chars: int) -> str:
    """Return a text unchanged if it is short enough, else selected sentences of it."""
    return text if len(text) <= most_chars else extractive_summary(text, most_chars=most_chars)


def rarest_sentences(text: str, specificity: Specificity, *, most_chars: int) -> str:
    """Return the sentences with the rarest words of a text, in order; empty if no sentence fits.

    A word weighs more if it is rare in the language and in the text; repetitions have no weight. A line break ends a
    sentence. Sentences that are not adjacent in the text are separated by line breaks.

    Args:
        text: Text of at most a few thousand characters, because each choice compares all sentences.
        specificity: Returns a higher weight for a word that is rarer in the language.
        most_chars: Maximum total length.
    """
    placed = _placed(text)
    left = {place: stems(words(text[start:end])) for place, (start, end) in enumerate(placed)}
    specific: dict[str, float] = {}
    for word in set(words(text)):
        stemmed = stem(word)
        specific[stemmed] = max(specific.get(stemmed, 0.0), specificity(word))
    counts = Counter(found for each in left.values() for found in each)
    weights = {found: specific.get(found, 1.0) ** 2 / count for found, count in counts.items()}
    chosen: list[int] = []
    room = most_chars
    while True:
        short_enough = [
            place for place in left if placed[place][1] - placed[place][0] <= room and left[place]
        ]
        best = max(short_enough, key=lambda place: (_weight(left[place], weights), -place), default=None)
        if best is None or not _weight(left[best], weights):
            return _rejoined(text, [placed[place] for place in sorted(chosen)])
        chosen.append(best)
        start, end = placed[best]
        room -= end - start + 1
        weights |= dict.fromkeys(left.pop(best), 0.0)


def around(text: str, weights: Mapping[str, float], *, most_chars: int) -> str:
    """Return the sentences around the best match of a query, with marks at the cuts.

    Args:
        text: Text to quote.
        weights: Weight of each stem of the query.
        most_chars: Maximum total length, including marks; a shorter text stays unchanged.
    """
    if len(text) <= most_chars:
        return text
    room = most_chars - 2 * len(_CUT)
    placed = [
        piece
        for start, end in _placed(text)
        for piece in ([(start, end)] if end - start <= room else _pieces(text, start, end, room // 4))
    ]
    if not placed:
        return _cut(text, most_chars)
    scores = [
        sum(weights.get(each, 0.0) for each in stems(words(text[start : _end_of_word(text, end)])))
        for start, end in placed
    ]
    first = last = scores.index(max(scores))
    is_growing = True
    while is_growing:
        is_growing = False
        if first and placed[last][1] - placed[first - 1][0] <= room:
            first, is_growing = first - 1, True
        if last + 1 < len(placed) and placed[last + 1][1] - placed[first][0] <= room:
            last, is_growing = last + 1, True
    before, behind = _CUT if first else "", _CUT if last + 1 < len(placed) else ""
    start, end = placed[first][0], placed[last][1]
    if behind and end - start < room / 2:  # the next sentence is too long: use its beginning
        return before + _cut(text[start:], room + len(_CUT))
    return f"{before}{text[start:end]}{behind}"


def _placed(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence of a text."""
    placed: list[tuple[int, int]] = []
    for part in sentences(text):
        start = text.index(part, placed[-1][1] if placed else 0)
        placed.append((start, start + len(part)))
    return placed


def _pieces(text: str, start: int, end: int, most_chars: int) -> list[tuple[int, int]]:
    """Return the start and end of each piece of a long sentence, cut between words if possible."""
    size = max(most_chars, 1)
    piece = re.compile(rf"\S(?:.{{0,{size - 1}}}(?<=\S)(?=\s|$)|.{{0,{size - 1}}})")
    return [found.span() for found in piece.finditer(text, start, end)]


def _end_of_word(text: str, end: int) -> int:
    """Return the end of a word that a cut at ``end`` divides, as in a script without spaces."""
    return end + len(text[end : end + _WORD_CHARS].partition(" ")[0].partition("\n")[0])


def _rejoined(text: str, placed: Sequence[tuple[int, int]]) -> str:
    """Join sentences as in the text, or with line breaks between sentences that are not adjacent on one line."""
    joined = ""
    end_before = 0
    for start, end in placed:
        between = text[end_before:start]
        space = "\n" if between.strip() or "\n" in between else between[:1]
        joined += f"{space if joined else ''}{text[start:end]}"
        end_before = end
    return joined


def _weight(found: Sequence[str], weights: dict[str, float]) -> float:
    return sum(weights[stem] for stem in found) / math.sqrt(len(found))


def _cut(text: str, most_chars: int) -> str:
    """Cut a text between words, or anywhere if no word ends in its second half, as in a script without spaces."""
    room = most_chars - len(_CUT)
    beginning = text[: room + 1].rpartition(" ")[0]
    return (beginning if len(beginning) >= room / 2 else text[:room]) + _CUT
