"""What the exchange of types needs from outside the graph, as a protocol that ``app/adapters`` fulfils."""

from typing import Protocol

from graph.knowledge.exchange.models import OntologyFormat, Vocabulary


class VocabularyUnreadable(Exception):
    """Raised by a reader of vocabularies for a text it cannot take; the text says what is wrong where, for people."""


class RdfVocabularies(Protocol):
    """Reads and writes types as RDF vocabularies, without ever fetching anything; safe to call from many tasks."""

    async def read(self, content: str, format_: OntologyFormat) -> Vocabulary:
        """Return the types that classes and properties amount to.

        Raises:
            VocabularyUnreadable: It is not in that format, or refers to what would have to be fetched.
        """
        ...

    async def write(self, vocabulary: Vocabulary, format_: OntologyFormat) -> str:
        """Return the types as classes and properties, which read again are the same types."""
        ...
