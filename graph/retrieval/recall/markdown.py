"""Renders recalled memories as text for models."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graph.core.text.prompts import DATA_NOTE, as_data
from graph.memories.changes.relative_times import dated_content, ends_with_day
from graph.retrieval.recall.agreement import effective_at
from graph.retrieval.recall.attribution import attribution_of
from graph.retrieval.recall.models import RecallHit, RecallResult
from graph.retrieval.recall.validity import validity_in_words

_HEADING = "# Recalled memories"
_NOTHING = "No matching memories."
_NEWEST = "These are the newest."
_WEAK = "Nothing relevant. The best weak matches:"
_WEAK_AS_WELL = "Nothing more is relevant. Weak matches:"


def render(result: RecallResult, *, offset: int = 0) -> str:
    """Render hits as a numbered list of id, category, score with two decimals, and content.

    Numbers start after ``offset``. An entry also names its speaker, the day of a relative time such as "tomorrow", the
    date and the other ids of a contradiction, and the validity of a memory that is not valid now. A line tells if the
    newest memories replace missing matches, and one tells how many hits exceeded the budget. The last line names cut,
    approximated and skipped parts.
    """
    limits = limits_of(result.resolution.degraded)
    if not result.hits:
        return "\n\n".join([_HEADING, _NOTHING, *limits])
    heading = [_HEADING, f"{_NOTHING} {_NEWEST}"] if result.resolution.is_of_newest else [_HEADING]
    at = result.resolution.at
    entries = (_entry(number, hit, at) for number, hit in enumerate(result.hits, start=offset + 1))
    rest = [f"{result.left_out} more did not fit."] if result.left_out else []
    return "\n\n".join([*heading, DATA_NOTE, *entries, *rest, *limits])


def limits_of(lacks: Sequence[str]) -> list[str]:
    """Return the line that names cut, approximated and skipped parts, if there are any."""
    return [f"Limits: {'; '.join(lacks)}"] if lacks else []


def render_lines(result: RecallResult, *, offset: int = 0) -> str:
    """Render each hit as one numbered line of content, date, relevance, speaker, validity, contradictions and id.

    The date is omitted if the content shows it. Numbers start after ``offset``. Contradictions name the other hit by
    number if it is shown, else by id. The last line names cut, approximated and skipped parts.
    """
    resolution = result.resolution
    limits = limits_of([*filter(None, [resolution.fallback]), *resolution.degraded])
    if not result.hits:
        return "\n".join([_NOTHING, *limits])
    if resolution.is_of_newest:
        heading = [f"{_NOTHING} {_NEWEST}"]
    elif not result.relevant:
        heading = [_WEAK_AS_WELL if offset else _WEAK]
    else:
        heading = []
    rest = [f"{result.left_out} more did not fit."] if result.left_out else []
    numbers = {hit.memory.id: number for number, hit in enumerate(result.hits, start=offset + 1)}
    lines = (f"{numbers[hit.memory.id]}. {_line(hit, resolution.at, numbers)}" for hit in result.hits)
    return "\n".join([*heading, DATA_NOTE, *lines, *rest, *limits])


def _line(hit: RecallHit, at: datetime, numbers: Mapping[str, int]) -> str:
    memory, content = hit.memory, dated_content(hit.memory)
    successors = _named(hit.superseded_by, numbers)
    others = _named(hit.disagrees_with, numbers)
    about = [
        _day_beside(hit, content),
        None if hit.relevance is None else f"relevance {hit.relevance:.2f}",
        attribution_of(memory.speaker),
        validity_in_words(memory, at, successors),
        f"disagrees with {', '.join(others)}" if others else None,
        as_data(memory.id),
    ]
    return f"{as_data(content)} ({', '.join(filter(None, about))})"


def _day_beside(hit: RecallHit, content: str) -> str:
    """Return the day since which a memory is valid, or of its statement; empty if its content shows that day."""
    day = f"{effective_at(hit.memory):%Y-%m-%d}"
    is_named = day in content and not hit.disagrees_with
    is_behind = ends_with_day(content) and (hit.memory.t_valid is None or day in content)
    return "" if is_named or is_behind else day


def _named(ids: Sequence[str], numbers: Mapping[str, int]) -> list[str]:
    """Return the numbers of shown memories, then the ids of the others."""
    shown = sorted(numbers[id_] for id_ in ids if id_ in numbers)
    return [*map(str, shown), *(as_data(id_) for id_ in ids if id_ not in numbers)]


def _entry(number: int, hit: RecallHit, at: datetime) -> str:
    content = dated_content(hit.memory)
    about = [as_data(hit.memory.category or "") or "uncategorized", f"score {hit.score:.2f}"]
    if attribution := attribution_of(hit.memory.speaker):
        about.append(attribution)
    if validity := validity_in_words(hit.memory, at, hit.superseded_by):
        about.append(validity)
    if hit.disagrees_with:
        others = ", ".join(as_data(other) for other in hit.disagrees_with)
        day = _day_beside(hit, content)
        about += [*([f"as of {day}"] if day else []), f"disagrees with {others}"]
    return f"{number}. **{as_data(hit.memory.id)}** ({', '.join(about)})\n   {as_data(content)}"
