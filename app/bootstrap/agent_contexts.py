"""Builds what composes an agent's context: its layers, in the order of the prompt."""

from app.settings import Settings
from graph.conversations.episodes.service import Episodes
from graph.core.measuring import UNMEASURED, Measurements
from graph.knowledge.ontology.service import Ontology
from graph.retrieval.context.layers import EpisodeLayer, MemoryLayer, OntologyLayer, PatternLayer
from graph.retrieval.context.service import AgentContexts
from graph.retrieval.entities.service import EntitySearch
from graph.retrieval.recall.service import Recall
from graph.telemetry.service import Telemetry
from graph.tenancy.workspaces.service import Workspaces


def build_agent_contexts(
    settings: Settings,
    workspaces: Workspaces,
    episodes: Episodes,
    ontology: Ontology,
    entity_search: EntitySearch,
    telemetry: Telemetry,
    recall: Recall,
    measurements: Measurements = UNMEASURED,
) -> AgentContexts:
    """Return the service over the others."""
    layers = [
        EpisodeLayer(episodes),
        OntologyLayer(ontology, entity_search, recall),
        PatternLayer(telemetry, entity_search),
        MemoryLayer(recall),
    ]
    return AgentContexts(
        workspaces,
        layers,
        deadline_seconds=settings.context.deadline_ms / 1000,
        default_tokens=settings.proxy.max_tokens,
        measurements=measurements,
    )
