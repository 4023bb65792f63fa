"""Automatic persisted queries, as Apollo's clients speak them: a query is sent once, then named by its hash."""

import hashlib
from collections.abc import Iterator
from sys import getsizeof
from typing import Any, Final

from cachetools import LRUCache
from graphql import GraphQLError
from strawberry.extensions import SchemaExtension
from strawberry.types.execution import PreExecutionError

from app.surfaces.graphql.limits import MOST_CHARACTERS

NOT_FOUND: Final = "PERSISTED_QUERY_NOT_FOUND"
_NOT_FOUND_MESSAGE: Final = "PersistedQueryNotFound"
"""Error message on which clients send the query as well."""
_VERSION: Final = 1
_MOST_BYTES: Final = 8 * 1024 * 1024

_texts: LRUCache[str, str] = LRUCache(_MOST_BYTES, getsizeof=getsizeof)


class PersistedQueries(SchemaExtension):
    """Finds a request's query by its SHA-256, and caches queries that a client sent with their hash.

    Each process caches executed queries, the most recently used 8 MiB. If it does not know a hash, it requests the
    text.
    """

    def on_operation(self) -> Iterator[None]:
        """Take the text from the cache, or cache it.

        Raises:
            GraphQLError: The query is not cached, or the hash does not match the text.
        """
        execution = self.execution_context
        named = (execution.operation_extensions or {}).get("persistedQuery")
        if named is None:
            yield
            return
        hash_ = _hash_in(named)
        if execution.query is None:
            execution.query = _kept(hash_)
        elif hashlib.sha256(execution.query.encode()).hexdigest() != hash_:
            raise _invalid("persistedQuery.sha256Hash is not the SHA-256 of the query, in hexadecimal digits")
        text = execution.query
        yield
        is_executed = execution.result is not None and not isinstance(execution.result, PreExecutionError)
        if is_executed and len(text) <= MOST_CHARACTERS:
            _texts[hash_] = text


def _hash_in(named: Any) -> str:
    if not isinstance(named, dict) or named.get("version") != _VERSION:
        raise _invalid("persistedQuery must be an object with version 1 and sha256Hash")
    hash_ = named.get("sha256Hash")
    if not isinstance(hash_, str):
        raise _invalid("persistedQuery.sha256Hash must be a string of hexadecimal digits")
    return hash_.lower()


def _kept(hash_: str) -> str:
    text = _texts.get(hash_)
    if text is None:
        raise GraphQLError(_NOT_FOUND_MESSAGE, extensions={"code": NOT_FOUND, "field": None})
    return text


def _invalid(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": "INVALID_INPUT", "field": "extensions"})
