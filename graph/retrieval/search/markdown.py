"""Renders search results as text for models."""

from datetime import datetime

from graph.core.text.prompts import DATA_NOTE, as_data
from graph.memories.changes.relative_times import text_time, with_day
from graph.retrieval.recall.attribution import attribution_of
from graph.retrieval.recall.markdown import limits_of
from graph.retrieval.recall.validity import validity_in_words
from graph.retrieval.search.models import SearchHit, SearchKind, SearchResult

_HEADING = "# Search results"
_NOTHING = "Nothing matches."
_WORDS = {SearchKind.CHUNK: "document"}  # callers know documents, not their chunks


def render(result: SearchResult, *, offset: int = 0) -> str:
    """Render hits as a numbered list of id, kind, score with two decimals, and passage.

    Numbers start after ``offset``. A memory also has its speaker, its validity if it is not valid now, and the day of a
    relative time such as "tomorrow". A document also has its location, and a note if only an excerpt is stored. The
    last line names cut, approximated and skipped parts.
    """
    limits = limits_of(result.resolution.degraded)
    if not result.hits:
        return "\n\n".join([_HEADING, _NOTHING, *limits])
    at = result.resolution.at
    entries = (_entry(number, hit, at) for number, hit in enumerate(result.hits, start=offset + 1))
    return "\n\n".join([_HEADING, DATA_NOTE, *entries, *limits])


def _entry(number: int, hit: SearchHit, at: datetime) -> str:
    about = [_WORDS.get(hit.kind, hit.kind.value), f"score {hit.score:.2f}"]
    if hit.memory is not None:
        notes = (
            attribution_of(hit.memory.speaker),
            validity_in_words(hit.memory, at, hit.superseded_by),
        )
        about += [note for note in notes if note]
    if hit.location is not None:
        whole = "excerpt only, whole text in" if hit.is_excerpt else "in"
        about.append(f"{whole} {as_data(hit.location)}")
    passage = with_day(hit.passage, text_time(hit.memory)) if hit.memory is not None else hit.passage
    return f"{number}. **{as_data(hit.id)}** ({', '.join(about)})\n   {as_data(passage)}"
