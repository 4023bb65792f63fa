"""Recalled memories as a model reads them (C22)."""

from graph.recall.models import RecallHit, RecallResult

_HEADING = "# Recalled memories"
_NOTHING = "No matching memories."


def render(result: RecallResult, *, offset: int = 0) -> str:
    """Return a numbered list of id, category, score with two decimals, and content; numbers go on after ``offset``."""
    if not result.hits:
        return f"{_HEADING}\n\n{_NOTHING}"
    entries = (_entry(number, hit) for number, hit in enumerate(result.hits, start=offset + 1))
    return "\n\n".join([_HEADING, *entries])


def _entry(number: int, hit: RecallHit) -> str:
    category = hit.memory.category or "uncategorized"
    content = hit.memory.content.replace("\n", "\n   ")
    return f"{number}. **{hit.memory.id}** ({category}, score {hit.score:.2f})\n   {content}"
