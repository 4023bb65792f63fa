"""Parses the text of a query once, however often it is sent, and remembers that it is valid."""

from dataclasses import dataclass, field
from sys import getsizeof
from typing import Any, Final

from cachetools import LRUCache
from graphql import DocumentNode, parse

_MOST_BYTES: Final = 16 * 1024 * 1024
_LARGEST_BYTES: Final = 1024 * 1024  # some 2,000 tokens: longer queries are not sent again and again
_TOKEN_BYTES: Final = 512
"""Memory of a token with its nodes: 420 bytes in a document of short names only."""


@dataclass(frozen=True)
class KnownQuery:
    """A query that could be parsed.

    Attributes:
        document: Its document.
        passed: The sets of rules it was found valid by.
    """

    document: DocumentNode
    passed: set[tuple[Any, ...]] = field(default_factory=set)


class KnownQueries:
    """Caches recently parsed documents, up to a total size in bytes."""

    def __init__(self, most_bytes: int = _MOST_BYTES, largest_bytes: int = _LARGEST_BYTES) -> None:
        self._largest = largest_bytes
        self._known: LRUCache[str, tuple[KnownQuery, int]] = LRUCache(
            most_bytes, getsizeof=lambda kept: kept[1]
        )

    @property
    def size_bytes(self) -> int:
        """Return the approximate size of the cached documents."""
        return int(self._known.currsize)

    def parsed(self, text: str, **options: Any) -> KnownQuery:
        """Return a query by its text.

        Raises:
            GraphQLError: It cannot be parsed, or not with these options.
        """
        kept = self._known.get(text)
        if kept is not None:
            return kept[0]
        query = KnownQuery(parse(text, **options))
        weight = _weight(text, query.document)
        if weight <= self._largest:
            self._known[text] = (query, weight)
        return query


def _weight(text: str, document: DocumentNode) -> int:
    token = document.loc.start_token if document.loc else None
    tokens = 0
    while token is not None:
        tokens, token = tokens + 1, token.next
    return getsizeof(text) + tokens * _TOKEN_BYTES
