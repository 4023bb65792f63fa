"""Builds the room of knowledge: the ontology, documents, artifacts and what connects them."""

from typing import Final

from app.adapters.documents.isolation import IsolatedParser
from app.adapters.documents.reading import ReadingLimits
from app.adapters.embedding.word_pieces import WordPieces
from app.bootstrap.dependencies import Dependencies
from graph.knowledge.artifacts import Artifacts
from graph.knowledge.connections import Connections
from graph.knowledge.documents.chunking import MAX_CHUNK_CHARS
from graph.knowledge.documents.rules import DocumentPolicy
from graph.knowledge.documents.service import Documents
from graph.knowledge.exchange import OntologyExchange
from graph.knowledge.linking.service import Linking
from graph.knowledge.merging import Merging
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal import Traversal
from graph.operations.services import KnowledgeServices
from graph.tenancy.workspaces import Workspaces
from graph.vectors.index.service import Embeddings

_POLICY: Final = DocumentPolicy()
_READING_LIMITS: Final = ReadingLimits(
    seconds=20.0, memory_mb=1024, pages=1000, chars=_POLICY.max_chunks * MAX_CHUNK_CHARS
)
"""Enough for a book of 1,000 pages. The process is killed when a file needs more."""


def build_documents(on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces) -> Documents:
    """Return the use cases of documents."""
    return Documents(
        on.database,
        embeddings,
        on.signals.wake_up,
        on.clock,
        workspaces,
        parser=IsolatedParser(_READING_LIMITS),
        measure=WordPieces(on.tokenizer).count_tokens,
        policy=_POLICY,
        guard=on.guard,
        text_work=on.text_work,
        specificity=on.specificity,
    )


def build_knowledge(on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces) -> KnowledgeServices:
    """Return the room."""
    database, clock = on.database, on.clock
    ontology = Ontology(database, workspaces, on.signals.wake_up, clock, secrets=on.refusing)
    return KnowledgeServices(
        ontology=ontology,
        exchange=OntologyExchange(database, ontology.types, on.text_work),
        linking=Linking(database, ontology.types, clock, on.text_work, secrets=on.secrets),
        merging=Merging(database, ontology.types, clock),
        connections=Connections(database, clock),
        traversal=Traversal(database, clock),
        documents=build_documents(on, embeddings=embeddings, workspaces=workspaces),
        artifacts=Artifacts(database, on.signals.wake_up, clock, guard=on.guard),
    )
