"""The vocabulary part of the composition root: RDF where the extra is installed."""

from importlib.util import find_spec

from graph.core.text.work import TextWork
from graph.knowledge.exchange.ports import RdfVocabularies


def open_vocabularies(text_work: TextWork) -> RdfVocabularies | None:
    """Return what reads and writes RDF, or None without the extra ``rdf``."""
    if find_spec("rdflib") is None:
        return None
    # Part of an extra, and importing it takes half a second: only who has installed it pays for it.
    from app.adapters.rdf.vocabularies import RdflibVocabularies  # noqa: PLC0415

    return RdflibVocabularies(text_work)
