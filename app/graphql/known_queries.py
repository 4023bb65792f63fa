"""Parses the text of a query once, however often it is sent."""

from collections.abc import Iterator
from contextlib import suppress

from graphql import GraphQLError
from strawberry.extensions import ParserCache


class KnownQueries(ParserCache):
    """Strawberry's cache; a text that cannot be parsed is left to the schema, which refuses it as its own error."""

    def on_parse(self) -> Iterator[None]:
        """Take the document from the cache."""
        execution = self.execution_context
        with suppress(GraphQLError):
            execution.graphql_document = self.cached_parse_document(
                execution.query, **execution.parse_options
            )
        yield
