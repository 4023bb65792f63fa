"""Recalled memories as a model reads them."""

from graph.core.text.prompts import DATA_NOTE, as_data
from graph.retrieval.recall.agreement import said_at
from graph.retrieval.recall.models import RecallHit, RecallResult

_HEADING = "# Recalled memories"
_NOTHING = "No matching memories."


def render(result: RecallResult, *, offset: int = 0) -> str:
    """Return a numbered list of id, category, score with two decimals, and content; numbers go on after ``offset``.

    What disagrees with another hit has its date, and the other's id.
    """
    if not result.hits:
        return f"{_HEADING}\n\n{_NOTHING}"
    entries = (_entry(number, hit) for number, hit in enumerate(result.hits, start=offset + 1))
    return "\n\n".join([_HEADING, DATA_NOTE, *entries])


def _entry(number: int, hit: RecallHit) -> str:
    about = [as_data(hit.memory.category or "") or "uncategorized", f"score {hit.score:.2f}"]
    if hit.disagrees_with:
        others = ", ".join(as_data(other) for other in hit.disagrees_with)
        about += [f"as of {said_at(hit.memory):%Y-%m-%d}", f"disagrees with {others}"]
    return f"{number}. **{as_data(hit.memory.id)}** ({', '.join(about)})\n   {as_data(hit.memory.content)}"
