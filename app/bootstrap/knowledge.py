"""Builds the room of knowledge: the ontology, documents, artifacts and what connects them."""

from app.bootstrap.dependencies import Dependencies
from app.bootstrap.documents import build_documents
from graph.knowledge.artifacts.service import Artifacts
from graph.knowledge.connections.service import Connections
from graph.knowledge.exchange.service import OntologyExchange
from graph.knowledge.linking.service import Linking
from graph.knowledge.merging.service import Merging
from graph.knowledge.ontology.service import Ontology
from graph.knowledge.traversal.service import Traversal
from graph.operations.services import KnowledgeServices
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.index.service import Embeddings


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
