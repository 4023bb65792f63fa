"""What a search found as a model reads it."""

from graph.core.text.prompts import DATA_NOTE, as_data
from graph.retrieval.search.models import SearchHit, SearchKind, SearchResult

_HEADING = "# Search results"
_NOTHING = "Nothing matches."
_SHOWN_CHARS = 500
_WORDS = {SearchKind.CHUNK: "document"}  # a caller knows documents, not how they are cut


def render(result: SearchResult, *, offset: int = 0) -> str:
    """Return a numbered list of id, kind, score with two decimals, and text; numbers go on after ``offset``."""
    if not result.hits:
        return f"{_HEADING}\n\n{_NOTHING}"
    entries = (_entry(number, hit) for number, hit in enumerate(result.hits, start=offset + 1))
    return "\n\n".join([_HEADING, DATA_NOTE, *entries])


def _entry(number: int, hit: SearchHit) -> str:
    kind = _WORDS.get(hit.kind, hit.kind.value)
    text = hit.text if len(hit.text) <= _SHOWN_CHARS else hit.text[: _SHOWN_CHARS - 1] + "…"
    return f"{number}. **{as_data(hit.id)}** ({kind}, score {hit.score:.2f})\n   {as_data(text)}"
