"""Summaries without a language model: the sentences that say most of what a text speaks of."""

import math
from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from graph.core.text.language import STOP_WORDS, sentences, stems, words

SUMMARY_CHARS = 300
_CUT = "…"
_LEAST_SHARE = 0.2  # of the first sentence's weight: what says less is not about the subject
_ONCE = 0.1  # what a word weighs that no other sentence says


def extractive_summary(text: str, *, most_chars: int = SUMMARY_CHARS) -> str:
    """Return whole sentences of a text, in its order, at most ``most_chars`` characters together.

    A word weighs as much as there are other sentences that say it too, so that what a text keeps coming back to is its
    subject; what was taken weighs half as much afterwards, against saying it twice. Where no sentence fits, the
    beginning is cut.
    """
    parts = sentences(text)
    if sum(len(part) + 1 for part in parts) <= most_chars + 1:
        return " ".join(parts)
    stems_of_parts = [stems(word for word in words(part) if word not in STOP_WORDS) for part in parts]
    counts = Counter(stem for found in stems_of_parts for stem in found)
    weights = {stem: count - 1 + _ONCE for stem, count in counts.items()}
    chosen: list[int] = []
    room, first = most_chars, 0.0
    # Weights only ever fall, so what is on top with the weight that it has now is the best there is.
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
    """Return a text as it is where it is no longer than that, else whole sentences of it."""
    return text if len(text) <= most_chars else extractive_summary(text, most_chars=most_chars)


def _weight(found: Sequence[str], weights: dict[str, float]) -> float:
    return sum(weights[stem] for stem in found) / math.sqrt(len(found))


def _cut(text: str, most_chars: int) -> str:
    """Cut a text between two words, or anywhere where none ends in its second half, as in a script without spaces."""
    room = most_chars - len(_CUT)
    beginning = text[: room + 1].rpartition(" ")[0]
    return (beginning if len(beginning) >= room / 2 else text[:room]) + _CUT
