"""Full-text queries out of user text; nothing a user writes is ever syntax."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graph.recall.language import contains_cjk

_KEYS_BOOST = 0.5  # a word of a tag or key says less than a word of the text
_MOST_WORDS = 256  # Lucene's own limit is 1024 clauses, and each word becomes two


@dataclass(frozen=True)
class TextQuery:
    """One query over one full-text index."""

    index: str
    query: str


def text_queries(weighted: Sequence[tuple[str, float]], workspace_id: str) -> list[TextQuery]:
    """Return the queries over the memories' own text, tags and keys; none if there are no words.

    Args:
        weighted: Words with their weights.
        workspace_id: A required clause that adds nothing to the score, so the limit is spent inside it.
    """
    return _queries(
        weighted,
        workspace_id,
        spelled=lambda terms: f"search_text:({terms}) search_keys:({terms})^{_KEYS_BOOST}",
        grams=lambda terms: f"search_text_cjk:({terms})",
    )


def window_queries(weighted: Sequence[tuple[str, float]], workspace_id: str) -> list[TextQuery]:
    """Return the queries over the memories' text together with the turns around them."""
    return _queries(
        weighted,
        workspace_id,
        spelled=lambda terms: f"search_window:({terms})",
        grams=lambda terms: f"search_window:({terms})",
    )


def was_cut(weighted: Sequence[tuple[str, float]]) -> bool:
    """Tell whether the query had more distinct words than are searched."""
    return len(weighted) > _MOST_WORDS


def _queries(
    weighted: Sequence[tuple[str, float]],
    workspace_id: str,
    *,
    spelled: Callable[[str], str],
    grams: Callable[[str], str],
) -> list[TextQuery]:
    searched = weighted[:_MOST_WORDS]
    plain = " ".join(_term(*pair) for pair in searched if not contains_cjk(pair[0]))
    cjk = " ".join(_term(*pair) for pair in searched if contains_cjk(pair[0]))
    scope = f'+workspace_id:"{_escaped(workspace_id)}"^0'
    queries = []
    if plain:
        queries.append(TextQuery("memory_text", f"{scope} +({spelled(plain)})"))
    if cjk:
        queries.append(TextQuery("memory_text_cjk", f"{scope} +({grams(cjk)})"))
    return queries


def _term(word: str, weight: float) -> str:
    return f"{_escaped(word)}^{weight:.3f}"


def _escaped(word: str) -> str:
    """Escape whatever is not a letter, a digit or an underscore."""
    return "".join(char if char.isalnum() or char == "_" else f"\\{char}" for char in word)
