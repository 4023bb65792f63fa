"""Recalled memories as a model reads them (C22)."""

from graph.core.prompt_text import DATA_NOTE, as_data
from graph.recall.models import RecallHit, RecallResult

_HEADING = "# Recalled memories"
_NOTHING = "No matching memories."


def render(result: RecallResult, *, offset: int = 0) -> str:
    """Return a numbered list of id, category, score with two decimals, and content; numbers go on after ``offset``."""
    if not result.hits:
        return f"{_HEADING}\n\n{_NOTHING}"
    entries = (_entry(number, hit) for number, hit in enumerate(result.hits, start=offset + 1))
    return "\n\n".join([_HEADING, DATA_NOTE, *entries])


def _entry(number: int, hit: RecallHit) -> str:
    category = as_data(hit.memory.category or "") or "uncategorized"
    told_as = f"{number}. **{as_data(hit.memory.id)}** ({category}, score {hit.score:.2f})"
    return f"{told_as}\n   {as_data(hit.memory.content)}"
