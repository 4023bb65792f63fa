"""Builds full-text queries from users' texts, which never act as query syntax.

The workspace and the visible users are required clauses without a score, so that the limit applies after them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from graph.core.scope import current_scope, search_term
from graph.core.text.language import CJK, STOP_WORDS, contains_cjk, with_pairs_apart
from graph.core.text.normal_forms import composed, folded, visible
from graph.core.text.stemming import Language

_KEYS_BOOST = 0.5  # a word in a tag or key weighs less than a word in the text
_NAMES_BOOST = 2.0  # a word in a name weighs more
MOST_NAMES = 600
KINDS_OF_USERS = frozenset({"episode"})
"""Kinds of knowledge that users own; all others are shared."""
_SPELLED_WORD = regex.compile(rf"[[\p{{L}}\p{{M}}]--[{CJK}]]+", regex.VERSION1)
_MOST_WORDS = 256  # forms of words; each becomes two clauses, and Lucene allows 1024


@dataclass(frozen=True)
class TextQuery:
    """One query over one full-text index."""

    index: str
    query: str


def as_indexed(text: str, language: Language | None = None) -> str:
    """Return a text in the form of the full-text indexes: folded, with pairs for scripts without spaces.

    A word keeps its accents if it would become an English stop word: "th\u00e9" is French for tea, "the" is dropped.

    Args:
        text: Text in ``language``, or in a language without an index.
        language: Language whose analyser needs the accents; the text keeps them, and the keys have :func:`forms_apart`.

    >>> as_indexed("Zo\u00eb in \u0141\u00f3d\u017a"), as_indexed("\u0e0a\u0e32\u0e40\u0e22\u0e47\u0e19")
    ('Zoe in Lodz', ' \u0e0a\u0e32 \u0e32\u0e40 \u0e40\u0e22\u0e47 \u0e22\u0e47\u0e19 ')
    """
    if text.isascii():
        return text
    shown = visible(composed(text))
    if language is not None:
        return with_pairs_apart(shown)
    return with_pairs_apart(_SPELLED_WORD.sub(lambda word: _spelled(word[0]), shown))


def _spelled(word: str) -> str:
    plain = _folded(word)
    return word if plain.lower() in STOP_WORDS else plain


def forms_apart(text: str) -> str:
    """Return the words of a text in the form of the indexes, if their spelling in the text differs.

    The index has them among the keys, because the text itself is stored unchanged.
    """
    if text.isascii():
        return ""
    spelled = set(text.split())
    return " ".join(dict.fromkeys(word for word in as_indexed(text).split() if word not in spelled))


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    return folded(word)


def text_queries(
    weighted: Sequence[tuple[str, float]], workspace_id: str, languages: Sequence[Language] = ()
) -> list[TextQuery]:
    """Return the queries over the memories' own text, tags and keys; none if there are no words.

    Args:
        weighted: Words with their weights.
        workspace_id: Workspace to search.
        languages: Possible languages other than English; the search includes their indexes.
    """
    return _queries(
        weighted,
        workspace_id,
        spelled=lambda terms: f"search_text:({terms}) search_keys:({terms})^{_KEYS_BOOST}",
        grams=lambda terms: f"search_text_cjk:({terms})",
        languages=languages,
    )


def window_queries(
    weighted: Sequence[tuple[str, float]], workspace_id: str, languages: Sequence[Language] = ()
) -> list[TextQuery]:
    """Return the queries over the text of memories and of the turns around them."""
    return _queries(
        weighted,
        workspace_id,
        spelled=lambda terms: f"search_window:({terms})",
        grams=lambda terms: f"search_window:({terms})",
        languages=languages,
    )


def sequence_queries(words: Sequence[str], workspace_id: str) -> list[TextQuery]:
    """Return the query for the descriptions of action sequences, which are ASCII identifiers."""
    return _queries(
        [(word, 1.0) for word in words if word.isascii()],
        workspace_id,
        spelled=lambda terms: f"search_text:({terms}) search_keys:({terms})",
        grams=lambda _: "",
        index="sequence_text",
    )


def knowledge_queries(weighted: Sequence[tuple[str, float]], workspace_id: str, kind: str) -> list[TextQuery]:
    """Return the queries over texts and names of nodes other than memories, of one ``search_kind``."""
    return _queries(
        weighted,
        workspace_id,
        spelled=lambda terms: f"search_text:({terms}) search_keys:({terms})^{_NAMES_BOOST}",
        grams=lambda terms: f"search_text:({terms}) search_keys:({terms})^{_NAMES_BOOST}",
        index="knowledge_text",
        kind=kind,
    )


def name_query(names: Sequence[str], workspace_id: str) -> str | None:
    """Return the query over ``entity_names`` for whole normalised names, each one term; None if there are none."""
    if not names:
        return None
    terms = " ".join(f'"{_quoted(name)}"' for name in names[:MOST_NAMES])
    return f'+workspace_id:"{_quoted(workspace_id)}"^0 +name_keys:({terms})'


def first_name_query(names: Sequence[str], workspace_id: str) -> str:
    """Return the query over ``entity_names`` for normalised names that begin with one of the words and go on."""
    terms = " ".join(f"{_escaped(name)}\\ *" for name in names[:MOST_NAMES])
    return f'+workspace_id:"{_quoted(workspace_id)}"^0 +name_keys:({terms})'


def tag_query(any_tags: Sequence[str], all_tags: Sequence[str], workspace_id: str) -> str:
    """Return the query over whole tag prefixes: at least one of ``any_tags``, if set, and all of ``all_tags``."""
    clauses = [f'workspace_id:"{_quoted(workspace_id)}"', *(_tag_term(tag) for tag in all_tags)]
    if any_tags:
        clauses.append(f"({' '.join(_tag_term(tag) for tag in any_tags)})")
    return " ".join(f"+{clause}" for clause in clauses)


def slot_query(key: str, workspace_id: str) -> str:
    """Return the query for a slot's key in a workspace, as one whole token."""
    return f'+workspace_id:"{_quoted(workspace_id)}" +slot_keys:"{_quoted(key)}"'


