"""Recalled memories as a model reads them."""

from datetime import datetime

from graph.core.text.prompts import DATA_NOTE, as_data
from graph.retrieval.recall.agreement import said_at
from graph.retrieval.recall.attribution import teller_of
from graph.retrieval.recall.models import RecallHit, RecallResult
from graph.retrieval.recall.validity import day_in_words, validity_in_words

_HEADING = "# Recalled memories"
_NOTHING = "No matching memories."
_NEWEST = "These are the newest."


def render(result: RecallResult, *, offset: int = 0) -> str:
    """Return a numbered list of id, category, score with two decimals, and content; numbers go on after ``offset``.

    Behind the score stands which person or that an assistant said it, and when, where it speaks of "tomorrow". What
    disagrees with another hit has its date, and the other's id; what does not hold when it is recalled says until or
    from when it does, or what has taken its place. Where the newest stand in for what would match, a line says so,
    and so does one at the end where more did not fit.
    """
    if not result.hits:
        return f"{_HEADING}\n\n{_NOTHING}"
    heading = [_HEADING, f"{_NOTHING} {_NEWEST}"] if result.resolution.is_of_newest else [_HEADING]
    at = result.resolution.at
    entries = (_entry(number, hit, at) for number, hit in enumerate(result.hits, start=offset + 1))
    rest = [f"{result.left_out} more did not fit."] if result.left_out else []
    return "\n\n".join([*heading, DATA_NOTE, *entries, *rest])


def _entry(number: int, hit: RecallHit, at: datetime) -> str:
    about = [as_data(hit.memory.category or "") or "uncategorized", f"score {hit.score:.2f}"]
    if teller := teller_of(hit.memory.speaker):
        about.append(teller)
    if validity := validity_in_words(hit.memory, at, hit.superseded_by):
        about.append(validity)
    is_dated = hit.disagrees_with and hit.memory.t_valid is None
    if not is_dated and (day := day_in_words(hit.memory)):
        about.append(day)
    if hit.disagrees_with:
        others = ", ".join(as_data(other) for other in hit.disagrees_with)
        about += [f"as of {said_at(hit.memory):%Y-%m-%d}", f"disagrees with {others}"]
    return f"{number}. **{as_data(hit.memory.id)}** ({', '.join(about)})\n   {as_data(hit.memory.content)}"
