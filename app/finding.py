"""The part of the composition root that finds knowledge and answers out of it."""

from dataclasses import dataclass

from app.settings import RecallSettings
from graph.asking.service import Asking
from graph.core.database import Database
from graph.embeddings.service import Embeddings
from graph.entity_search.service import EntitySearch
from graph.memories.service import Memories
from graph.ontology.service import Ontology
from graph.ports import Clock, LanguageModel
from graph.recall.service import Recall
from graph.search.service import Search


@dataclass(frozen=True)
class Finding:
    """The use cases of searching and asking."""

    search: Search
    entity_search: EntitySearch
    asking: Asking


def build_finding(
    settings: RecallSettings,
    database: Database,
    embeddings: Embeddings,
    recall: Recall,
    memories: Memories,
    ontology: Ontology,
    clock: Clock,
    language_model: LanguageModel | None,
) -> Finding:
    """Return what finds knowledge, by the rules of recall."""
    search = Search(database, recall, memories, pool=settings.pool)
    entity_search = EntitySearch(database, ontology, recall)
    asking = Asking(
        database, embeddings, recall, search, entity_search, ontology, clock, language_model=language_model
    )
    return Finding(search, entity_search, asking)