def was_cut(weighted: Sequence[tuple[str, float]]) -> bool:
    """Tell whether a query has more distinct forms of words than a search uses."""
    return sum(len(_forms(word)) for word, _ in weighted) > _MOST_WORDS


def _heaviest(weighted: Sequence[tuple[str, float]]) -> Sequence[tuple[str, float]]:
    """Return the words with the highest weights; among equal ones the last, which usually have the query's point."""
    heaviest: list[tuple[str, float]] = []
    room = _MOST_WORDS
    for pair in sorted(weighted, key=lambda each: each[1])[::-1]:
        room -= len(_forms(pair[0]))
        if room < 0:
            break
        heaviest.append(pair)
    return heaviest[::-1]


def _queries(
    weighted: Sequence[tuple[str, float]],
    workspace_id: str,
    *,
    spelled: Callable[[str], str],
    grams: Callable[[str], str],
    index: str = "memory_text",
    kind: str | None = None,
    languages: Sequence[Language] = (),
) -> list[TextQuery]:
    searched = _heaviest(weighted) if was_cut(weighted) else weighted
    plain = " ".join(_term(*pair) for pair in searched if not contains_cjk(pair[0]))
    cjk = " ".join(_term(*pair) for pair in searched if contains_cjk(pair[0]))
    scope = f'+workspace_id:"{_escaped(workspace_id)}"^0'
    if kind is not None:
        scope += f" +search_kind:{_escaped(kind)}^0"
    users = current_scope().users
    if users is not None and (kind is None or kind in KINDS_OF_USERS):
        scope += f" +search_user:({' '.join(map(search_term, users))})^0"
    queries = []
    if plain:
        indexes = (index, *(f"{index}_{language.name}" for language in languages))
        queries += [TextQuery(each, f"{scope} +({spelled(plain)})") for each in indexes]
    if cjk:
        queries.append(TextQuery(f"{index}_cjk", f"{scope} +({grams(cjk)})"))
    return queries


def _term(word: str, weight: float) -> str:
    """Return the clause that finds a word, both folded and with its accents."""
    return " ".join(f"{_escaped(form)}^{weight:.3f}" for form in _forms(word))


def _forms(word: str) -> Sequence[str]:
    return (word,) if word.isascii() else tuple(dict.fromkeys((_folded(word), word)))


def _tag_term(tag: str) -> str:
    return f'tag_prefixes:"{_quoted(tag)}"'


def _quoted(text: str) -> str:
    """Escape characters that would end a quoted term, for an index of whole terms."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _escaped(word: str) -> str:
    """Escape every character except letters, digits and underscores."""
    return "".join(char if char.isalnum() or char == "_" else f"\\{char}" for char in word)
