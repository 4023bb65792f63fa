"""The part of the composition root that finds knowledge, answers out of it and exchanges its types."""

from dataclasses import dataclass

from app.bootstrap.vocabularies import open_vocabularies
from app.settings import Settings
from graph.core.database import Database
from graph.core.ports import Clock, LanguageModel
from graph.core.text.work import TextWork
from graph.knowledge.exchange.service import OntologyExchange
from graph.knowledge.ontology.service import Ontology
from graph.memories.service import Memories
from graph.retrieval.answering.service import Asking
from graph.retrieval.entities.service import EntitySearch
from graph.retrieval.recall.service import Recall
from graph.retrieval.search.service import Search
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class Finding:
    """The use cases of searching and asking, and of the ontology's files."""

    search: Search
    entity_search: EntitySearch
    asking: Asking
    ontology_exchange: OntologyExchange


def build_finding(
    settings: Settings,
    database: Database,
    embeddings: Embeddings,
    recall: Recall,
    memories: Memories,
    ontology: Ontology,
    clock: Clock,
    language_model: LanguageModel | None,
    text_work: TextWork,
) -> Finding:
    """Return what finds knowledge, and what brings types in and out."""
    search = Search(database, recall, memories, pool=settings.recall.pool)
    entity_search = EntitySearch(database, ontology, recall)
    asking = Asking(
        database, embeddings, recall, search, entity_search, ontology, clock, language_model=language_model
    )
    exchange = OntologyExchange(database, ontology.types, open_vocabularies(text_work), text_work)
    return Finding(search, entity_search, asking, exchange)
