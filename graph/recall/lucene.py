"""Full-text queries out of user text; nothing a user writes is ever syntax."""

from dataclasses import dataclass

from graph.recall.language import contains_cjk

_KEYS_BOOST = 0.5  # a word of a tag or key says less than a word of the text
_MOST_WORDS = 256  # Lucene's own limit is 1024 clauses, and each word becomes two


@dataclass(frozen=True)
class TextQuery:
    """One query over one full-text index."""

    index: str
    query: str


def text_queries(found_words: list[str], workspace_id: str) -> list[TextQuery]:
    """Return the queries for the words of a query; none if it has no words.

    The workspace is a required clause that adds nothing to the score, so the limit is spent inside it.
    """
    distinct = list(dict.fromkeys(found_words))[:_MOST_WORDS]
    spelled = [word for word in distinct if not contains_cjk(word)]
    grams = [word for word in distinct if contains_cjk(word)]
    queries = []
    if spelled:
        terms = " ".join(_escaped(word) for word in spelled)
        fields = f"search_text:({terms}) search_keys:({terms})^{_KEYS_BOOST}"
        queries.append(TextQuery("memory_text", f"{_scope(workspace_id)} +({fields})"))
    if grams:
        terms = " ".join(grams)
        queries.append(TextQuery("memory_text_cjk", f"{_scope(workspace_id)} +(search_text_cjk:({terms}))"))
    return queries


def was_cut(found_words: list[str]) -> bool:
    """Tell whether the query had more distinct words than are searched."""
    return len(set(found_words)) > _MOST_WORDS


def _scope(workspace_id: str) -> str:
    return f'+workspace_id:"{_escaped(workspace_id)}"^0'


def _escaped(word: str) -> str:
    """Escape whatever is not a letter, a digit or an underscore."""
    return "".join(char if char.isalnum() or char == "_" else f"\\{char}" for char in word)
